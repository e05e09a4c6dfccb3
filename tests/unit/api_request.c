#include "api/api.h"
#include "api_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char base[] = "http://127.0.0.1:8731/v1/intent/list";

static void expect_query(const char *api, const struct list_query *query, const char *expected) {
    const struct profile *profile = profile_with("sandbox", api);
    struct request request;
    struct error error = {0};
    if (api_list_request(profile, NULL, query, &request, &error) != ERR_OK)
        fail_msg("%s", error.text);
    assert_true(str_starts(request.url, base));
    assert_string_equal(request.url + strlen(base), expected);
    assert_string_equal(request.path, "/v1/intent/list");
    assert_string_equal(request.origin, profile->origin);
    request_clear(&request);
}

static const char *const some[] = {"declined", "pending", "", "a b,c"};
static const struct list_query filtered = {.type = "card_only", .statuses = some, .n_statuses = 4};

static void b2_a_status_list_has_five_styles(void **state) {
    (void)state;
    expect_query("", &filtered, "?type=card_only&status=declined&status=pending&status=a%20b%2Cc");
    expect_query("filter_status_style = repeat", &filtered,
                 "?type=card_only&status=declined&status=pending&status=a%20b%2Cc");
    expect_query("filter_status_style = brackets", &filtered,
                 "?type=card_only&status%5B%5D=declined&status%5B%5D=pending&status%5B%5D=a%20b%2Cc");
    expect_query("filter_status_style = indexed", &filtered,
                 "?type=card_only&status%5B0%5D=declined&status%5B1%5D=pending&status%5B2%5D=a%20b%2Cc");
    expect_query("filter_status_style = comma", &filtered, "?type=card_only&status=declined,pending,a%20b%2Cc");
    expect_query("filter_status_style = json", &filtered,
                 "?type=card_only&status=%5B%22declined%22%2C%22pending%22%2C%22a%20b%2Cc%22%5D");
}

static void b1_filters_have_the_names_of_the_profile(void **state) {
    (void)state;
    expect_query(
        "filter_type = \"filter[flow.type]\"\nfilter_status = \"filter.status\"", &filtered,
        "?filter%5Bflow.type%5D=card_only&filter.status=declined&filter.status=pending&filter.status=a%20b%2Cc");
    expect_query("filter_type = \"\"\nfilter_status = \"\"", &filtered, "");
}

static void b3_no_value_is_no_parameter(void **state) {
    (void)state;
    static const char *const styles[] = {"repeat", "brackets", "indexed", "comma", "json"};
    static const char *const empty[] = {"", NULL};
    const struct list_query nothing = {
        .type = "", .statuses = empty, .n_statuses = 2, .cursor = "", .after = "", .before = NULL};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        char api[100];
        snprintf(api, sizeof api, "filter_status_style = %s\nfilter_after = \"from\"", styles[i]);
        expect_query(api, &nothing, "");
    }
}

static void b4_values_outside_the_known_set_are_sent(void **state) {
    (void)state;
    static const char *const own[] = {"held\"\\é"};
    const struct list_query query = {.statuses = own, .n_statuses = 1};
    expect_query("", &query, "?status=held%22%5C%C3%A9");
    expect_query("filter_status_style = json", &query, "?status=%5B%22held%5C%22%5C%5C%C3%A9%22%5D");
}

static void b6_fixed_parameters_are_added(void **state) {
    (void)state;
    const struct list_query query = {.cursor = "c"};
    expect_query("list_extra = {\"limit=100\", \"expand[]=a&b\", \"flag=\"}", &query,
                 "?limit=100&expand%5B%5D=a%26b&flag=&cursor=c");
}

static void times_go_only_under_names_the_profile_has(void **state) {
    (void)state;
    const struct list_query query = {.after = "2026-01-01T00:00:00Z", .before = "2026-02-01T00:00:00Z"};
    expect_query("", &query, "");
    expect_query("filter_after = \"created_at.gte\"\nfilter_before = \"created_at.lt\"", &query,
                 "?created_at.gte=2026-01-01T00%3A00%3A00Z&created_at.lt=2026-02-01T00%3A00%3A00Z");
}

static void a7_cursor_is_encoded_exactly_once(void **state) {
    (void)state;
    const struct list_query query = {.cursor = "a+b/c=d&e#f%3D g~-._é"};
    expect_query("", &query, "?cursor=a%2Bb%2Fc%3Dd%26e%23f%253D%20g~-._%C3%A9");
    const struct list_query control = {.cursor = " x\x1b\n "};
    expect_query("cursor_param = \"page.after\"", &control, "?page.after=%20x%1B%0A%20");
}

static void a8_a_cursor_of_many_kilobytes_is_sent_whole(void **state) {
    (void)state;
    const struct profile *profile = profile_with("sandbox", "");
    struct str cursor;
    struct request request;
    str_init(&cursor, 70000);
    str_add_repeat(&cursor, '%', 64 << 10);
    const struct list_query query = {.cursor = cursor.s};
    assert_int_equal(api_list_request(profile, NULL, &query, &request, NULL), ERR_OK);
    assert_int_equal(strlen(request.url), strlen(base) + strlen("?cursor=") + 3 * (64 << 10));
    request_clear(&request);
    str_clear(&cursor);
}

static void a9_a_link_gives_its_query_and_nothing_else(void **state) {
    (void)state;
    static const char *const links[] = {"https://evil.example:9/other/path?cursor=x%3D&limit=5#part",
                                        "//evil.example/?cursor=x%3D&limit=5", "/intent/list?cursor=x%3D&limit=5",
                                        "?cursor=x%3D&limit=5"};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const struct list_query query = {.cursor = links[i], .cursor_is_url = true};
        expect_query("", &query, "?cursor=x%3D&limit=5");
    }
}

static void a9_a_link_cannot_carry_bytes_that_no_url_has(void **state) {
    (void)state;
    const struct list_query query = {.cursor = "?cursor=a b\r\nHost: evil\x7F\xC3\xA9", .cursor_is_url = true};
    expect_query("", &query, "?cursor=a%20b%0D%0AHost:%20evil%7F%C3%A9");
}

static void a9_a_link_without_a_query_is_refused(void **state) {
    (void)state;
    static const char *const links[] = {"https://a.example/list", "/list?", "/list?#x"};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const struct list_query query = {.cursor = links[i], .cursor_is_url = true};
        struct request request;
        struct error error = {0};
        assert_int_equal(api_list_request(profile_with("sandbox", ""), NULL, &query, &request, &error), ERR_UNEXPECTED);
        assert_null(request.url);
    }
}

static void a11_filters_go_along_with_every_cursor(void **state) {
    (void)state;
    struct list_query query = filtered;
    query.cursor = "c";
    query.n_statuses = 1;
    expect_query("", &query, "?type=card_only&status=declined&cursor=c");
    query.cursor_is_url = true;
    query.cursor = "/x?cursor=c";
    expect_query("", &query, "?cursor=c&type=card_only&status=declined");
    query.cursor = "/x?cursor=c&status=declined&type=card_only&limit=7";
    expect_query("list_extra = {\"limit=5\", \"a=b\"}", &query, "?cursor=c&status=declined&type=card_only&limit=7&a=b");
    query.n_statuses = 2;
    query.cursor = "?cursor=c";
    expect_query("", &query, "?cursor=c&type=card_only&status=declined&status=pending");
}

static void a16_a_listing_has_no_body_unless_the_profile_says_so(void **state) {
    (void)state;
    const struct list_query query = {0};
    struct request request;
    assert_int_equal(api_list_request(profile_with("sandbox", ""), NULL, &query, &request, NULL), ERR_OK);
    assert_string_equal(request.method, "GET");
    assert_false(request.write);
    assert_null(request.body);
    assert_null(headers_find(&request.headers, "Content-Type"));
    request_clear(&request);
    assert_int_equal(
        api_list_request(profile_with("sandbox", "list_body = empty_object"), NULL, &query, &request, NULL), ERR_OK);
    assert_string_equal(request.body, "{}");
    assert_int_equal(request.body_len, 2);
    assert_string_equal(headers_find(&request.headers, "Content-Type"), "application/json");
    request_clear(&request);
}

static void the_profiles_path_headers_and_token_are_used(void **state) {
    (void)state;
    const struct profile *profile =
        profile_with("sandbox", "list_path = \"/v2/intents\"\nheaders = {\"X-Version: 3\", \"X-Empty:\"}");
    const struct list_query query = {0};
    struct secret *token = secret_new("token_0123456789", 16);
    struct request request;
    assert_int_equal(api_list_request(profile, token, &query, &request, NULL), ERR_OK);
    assert_string_equal(request.url, "http://127.0.0.1:8731/v1/v2/intents");
    assert_string_equal(headers_find(&request.headers, "X-Version"), "3");
    assert_string_equal(headers_find(&request.headers, "X-Empty"), "");
    assert_string_equal(headers_find(&request.headers, "Accept"), "application/json");
    assert_null(headers_find(&request.headers, "Authorization"));
    assert_ptr_equal(request.bearer, token);
    request_clear(&request);
    secret_free(token);
}

static void a_write_is_the_callers_exact_json(void **state) {
    (void)state;
    const struct profile *profile = profile_with("sandbox", "");
    struct request request;
    assert_int_equal(api_write_request(profile, NULL, API_CREATE_USER, "{\"a\": 1}", &request, NULL), ERR_OK);
    assert_string_equal(request.method, "POST");
    assert_string_equal(request.url, "http://127.0.0.1:8731/v1/user");
    assert_string_equal(request.body, "{\"a\": 1}");
    assert_int_equal(request.body_len, 8);
    assert_true(request.write);
    assert_string_equal(headers_find(&request.headers, "Content-Type"), "application/json");
    request_clear(&request);
    assert_int_equal(api_write_request(profile, NULL, API_REGISTER_WEBHOOK, "{}", &request, NULL), ERR_OK);
    assert_string_equal(request.path, "/v1/webhook/register");
    request_clear(&request);
}

static void w10_a_read_only_profile_builds_no_write(void **state) {
    (void)state;
    static const enum api_operation writes[] = {API_CREATE_USER, API_REGISTER_WEBHOOK};
    const struct profile *profile = profile_with("production", "");
    for (size_t i = 0; i < 2; i++) {
        struct request request;
        struct error error = {0};
        assert_int_equal(api_write_request(profile, NULL, writes[i], "{}", &request, &error), ERR_READ_ONLY);
        assert_null(request.url);
        assert_null(request.body);
        assert_non_null(strstr(error.text, "read-only"));
    }
}

static void a_listing_cannot_be_built_as_a_write(void **state) {
    (void)state;
    struct request request;
    assert_int_equal(api_write_request(profile_with("sandbox", ""), NULL, API_LIST_INTENTS, "{}", &request, NULL),
                     ERR_INVALID);
    assert_int_equal(api_write_request(profile_with("sandbox", ""), NULL, API_CREATE_USER, NULL, &request, NULL),
                     ERR_INVALID);
}

static void e3_the_profile_says_where_the_key_goes(void **state) {
    (void)state;
    assert_null(api_key_header(profile_with("sandbox", "")));
    assert_null(api_key_field(profile_with("sandbox", "")));
    assert_string_equal(api_key_header(profile_with("sandbox", "user_idempotency = \"header:Idempotency-Key\"")),
                        "Idempotency-Key");
    assert_string_equal(api_key_field(profile_with("sandbox", "user_idempotency = \"body:request_key\"")),
                        "request_key");
}

static void operations_have_the_documents_names(void **state) {
    (void)state;
    assert_string_equal(api_call(API_LIST_INTENTS)->name, "listIntents");
    assert_string_equal(api_call(API_CREATE_USER)->name, "createUser");
    assert_string_equal(api_call(API_REGISTER_WEBHOOK)->name, "createWebhookRegistration");
    assert_true(api_call(API_CREATE_USER)->write && api_call(API_REGISTER_WEBHOOK)->write);
    assert_false(api_call(API_LIST_INTENTS)->write);
}

static void the_query_is_told_in_the_filters_words(void **state) {
    (void)state;
    struct str text;
    str_init(&text, 1000);
    struct list_query query = filtered;
    query.n_statuses = 3;
    query.cursor = "secret";
    api_query_text(&query, &text);
    assert_string_equal(text.s, "status:declined,pending type:card_only");
    str_reset(&text);
    const struct list_query times = {.after = "2026-01-01"}, none = {0};
    api_query_text(&times, &text);
    assert_string_equal(text.s, "created:2026-01-01..");
    str_reset(&text);
    api_query_text(&none, &text);
    assert_string_equal(text.s, "");
    str_clear(&text);
}

static void b5_a_row_the_filter_should_have_kept_out_is_found(void **state) {
    (void)state;
    struct page page;
    size_t index = 99;
    page_init(&page);
    for (int i = 0; i < 4; i++)
        *vec_add(&page) = intent_new();
    page.items[0]->type = page.items[1]->type = page.items[3]->type =
        (struct value_text){.state = VALUE_OK, .text = "card_only"};
    page.items[0]->status = page.items[1]->status = (struct value_text){.state = VALUE_OK, .text = "pending"};
    page.items[3]->status = (struct value_text){.state = VALUE_OK, .text = "approved"};
    page.items[2]->broken = "not judged";
    assert_false(api_page_matches(&filtered, &page, &index));
    assert_int_equal(index, 3);
    page.items[3]->status.text = "Declined"; /* the language compares without case */
    assert_true(api_page_matches(&filtered, &page, &index));
    page.items[1]->type = (struct value_text){.state = VALUE_NULL, .text = NULL};
    assert_false(api_page_matches(&filtered, &page, &index));
    assert_int_equal(index, 1);
    const struct list_query none = {.statuses = some + 2, .n_statuses = 1};
    assert_true(api_page_matches(&none, &page, &index));
    page_clear(&page);
}

/* Rows just served and rows of the cache are judged by the same words. */
static void one_rule_says_what_is_of_the_server_filter(void **state) {
    (void)state;
    struct cells row = {.created_ms = 1000,
                        .flags = CELLS_CREATED_OK,
                        .text = {[CELLS_TYPE] = {"card_only", 9}, [CELLS_STATUS] = {"PENDING", 7}}};
    assert_true(api_row_matches(&filtered, &row));
    row.text[CELLS_STATUS] = (struct cells_slice){"pending_review", 14};
    assert_false(api_row_matches(&filtered, &row));
    row.text[CELLS_STATUS] = (struct cells_slice){NULL, 0};
    assert_false(api_row_matches(&filtered, &row));
    const struct list_query later = {.after = "1970-01-01T00:00:02Z"}, accents = {.type = "Pr\u00e9paid"};
    assert_false(api_row_matches(&later, &row));
    row.flags |= CELLS_CREATED_BARE;
    assert_true(api_row_matches(&later, &row));
    row.text[CELLS_TYPE] = (struct cells_slice){"prepaid", 7};
    assert_true(api_row_matches(&accents, &row));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rule_says_what_is_of_the_server_filter),
        cmocka_unit_test(a7_cursor_is_encoded_exactly_once),
        cmocka_unit_test(a8_a_cursor_of_many_kilobytes_is_sent_whole),
        cmocka_unit_test(a9_a_link_gives_its_query_and_nothing_else),
        cmocka_unit_test(a9_a_link_cannot_carry_bytes_that_no_url_has),
        cmocka_unit_test(a9_a_link_without_a_query_is_refused),
        cmocka_unit_test(a11_filters_go_along_with_every_cursor),
        cmocka_unit_test(a16_a_listing_has_no_body_unless_the_profile_says_so),
        cmocka_unit_test(b1_filters_have_the_names_of_the_profile),
        cmocka_unit_test(b2_a_status_list_has_five_styles),
        cmocka_unit_test(b3_no_value_is_no_parameter),
        cmocka_unit_test(b4_values_outside_the_known_set_are_sent),
        cmocka_unit_test(b5_a_row_the_filter_should_have_kept_out_is_found),
        cmocka_unit_test(b6_fixed_parameters_are_added),
        cmocka_unit_test(times_go_only_under_names_the_profile_has),
        cmocka_unit_test(the_profiles_path_headers_and_token_are_used),
        cmocka_unit_test(a_write_is_the_callers_exact_json),
        cmocka_unit_test(w10_a_read_only_profile_builds_no_write),
        cmocka_unit_test(a_listing_cannot_be_built_as_a_write),
        cmocka_unit_test(e3_the_profile_says_where_the_key_goes),
        cmocka_unit_test(operations_have_the_documents_names),
        cmocka_unit_test(the_query_is_told_in_the_filters_words),
    };
    return cmocka_run_group_tests(tests, NULL, profile_teardown);
}
