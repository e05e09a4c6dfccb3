#include "index/block.h"
#include "unit/query_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static bool is_in(const char *text, const char *needle) {
    for (; *text; text++) {
        size_t i = 0;
        while (needle[i] && lower(text[i]) == needle[i])
            i++;
        if (!needle[i])
            return true;
    }
    return false;
}

struct texts {
    struct str bytes;
    uint32_t starts[400];
    size_t n;
};

/* Few letters, so that hits are many; among them those that differ from others by the case bit only. */
static void fill(struct texts *texts, struct dice *dice, const char *letters) {
    str_reset(&texts->bytes);
    texts->n = below(dice, 300) + 1;
    for (size_t i = 0; i < texts->n; i++) {
        texts->starts[i] = (uint32_t)texts->bytes.len;
        for (size_t len = below(dice, one_in(dice, 10) ? 200 : 40); len > 0; len--)
            str_add_char(&texts->bytes, letters[below(dice, strlen(letters))]);
        str_add_char(&texts->bytes, '\0');
    }
    texts->starts[texts->n] = (uint32_t)texts->bytes.len;
}

static void every_text_with_the_needle_is_found_and_no_other(void **state) {
    (void)state;
    static const char *const letters[] = {"ab", "aAbB@`", "0123456789abcdef", "[{]}^~_\x7F", "aB\xC3\xA9\xE3"};
    struct dice dice = {7};
    struct texts texts = {.n = 0};
    str_init(&texts.bytes, 1 << 20);
    size_t frequency[256] = {0}, hits = 0, misses = 0;
    for (int round = 0; round < 20000; round++) {
        const char *some = PICK(&dice, letters);
        if (round % 20 == 0 || !strchr(some, texts.bytes.s[0]))
            fill(&texts, &dice, some);
        /* A piece of the texts, or anything. */
        char needle[24] = "";
        size_t len = below(&dice, 20) + 1;
        size_t from = below(&dice, texts.bytes.len);
        for (size_t i = 0; i < len; i++) {
            char c = one_in(&dice, 3) || from + i >= texts.bytes.len ? some[below(&dice, strlen(some))]
                                                                     : texts.bytes.s[from + i];
            needle[i] = lower(c ? c : some[0]);
        }
        frequency[below(&dice, 256)] = below(&dice, 100);
        /* Exactly as long as needed, so that reading past the end is seen by the sanitizer. */
        char *bytes = mem_dup_n(texts.bytes.s, texts.bytes.len);
        bytes = mem_resize(bytes, texts.bytes.len, 1);
        unsigned char found[400] = {0};
        struct search search;
        search_init(&search, needle, len, frequency);
        search_texts(&search, bytes, texts.starts, texts.n, found);
        for (size_t i = 0; i < texts.n; i++) {
            bool expected = is_in(bytes + texts.starts[i], needle);
            if (expected != (found[i] == 1))
                fail_msg("\"%s\" in \"%s\"", needle, bytes + texts.starts[i]);
            hits += expected ? 1 : 0;
            misses += expected ? 0 : 1;
        }
        free(bytes);
    }
    assert_true(hits > 10000 && misses > 10000);
    str_clear(&texts.bytes);
}

static void radix_sort_orders_by_its_bits_only_and_keeps_equal_ones(void **state) {
    (void)state;
    enum { N = 5000 };
    struct dice dice = {8};
    uint64_t *items = mem_new_array(N, sizeof *items), *spare = mem_new_array(N, sizeof *spare);
    for (unsigned bits = 1; bits <= 51; bits += 5) {
        for (uint64_t i = 0; i < N; i++)
            items[i] = (roll(&dice) & ((UINT64_C(1) << bits) - 1)) << 13 | i;
        radix_sort(items, spare, N, 13, bits);
        for (size_t i = 1; i < N; i++)
            assert_true(items[i - 1] < items[i]);
    }
    free(items);
    free(spare);
}

static void numbers_keep_what_was_set_whatever_came_first(void **state) {
    (void)state;
    static const int64_t values[] = {INT64_MIN,     INT64_MIN + 1,         -1, 0, 1, UINT32_MAX, INT64_MAX,
                                     INT64_MAX - 1, INT64_C(1795860000000)};
    struct dice dice = {9};
    for (int round = 0; round < 2000; round++) {
        struct numbers numbers;
        int64_t kept[16];
        numbers_init(&numbers, 8);
        for (size_t i = 0; i < 16; i++)
            kept[i] = INT64_MIN;
        for (int set = 0; set < 20; set++) {
            size_t at = below(&dice, set < 10 ? 8 : 16);
            if (set == 10)
                numbers_reserve(&numbers, 16);
            kept[at] = one_in(&dice, 2) ? PICK(&dice, values) : (int64_t)below(&dice, 5000);
            numbers_set(&numbers, at, kept[at]);
        }
        for (size_t i = 0; i < 16; i++)
            assert_true(numbers_get(&numbers, i) == kept[i]);
        numbers_free(&numbers);
    }
}

static void codes_widen_and_keep_their_values(void **state) {
    (void)state;
    static const uint32_t values[] = {0, 1, 255, 256, 65535, 65536, UINT32_MAX};
    struct codes codes;
    codes_init(&codes, COUNT_OF(values));
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        codes_set(&codes, i, values[i]);
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(codes_get(&codes, k), values[k]);
    }
    free(codes.items);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_with_the_needle_is_found_and_no_other),
        cmocka_unit_test(radix_sort_orders_by_its_bits_only_and_keeps_equal_ones),
        cmocka_unit_test(numbers_keep_what_was_set_whatever_came_first),
        cmocka_unit_test(codes_widen_and_keep_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
