#include "place.h"

#include "gen.h"

#include <string.h>

enum { BYTES = 20, TEXT = 27, CHECK_SALT = 0x63757273 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* Numbers of places are offset so that they are positive whatever the place. */
static const int64_t number_base = INT64_C(100000000000);

static void put_be(unsigned char *to, uint64_t value) {
    for (int i = 7; i >= 0; i--) {
        to[i] = (unsigned char)value;
        value >>= 8;
    }
}

static uint64_t get_be(const unsigned char *from) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | from[i];
    return value;
}

/* Place and salt are masked by the check, so that cursors of neighbouring places look different. */
void place_encode(struct str *out, uint64_t seed, int64_t place, uint32_t salt) {
    unsigned char bytes[BYTES + 1] = {0};
    uint64_t check = gen_mix(gen_mix(seed ^ CHECK_SALT, (uint64_t)place), salt);
    put_be(bytes, check);
    put_be(bytes + 8, (uint64_t)place ^ gen_mix(seed, check));
    for (int i = 0; i < 4; i++)
        bytes[16 + i] = (unsigned char)(salt >> (24 - 8 * i));
    for (int i = 0; i < TEXT; i++) {
        int bit = i * 6;
        unsigned pair = (unsigned)bytes[bit / 8] << 8 | bytes[bit / 8 + 1];
        str_add_char(out, digits[pair >> (10 - bit % 8) & 63]);
    }
}

bool place_decode(const char *text, size_t len, uint64_t seed, int64_t *place) {
    unsigned char bytes[BYTES + 1] = {0};
    if (len < TEXT || (len > TEXT && text[TEXT] != '~'))
        return false;
    for (int i = 0; i < TEXT; i++) {
        const char *at = text[i] == '\0' ? NULL : strchr(digits, text[i]);
        if (!at)
            return false;
        int bit = i * 6;
        unsigned pair = (unsigned)(at - digits) << (10 - bit % 8);
        bytes[bit / 8] |= (unsigned char)(pair >> 8);
        bytes[bit / 8 + 1] |= (unsigned char)pair;
    }
    uint64_t check = get_be(bytes);
    uint32_t salt = (uint32_t)get_be(bytes + 12);
    *place = (int64_t)(get_be(bytes + 8) ^ gen_mix(seed, check));
    return check == gen_mix(gen_mix(seed ^ CHECK_SALT, (uint64_t)*place), salt);
}

void place_encode_number(struct str *out, int64_t place) {
    long long number = number_base + place;
    str_addf(out, "%lld", number);
}

bool place_decode_number(const char *text, size_t len, int64_t *place) {
    long long number = 0;
    if (!str_to_int64(text, len, &number) || number < 0 || number > 2 * number_base)
        return false;
    *place = number - number_base;
    return true;
}
