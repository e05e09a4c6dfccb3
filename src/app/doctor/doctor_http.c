#include "doctor_judge.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { US_PER_MS = 1000, SLOW_MS = 2000, TOO_SLOW_MS = 5000 };

static void advise_silence(enum probe_cause cause, struct doctor_finding *out) {
    if (cause == PROBE_NOT_HTTP)
        advise(out, WHO_OWNER, "Another protocol answers behind TLS: correct the port, or what it leads to.");
    else if (cause == PROBE_CLOSED)
        advise(out, WHO_OWNER, "The server closes without a word: see its log, and the proxy before it.");
    else if (cause == PROBE_TLS_CLIENT)
        advise(out, WHO_OWNER, "The endpoint asks for a client certificate; the sender has none: switch it off.");
    else
        advise(out, WHO_OWNER, "It must answer within seconds: take the event, answer, then work on it.");
}

static void judge_status(const struct probe_pass *pass, struct doctor_finding *out) {
    int status = pass->status;
    if (status >= 500) {
        say(out, DOCTOR_FAIL, "it fails by itself");
        advise(out, WHO_OWNER, "See the application's log: a sender counts this as not delivered.");
    } else if (status == 405 && pass->allow && ascii_find(pass->allow, "POST")) {
        say(out, DOCTOR_PASS, "GET is not allowed, POST is: as it should be");
    } else if (status >= 400) {
        say(out, DOCTOR_PASS, "refusing a GET is no fault: events come as POST");
        if (status == 401 || status == 403 || status == 404) {
            say(out, DOCTOR_NOTE,
                status == 404 ? "whether the path exists for a POST is not known"
                              : "if a POST needs a login too, no event comes in");
        }
    }
}

static void judge_page(const struct probe_pass *pass, struct doctor_finding *out) {
    if (pass->password_field) {
        say(out, DOCTOR_WARN, "a login page answers (a form with a password)");
        advise(out, WHO_OWNER, "Take the path out of the login: a sender cannot log in.");
    } else if (pass->html && pass->status < 400) {
        say(out, DOCTOR_WARN, "a web page answers (HTML), not a receiver of events");
        advise(out, WHO_OWNER, "Check that this path is the receiver.");
    }
}

void judge_http(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *get = doctor_pass(doctor, PROBE_GET);
    const struct probe_pass *head = doctor_pass(doctor, PROBE_HEAD);
    if (!get)
        return;
    if (get->status == 0) {
        say(out, DOCTOR_FAIL, "GET: %s", doctor_cause_words(get->cause));
        say(out, DOCTOR_FAIL, "libcurl %d, errno %d", get->code, get->os_error);
        advise_silence(get->cause, out);
        return;
    }
    say(out, DOCTOR_PASS, "GET: %d%s%s%s%s", get->status, get->type ? ", " : "", get->type ? get->type : "",
        get->server ? ", server " : "", get->server ? get->server : "");
    if (head && head->status != 0)
        say(out, DOCTOR_PASS, "HEAD: %d", head->status);
    judge_status(get, out);
    judge_page(get, out);
    if (get->cause == PROBE_CUT || get->cause == PROBE_SLOW || get->cause == PROBE_TOO_LARGE) {
        say(out, DOCTOR_WARN, "%s", doctor_cause_words(get->cause));
        advise(out, WHO_OWNER, "Answer short and whole: a sender may count this as failed.");
    }
}

/* ---- 13 ---- */

static bool same_but_slash(const char *a, const char *b) {
    size_t a_len = strlen(a), b_len = strlen(b);
    const char *longer = a_len > b_len ? a : b;
    size_t shorter = a_len > b_len ? b_len : a_len;
    return strncmp(a, b, shorter) == 0 && strcmp(longer + shorter, "/") == 0;
}

static bool is_www_pair(const char *a, const char *b) {
    return (str_starts(a, "www.") && ascii_compare(a + 4, b) == 0) ||
           (str_starts(b, "www.") && ascii_compare(b + 4, a) == 0);
}

static bool looks_like_login(const char *path) {
    static const char *const WORDS[] = {"login", "signin", "sign-in", "sign_in", "auth", "sso"};
    for (size_t i = 0; i < COUNT_OF(WORDS); i++)
        if (ascii_find(path, WORDS[i]))
            return true;
    return false;
}

static const char *redirect_kind(const struct url *from, const struct url *to) {
    if (!str_equal(to->scheme, "https"))
        return "to plain http: nothing would be protected there";
    if (looks_like_login(to->path))
        return "to a login";
    if (!str_equal(from->host, to->host))
        return is_www_pair(from->host, to->host) ? "between the name with www and the one without" : "to another host";
    return same_but_slash(from->path, to->path) ? "to the same path with or without its last slash" : "to another path";
}

static void tell_redirect(const struct doctor *doctor, const struct probe_pass *get, struct doctor_finding *out) {
    struct url to = {0};
    int status = get->status;
    const char *target = get->redirect;
    bool read = target && url_parse(target, &to, NULL) == ERR_OK;
    say(out, DOCTOR_FAIL, "%d %s", status,
        read ? redirect_kind(&doctor->endpoint.url, &to) : "to an address that cannot be read");
    if (target)
        say(out, DOCTOR_FAIL, "target: %s", target);
    if (status == 301 || status == 302 || status == 303)
        say(out, DOCTOR_FAIL, "with %d a POST becomes a GET: the event would be lost on the way", status);
    if (read && str_equal(to.scheme, "https"))
        advise(out, WHO_TYPES, "Senders do not follow: check the target, and register that if it is right.");
    else
        advise(out, WHO_OWNER, "Senders do not follow: let the URL itself answer.");
    url_clear(&to);
}

void judge_redirect(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *get = doctor_pass(doctor, PROBE_GET);
    if (!get || get->status == 0)
        return;
    if (get->status / 100 == 3 && get->status != 304)
        tell_redirect(doctor, get, out);
    else
        say(out, DOCTOR_PASS, "none");
}

/* ---- 14 and 15 ---- */

/* Each version is judged by its own answer: a refused GET is fine, but not a redirect, which senders do not follow, nor
 * a status that refuses the version itself. */
static bool version_works(const struct probe_pass *pass) {
    enum { MISDIRECTED = 421, UPGRADE = 426 };
    int status = pass->status;
    bool whole = pass->cause == PROBE_FINE || pass->cause == PROBE_TOO_LARGE || pass->cause == PROBE_SLOW;
    bool taken = status / 100 == 2 || (status / 100 == 4 && status != MISDIRECTED && status != UPGRADE);
    return whole && (taken || status == 304);
}

/* "503", "200, but the answer broke off", "closed without an answer". */
static void tell_version(const struct probe_pass *pass, struct str *out) {
    if (pass->status == 0) {
        str_add(out, doctor_cause_words(pass->cause));
        return;
    }
    str_addf(out, "%d", pass->status);
    if (pass->cause != PROBE_FINE)
        str_addf(out, ", %s", doctor_cause_words(pass->cause));
    else if (pass->status / 100 == 3 && pass->redirect)
        str_add(out, ", a redirect");
}

static void judge_one_version(const struct probe_pass *one, const struct probe_pass *again, const char *answer,
                              struct doctor_finding *out) {
    if (one->status != again->status) {
        say(out, DOCTOR_WARN, "HTTP/1.1, asked twice, answers %d and %d; HTTP/2 is not offered", one->status,
            again->status);
        advise(out, WHO_OWNER, "Find out which servers answer in turn: a sender may meet either.");
    } else if (version_works(one)) {
        say(out, DOCTOR_PASS, "HTTP/1.1 works (%s); HTTP/2 is not offered, which every sender copes with", answer);
    } else {
        say(out, DOCTOR_NOTE, "HTTP/1.1: %s; HTTP/2 is not offered; see the HTTP answer above", answer);
    }
}

static void judge_two_versions(bool works_one, bool works_two, const char *one, const char *two,
                               struct doctor_finding *out) {
    if (works_one && works_two && str_equal(one, two)) {
        say(out, DOCTOR_PASS, "HTTP/1.1 and HTTP/2 work (%s)", one);
    } else if (works_one && works_two) {
        say(out, DOCTOR_WARN, "HTTP/1.1: %s; HTTP/2: %s: they do not lead to the same answer", one, two);
        advise(out, WHO_OWNER, "Let both lead to the receiver: a sender takes either.");
    } else if (works_one) {
        say(out, DOCTOR_WARN, "HTTP/1.1 works (%s); HTTP/2 is offered and fails (%s)", one, two);
        advise(out, WHO_OWNER, "Repair HTTP/2 or stop offering it: senders take it where it is offered.");
    } else if (works_two) {
        say(out, DOCTOR_WARN, "HTTP/2 only (%s); HTTP/1.1: %s", two, one);
        advise(out, WHO_OWNER, "Switch on HTTP/1.1 as well: many senders use nothing else.");
    } else {
        say(out, DOCTOR_NOTE, "neither works: HTTP/1.1: %s; HTTP/2: %s; see the HTTP answer above", one, two);
    }
}

void judge_http_versions(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *one = doctor_pass(doctor, PROBE_HTTP_1), *two = doctor_pass(doctor, PROBE_HTTP_2);
    struct str answer_one, answer_two;
    if (!one || !two)
        return;
    str_init(&answer_one, 256);
    str_init(&answer_two, 256);
    tell_version(one, &answer_one);
    tell_version(two, &answer_two);
    if (one->status != 0 && two->status != 0 && two->http_version != 20) /* it fell back to HTTP/1.1 */
        judge_one_version(one, two, answer_one.s, out);
    else
        judge_two_versions(version_works(one), version_works(two), answer_one.s, answer_two.s, out);
    str_clear(&answer_one);
    str_clear(&answer_two);
}

void judge_time(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *get = doctor_pass(doctor, PROBE_GET);
    if (!get)
        return;
    if (get->cause == PROBE_SILENT) {
        say(out, DOCTOR_FAIL, "no answer within %lld ms", (long long)(get->total_us / US_PER_MS));
        advise(out, WHO_OWNER, "Answer first, work after: senders wait 5 to 30 s.");
        return;
    }
    if (get->first_us == 0)
        return;
    long long ms = (long long)((get->first_us - get->tls_us) / US_PER_MS);
    say(out,
        ms > TOO_SLOW_MS ? DOCTOR_FAIL
        : ms > SLOW_MS   ? DOCTOR_WARN
                         : DOCTOR_PASS,
        "first byte after %lld ms (name, connection and TLS aside)", ms);
    if (ms > SLOW_MS)
        advise(out, WHO_OWNER, "Answer first, work after: senders wait 5 to 30 s, some less.");
}

/* ---- 16 ---- */

void judge_post(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *post = doctor_pass(doctor, PROBE_POST);
    if (!doctor->question.post) {
        say(out, DOCTOR_SKIPPED, "not asked for; it sends one POST that says it is a probe, wrongly signed on purpose");
        return;
    }
    if (!post)
        return;
    if (post->status == 0) {
        say(out, DOCTOR_FAIL, "POST: %s", doctor_cause_words(post->cause));
        advise_silence(post->cause, out);
    } else if (post->status >= 500) {
        say(out, DOCTOR_WARN, "POST: %d: a wrong signature makes it fail", post->status);
        advise(out, WHO_OWNER, "Refuse what does not verify with a 4xx status.");
    } else if (post->status >= 400) {
        say(out, DOCTOR_PASS, "POST: %d: it refuses what is wrongly signed", post->status);
    } else if (post->status >= 300) {
        say(out, DOCTOR_FAIL, "POST: %d: a redirect, which senders do not follow", post->status);
        advise(out, WHO_OWNER, "Let the URL itself answer.");
    } else {
        say(out, DOCTOR_WARN, "POST: %d: it takes what is wrongly signed", post->status);
        advise(out, WHO_OWNER, "Verify signatures: anyone who knows the URL can send events.");
    }
    say(out, DOCTOR_PASS, "a probe, not an event: real ones carry other headers and bodies");
}
