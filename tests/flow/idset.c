/* The map from ids to rows, as it grows. */
#include "app/idset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { KEYS = 60000 };

static size_t name(size_t i, char *out, size_t size) {
    return (size_t)snprintf(out, size, "pay_%zx", i * 7919);
}

static void every_key_is_found_at_every_size(void **state) {
    struct idset *set = idset_new();
    char key[32];
    (void)state;
    for (size_t i = 0; i < KEYS; i++) {
        size_t len = name(i, key, sizeof key);
        assert_int_equal(idset_find(set, key, len), SIZE_MAX);
        assert_true(idset_put(set, key, len, i));
        assert_false(idset_put(set, key, len, i + 1));
        len = name(i / 2, key, sizeof key);
        assert_int_equal(idset_find(set, key, len), i / 2);
    }
    for (size_t i = 0; i < KEYS; i++)
        assert_int_equal(idset_swap(set, key, name(i, key, sizeof key), i + 1), i);
    for (size_t i = 0; i < KEYS; i++)
        assert_int_equal(idset_find(set, key, name(i, key, sizeof key)), i + 1);
    assert_int_equal(idset_find(set, key, name(KEYS, key, sizeof key)), SIZE_MAX);
    idset_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_is_found_at_every_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
