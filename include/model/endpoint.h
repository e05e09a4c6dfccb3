#ifndef MODEL_ENDPOINT_H
#define MODEL_ENDPOINT_H
/* A webhook's URL looked at as text, before anything is sent or asked (the doctor's checks 1 and 2). Pure;
 * any thread. The URL itself is kept byte for byte by whoever holds it. */

#include "base/url.h"

/*        code            words */
#define ADDRESS_CLASS_TABLE(X)                                \
    X(PUBLIC, "public")                                       \
    X(LOOPBACK, "this machine itself (loopback)")             \
    X(PRIVATE, "a private network")                           \
    X(LINK_LOCAL, "link-local")                               \
    X(METADATA, "a cloud's metadata service")                 \
    X(SHARED, "a carrier's shared network (100.64.0.0/10)")   \
    X(THIS_NETWORK, "no address of a host (0.0.0.0/8 or ::)") \
    X(MULTICAST, "multicast")                                 \
    X(DOCUMENTATION, "reserved for documentation")            \
    X(BENCHMARKING, "reserved for benchmarks")                \
    X(RESERVED, "reserved")                                   \
    X(UNIQUE_LOCAL, "a private network (unique local, fc00::/7)")

enum address_class {
#define X(code, words) ADDRESS_##code,
    ADDRESS_CLASS_TABLE(X)
#undef X
        ADDRESS_CLASS_COUNT
};
const char *address_class_words(enum address_class class);
/* Of an address as inet_ntop writes it; what is no address is RESERVED. An IPv4 address inside an IPv6 one (mapped,
 * compatible, 6to4, NAT64) counts as what it is itself. */
enum address_class address_class(const char *text);

enum endpoint_level { ENDPOINT_WARNS, ENDPOINT_LOCAL, ENDPOINT_BLOCKS };

/*        code          level   sentence */
#define ENDPOINT_FINDING_TABLE(X)                                                                           \
    X(MALFORMED, ENDPOINT_BLOCKS, "it is not a usable URL")                                                 \
    X(NOT_HTTPS, ENDPOINT_BLOCKS, "it must begin with https://")                                            \
    X(USER, ENDPOINT_BLOCKS, "it holds a user name or password, which everyone who sees the URL would see") \
    X(FRAGMENT, ENDPOINT_BLOCKS, "it has a fragment (#), which is never sent")                              \
    X(PORT_ZERO, ENDPOINT_BLOCKS, "no server can listen on port 0")                                         \
    X(ADDRESS, ENDPOINT_LOCAL, "the address cannot be reached from outside")                                \
    X(PORT, ENDPOINT_WARNS, "the port is not 443: some senders use no other")                               \
    X(SINGLE_LABEL, ENDPOINT_WARNS, "the name has no dot: only your own network knows it")                  \
    X(LOCAL_NAME, ENDPOINT_WARNS, "names like this are known in your own network only")                     \
    X(LONG, ENDPOINT_WARNS, "it is longer than 2000 characters: some senders cut it")                       \
    X(IDN, ENDPOINT_WARNS, "the name has letters beyond ASCII: compare its xn-- form with what you expect") \
    X(PUNYCODE, ENDPOINT_WARNS, "the name stands for letters beyond ASCII: it may look like another one")   \
    X(QUERY, ENDPOINT_WARNS, "what is in the query is seen in logs: no secret belongs there")

enum endpoint_finding {
#define X(code, level, sentence) ENDPOINT_##code,
    ENDPOINT_FINDING_TABLE(X)
#undef X
        ENDPOINT_FINDING_COUNT
};
const char *endpoint_sentence(enum endpoint_finding finding);
enum endpoint_level endpoint_level(enum endpoint_finding finding);

struct endpoint {
    struct url url;           /* empty where it is malformed */
    unsigned findings;        /* 1u << ENDPOINT_... */
    enum address_class class; /* of a literal address, or of localhost */
    bool is_address;
    struct error error; /* of MALFORMED: why */
};
/* Fills *out, also where the text is no URL. */
void endpoint_read(const char *text, struct endpoint *out);
void endpoint_clear(struct endpoint *endpoint);
bool endpoint_has(const struct endpoint *endpoint, enum endpoint_finding finding);
/* Whether it may be sent. local_ok: an address of this machine or network is only a note. */
bool endpoint_is_allowed(const struct endpoint *endpoint, bool local_ok);
/* Appends the finding with its details, as one sentence. */
void endpoint_tell(const struct endpoint *endpoint, enum endpoint_finding finding, struct str *out);
/* What blocks it, else ERR_OK. */
enum err endpoint_check(const char *text, bool local_ok, struct error *error) MUST_CHECK;

#endif
