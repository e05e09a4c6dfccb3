#include "app/text.h"
#include "doctor_judge.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <string.h>

enum { TITLE_COLS = 20, REPORT_TEXT_MAX = 64 << 10 };

static const char limits[] = "This report speaks for the machine it was made on. What the sender sees may differ:\n"
                             "its firewalls and allow-lists, its place in the network, its own rules for TLS.";

const char *doctor_limits(void) {
    return limits;
}

static void add_indented(struct str *out, const char *lines, size_t indent) {
    for (bool first = true; *lines; first = false) {
        size_t len = strcspn(lines, "\n");
        if (!first)
            str_add_repeat(out, ' ', indent);
        str_add_n(out, lines, len);
        str_add_char(out, '\n');
        lines += len + (lines[len] == '\n');
    }
}

void doctor_tell(const struct doctor *doctor, enum doctor_check check, bool ascii, struct str *out) {
    const struct doctor_finding *finding = &doctor->findings[check];
    const size_t indent = 3 + 9 + TITLE_COLS;
    str_addf(out, "%2d %-8s %-*s", (int)check, doctor_verdict_word(finding->verdict), TITLE_COLS,
             doctor_check_title(check));
    add_indented(out, finding->evidence.s, indent);
    if (check == DOCTOR_CHAIN && doctor_chain(doctor)) {
        struct str tree;
        str_init(&tree, REPORT_TEXT_MAX);
        doctor_draw_chain(doctor, ascii, &tree);
        str_add_repeat(out, ' ', indent);
        add_indented(out, tree.s, indent);
        str_clear(&tree);
    }
    if (finding->advice.len > 0) {
        str_add_repeat(out, ' ', indent);
        str_addf(out, "-> %s%s%s\n", finding->who ? finding->who : "", finding->who ? ": " : "", finding->advice.s);
    }
}

static const char *trust_of(const struct doctor *doctor) {
    const char *file = doctor->question.ca_file;
    return file && *file ? file : "the system's trusted roots";
}

void doctor_report_text(const struct doctor *doctor, bool ascii, struct str *out) {
    str_add(out, "Webhook check of ");
    utf8_sanitise(out, doctor->question.url, strlen(doctor->question.url));
    str_add_char(out, '\n');
    str_add(out, "made ");
    text_time(out, doctor->started);
    str_addf(out, " with bursar " BURSAR_VERSION ", trust: %s\n\n", trust_of(doctor));
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++)
        doctor_tell(doctor, (enum doctor_check)i, ascii, out);
    str_addf(out, "\nOverall: %s%s\n%s\n", doctor_verdict_word(doctor_overall(doctor)),
             doctor->cancelled ? " (cancelled before its end)" : "", limits);
}

/* ---- JSON ---- */

static void doctor_report_add_member(struct str *out, const char *name, const char *text) {
    str_addf(out, "\"%s\":", name);
    text_json(out, text);
}

static void add_certificate(struct str *out, const struct probe_certificate *certificate) {
    struct str time;
    str_init(&time, 64);
    str_add_char(out, '{');
    doctor_report_add_member(out, "subject", certificate->subject);
    str_add_char(out, ',');
    doctor_report_add_member(out, "issuer", certificate->issuer);
    if (certificate->end != CLOCK_NONE) {
        clock_format_iso(&time, certificate->end);
        str_add_char(out, ',');
        doctor_report_add_member(out, "valid_until", time.s);
    }
    str_add(out, ",\"names\":[");
    for (size_t i = 0; i < certificate->n_names; i++) {
        str_add(out, i > 0 ? "," : "");
        text_json(out, certificate->names[i]);
    }
    str_add(out, "]}");
    str_clear(&time);
}

static void doctor_report_add_check(const struct doctor *doctor, enum doctor_check check, struct str *out) {
    const struct doctor_finding *finding = &doctor->findings[check];
    bool failed = finding->verdict == DOCTOR_FAIL;
    str_addf(out, "{\"check\":%d,", (int)check);
    doctor_report_add_member(out, "title", doctor_check_title(check));
    str_add_char(out, ',');
    doctor_report_add_member(out, "verdict", failed ? "fail" : doctor_verdict_word(finding->verdict));
    str_add_char(out, ',');
    doctor_report_add_member(out, "evidence", finding->evidence.s);
    str_add_char(out, ',');
    doctor_report_add_member(out, "who", finding->who);
    str_add_char(out, ',');
    doctor_report_add_member(out, "next_step", finding->advice.len > 0 ? finding->advice.s : NULL);
    str_add_char(out, '}');
}

void doctor_report_json(const struct doctor *doctor, struct str *out) {
    struct str time;
    struct str url;
    const struct probe_chain *chain = doctor_chain(doctor);
    enum doctor_verdict overall = doctor_overall(doctor);
    str_init(&time, 64);
    str_init(&url, REPORT_TEXT_MAX);
    utf8_sanitise(&url, doctor->question.url, strlen(doctor->question.url));
    clock_format_iso(&time, doctor->started);
    str_add_char(out, '{');
    doctor_report_add_member(out, "url", url.s);
    str_add_char(out, ',');
    doctor_report_add_member(out, "made_at", time.s);
    str_add_char(out, ',');
    doctor_report_add_member(out, "trust", trust_of(doctor));
    str_add_char(out, ',');
    doctor_report_add_member(out, "overall", overall == DOCTOR_FAIL ? "fail" : doctor_verdict_word(overall));
    str_addf(out, ",\"cancelled\":%s,\"checks\":[", doctor->cancelled ? "true" : "false");
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++) {
        str_add(out, i > 0 ? "," : "");
        doctor_report_add_check(doctor, (enum doctor_check)i, out);
    }
    str_add(out, "],\"chain\":[");
    for (size_t i = 0; chain && i < chain->n; i++) {
        str_add(out, i > 0 ? "," : "");
        add_certificate(out, &chain->items[i]);
    }
    str_add(out, "],");
    doctor_report_add_member(out, "redirect", doctor_target(doctor));
    str_add_char(out, ',');
    doctor_report_add_member(out, "limits", limits);
    str_add(out, "}\n");
    str_clear(&url);
    str_clear(&time);
}
