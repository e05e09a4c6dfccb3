#include "model/endpoint.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <string.h>

static const char *const words[] = {
#define X(code, text) text,
    ADDRESS_CLASS_TABLE(X)
#undef X
};

const char *address_class_words(enum address_class class) {
    return words[class];
}

/* IANA's special-purpose registries; the first that holds counts. */
static const struct {
    unsigned char bytes[4];
    int bits;
    enum address_class class;
} v4[] = {
    {{169, 254, 169, 254}, 32, ADDRESS_METADATA},
    {{169, 254, 170, 2}, 32, ADDRESS_METADATA},
    {{100, 100, 100, 200}, 32, ADDRESS_METADATA},
    {{0, 0, 0, 0}, 8, ADDRESS_THIS_NETWORK},
    {{10, 0, 0, 0}, 8, ADDRESS_PRIVATE},
    {{100, 64, 0, 0}, 10, ADDRESS_SHARED},
    {{127, 0, 0, 0}, 8, ADDRESS_LOOPBACK},
    {{169, 254, 0, 0}, 16, ADDRESS_LINK_LOCAL},
    {{172, 16, 0, 0}, 12, ADDRESS_PRIVATE},
    {{192, 0, 0, 0}, 24, ADDRESS_RESERVED},
    {{192, 0, 2, 0}, 24, ADDRESS_DOCUMENTATION},
    {{192, 88, 99, 0}, 24, ADDRESS_RESERVED},
    {{192, 168, 0, 0}, 16, ADDRESS_PRIVATE},
    {{198, 18, 0, 0}, 15, ADDRESS_BENCHMARKING},
    {{198, 51, 100, 0}, 24, ADDRESS_DOCUMENTATION},
    {{203, 0, 113, 0}, 24, ADDRESS_DOCUMENTATION},
    {{224, 0, 0, 0}, 4, ADDRESS_MULTICAST},
    {{240, 0, 0, 0}, 4, ADDRESS_RESERVED},
};

enum { NO_INNER = -1 };

/* inner: byte at which an IPv4 address stands, which decides. */
static const struct {
    unsigned char bytes[16];
    int bits, inner;
    enum address_class class;
} v6[] = {
    {{[15] = 1}, 128, NO_INNER, ADDRESS_LOOPBACK},
    {{0}, 128, NO_INNER, ADDRESS_THIS_NETWORK},
    {{[10] = 0xFF, [11] = 0xFF}, 96, 12, ADDRESS_PUBLIC},
    {{0}, 96, 12, ADDRESS_PUBLIC},
    {{0x00, 0x64, 0xFF, 0x9B}, 96, 12, ADDRESS_PUBLIC},
    {{0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01}, 48, NO_INNER, ADDRESS_PRIVATE},
    {{0x20, 0x02}, 16, 2, ADDRESS_PUBLIC},
    {{0xFD, 0x00, 0x0E, 0xC2, [15] = 0xFE}, 64, NO_INNER, ADDRESS_METADATA},
    {{0xFC}, 7, NO_INNER, ADDRESS_UNIQUE_LOCAL},
    {{0xFE, 0x80}, 10, NO_INNER, ADDRESS_LINK_LOCAL},
    {{0xFE, 0xC0}, 10, NO_INNER, ADDRESS_PRIVATE},
    {{0xFF}, 8, NO_INNER, ADDRESS_MULTICAST},
    {{0x20, 0x01, 0x0D, 0xB8}, 32, NO_INNER, ADDRESS_DOCUMENTATION},
    {{0x3F, 0xFF}, 20, NO_INNER, ADDRESS_DOCUMENTATION},
    {{0x20, 0x01, 0x00, 0x02}, 48, NO_INNER, ADDRESS_BENCHMARKING},
    {{0x20, 0x01}, 23, NO_INNER, ADDRESS_RESERVED},
    {{0x20}, 3, NO_INNER, ADDRESS_PUBLIC},
};

static bool address_has_prefix(const unsigned char *address, const unsigned char *prefix, int bits) {
    int whole = bits / 8, rest = bits % 8;
    if (memcmp(address, prefix, (size_t)whole) != 0)
        return false;
    return rest == 0 || ((address[whole] ^ prefix[whole]) >> (8 - rest)) == 0;
}

static enum address_class class_v4(const unsigned char address[4]) {
    for (size_t i = 0; i < COUNT_OF(v4); i++)
        if (address_has_prefix(address, v4[i].bytes, v4[i].bits))
            return v4[i].class;
    return ADDRESS_PUBLIC;
}

static enum address_class class_v6(const unsigned char address[16]) {
    for (size_t i = 0; i < COUNT_OF(v6); i++)
        if (address_has_prefix(address, v6[i].bytes, v6[i].bits))
            return v6[i].inner == NO_INNER ? v6[i].class : class_v4(address + v6[i].inner);
    return ADDRESS_RESERVED;
}

enum address_class address_class(const char *text) {
    unsigned char address[16];
    if (inet_pton(AF_INET, text, address) == 1)
        return class_v4(address);
    return inet_pton(AF_INET6, text, address) == 1 ? class_v6(address) : ADDRESS_RESERVED;
}
