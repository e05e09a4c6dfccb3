#include "doctor_judge.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { DAY_MS = 86400000 };

bool doctor_is_certificate(enum probe_cause cause) {
    return cause >= PROBE_CERT_FUTURE && cause <= PROBE_CERT_OTHER;
}

/* What to do about a failed handshake. */
static const struct {
    enum probe_cause cause;
    const char *who, *advice;
} remedies[] = {
    {PROBE_CERT_FUTURE, WHO_OWNER, "Install a certificate that is valid today; check both clocks."},
    {PROBE_CERT_EXPIRED, WHO_OWNER, "Renew the certificate, and see why it was not renewed by itself."},
    {PROBE_CERT_NAME, WHO_OWNER, "Get a certificate with this name, or use a name that it has."},
    {PROBE_CERT_SELF_SIGNED, WHO_OWNER, "Get a certificate of a public authority: senders trust no other."},
    {PROBE_CERT_UNKNOWN_ROOT, WHO_OWNER,
     "Get a certificate of a public authority. If it has one, something between here and there replaces it."},
    {PROBE_CERT_CHAIN, WHO_OWNER,
     "Send the intermediate certificate along (the \"full chain\" file). Browsers hide this by fetching it."},
    {PROBE_CERT_REVOKED, WHO_OWNER, "Replace the certificate: its authority has revoked it."},
    {PROBE_CERT_PURPOSE, WHO_OWNER, "Get a certificate for TLS servers."},
    {PROBE_CERT_WEAK, WHO_OWNER, "Replace it by one with a key of today's strength (RSA 2048 or P-256, SHA-256)."},
    {PROBE_CERT_OTHER, WHO_OWNER, "Check the certificate with its authority's tool."},
    {PROBE_TLS_VERSION, WHO_OWNER, "Switch on TLS 1.2 and 1.3: senders use nothing older."},
    {PROBE_TLS_PLAIN, WHO_OWNER, "The port speaks plain HTTP or something else: switch TLS on, or correct the port."},
    {PROBE_TLS_NAME, WHO_OWNER, "The server does not know this name: add it to its configuration."},
    {PROBE_TLS_CLIENT, WHO_OWNER, "The endpoint asks for a client certificate; the sender has none: switch it off."},
    {PROBE_TLS_REFUSED, WHO_OWNER, "See the server's log: it refused the handshake (ciphers, name or rules)."},
    {PROBE_TLS_CUT, WHO_NETWORK, "Something closes the connection in the handshake: a firewall, or a crashed server."},
    {PROBE_TLS_SILENT, WHO_OWNER, "It accepts connections and says nothing: it may speak another protocol, or hang."},
    {PROBE_TLS_HERE, WHO_HERE, "This cannot be tested here."},
    {PROBE_TRUST_FILE, WHO_HERE,
     "The file of trusted certificates here cannot be read: our fault, not the endpoint's."},
    {PROBE_PROXY, WHO_HERE, "Try from a machine without that proxy."},
};

static void advise_cause(enum probe_cause cause, struct doctor_finding *out) {
    for (size_t i = 0; i < COUNT_OF(remedies); i++) {
        if (remedies[i].cause == cause) {
            advise(out, remedies[i].who, "%s", remedies[i].advice);
            return;
        }
    }
    advise(out, WHO_OWNER, "See the server's log at this time.");
}

/* A server that answers in plain HTTP and closes at once looks like that in one pass, and like a cut connection in
 * another. */
static const struct probe_pass *plain_pass(const struct doctor *doctor) {
    const struct probe_pass *found = NULL;
    for (int i = PROBE_TLS; i < PROBE_STEP_COUNT; i++) {
        const struct probe_pass *pass = doctor_pass(doctor, (enum probe_step)i);
        if (pass && pass->cause == PROBE_TLS_PLAIN && (!found || pass->plain_http))
            found = pass;
    }
    return found;
}

/* Reported as a cut connection only when no further pass can show that it is plain HTTP. */
static bool doctor_tls_is_open(const struct doctor *doctor, const struct probe_pass *pass) {
    return pass->cause == PROBE_TLS_CUT && doctor->stage == DOCTOR_RUNNING && !plain_pass(doctor) &&
           !doctor_pass(doctor, PROBE_TLS_OLD);
}

static enum probe_cause doctor_tls_handshake_cause(const struct doctor *doctor, const struct probe_pass *pass) {
    return pass->cause == PROBE_TLS_CUT && plain_pass(doctor) ? PROBE_TLS_PLAIN : pass->cause;
}

static const char *handshake_words(const struct doctor *doctor, const struct probe_pass *pass) {
    enum probe_cause cause = doctor_tls_handshake_cause(doctor, pass);
    return cause == PROBE_TLS_PLAIN && plain_pass(doctor)->plain_http
               ? "the port does not speak TLS: it answered in plain HTTP"
               : doctor_cause_words(cause);
}

/* ---- 5 ---- */

void judge_tls(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *pass = doctor_pass(doctor, PROBE_TLS);
    if (!pass || doctor_tls_is_open(doctor, pass))
        return;
    const char *file = doctor->question.ca_file;
    const char *trust = file && *file ? file : "this system's trusted roots";
    if (pass->cause == PROBE_FINE) {
        say(out, DOCTOR_PASS, "%s with %s, verified by %s", pass->tls, pass->peer, trust);
        return;
    }
    say(out, DOCTOR_FAIL, "%s", handshake_words(doctor, pass));
    say(out, DOCTOR_FAIL, "libcurl %d, verify %d, errno %d, trust: %s", pass->code, pass->verify, pass->os_error,
        trust);
    advise_cause(doctor_tls_handshake_cause(doctor, pass), out);
}

/* ---- 6 and 7 ---- */

void judge_look(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *tls = doctor_pass(doctor, PROBE_TLS);
    const struct probe_pass *look = doctor_pass(doctor, PROBE_LOOK);
    const struct probe_chain *chain = doctor_chain(doctor);
    if (chain) {
        const struct probe_certificate *leaf = &chain->items[0];
        say(out, DOCTOR_PASS, "%zu certificate%s sent; the first: %s", chain->n, plural_s(chain->n), leaf->subject);
        say(out, DOCTOR_PASS, "key %s, signature %s", leaf->key, leaf->signature);
        if (look)
            say(out, DOCTOR_PASS, "seen with verification off; nothing was sent");
    } else if (look && !doctor_tls_is_open(doctor, look)) {
        say(out, DOCTOR_SKIPPED, "none to be seen: %s", handshake_words(doctor, look));
    } else if (tls && doctor->stage == DOCTOR_ENDED) {
        say(out, DOCTOR_SKIPPED, "none to be seen: %s", handshake_words(doctor, tls));
    }
}

static void add_days(struct str *out, const struct probe_certificate *certificate, int64_t now) {
    if (certificate->end == CLOCK_NONE) {
        str_add(out, "end not readable");
        return;
    }
    long long days = (long long)((certificate->end - now) / DAY_MS);
    if (certificate->start != CLOCK_NONE && certificate->start > now)
        str_add(out, "not valid yet");
    else if (certificate->end < now)
        str_addf(out, "expired %lld day%s ago", -days, days == -1 ? "" : "s");
    else
        str_addf(out, "%lld day%s left", days, plural_s(days));
}

/* From the root down, in the direction in which certificates are signed: those that were sent, and above them the
 * issuer that was not. */
void doctor_draw_chain(const struct doctor *doctor, bool ascii, struct str *out) {
    const struct probe_chain *chain = doctor_chain(doctor);
    if (!chain)
        return;
    const struct probe_certificate *top = &chain->items[chain->n - 1];
    size_t depth = 0;
    if (!str_equal(top->issuer, top->subject)) {
        str_addf(out, "%s (not sent)\n", *top->issuer ? top->issuer : "?");
        depth = 1;
    }
    for (size_t i = chain->n; i-- > 0; depth++) {
        if (depth > 0) {
            str_add_repeat(out, ' ', (depth - 1) * 3);
            str_add(out, ascii ? "`- " : "\xE2\x94\x94\xE2\x94\x80 ");
        }
        str_addf(out, "%s, ", *chain->items[i].subject ? chain->items[i].subject : "?");
        add_days(out, &chain->items[i], doctor->now);
        str_add_char(out, '\n');
    }
}

static bool is_ordered(const struct probe_chain *chain) {
    for (size_t i = 0; i + 1 < chain->n; i++)
        if (!str_equal(chain->items[i].issuer, chain->items[i + 1].subject))
            return false;
    return true;
}

static void judge_incomplete(const struct probe_chain *chain, struct doctor_finding *out) {
    const struct probe_certificate *last = &chain->items[chain->n - 1];
    say(out, DOCTOR_FAIL, "intermediate missing: %s was signed by %s, which was not sent and is not known here",
        last->subject, last->issuer);
    advise_cause(PROBE_CERT_CHAIN, out);
}

void judge_chain(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_chain *chain = doctor_chain(doctor);
    const struct probe_pass *tls = doctor_pass(doctor, PROBE_TLS);
    if (!chain || !tls)
        return;
    switch (tls->cause) {
    case PROBE_CERT_CHAIN:
        judge_incomplete(chain, out);
        break;
    case PROBE_CERT_SELF_SIGNED:
        say(out, DOCTOR_FAIL, "%s is signed by itself", chain->items[0].subject);
        advise_cause(tls->cause, out);
        break;
    case PROBE_CERT_UNKNOWN_ROOT:
        say(out, DOCTOR_FAIL, "it ends in %s, which is not trusted here", chain->items[chain->n - 1].issuer);
        advise_cause(tls->cause, out);
        break;
    default:
        if (is_ordered(chain)) {
            say(out, DOCTOR_PASS, "each certificate is signed by the next");
        } else {
            say(out, DOCTOR_WARN, "the certificates are not sent in order");
            advise(out, WHO_OWNER, "Send the leaf first, then each issuer: strict senders refuse another order.");
        }
    }
}

/* ---- 8 ---- */

static void judge_date(const struct probe_certificate *certificate, int64_t now, struct doctor_finding *out) {
    struct str days;
    str_init(&days, 100);
    add_days(&days, certificate, now);
    bool known = certificate->start != CLOCK_NONE && certificate->end != CLOCK_NONE;
    bool bad = known && (certificate->end < now || certificate->start > now);
    bool late = known && !bad && (certificate->end - now) * 3 < certificate->end - certificate->start;
    say(out,
        bad    ? DOCTOR_FAIL
        : late ? DOCTOR_WARN
               : DOCTOR_PASS,
        "%s: %s%s", certificate->subject, days.s, late ? ", less than a third of its life" : "");
    str_clear(&days);
}

void judge_dates(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_chain *chain = doctor_chain(doctor);
    if (!chain)
        return;
    for (size_t i = 0; i < chain->n; i++)
        judge_date(&chain->items[i], doctor->now, out);
    if (out->verdict == DOCTOR_FAIL) {
        const struct probe_pass *tls = doctor_pass(doctor, PROBE_TLS);
        advise_cause(tls && tls->cause == PROBE_CERT_FUTURE ? PROBE_CERT_FUTURE : PROBE_CERT_EXPIRED, out);
    } else if (out->verdict == DOCTOR_WARN) {
        advise(out, WHO_OWNER, "See that its renewal works: most are renewed by now.");
    }
}

/* ---- 9 ---- */

/* A wildcard stands for one whole label (RFC 6125). */
static bool name_matches(const char *pattern, const char *host) {
    if (ascii_compare(pattern, host) == 0)
        return true;
    const char *dot = strchr(host, '.');
    return str_starts(pattern, "*.") && dot && dot != host && ascii_compare(pattern + 1, dot) == 0;
}

static char *host_of(const struct doctor *doctor) {
    const char *host = doctor->endpoint.url.host;
    size_t len = strlen(host);
    return host[0] == '[' ? mem_dup_n(host + 1, len - 2) : mem_dup_n(host, len - (len > 1 && host[len - 1] == '.'));
}

bool doctor_host_matches(const struct doctor *doctor, const struct probe_certificate *leaf) {
    static const char dns[] = "DNS:";
    static const char ip[] = "IP Address:";
    char *host = host_of(doctor);
    bool found = false;
    for (size_t i = 0; i < leaf->n_names && !found; i++) {
        const char *name = leaf->names[i];
        found = doctor->endpoint.is_address ? str_starts(name, ip) && ascii_compare(name + sizeof ip - 1, host) == 0
                                            : str_starts(name, dns) && name_matches(name + sizeof dns - 1, host);
    }
    free(host);
    return found;
}

static void list_names(const struct probe_certificate *leaf, enum doctor_verdict verdict, struct doctor_finding *out) {
    enum { NAMES_SHOWN = 12 };
    struct str names;
    str_init(&names, 4096);
    for (size_t i = 0; i < leaf->n_names && i < NAMES_SHOWN; i++)
        str_addf(&names, "%s%s", i > 0 ? ", " : "", leaf->names[i]);
    if (leaf->n_names > NAMES_SHOWN)
        str_addf(&names, " and %zu more", leaf->n_names - NAMES_SHOWN);
    say(out, verdict, "names in it: %s", leaf->n_names > 0 ? names.s : "none");
    str_clear(&names);
}

/* The usual mistake: with or without "www.". */
static void advise_near(const char *host, const struct probe_certificate *leaf, struct doctor_finding *out) {
    static const char www[] = "www.";
    for (size_t i = 0; i < leaf->n_names; i++) {
        const char *name = leaf->names[i] + (str_starts(leaf->names[i], "DNS:") ? 4 : 0);
        bool near = (str_starts(name, www) && ascii_compare(name + 4, host) == 0) ||
                    (str_starts(host, www) && ascii_compare(host + 4, name) == 0);
        if (near) {
            advise(out, WHO_TYPES, "It is made for %s: use that name, or add %s to it.", name, host);
            return;
        }
    }
}

void judge_host(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_chain *chain = doctor_chain(doctor);
    if (!chain)
        return;
    const struct probe_pass *tls = doctor_pass(doctor, PROBE_TLS);
    bool matches = tls->cause == PROBE_FINE || doctor_host_matches(doctor, &chain->items[0]);
    if (matches && tls->cause != PROBE_CERT_NAME) {
        say(out, DOCTOR_PASS, "made for %s", doctor->endpoint.url.host);
        list_names(&chain->items[0], DOCTOR_PASS, out);
        return;
    }
    char *host = host_of(doctor);
    say(out, DOCTOR_FAIL, "not made for %s", host);
    list_names(&chain->items[0], DOCTOR_FAIL, out);
    advise_near(host, &chain->items[0], out);
    advise_cause(PROBE_CERT_NAME, out);
    if (doctor->endpoint.is_address)
        advise(out, WHO_OWNER, "An address must be in it as an IP entry.");
    free(host);
}

/* ---- 10 ---- */

static void judge_old(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *old = doctor_pass(doctor, PROBE_TLS_OLD);
    if (!old)
        return;
    if (old->cause == PROBE_FINE) {
        say(out, DOCTOR_FAIL, "TLS 1.1 or older only");
        advise_cause(PROBE_TLS_VERSION, out);
    } else if (old->cause == PROBE_TLS_HERE) {
        say(out, DOCTOR_FAIL, "neither TLS 1.2 nor 1.3; older ones cannot be tested with this machine's library");
        advise_cause(PROBE_TLS_VERSION, out);
    } else {
        say(out, DOCTOR_FAIL, "no version works: %s", handshake_words(doctor, old));
        advise_cause(doctor_tls_handshake_cause(doctor, old), out);
    }
}

void judge_versions(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *two = doctor_pass(doctor, PROBE_TLS_12), *three = doctor_pass(doctor, PROBE_TLS_13);
    if (!two || !three)
        return;
    bool has_two = two->cause == PROBE_FINE, has_three = three->cause == PROBE_FINE;
    if (has_two && has_three) {
        say(out, DOCTOR_PASS, "TLS 1.2 and 1.3 work");
    } else if (has_two) {
        say(out, DOCTOR_PASS, "TLS 1.2 works; 1.3: %s", doctor_cause_words(three->cause));
    } else if (has_three) {
        say(out, DOCTOR_WARN, "TLS 1.3 only; 1.2: %s", doctor_cause_words(two->cause));
        advise(out, WHO_OWNER, "Switch on TLS 1.2 as well: some senders have nothing newer.");
    } else {
        judge_old(doctor, out);
    }
}

/* ---- 11 ---- */

void judge_client(const struct doctor *doctor, struct doctor_finding *out) {
    bool any = false, asked = false;
    for (int i = PROBE_TLS; i < PROBE_STEP_COUNT; i++) {
        const struct probe_pass *pass = doctor_pass(doctor, (enum probe_step)i);
        if (pass && pass->cause == PROBE_TLS_CLIENT) {
            if (out->verdict != DOCTOR_FAIL) {
                say(out, DOCTOR_FAIL, "the endpoint asks for a client certificate, and goes no further without one");
                advise_cause(PROBE_TLS_CLIENT, out);
            }
            return;
        }
        any = any || (pass && pass->cause == PROBE_FINE && pass->status != 0);
        asked = asked || (pass && pass->client_certificate);
    }
    if (any && asked)
        say(out, DOCTOR_NOTE, "the endpoint asks for a client certificate, and goes on without one");
    else if (any)
        say(out, DOCTOR_PASS, "none is asked for");
}
