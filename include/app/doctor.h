#ifndef APP_DOCTOR_H
#define APP_DOCTOR_H
/* The doctor: measures a webhook's endpoint step by step and judges what was measured (src/README.md, The doctor's
 * checks, in that order). Pure: each step leaves as an effect, its measurements come back as an event, and verdicts are
 * made from them alone. It follows no redirect by itself, sends no secret, and speaks for this machine only. Its texts
 * are sanitised, and owned until the next start. */

#include "app/effect.h"
#include "model/endpoint.h"
#include "model/probe.h"
#include "model/webhook.h"

/*        code        title                            */
#define DOCTOR_CHECK_TABLE(X)         \
    X(VANTAGE, "seen from here")      \
    X(URL, "URL")                     \
    X(ADDRESS, "kind of address")     \
    X(NAME, "name lookup")            \
    X(TCP, "connection")              \
    X(TLS, "TLS, verified")           \
    X(LOOK, "certificate as sent")    \
    X(CHAIN, "chain")                 \
    X(DATES, "dates")                 \
    X(HOST, "names in it")            \
    X(VERSIONS, "TLS versions")       \
    X(CLIENT, "client certificate")   \
    X(HTTP, "HTTP answer")            \
    X(REDIRECT, "redirect")           \
    X(HTTP_VERSIONS, "HTTP versions") \
    X(TIME, "time to answer")         \
    X(POST, "unsigned POST")          \
    X(SECRET, "secret")               \
    X(RECORD, "registration")         \
    X(SIGNATURE, "signatures")

enum doctor_check {
#define X(code, title) DOCTOR_##code,
    DOCTOR_CHECK_TABLE(X)
#undef X
        DOCTOR_CHECK_COUNT
};
const char *doctor_check_title(enum doctor_check check);

enum doctor_verdict {
    DOCTOR_PENDING, /* not measured yet */
    DOCTOR_SKIPPED, /* nothing meaningful can be said, for instance since an earlier step failed */
    DOCTOR_PASS,
    DOCTOR_NOTE,
    DOCTOR_WARN,
    DOCTOR_FAIL
};
const char *doctor_verdict_word(enum doctor_verdict verdict);

struct doctor_finding {
    enum doctor_verdict verdict;
    struct str evidence; /* one or more lines */
    struct str advice;   /* the next step; "" where none is needed */
    const char *who;     /* who can do it; NULL: nobody needs to */
};

/* What is known besides the measurements. All text is copied. */
struct doctor_question {
    const char *url, *ca_file; /* ca_file NULL or "": the system's trust */
    bool local_ok;             /* local addresses are only noted, not refused: a sandbox profile, or --allow-local */
    bool post;                 /* the opt-in probe */
    bool has_secret;           /* a secret was typed: its state, and the profile that has the same one */
    enum webhook_secret_state secret;
    const char *shared_with;
    const char *known_url;         /* of this console's record; NULL: none */
    bool known_signed, known_held; /* held: an answer said that it was in force */
    int64_t known_at;
};

/* The measurement that an effect asks for; owns its text. */
struct probe_ask {
    enum probe_step step;
    char *url, *ca_file;
    struct probe_address addresses[PROBE_ADDRESSES_MAX];
    size_t n;
};
void probe_ask_free(struct probe_ask *ask);
PAYLOAD_TYPE(probe_ask)
uint64_t effects_probe(struct effects *effects, struct probe_ask *ask); /* takes ask */
PAYLOAD_TYPE(probe_result)

enum doctor_stage { DOCTOR_IDLE, DOCTOR_RUNNING, DOCTOR_ENDED };
enum { DOCTOR_HOPS_MAX = 5 };

struct doctor {
    enum doctor_stage stage;
    struct doctor_question question; /* owned copies */
    struct endpoint endpoint;
    struct probe_result results[PROBE_STEP_COUNT];
    bool have[PROBE_STEP_COUNT];
    int64_t at[PROBE_STEP_COUNT]; /* when its measurement came */
    enum probe_step step;         /* the step that is being measured */
    uint64_t ticket;
    bool cancelled;
    int hops; /* redirects that the operator chose to follow */
    int64_t started, now;
    struct doctor_finding findings[DOCTOR_CHECK_COUNT];
};

void doctor_init(struct doctor *doctor);
void doctor_clear(struct doctor *doctor);
/* Ends a check that runs and begins a new one; a URL that is refused as text ends it at once. */
void doctor_start(struct doctor *doctor, const struct doctor_question *question, int64_t now, struct effects *effects);
/* Checks the address that the endpoint redirects to; false where there is none, or after too many redirects. */
bool doctor_follow(struct doctor *doctor, int64_t now, struct effects *effects);
void doctor_cancel(struct doctor *doctor, struct effects *effects);
/* True when the event was a measurement for this doctor. */
bool doctor_update(struct doctor *doctor, struct event *event, struct effects *effects);

/* Where it redirects to, or NULL. */
const char *doctor_target(const struct doctor *doctor);
/* The worst of all; PENDING while it runs. */
enum doctor_verdict doctor_overall(const struct doctor *doctor);
/* "handshake with TLS 1.2 only": what is under way. */
const char *doctor_step_words(const struct doctor *doctor);

/* Appends the report for the endpoint's owner, with what it cannot tell. `ascii`: no box drawing. */
void doctor_report_text(const struct doctor *doctor, bool ascii, struct str *out);
void doctor_report_json(const struct doctor *doctor, struct str *out);
/* Appends the certificate chain as a tree, a line each, with days left; nothing where none was seen. */
void doctor_draw_chain(const struct doctor *doctor, bool ascii, struct str *out);
const char *doctor_limits(void); /* what such a report cannot tell */
/* One check as lines: verdict, title, evidence, advice. */
void doctor_tell(const struct doctor *doctor, enum doctor_check check, bool ascii, struct str *out);

#endif
