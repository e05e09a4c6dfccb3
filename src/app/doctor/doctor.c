#include "app/doctor.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "doctor_judge.h"

#include <stdlib.h>
#include <string.h>

static const char *const titles[] = {
#define X(code, title) title,
    DOCTOR_CHECK_TABLE(X)
#undef X
};

const char *doctor_check_title(enum doctor_check check) {
    return titles[check];
}

const char *doctor_verdict_word(enum doctor_verdict verdict) {
    static const char *const WORDS[] = {"...", "skipped", "pass", "note", "warn", "FAIL"};
    return WORDS[verdict];
}

void probe_ask_free(struct probe_ask *ask) {
    if (ask) {
        free(ask->url);
        free(ask->ca_file);
        free(ask);
    }
}
PAYLOAD_OWNED(probe_ask, probe_ask_free);

uint64_t effects_probe(struct effects *effects, struct probe_ask *ask) {
    return effects_ask(effects, EFFECT_PROBE, payload_of(probe_ask, ask));
}

static void free_result(struct probe_result *result) {
    probe_result_clear(result);
    free(result);
}
PAYLOAD_OWNED(probe_result, free_result);

/* ---- life ---- */

enum { EVIDENCE_MAX = 16 << 10, ADVICE_MAX = 2048 };

void doctor_init(struct doctor *doctor) {
    *doctor = (struct doctor){.stage = DOCTOR_IDLE};
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++) {
        str_init(&doctor->findings[i].evidence, EVIDENCE_MAX);
        str_init(&doctor->findings[i].advice, ADVICE_MAX);
    }
}

static void forget_question(struct doctor_question *question) {
    free((char *)question->url);
    free((char *)question->ca_file);
    free((char *)question->shared_with);
    free((char *)question->known_url);
    *question = (struct doctor_question){0};
}

static void copy_question(struct doctor_question *to, const struct doctor_question *from) {
    *to = *from;
    to->url = mem_dup(from->url);
    to->ca_file = mem_dup(from->ca_file);
    to->shared_with = mem_dup(from->shared_with);
    to->known_url = mem_dup(from->known_url);
}

static void forget_results(struct doctor *doctor) {
    for (int i = 0; i < PROBE_STEP_COUNT; i++) {
        if (doctor->have[i]) {
            probe_result_clear(&doctor->results[i]);
            doctor->have[i] = false;
        }
    }
    endpoint_clear(&doctor->endpoint);
}

void doctor_clear(struct doctor *doctor) {
    forget_results(doctor);
    forget_question(&doctor->question);
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++) {
        str_clear(&doctor->findings[i].evidence);
        str_clear(&doctor->findings[i].advice);
    }
    *doctor = (struct doctor){0};
}

/* ---- which step comes next ---- */

static bool fine(const struct doctor *doctor, enum probe_step step) {
    const struct probe_pass *pass = doctor_pass(doctor, step);
    return pass && pass->cause == PROBE_FINE;
}

static bool tls_can_be_tried(enum probe_cause cause) {
    return cause == PROBE_FINE || doctor_is_certificate(cause) || cause == PROBE_TLS_VERSION ||
           cause == PROBE_TLS_REFUSED || cause == PROBE_TLS_FAILED || cause == PROBE_TLS_HERE ||
           cause == PROBE_TLS_CLIENT || cause == PROBE_TLS_CUT;
}

static bool may_connect(const struct doctor *doctor) {
    const struct probe_addresses *found = &doctor->results[PROBE_RESOLVE].addresses;
    for (size_t i = 0; i < found->n; i++)
        if (!doctor_may_talk(doctor, &found->items[i]))
            return false;
    return found->cause == PROBE_FINE && found->n > 0;
}

static bool connected(const struct doctor *doctor) {
    const struct probe_addresses *tried = &doctor->results[PROBE_TCP].addresses;
    for (size_t i = 0; i < tried->n; i++)
        if (tried->items[i].cause == PROBE_FINE)
            return true;
    return false;
}

/* True where the step can tell something, once the steps before it were made. */
static bool doctor_is_due(const struct doctor *doctor, enum probe_step step) {
    const struct probe_pass *tls = doctor_pass(doctor, PROBE_TLS);
    const struct probe_pass *get = doctor_pass(doctor, PROBE_GET);
    switch (step) {
    case PROBE_RESOLVE:
        return endpoint_is_allowed(&doctor->endpoint, doctor->question.local_ok);
    case PROBE_TCP:
        return doctor->have[PROBE_RESOLVE] && may_connect(doctor);
    case PROBE_TLS:
        return doctor->have[PROBE_TCP] && connected(doctor);
    case PROBE_LOOK:
        return tls && tls_can_be_tried(tls->cause) && doctor->results[PROBE_TLS].chain.n == 0;
    case PROBE_TLS_12:
    case PROBE_TLS_13:
        return tls && tls_can_be_tried(tls->cause);
    case PROBE_TLS_OLD:
        return doctor->have[PROBE_TLS_13] && !fine(doctor, PROBE_TLS_12) && !fine(doctor, PROBE_TLS_13);
    case PROBE_HEAD:
    case PROBE_GET:
        return tls && tls->cause == PROBE_FINE;
    case PROBE_HTTP_1:
    case PROBE_HTTP_2: /* also where GET failed, which may have used the version that fails */
        return get && (get->status != 0 || get->cause == PROBE_CLOSED || get->cause == PROBE_CUT ||
                       get->cause == PROBE_NOT_HTTP || get->cause == PROBE_BROKEN);
    default:
        return doctor->question.post && get && get->status != 0 && get->status / 100 != 3;
    }
}

/* The first step that is due, in the order of the checks. */
static bool doctor_next_step(const struct doctor *doctor, enum probe_step *step) {
    static const enum probe_step ORDER[] = {
        PROBE_RESOLVE, PROBE_TCP,  PROBE_TLS, PROBE_LOOK,   PROBE_TLS_12, PROBE_TLS_13,
        PROBE_TLS_OLD, PROBE_HEAD, PROBE_GET, PROBE_HTTP_1, PROBE_HTTP_2, PROBE_POST,
    };
    for (size_t i = 0; i < COUNT_OF(ORDER); i++) {
        if (!doctor->have[ORDER[i]] && doctor_is_due(doctor, ORDER[i])) {
            *step = ORDER[i];
            return true;
        }
    }
    return false;
}

static void give_addresses(const struct doctor *doctor, struct probe_ask *ask) {
    bool tried = doctor->have[PROBE_TCP];
    const struct probe_addresses *from = &doctor->results[tried ? PROBE_TCP : PROBE_RESOLVE].addresses;
    if (!doctor->have[PROBE_RESOLVE])
        return;
    for (size_t i = 0; i < from->n; i++)
        if (!tried || from->items[i].cause == PROBE_FINE)
            ask->addresses[ask->n++] = from->items[i];
}

static void doctor_go_on(struct doctor *doctor, struct effects *effects) {
    if (!doctor_next_step(doctor, &doctor->step)) {
        doctor->stage = DOCTOR_ENDED;
        doctor_judge_all(doctor);
        return;
    }
    struct probe_ask *ask = mem_new(sizeof *ask);
    ask->step = doctor->step;
    ask->url = mem_dup(doctor->question.url);
    ask->ca_file = mem_dup(doctor->question.ca_file);
    give_addresses(doctor, ask);
    doctor->ticket = effects_probe(effects, ask);
    doctor_judge_all(doctor);
}

void doctor_start(struct doctor *doctor, const struct doctor_question *question, int64_t now, struct effects *effects) {
    struct doctor_question copy;
    copy_question(&copy, question);
    if (doctor->stage == DOCTOR_RUNNING)
        effects_cancel(effects, doctor->ticket);
    forget_results(doctor);
    forget_question(&doctor->question);
    doctor->question = copy;
    doctor->started = doctor->now = now;
    doctor->cancelled = false;
    doctor->hops = 0;
    doctor->stage = DOCTOR_RUNNING;
    endpoint_read(copy.url, &doctor->endpoint);
    doctor_go_on(doctor, effects);
}

const char *doctor_target(const struct doctor *doctor) {
    const struct probe_pass *get = doctor_pass(doctor, PROBE_GET);
    return get && get->status / 100 == 3 ? get->redirect : NULL;
}

bool doctor_follow(struct doctor *doctor, int64_t now, struct effects *effects) {
    const char *target = doctor_target(doctor);
    if (!target || doctor->hops >= DOCTOR_HOPS_MAX)
        return false;
    struct doctor_question question;
    int hops = doctor->hops + 1;
    copy_question(&question, &doctor->question);
    free((char *)question.url);
    question.url = mem_dup(target);
    doctor_start(doctor, &question, now, effects);
    doctor->hops = hops;
    forget_question(&question);
    return true;
}

void doctor_cancel(struct doctor *doctor, struct effects *effects) {
    if (doctor->stage == DOCTOR_RUNNING) {
        effects_cancel(effects, doctor->ticket);
        doctor->cancelled = true;
        doctor->stage = DOCTOR_ENDED;
        doctor_judge_all(doctor);
    }
}

bool doctor_update(struct doctor *doctor, struct event *event, struct effects *effects) {
    if (event->kind != EVENT_PROBED || doctor->stage != DOCTOR_RUNNING || event->ticket != doctor->ticket)
        return false;
    struct probe_result *result = event_take(event, probe_result);
    enum probe_step step = result->step;
    doctor->results[step] = *result;
    free(result);
    doctor->have[step] = true;
    doctor->at[step] = doctor->now = event->now;
    doctor_go_on(doctor, effects);
    return true;
}

enum doctor_verdict doctor_overall(const struct doctor *doctor) {
    enum doctor_verdict worst = DOCTOR_PASS;
    if (doctor->stage != DOCTOR_ENDED)
        return DOCTOR_PENDING;
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++)
        worst = doctor->findings[i].verdict > worst ? doctor->findings[i].verdict : worst;
    return worst;
}

const char *doctor_step_words(const struct doctor *doctor) {
    static const char *const WORDS[] = {
        [PROBE_RESOLVE] = "looking the name up",
        [PROBE_TCP] = "connecting to each address",
        [PROBE_TLS] = "TLS handshake, verified",
        [PROBE_LOOK] = "looking at the certificate as sent",
        [PROBE_TLS_OLD] = "handshake with TLS 1.0 or 1.1 only",
        [PROBE_TLS_12] = "handshake with TLS 1.2 only",
        [PROBE_TLS_13] = "handshake with TLS 1.3 only",
        [PROBE_HEAD] = "HEAD request",
        [PROBE_GET] = "GET request",
        [PROBE_HTTP_1] = "GET with HTTP/1.1",
        [PROBE_HTTP_2] = "GET with HTTP/2",
        [PROBE_POST] = "POST of a marked probe",
    };
    return doctor->stage == DOCTOR_RUNNING ? WORDS[doctor->step] : "";
}

/* ---- judging ---- */

void say(struct doctor_finding *out, enum doctor_verdict verdict, const char *format, ...) {
    struct str line;
    va_list args;
    str_init(&line, EVIDENCE_MAX);
    va_start(args, format);
    str_vaddf(&line, format, args);
    va_end(args);
    if (out->evidence.len > 0)
        str_add_char(&out->evidence, '\n');
    utf8_sanitise(&out->evidence, line.s, line.len);
    out->verdict = verdict > out->verdict ? verdict : out->verdict;
    str_clear(&line);
}

void advise(struct doctor_finding *out, const char *who, const char *format, ...) {
    struct str line;
    va_list args;
    str_init(&line, ADVICE_MAX);
    va_start(args, format);
    str_vaddf(&line, format, args);
    va_end(args);
    if (out->advice.len > 0)
        str_add(&out->advice, " ");
    utf8_sanitise(&out->advice, line.s, line.len);
    out->who = out->who ? out->who : who;
    str_clear(&line);
}

bool doctor_may_talk(const struct doctor *doctor, const struct probe_address *address) {
    return doctor->question.local_ok || address_class(address->text) == ADDRESS_PUBLIC;
}

const struct probe_pass *doctor_pass(const struct doctor *doctor, enum probe_step step) {
    return doctor->have[step] ? &doctor->results[step].pass : NULL;
}

const struct probe_chain *doctor_chain(const struct doctor *doctor) {
    static const enum probe_step STEPS[] = {PROBE_TLS, PROBE_LOOK};
    for (size_t i = 0; i < COUNT_OF(STEPS); i++)
        if (doctor->have[STEPS[i]] && doctor->results[STEPS[i]].chain.n > 0)
            return &doctor->results[STEPS[i]].chain;
    return NULL;
}

void doctor_judge_all(struct doctor *doctor) {
    static doctor_judge *const JUDGES[DOCTOR_CHECK_COUNT] = {
        [DOCTOR_VANTAGE] = judge_vantage,
        [DOCTOR_URL] = judge_url,
        [DOCTOR_ADDRESS] = judge_address,
        [DOCTOR_NAME] = judge_name,
        [DOCTOR_TCP] = judge_tcp,
        [DOCTOR_TLS] = judge_tls,
        [DOCTOR_LOOK] = judge_look,
        [DOCTOR_CHAIN] = judge_chain,
        [DOCTOR_DATES] = judge_dates,
        [DOCTOR_HOST] = judge_host,
        [DOCTOR_VERSIONS] = judge_versions,
        [DOCTOR_CLIENT] = judge_client,
        [DOCTOR_HTTP] = judge_http,
        [DOCTOR_REDIRECT] = judge_redirect,
        [DOCTOR_HTTP_VERSIONS] = judge_http_versions,
        [DOCTOR_TIME] = judge_time,
        [DOCTOR_POST] = judge_post,
        [DOCTOR_SECRET] = judge_secret,
        [DOCTOR_RECORD] = judge_record,
        [DOCTOR_SIGNATURE] = judge_signature,
    };
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++) {
        struct doctor_finding *finding = &doctor->findings[i];
        str_reset(&finding->evidence);
        str_reset(&finding->advice);
        finding->who = NULL;
        finding->verdict = DOCTOR_PENDING;
        JUDGES[i](doctor, finding);
        if (finding->verdict == DOCTOR_PENDING && doctor->stage == DOCTOR_ENDED) {
            say(finding, DOCTOR_SKIPPED,
                doctor->cancelled ? "cancelled before it was measured" : "not measured: what comes before it failed");
        }
    }
}
