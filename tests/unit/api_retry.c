#include "api/api.h"
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define NOW INT64_C(1767323045678) /* 2026-01-02T03:04:05.678Z */
enum { S = 1000, HOUR = 3600 * S };

/* What a header asks for, as ms from now; -1: it says nothing, so that the wait is the first step of the back-off. */
static int64_t wait_by(const char *name, const char *value) {
    struct headers headers = {0};
    headers_add(&headers, name, value);
    int64_t first = api_retry_at(&headers, NOW, 5, 0), second = api_retry_at(&headers, NOW, 6, 0);
    headers_clear(&headers);
    return first == second ? first - NOW : -1;
}

static void variation_d1_retry_after_in_seconds(void **state) {
    (void)state;
    static const struct {
        const char *value;
        int64_t wait;
    } cases[] = {
        {"0", 0},
        {"1", S},
        {"120", 120 * S},
        {" 7 ", 7 * S},
        {"1.5", 2 * S},
        {"2.0", 2 * S},
        {"0.001", S},
        {"007", 7 * S},
        {"86400", HOUR},
        {"3600", HOUR},
        {"-1", -1},
        {"+1", -1},
        {"", -1},
        {"abc", -1},
        {"5s", -1},
        {"1.", -1},
        {".5", -1},
        {"1e3", -1},
        {"0x10", -1},
        {"1,5", -1},
        {"99999999999999999999", HOUR},
        {"9223372036854775807", HOUR},
        {"9999999999", HOUR},
        {"nan", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (wait_by("Retry-After", cases[i].value) != cases[i].wait)
            fail_msg("\"%s\" gave %lld", cases[i].value, (long long)wait_by("Retry-After", cases[i].value));
}

static void variation_d1_retry_after_as_a_date_in_its_three_forms(void **state) {
    (void)state;
    static const char *const dates[] = {"Fri, 02 Jan 2026 03:04:35 GMT", "Friday, 02-Jan-26 03:04:35 GMT",
                                        "Fri Jan  2 03:04:35 2026"};
    for (size_t i = 0; i < 3; i++)
        assert_true(wait_by("Retry-After", dates[i]) == 30 * S - 678);
    assert_true(wait_by("Retry-After", "Thu, 01 Jan 2026 03:04:35 GMT") == 0);
    assert_true(wait_by("Retry-After", "Fri, 02 Jan 2026 99:04:35 GMT") == -1);
}

static void variation_d2_a_reset_is_seconds_epoch_or_a_date(void **state) {
    (void)state;
    static const char *const names[] = {"X-RateLimit-Reset", "RateLimit-Reset", "x-ratelimit-reset"};
    static const struct {
        const char *value;
        int64_t wait;
    } cases[] = {
        {"0", 0},
        {"30", 30 * S},
        {"1767323075", 30 * S - 678},
        {"1767323075678", 30 * S},
        {"1767323075.5", 31 * S - 678},
        {"1767323000", 0},
        {"1767323000000", 0},
        {"2026-01-02T03:04:35.678Z", 30 * S},
        {"2020-01-01T00:00:00Z", 0},
        {"Fri, 02 Jan 2026 03:04:35 GMT", 30 * S - 678},
        {"soon", -1},
        {"-5", -1},
        {"999999999999999999", -1},
    };
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            if (wait_by(names[k], cases[i].value) != cases[i].wait)
                fail_msg("\"%s\" gave %lld", cases[i].value, (long long)wait_by(names[k], cases[i].value));
}

static void variation_d3_the_one_field_of_the_drafts(void **state) {
    (void)state;
    static const struct {
        const char *value;
        int64_t wait;
    } cases[] = {
        {"\"default\";r=0;t=30", 30 * S},
        {"\"default\"; r=0 ; t=30", 30 * S},
        {"\"burst\";r=1;t=1, \"daily\";r=0;t=60", 60 * S},
        {"limit=100, remaining=0, reset=30", 30 * S},
        {"limit=100, remaining=0", -1},
        {"t=", -1},
        {";;,,==", -1},
        {"", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (wait_by("RateLimit", cases[i].value) != cases[i].wait)
            fail_msg("\"%s\" gave %lld", cases[i].value, (long long)wait_by("RateLimit", cases[i].value));
}

static void retry_after_comes_before_the_others_and_nonsense_after_them(void **state) {
    (void)state;
    struct headers headers = {0};
    headers_add(&headers, "X-RateLimit-Reset", "50");
    headers_add(&headers, "RateLimit", "\"a\";r=0;t=40");
    headers_add(&headers, "Retry-After", "30");
    assert_true(api_retry_at(&headers, NOW, 0, 0) == NOW + 30 * S);
    headers_clear(&headers);
    headers_add(&headers, "X-RateLimit-Reset", "50");
    headers_add(&headers, "Retry-After", "later");
    assert_true(api_retry_at(&headers, NOW, 0, 0) == NOW + 50 * S);
    headers_clear(&headers);
}

static void variation_d4_without_a_header_the_wait_doubles_to_a_minute(void **state) {
    (void)state;
    static const int64_t waits[] = {1, 2, 4, 8, 16, 32, 60, 60};
    const struct headers none = {0};
    for (unsigned i = 0; i < 8; i++) {
        assert_true(api_retry_at(&none, NOW, i, 0) == NOW + waits[i] * S);
        assert_true(api_retry_at(NULL, NOW, i, 0) == NOW + waits[i] * S);
        for (unsigned jitter = 0; jitter < 100000; jitter += 997) {
            int64_t wait = api_retry_at(NULL, NOW, i, jitter) - NOW;
            assert_true(wait >= waits[i] * S && wait <= waits[i] * S * 5 / 4);
        }
    }
    assert_true(api_retry_at(NULL, NOW, 3, 777) != api_retry_at(NULL, NOW, 3, 778));
    assert_true(api_retry_at(NULL, NOW, 4000000000U, 0) == NOW + 60 * S);
}

static void variation_d5_k42_a_wait_is_clamped_to_an_hour(void **state) {
    (void)state;
    assert_true(wait_by("Retry-After", "86400") == HOUR);
    assert_true(wait_by("X-RateLimit-Reset", "1999999999") == HOUR);
    assert_true(wait_by("RateLimit", "\"a\";r=0;t=999999") == HOUR);
}

/* Dates are by the service's clock, which its Date header shows. */
static void f63_a_date_is_read_by_the_services_own_clock(void **state) {
    (void)state;
    struct headers headers = {0};
    headers_add(&headers, "Date", "Fri, 02 Jan 2026 05:04:05 GMT"); /* two hours ahead of NOW */
    headers_add(&headers, "Retry-After", "Fri, 02 Jan 2026 05:04:35 GMT");
    int64_t wait = api_retry_at(&headers, NOW, 0, 0) - NOW;
    headers_clear(&headers);
    assert_true(wait > 28 * S && wait < 32 * S);
    headers_add(&headers, "Date", "Fri, 02 Jan 2026 01:04:05 GMT"); /* two hours behind */
    headers_add(&headers, "X-RateLimit-Reset", "1767315885");       /* 01:04:45 */
    wait = api_retry_at(&headers, NOW, 0, 0) - NOW;
    headers_clear(&headers);
    assert_true(wait > 38 * S && wait < 42 * S);
}

static void f63_being_told_to_wait_ends_by_number_and_time(void **state) {
    (void)state;
    struct api_failed failed = {.code = ERR_THROTTLED, .retry_at = CLOCK_NONE, .since = NOW};
    int64_t now = NOW, at = NOW;
    for (; failed.attempt < 1000 && api_list_again(&failed, now, 0, &at); failed.attempt++) {
        assert_true(at > now);
        now = at;
    }
    assert_true(failed.attempt == API_WAITS_MAX && now - NOW <= API_WAITED_MAX);
    failed.attempt = 0;
    for (now = NOW; failed.attempt < 1000; failed.attempt++, now = at) { /* "again in four minutes" without end */
        failed.retry_at = now + 240 * S;
        if (!api_list_again(&failed, now, 0, &at))
            break;
    }
    assert_true(now - NOW <= API_WAITED_MAX);
    failed = (struct api_failed){.code = ERR_THROTTLED, .retry_at = NOW + INT64_C(9999999999) * S, .since = NOW};
    assert_false(api_list_again(&failed, NOW, 0, &at));
}

static void f62_what_may_pass_is_asked_again_with_growing_pauses(void **state) {
    (void)state;
    static const enum err ALWAYS[] = {ERR_SERVER, ERR_NETWORK}, BEGUN[] = {ERR_CONNECT, ERR_RESOLVE, ERR_TIMEOUT},
                          NEVER[] = {ERR_UNAUTHORISED, ERR_FORBIDDEN,  ERR_REFUSED, ERR_NOT_FOUND, ERR_REDIRECT,
                                     ERR_TLS,          ERR_UNEXPECTED, ERR_LIMIT,   ERR_CANCELLED};
    int64_t at, pause = 0;
    for (size_t i = 0; i < sizeof ALWAYS / sizeof *ALWAYS; i++)
        assert_true(api_list_again(&(struct api_failed){ALWAYS[i], CLOCK_NONE, 0, NOW, false, 0}, NOW, 0, &at));
    for (size_t i = 0; i < sizeof BEGUN / sizeof *BEGUN; i++) {
        assert_true(api_list_again(&(struct api_failed){BEGUN[i], CLOCK_NONE, 0, NOW, true, 0}, NOW, 0, &at));
        assert_false(api_list_again(&(struct api_failed){BEGUN[i], CLOCK_NONE, 0, NOW, false, 0}, NOW, 0, &at));
    }
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; i++)
        assert_false(api_list_again(&(struct api_failed){NEVER[i], CLOCK_NONE, 0, NOW, true, 0}, NOW, 0, &at));
    for (int status = 400; status < 500; status++)
        assert_int_equal(
            api_list_again(&(struct api_failed){ERR_REFUSED, CLOCK_NONE, 0, NOW, false, status}, NOW, 0, &at),
            status == 408 || status == 409 || status == 425);
    for (unsigned n = 0; n < API_RETRIES_MAX; n++) {
        assert_true(api_list_again(&(struct api_failed){ERR_SERVER, CLOCK_NONE, n, NOW, true, 0}, NOW, 0, &at));
        assert_true(at - NOW > pause);
        pause = at - NOW;
    }
    assert_false(
        api_list_again(&(struct api_failed){ERR_SERVER, CLOCK_NONE, API_RETRIES_MAX, NOW, true, 0}, NOW, 0, &at));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variation_d1_retry_after_in_seconds),
        cmocka_unit_test(variation_d1_retry_after_as_a_date_in_its_three_forms),
        cmocka_unit_test(variation_d2_a_reset_is_seconds_epoch_or_a_date),
        cmocka_unit_test(variation_d3_the_one_field_of_the_drafts),
        cmocka_unit_test(retry_after_comes_before_the_others_and_nonsense_after_them),
        cmocka_unit_test(variation_d4_without_a_header_the_wait_doubles_to_a_minute),
        cmocka_unit_test(variation_d5_k42_a_wait_is_clamped_to_an_hour),
        cmocka_unit_test(f63_a_date_is_read_by_the_services_own_clock),
        cmocka_unit_test(f63_being_told_to_wait_ends_by_number_and_time),
        cmocka_unit_test(f62_what_may_pass_is_asked_again_with_growing_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
