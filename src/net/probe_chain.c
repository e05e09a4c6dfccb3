#include "probe_parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 16, NAMES_MAX = 256, FIELD_MAX = 1024, LIST_MAX = 64 * 1024 };

static char *probe_chain_clean(const char *text, size_t len) {
    struct str out;
    str_init(&out, FIELD_MAX);
    utf8_sanitise(&out, text, len);
    return str_take(&out);
}

static bool probe_chain_read_number(const char **at, int *out) {
    const char *start = *at;
    for (*out = 0; **at >= '0' && **at <= '9' && *at - start < 4; ++*at)
        *out = *out * 10 + (**at - '0');
    return *at > start;
}

static bool probe_chain_skip(const char **at, char c) {
    if (**at != c)
        return false;
    while (**at == c)
        ++*at;
    return true;
}

static int read_month(const char **at) {
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (int i = 0; i < 12; i++)
        if (strncmp(*at, months + (ptrdiff_t)3 * i, 3) == 0) {
            *at += 3;
            return i + 1;
        }
    return 0;
}

/* "Jan  1 00:00:00 2026 GMT", as OpenSSL prints it; CLOCK_NONE: something else. */
static int64_t read_openssl_time(const char *text) {
    struct civil at = {0};
    int64_t ms = CLOCK_NONE;
    at.month = read_month(&text);
    bool ok = at.month > 0 && probe_chain_skip(&text, ' ') && probe_chain_read_number(&text, &at.day) &&
              probe_chain_skip(&text, ' ') && probe_chain_read_number(&text, &at.hour) &&
              probe_chain_skip(&text, ':') && probe_chain_read_number(&text, &at.minute) &&
              probe_chain_skip(&text, ':') && probe_chain_read_number(&text, &at.second) &&
              probe_chain_skip(&text, ' ') && probe_chain_read_number(&text, &at.year) && str_equal(text, " GMT");
    return ok && clock_from_civil(&at, &ms) ? ms : CLOCK_NONE;
}

/* Other libraries print "2026-01-01 00:00:00 GMT". */
static int64_t probe_chain_read_time(const char *text) {
    int64_t ms = read_openssl_time(text);
    size_t len = strlen(text);
    if (ms == CLOCK_NONE && len > 4 && str_equal(text + len - 4, " GMT") && !clock_parse(text, len - 4, &ms))
        ms = CLOCK_NONE;
    return ms;
}

static void probe_chain_add_names(struct probe_certificate *certificate, const char *list) {
    while (*list && certificate->n_names < NAMES_MAX) {
        list += strspn(list, ", \n");
        size_t len = strcspn(list, ",\n");
        if (len > 0)
            certificate->names[certificate->n_names++] = probe_chain_clean(list, len);
        list += len;
    }
}

static void take_field(struct probe_certificate *certificate, const char *line) {
    struct {
        const char *name;
        char **text;
        int64_t *time;
    } fields[] = {
        {"Subject:", &certificate->subject, NULL},
        {"Issuer:", &certificate->issuer, NULL},
        {"Signature Algorithm:", &certificate->signature, NULL},
        {"Public Key Algorithm:", &certificate->key, NULL},
        {"Start date:", NULL, &certificate->start},
        {"Expire date:", NULL, &certificate->end},
    };
    static const char names[] = "X509v3 Subject Alternative Name:";
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        if (!str_starts(line, fields[i].name))
            continue;
        const char *value = line + strlen(fields[i].name);
        if (fields[i].time)
            *fields[i].time = probe_chain_read_time(value);
        else if (!*fields[i].text)
            *fields[i].text = probe_chain_clean(value, strlen(value));
        return;
    }
    if (str_starts(line, names))
        probe_chain_add_names(certificate, line + sizeof names - 1);
}

static void fill_missing(char **text) {
    if (!*text)
        *text = mem_dup("");
}

static void read_certificate(const struct curl_slist *lines, struct probe_certificate *certificate) {
    *certificate = (struct probe_certificate){.start = CLOCK_NONE, .end = CLOCK_NONE};
    certificate->names = mem_new_array(NAMES_MAX, sizeof *certificate->names);
    for (; lines; lines = lines->next)
        if (strlen(lines->data) <= LIST_MAX)
            take_field(certificate, lines->data);
    fill_missing(&certificate->subject);
    fill_missing(&certificate->issuer);
    fill_missing(&certificate->key);
    fill_missing(&certificate->signature);
}

void probe_read_chain(CURL *easy, struct probe_chain *chain) {
    struct curl_certinfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || !info || info->num_of_certs <= 0)
        return;
    chain->n = info->num_of_certs < CHAIN_MAX ? (size_t)info->num_of_certs : CHAIN_MAX;
    chain->items = mem_new_array(chain->n, sizeof *chain->items);
    for (size_t i = 0; i < chain->n; i++)
        read_certificate(info->certinfo[i], &chain->items[i]);
}
