#include "base/payload.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct box {
    int *freed;
};
struct label {
    int n;
};
PAYLOAD_TYPE(box)
PAYLOAD_TYPE(label)

static void box_free(struct box *box) {
    ++*box->freed;
    free(box);
}
PAYLOAD_OWNED(box, box_free);
PAYLOAD_BORROWED(label);

static struct box *box_new(int *freed) {
    struct box *box = mem_new(sizeof *box);
    box->freed = freed;
    return box;
}

static void what_nobody_takes_is_freed_once(void **state) {
    int freed = 0;
    (void)state;
    struct payload payload = payload_of(box, box_new(&freed));
    assert_ptr_equal(payload_get(&payload, box)->freed, &freed);
    payload_clear(&payload);
    payload_clear(&payload);
    assert_int_equal(freed, 1);
    assert_null(payload_get(&payload, box));
}

static void what_is_taken_is_the_takers(void **state) {
    int freed = 0;
    (void)state;
    struct payload payload = payload_of(box, box_new(&freed));
    struct box *box = payload_take(&payload, box);
    payload_clear(&payload);
    assert_int_equal(freed, 0);
    assert_null(payload_take(&payload, box));
    box_free(box);
}

static void what_is_borrowed_is_left_alone(void **state) {
    struct label label = {7};
    (void)state;
    struct payload payload = payload_of(label, &label);
    payload_clear(&payload);
    assert_int_equal(payload_get(&payload, label)->n, 7);
    payload = (struct payload){0};
    payload_clear(&payload);
    assert_null(payload_get(&payload, label));
}

/* A sanitizer build ends at the place; a release reads nothing as what it is not. */
static void another_type_is_never_handed_out(void **state) {
    struct label label = {7};
    struct payload payload = payload_of(label, &label);
    (void)state;
#ifdef BURSAR_INVARIANTS
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)close(STDERR_FILENO);
        _exit(payload_get(&payload, box) ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
#else
    assert_null(payload_get(&payload, box));
    assert_null(payload_take(&payload, box));
    assert_int_equal(payload_get(&payload, label)->n, 7);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_takes_is_freed_once),
        cmocka_unit_test(what_is_taken_is_the_takers),
        cmocka_unit_test(what_is_borrowed_is_left_alone),
        cmocka_unit_test(another_type_is_never_handed_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
