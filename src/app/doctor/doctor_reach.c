#include "doctor_judge.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CLOCK_OFF_S = 120, SLOW_NAME_US = 1000000, US_PER_MS = 1000, MS_PER_S = 1000 };

const char *doctor_cause_words(enum probe_cause cause) {
    static const char *const WORDS[] = {
        [PROBE_FINE] = "fine",
        [PROBE_CANCELLED] = "cancelled",
        [PROBE_BAD_URL] = "not a URL",
        [PROBE_NO_NAME] = "no such name",
        [PROBE_NAME_STALLED] = "the lookup did not end",
        [PROBE_REFUSED] = "refused: nothing listens there",
        [PROBE_UNREACHABLE] = "unreachable: no route to it",
        [PROBE_FILTERED] = "no answer: filtered by a firewall, or switched off",
        [PROBE_NO_CONNECTION] = "no connection",
        [PROBE_PROXY] = "this network's proxy did not let it through",
        [PROBE_CERT_FUTURE] = "the certificate is not valid yet",
        [PROBE_CERT_EXPIRED] = "the certificate has expired",
        [PROBE_CERT_NAME] = "the certificate is for other names",
        [PROBE_CERT_SELF_SIGNED] = "the certificate is signed by itself",
        [PROBE_CERT_UNKNOWN_ROOT] = "the chain ends in a root that is not trusted here",
        [PROBE_CERT_CHAIN] = "the chain does not reach a trusted root",
        [PROBE_CERT_REVOKED] = "the certificate was revoked",
        [PROBE_CERT_PURPOSE] = "the certificate is not for servers",
        [PROBE_CERT_WEAK] = "the certificate's key or signature is too weak",
        [PROBE_CERT_OTHER] = "the certificate was refused",
        [PROBE_TLS_VERSION] = "no TLS version in common",
        [PROBE_TLS_PLAIN] = "the port does not speak TLS",
        [PROBE_TLS_NAME] = "the server serves no such name",
        [PROBE_TLS_CLIENT] = "a client certificate is wanted",
        [PROBE_TLS_REFUSED] = "the server refused the handshake",
        [PROBE_TLS_CUT] = "the connection was cut in the handshake",
        [PROBE_TLS_SILENT] = "the handshake was not answered",
        [PROBE_TLS_HERE] = "this machine's TLS library does not do it",
        [PROBE_TLS_FAILED] = "the handshake failed",
        [PROBE_TRUST_FILE] = "the file of trusted certificates cannot be read",
        [PROBE_NOT_HTTP] = "the answer is not HTTP",
        [PROBE_CLOSED] = "closed without an answer",
        [PROBE_SILENT] = "no answer in time",
        [PROBE_CUT] = "the answer broke off",
        [PROBE_SLOW] = "the answer did not end in time",
        [PROBE_TOO_LARGE] = "headers beyond any limit",
        [PROBE_BROKEN] = "failed in another way",
    };
    return WORDS[cause];
}

/* ---- 0 ---- */

static void judge_clock(const struct doctor *doctor, struct doctor_finding *out) {
    static const enum probe_step STEPS[] = {PROBE_HEAD, PROBE_GET};
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        const struct probe_pass *pass = doctor_pass(doctor, STEPS[i]);
        if (!pass || pass->date == CLOCK_NONE)
            continue;
        long long off = (doctor->at[STEPS[i]] - pass->date) / MS_PER_S;
        if (off > CLOCK_OFF_S || off < -CLOCK_OFF_S) {
            say(out, DOCTOR_WARN, "this machine's clock is %lld s %s the endpoint's", off < 0 ? -off : off,
                off < 0 ? "behind" : "ahead of");
            advise(out, WHO_HERE, "Set the clocks: verdicts on dates and signatures depend on them.");
        } else {
            say(out, DOCTOR_PASS, "both clocks agree within %d s", CLOCK_OFF_S);
        }
        return;
    }
}

void judge_vantage(const struct doctor *doctor, struct doctor_finding *out) {
    const struct probe_pass *proxied = NULL;
    bool any = false;
    for (int i = 0; i < PROBE_STEP_COUNT; i++) {
        const struct probe_pass *pass = doctor_pass(doctor, (enum probe_step)i);
        bool is_pass = pass && i != PROBE_RESOLVE && i != PROBE_TCP;
        any = any || is_pass;
        proxied = !proxied && is_pass && pass->via_proxy ? pass : proxied;
    }
    if (proxied) {
        say(out, DOCTOR_WARN, "the proxy %s stands in between (the variable %s names it)", proxied->proxy,
            proxied->proxy_variable);
        advise(out, WHO_HERE,
               "What follows may describe this network's proxy, not the endpoint: name the host in no_proxy to go "
               "without it.");
    } else if (any) {
        say(out, DOCTOR_PASS, "no proxy in between");
    }
    judge_clock(doctor, out);
    if (doctor->stage == DOCTOR_ENDED && out->verdict == DOCTOR_PENDING)
        say(out, DOCTOR_NOTE, "measured from this machine alone");
}

/* ---- 1 and 2 ---- */

void judge_url(const struct doctor *doctor, struct doctor_finding *out) {
    const struct endpoint *endpoint = &doctor->endpoint;
    struct str text;
    str_init(&text, ERROR_TEXT_MAX * 2);
    for (int i = 0; i < ENDPOINT_FINDING_COUNT; i++) {
        enum endpoint_finding finding = (enum endpoint_finding)i;
        if (!endpoint_has(endpoint, finding) || finding == ENDPOINT_ADDRESS)
            continue;
        str_reset(&text);
        endpoint_tell(endpoint, finding, &text);
        say(out, endpoint_level(finding) == ENDPOINT_BLOCKS ? DOCTOR_FAIL : DOCTOR_WARN, "%s", text.s);
    }
    if (out->verdict == DOCTOR_PENDING) {
        say(out, DOCTOR_PASS, "https, host %s, port %s; path and query are used as typed", endpoint->url.host,
            endpoint->url.port);
    } else if (out->verdict == DOCTOR_FAIL) {
        advise(out, WHO_TYPES, "Give a URL such as https://hooks.example.com/payments");
    } else {
        advise(out, WHO_TYPES, "Check that this is meant.");
    }
    str_clear(&text);
}

void judge_address(const struct doctor *doctor, struct doctor_finding *out) {
    const struct endpoint *endpoint = &doctor->endpoint;
    if (endpoint_has(endpoint, ENDPOINT_MALFORMED))
        return;
    if (!endpoint_has(endpoint, ENDPOINT_ADDRESS)) {
        say(out, DOCTOR_PASS, endpoint->is_address ? "a public address" : "a name, not an address");
        return;
    }
    say(out, doctor->question.local_ok ? DOCTOR_NOTE : DOCTOR_FAIL, "%s is %s", endpoint->url.host,
        address_class_words(endpoint->class));
    if (doctor->question.local_ok) {
        advise(out, NULL, "Fine for a sandbox on this machine; a service elsewhere cannot reach it.");
    } else {
        advise(out, WHO_TYPES,
               "The service cannot reach it. To try a local receiver use a sandbox profile, or --allow-local here.");
    }
}

/* ---- 3 ---- */

static void list_addresses(const struct doctor *doctor, const struct probe_addresses *found,
                           struct doctor_finding *out) {
    for (size_t i = 0; i < found->n; i++) {
        const char *text = found->items[i].text;
        enum address_class class = address_class(text);
        if (class == ADDRESS_PUBLIC)
            say(out, DOCTOR_PASS, "%s", text);
        else
            say(out, doctor->question.local_ok ? DOCTOR_NOTE : DOCTOR_FAIL, "%s: %s", text, address_class_words(class));
    }
    if (found->more)
        say(out, DOCTOR_NOTE, "and more; the first %d are tried", PROBE_ADDRESSES_MAX);
    if (out->verdict == DOCTOR_FAIL) {
        advise(out, WHO_NAMES,
               "The name must lead to public addresses only; seen from here it leads inside (split DNS or a slip).");
    }
}

void judge_name(const struct doctor *doctor, struct doctor_finding *out) {
    if (!doctor->have[PROBE_RESOLVE])
        return;
    const struct probe_addresses *found = &doctor->results[PROBE_RESOLVE].addresses;
    if (found->cause == PROBE_NO_NAME || (found->cause == PROBE_FINE && found->n == 0)) {
        say(out, DOCTOR_FAIL, "%s has no address", doctor->endpoint.url.host);
        advise(out, WHO_NAMES, "Check the spelling; else the name's A or AAAA record is missing.");
    } else if (found->cause != PROBE_FINE) {
        say(out, DOCTOR_FAIL, "%s", doctor_cause_words(found->cause));
        advise(out, WHO_NAMES, "Its name servers do not answer, or this machine's resolver does not.");
    } else {
        list_addresses(doctor, found, out);
        if (found->us > SLOW_NAME_US)
            say(out, DOCTOR_WARN, "the lookup took %lld ms", (long long)(found->us / US_PER_MS));
    }
}

/* ---- 4 ---- */

struct families {
    size_t tried[2], works[2];
};

static void count_families(const struct probe_addresses *tried, struct families *out) {
    for (size_t i = 0; i < tried->n; i++) {
        out->tried[tried->items[i].v6]++;
        out->works[tried->items[i].v6] += tried->items[i].cause == PROBE_FINE;
    }
}

static void tell_addresses(const struct probe_addresses *tried, struct doctor_finding *out) {
    for (size_t i = 0; i < tried->n; i++) {
        const struct probe_address *address = &tried->items[i];
        if (address->cause == PROBE_FINE) {
            say(out, DOCTOR_PASS, "%s: connected in %lld ms", address->text,
                (long long)(address->connect_us / US_PER_MS));
        } else {
            say(out, DOCTOR_WARN, "%s: %s", address->text, doctor_cause_words(address->cause));
        }
    }
}

static void advise_unreached(const struct doctor *doctor, const struct probe_addresses *tried,
                             struct doctor_finding *out) {
    const char *port = doctor->endpoint.url.port;
    enum probe_cause cause = tried->n > 0 ? tried->items[0].cause : PROBE_NO_CONNECTION;
    if (cause == PROBE_REFUSED)
        advise(out, WHO_OWNER, "Nothing listens on port %s: start the server, or correct the port.", port);
    else if (cause == PROBE_FILTERED)
        advise(out, WHO_NETWORK, "Port %s does not answer: open it. Senders use 443 and few others.", port);
    else
        advise(out, WHO_NETWORK, "No way leads to it from here.");
}

void judge_tcp(const struct doctor *doctor, struct doctor_finding *out) {
    if (!doctor->have[PROBE_TCP])
        return;
    const struct probe_addresses *tried = &doctor->results[PROBE_TCP].addresses;
    struct families families = {0};
    count_families(tried, &families);
    tell_addresses(tried, out);
    if (families.works[0] + families.works[1] == 0) {
        say(out, DOCTOR_FAIL, "no address accepts a connection");
        advise_unreached(doctor, tried, out);
        return;
    }
    for (int v6 = 0; v6 < 2; v6++) {
        if (families.tried[v6] > 0 && families.works[v6] == 0) {
            say(out, DOCTOR_WARN, "works over IPv%d only", v6 ? 4 : 6);
            advise(out, WHO_OWNER, "Repair IPv%d or take its %s record away: some senders try it first.", v6 ? 6 : 4,
                   v6 ? "AAAA" : "A");
        }
    }
    if (out->verdict == DOCTOR_WARN && out->advice.len == 0)
        advise(out, WHO_OWNER, "Some of the addresses are dead: senders that pick one of them fail.");
}
