#include "model/webhook.h"

#include "base/utf8.h"

#include <string.h>

enum { MINUTE_S = 60 };

static const char *const RESULTS[] = {
    [WEBHOOK_VERIFIED] = "verified",
    [WEBHOOK_STALE] = "stale",
    [WEBHOOK_SLIP] = "slip",
    [WEBHOOK_NO_SIGNATURE] = "no-signature",
    [WEBHOOK_OTHER_FORM] = "unknown-form",
    [WEBHOOK_INCOMPLETE] = "incomplete",
    [WEBHOOK_MISMATCH] = "mismatch",
};

const char *webhook_result_name(enum webhook_result result) {
    return RESULTS[result];
}

int webhook_result_find(const char *name) {
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++)
        if (str_equal(RESULTS[i], name))
            return (int)i;
    return -1;
}

static void tell_stale(const struct webhook_verdict *verdict, struct str *out) {
    str_addf(out, "the signature is right (%s), but its time is %lld min %s: receivers refuse it as stale\n",
             webhook_scheme_name(verdict->scheme),
             (long long)(verdict->off_s < 0 ? -verdict->off_s : verdict->off_s) / MINUTE_S,
             verdict->off_s < 0 ? "ahead" : "ago");
}

static void tell_slip(const struct webhook_verdict *verdict, struct str *out) {
    str_addf(out, "it verifies (%s) only with\n", webhook_scheme_name(verdict->scheme));
    if (verdict->secret_slip)
        str_addf(out, "  the secret %s\n", verdict->secret_slip);
    if (verdict->body_slip)
        str_addf(out, "  the body %s\n", verdict->body_slip);
}

static void tell_other_form(const struct webhook_verdict *verdict, struct str *out) {
    str_add(out, verdict->header && *verdict->header ? "header " : "");
    utf8_sanitise(out, verdict->header ? verdict->header : "", verdict->header ? strlen(verdict->header) : 0);
    str_add(out, verdict->header && *verdict->header ? ": " : "");
    str_add(out, "this header's form is not one of the known ones, so nothing can be said of the secret or the "
                 "body. Known are HMAC-SHA256 of the body in hexadecimal digits or base64, bare or behind a name as "
                 "in sha256=..., and Standard Webhooks (v1,...): ask the sender how it signs\n");
}

void webhook_verdict_tell(const struct webhook_verdict *verdict, struct str *out) {
    switch (verdict->result) {
    case WEBHOOK_VERIFIED:
        str_addf(out, "verified: %s\n", webhook_scheme_name(verdict->scheme));
        break;
    case WEBHOOK_STALE:
        tell_stale(verdict, out);
        break;
    case WEBHOOK_SLIP:
        tell_slip(verdict, out);
        break;
    case WEBHOOK_NO_SIGNATURE:
        str_add(out, "no header holds a signature of a known scheme: was a secret registered?\n");
        break;
    case WEBHOOK_OTHER_FORM:
        tell_other_form(verdict, out);
        break;
    case WEBHOOK_INCOMPLETE:
        str_add(out, "the signature is in the form of Standard Webhooks: give webhook-id and webhook-timestamp too\n");
        break;
    case WEBHOOK_MISMATCH:
        str_add(out, "no scheme matches, and no usual slip explains it: the secret is another one, or the body is not "
                     "the one that was signed (keys in another order, numbers or text written anew)\n");
        break;
    }
}
