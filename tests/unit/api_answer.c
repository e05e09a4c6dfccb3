#include "api/api.h"
#include "api_profile.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define NOW INT64_C(1767323045678)
enum { S = 1000 };

struct asked {
    struct reply reply;
    struct api_answer answer;
    struct page page;
};

static void give(struct asked *asked, int status, const char *type, const char *body) {
    reply_init(&asked->reply);
    asked->reply.status = status;
    asked->reply.body = mem_dup(body);
    asked->reply.body_len = strlen(body);
    if (type)
        headers_add(&asked->reply.headers, "Content-Type", type);
}

static void judge(struct asked *asked, const char *api, const struct list_query *query) {
    api_list_answer(profile_with("sandbox", api), query, &asked->reply, NOW, &asked->answer, &asked->page);
}

static void done(struct asked *asked) {
    reply_clear(&asked->reply);
    api_answer_clear(&asked->answer);
    page_clear(&asked->page);
}

static const struct list_query first = {0};

static void expect(int status, const char *type, const char *body, enum err err, const char *line) {
    struct asked asked;
    give(&asked, status, type, body);
    judge(&asked, "", &first);
    assert_int_equal(asked.answer.code, err);
    if (line)
        assert_string_equal(asked.answer.line, line);
    else
        assert_null(asked.answer.line);
    if (err != ERR_OK)
        assert_int_equal(asked.page.n, 0);
    done(&asked);
}

static void a_listing_fills_the_page(void **state) {
    (void)state;
    struct asked asked;
    give(&asked, 200, "text/plain", "{\"data\":[{\"id\":\"a\"},nope],\"next_cursor\":\"n\"}");
    headers_add(&asked.reply.headers, "X-RateLimit-Remaining", "17");
    judge(&asked, "", &first);
    assert_int_equal(asked.answer.code, ERR_OK);
    assert_null(asked.answer.line);
    assert_int_equal(asked.page.n, 2);
    assert_int_equal(asked.page.broken, 1);
    assert_string_equal(asked.page.next, "n");
    assert_true(asked.answer.quota_left == 17 && asked.answer.retry_at == CLOCK_NONE);
    done(&asked);
}

static void a10_the_profile_says_where_rows_and_cursor_stand(void **state) {
    (void)state;
    struct asked asked;
    give(&asked, 200, NULL, "{\"r\":{\"rows\":[{\"id\":\"a\"}],\"next\":\"n\",\"more\":false}}");
    judge(&asked, "list_data = \"r.rows\"\nlist_next = \"r.next\"\nlist_has_more = \"r.more\"", &first);
    assert_int_equal(asked.page.n, 1);
    assert_true(asked.page.has_more_false);
    assert_null(asked.page.next);
    done(&asked);
}

static void expect_header_cursor(const char *setting, const char *name, const char *value, const char *next,
                                 bool link) {
    struct asked asked;
    struct profile *profile = profile_new("t", "sandbox", "http://127.0.0.1:1");
    free(profile->api.list_next);
    profile->api.list_next = mem_dup(setting);
    give(&asked, 200, NULL, "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":\"in-body\"}");
    headers_add(&asked.reply.headers, name, value);
    api_list_answer(profile, &first, &asked.reply, NOW, &asked.answer, &asked.page);
    assert_int_equal(asked.answer.code, ERR_OK);
    assert_true(str_equal(asked.page.next, next));
    assert_int_equal(asked.page.next_is_url, link);
    done(&asked);
    profile_free(profile);
}

static void a10_a_cursor_can_come_in_a_header(void **state) {
    (void)state;
    expect_header_cursor("header:X-Next", "x-next", "c%3D", "c%3D", false);
    expect_header_cursor("header:X-Next", "X-Next", "", NULL, false);
    expect_header_cursor("header:X-Next", "X-Other", "c", NULL, false);
    expect_header_cursor("header:X-Next", "X-Next", "/list?cursor=n", "/list?cursor=n", true);
    expect_header_cursor("header:Link", "Link",
                         "<https://a.example/?cursor=p>; rel=\"prev\", <https://a.example/?cursor=n>; rel=\"next\"",
                         "https://a.example/?cursor=n", true);
    expect_header_cursor("header:Link", "Link", "</?cursor=n>; title=x; rel=next", "/?cursor=n", true);
    expect_header_cursor("header:Link", "Link", "</?cursor=p>; rel=prev", NULL, false);
    expect_header_cursor("header:Link", "Link", "<never closed", NULL, false);
}

static void c8_each_class_of_status_has_its_code_and_sentence(void **state) {
    (void)state;
    expect(400, NULL, "{\"message\":\"M\"}", ERR_REFUSED, "400: the request was not valid. It says: M");
    expect(401, NULL, "", ERR_UNAUTHORISED, "401: the token was not accepted (from variable T)");
    expect(403, NULL, "", ERR_FORBIDDEN, "403: the token lacks the right, or this address is not on the allow-list");
    expect(404, NULL, "{}", ERR_NOT_FOUND,
           "404: nothing is at this path; check base_url and the paths of the profile. It says: {}");
    expect(409, NULL, "", ERR_REFUSED, "409: it exists already, is still running, or its key was used before");
    expect(418, NULL, "", ERR_REFUSED, "418: the service refused the request");
    expect(422, NULL, "{\"errors\":[{\"field\":\"type\",\"message\":\"M\"}]}", ERR_REFUSED,
           "422: a value was not accepted. It says: at type: M");
    expect(429, NULL, "", ERR_THROTTLED, "429: too many requests, the service asks to wait");
    expect(500, NULL, "{\"error\":{\"message\":\"M.\",\"code\":\"c\"}}", ERR_SERVER,
           "500: the service failed. It says: M. (c)");
    expect(599, NULL, "", ERR_SERVER, "599: the service failed");
    expect(600, NULL, "", ERR_UNEXPECTED, "600: not a status that an answer can have");
    expect(0, NULL, "", ERR_UNEXPECTED, "0: not a status that an answer can have");
    expect(101, NULL, "", ERR_UNEXPECTED, "101: an interim answer where a whole one was expected");
}

static void c4_a_body_that_cannot_be_read_never_replaces_the_status(void **state) {
    (void)state;
    expect(401, "application/json", "{\"message\":\"cu", ERR_UNAUTHORISED,
           "401, not JSON, 14 bytes: the token was not accepted (from variable T). It says: {\"message\":\"cu");
    expect(403, "text/plain", "go away\n", ERR_FORBIDDEN,
           "403, not JSON, 8 bytes: the token lacks the right, or this address is not on the allow-list. It says: go "
           "away");
    expect(400, NULL, "\xEF\xBB\xBF{\"message\":\"M\"}", ERR_REFUSED, "400: the request was not valid. It says: M");
}

static void c4_k39_a_page_of_html_becomes_one_line(void **state) {
    (void)state;
    struct str body;
    str_init(&body, 100000);
    str_add(&body, "<html><head><title>502 Bad Gateway</title></head><body>");
    while (body.len < 40 * 1024)
        str_add(&body, "<p>noise</p>\n");
    body.s[40 * 1024] = '\0';
    expect(502, "text/html", body.s, ERR_SERVER,
           "502, not JSON, 40 KB: the service failed behind its gateway. It says: 502 Bad Gateway");
    str_clear(&body);
}

static void c5_j11_html_with_200_is_no_answer(void **state) {
    (void)state;
    expect(200, "text/html; charset=utf-8", "<html><title>Sign in</title></html>", ERR_UNEXPECTED,
           "200, not JSON, 35 bytes: not an answer of the service (text/html; charset=utf-8 from 127.0.0.1). It says: "
           "Sign in");
    expect(200, NULL, "welcome", ERR_UNEXPECTED,
           "200, not JSON, 7 bytes: not an answer of the service (no content type from 127.0.0.1). It says: welcome");
}

static void c5_an_error_inside_200_is_no_empty_list(void **state) {
    (void)state;
    expect(200, NULL, "{\"error\":{\"message\":\"M\"},\"data\":null}", ERR_UNEXPECTED,
           "200: accepted, but with an error inside. It says: M");
    expect(200, NULL, "{\"data\":[],\"message\":\"fine\"}", ERR_OK, NULL);
    expect(200, NULL, "{\"type\":\"list\"}", ERR_UNEXPECTED,
           "200: the answer has no list `data`, where the profile's list_data has it");
}

#define NO_DATA "200: the answer has no list `data`, but "
#define WAY(path) ": where that is the list of intents, list_data = \"" path "\" in the profile's api section says so"
#define ROW "{\"id\":\"i\",\"amount\":1,\"type\":\"primary\",\"description\":\"rent of A\",\"path\":\"/x\"}"

/* A list somewhere else is named by its path, and no value of a row is taken for the service's words. */
static void f28_rows_in_another_place_are_named_by_their_path(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{\"data\":{\"items\":[" ROW "]}}", NO_DATA "one under `data.items`" WAY("data.items")},
        {"{\"data\":{\"page\":{\"rows\":[" ROW "]}}}", NO_DATA "one under `data.page.rows`" WAY("data.page.rows")},
        {"{\"links\":[],\"result\":{\"data\":[" ROW "]}}", NO_DATA "one under `result.data`" WAY("result.data")},
        {"{\"warnings\":[\"x\"],\"intents\":[" ROW "]}", NO_DATA "one under `intents`" WAY("intents")},
        {"{\"details\":[" ROW "]}", NO_DATA "one under `details`" WAY("details")},
        {"{\"issues\":[" ROW "]}", NO_DATA "one under `issues`" WAY("issues")},
        {"{\"message\":\"ok\",\"items\":[" ROW "]}", NO_DATA "one under `items`" WAY("items") ". It says: ok"},
        {"{\"data\":[],\"items\":[" ROW "]}",
         "200: the list `data` in the answer is empty, but intents stand under `items`: list_data = \"items\" in the "
         "profile's api section reads those"},
        {"[" ROW "]", "200: the answer is a bare list: this service needs list_data = \"\" in its profile"},
        {"{\"data\":" ROW "}", "200: `data` in the answer is an object, not a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(200, NULL, cases[i][0], ERR_UNEXPECTED, cases[i][1]);
}

static void f28_a_failure_is_found_wherever_it_stands(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "{\"data\":{\"error\":\"no access\"}}",
        "{\"meta\":{\"success\":false,\"message\":\"no access\"},\"data\":[]}",
        "{\"response\":{\"errors\":[{\"message\":\"no access\"}]},\"data\":null}",
        "{\"Error\":\"no access\",\"data\":[]}",
        "{\"errorMessage\":\"no access\",\"data\":[]}",
        "{\"hasErrors\":true,\"detail\":\"no access\",\"data\":[]}",
        "{\"Success\":\"false\",\"Message\":\"no access\",\"data\":[]}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        expect(200, NULL, bodies[i], ERR_UNEXPECTED, "200: accepted, but with an error inside. It says: no access");
    expect(200, NULL, "{\"success\":false,\"customer\":\"Ann\",\"data\":[]}", ERR_UNEXPECTED,
           "200: accepted, but the answer says that it failed");
    expect(200, NULL, "{\"status\":\"declined\",\"data\":[]}", ERR_OK, NULL); /* the filter, quoted */
    expect(200, NULL, "{\"error_code\":0,\"error\":\"none\",\"code\":200,\"data\":[]}", ERR_OK, NULL);
}

static void f28_an_answer_that_is_not_whole_says_so(void **state) {
    (void)state;
    static const char *const signs[] = {
        "\"partial\":true",   "\"incomplete\":true",    "\"incomplete_results\":true", "\"isPartial\":true",
        "\"complete\":false", "\"status\":\"partial\"", "\"meta\":{\"partial\":true}", "\"timed_out\":true",
        "\"truncated\":true"};
    for (size_t i = 0; i < 2 * sizeof signs / sizeof *signs; i++) {
        struct asked asked;
        struct str body;
        str_init(&body, 1000);
        str_addf(&body, "{%s,\"data\":[%s]}", signs[i / 2], i % 2 ? ROW : "");
        give(&asked, 200, NULL, body.s);
        judge(&asked, "", &first);
        assert_int_equal(asked.answer.code, ERR_OK);
        assert_true(asked.page.partial);
        assert_false(asked.page.failed);
        done(&asked);
        str_clear(&body);
    }
    struct asked asked;
    give(&asked, 200, NULL, "{\"partial\":false,\"complete\":true,\"incomplete\":0,\"data\":[" ROW "]}");
    judge(&asked, "", &first);
    assert_false(asked.page.partial || asked.page.failed);
    done(&asked);
}

/* The cursor of a service whose profile looks for it in another place: its first page is not the whole list. */
static void f28_an_answer_that_says_more_follows_is_no_end(void **state) {
    (void)state;
    static const char *const signs[][2] = {
        {"\"nextCursor\":\"c\"", "nextCursor"},
        {"\"next\":\"c\"", "next"},
        {"\"next_page\":2", "next_page"},
        {"\"pagination\":{\"next_cursor\":\"c\"}", "pagination.next_cursor"},
        {"\"meta\":{\"page\":{\"next\":7}}", "meta.page.next"},
        {"\"links\":{\"self\":\"x\",\"next\":\"/list?cursor=c\"}", "links.next"},
        {"\"_links\":{\"next\":{\"href\":\"/list?cursor=c\"}}", "_links.next"},
        {"\"nextPageToken\":\"c\"", "nextPageToken"},
        {"\"has_more\":true,\"next_cursor\":null", "has_more"},
        {"\"paging\":{\"hasNextPage\":\"true\"}", "paging.hasNextPage"},
        {"\"last\":false", "last"},
        {"\"p\":{\"more\":true}", "p.more"},
    };
    static const char *const ends[] = {"\"next\":null,\"prev\":\"c\"",
                                       "\"has_more\":false,\"next\":\"c\"",
                                       "\"next_cursor\":{\"next\":1}",
                                       "\"links\":{\"last\":\"/x?page=9\",\"next\":\"\"}",
                                       "\"next_page\":0",
                                       "\"paging\":{\"cursors\":{\"after\":\"c\"}}",
                                       "\"page\":1,\"last_page\":1"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs + sizeof ends / sizeof *ends; i++) {
        bool more = i < sizeof signs / sizeof *signs;
        struct asked asked;
        struct str body, said;
        str_init(&body, 1000);
        str_init(&said, 1000);
        str_addf(&body, "{%s,\"data\":[%s]}", more ? signs[i][0] : ends[i - sizeof signs / sizeof *signs], ROW);
        give(&asked, 200, NULL, body.s);
        judge(&asked, "list_has_more = \"p.more\"", &first);
        assert_int_equal(asked.answer.code, ERR_OK);
        if (asked.page.partial != more)
            fail_msg("%s", body.s);
        assert_int_equal(asked.page.n, 1);
        assert_null(asked.page.next);
        if (more) {
            str_addf(&said, "more follows by its `%s`, and no cursor is where the profile's list_next has it",
                     signs[i][1]);
            assert_string_equal(asked.page.beside, said.s);
        }
        done(&asked);
        str_clear(&body);
        str_clear(&said);
    }
    struct asked asked;
    give(&asked, 200, NULL, "{\"data\":[" ROW "]}");
    headers_add(&asked.reply.headers, "Link", "</list?cursor=c>; rel=\"next\"");
    judge(&asked, "", &first);
    assert_true(asked.page.partial);
    done(&asked);
    give(&asked, 200, NULL, "{\"data\":[" ROW "],\"next_cursor\":\"a\",\"has_more\":true,\"next\":\"b\"}");
    judge(&asked, "", &first);
    assert_false(asked.page.partial);
    done(&asked);
}

static void f28_an_answer_that_says_it_failed_or_has_no_list_is_no_empty_page(void **state) {
    (void)state;
    static const char *const failed[][2] = {
        {"{\"data\":[],\"error\":\"no access\"}", "200: accepted, but with an error inside. It says: no access"},
        {"{\"data\":[],\"errors\":[{\"message\":\"no access\"}]}",
         "200: accepted, but with an error inside. It says: no access"},
        {"{\"success\":false,\"message\":\"no access\",\"data\":[]}",
         "200: accepted, but with an error inside. It says: no access"},
        {"{\"success\":false,\"message\":\"no access\"}",
         "200: accepted, but with an error inside. It says: no access"},
        {"{\"status\":\"error\",\"reason\":\"no access\",\"data\":[]}",
         "200: accepted, but with an error inside. It says: no access"},
        {"{\"status\":403,\"title\":\"no access\",\"data\":null}",
         "200: accepted, but with an error inside. It says: no access"},
        {"{\"status\":\"ok\"}", "200: the answer has no list `data`, where the profile's list_data has it"},
        {"{\"items\":[{\"id\":\"a\"}],\"next_cursor\":null}", NO_DATA "one under `items`" WAY("items")},
        {"{\"data\":null,\"result\":{\"rows\":[]}}", NO_DATA "one under `result.rows`" WAY("result.rows")},
    };
    for (size_t i = 0; i < sizeof failed / sizeof *failed; i++)
        expect(200, NULL, failed[i][0], ERR_UNEXPECTED, failed[i][1]);
    static const char *const empty[] = {
        "{\"data\":[]}",
        "{\"data\":null}",
        "{}",
        "{\"next_cursor\":null}",
        "{\"has_more\":false}",
        "{\"data\":[],\"error\":null,\"errors\":[],\"success\":true,\"status\":\"ok\"}"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        expect(200, NULL, empty[i], ERR_OK, NULL);
}

static void f28_rows_beside_errors_are_kept_with_the_text(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "{\"data\":[{\"id\":\"a\"}],\"errors\":[{\"message\":\"shard 2 is down\"}]}",
        "{\"error\":{\"detail\":\"shard 2 is down\"},\"data\":[{\"id\":\"a\"}]}",
        "{\"success\":false,\"message\":\"shard 2 is down\",\"data\":[{\"id\":\"a\"}]}"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct asked asked;
        give(&asked, 200, NULL, bodies[i]);
        judge(&asked, "", &first);
        assert_int_equal(asked.answer.code, ERR_OK);
        assert_int_equal(asked.page.n, 1);
        assert_true(asked.page.failed);
        assert_string_equal(asked.page.beside, "shard 2 is down");
        done(&asked);
    }
}

static void a14_j9_a_damaged_listing_names_its_place_and_none_of_its_data(void **state) {
    (void)state;
    expect(200, NULL, "{\"data\":[{\"id\":\"a\"}", ERR_UNEXPECTED,
           "200, not JSON, 19 bytes: the answer's rows cannot be told apart at byte 20: it ends too early");
    expect(200, NULL, "[]", ERR_UNEXPECTED,
           "200: the answer is a bare list: this service needs list_data = \"\" in its profile");
}

static void k21_an_empty_answer_is_said_plainly(void **state) {
    (void)state;
    expect(200, NULL, "", ERR_UNEXPECTED, "200: no content where a listing was expected");
    expect(204, NULL, "", ERR_UNEXPECTED, "204: no content where some was expected");
    expect(205, NULL, "", ERR_UNEXPECTED, "205: no content where some was expected");
    expect(304, NULL, "", ERR_UNEXPECTED, "304: not modified, with nothing to show");
}

static void n3_a_redirect_is_shown_and_not_followed(void **state) {
    (void)state;
    static const int statuses[] = {301, 302, 303, 307, 308};
    for (size_t i = 0; i < 5; i++) {
        struct asked asked;
        give(&asked, statuses[i], NULL, "");
        asked.reply.redirect = mem_dup("http://evil.example/\x1B[2J");
        judge(&asked, "", &first);
        assert_int_equal(asked.answer.code, ERR_REDIRECT);
        assert_non_null(
            strstr(asked.answer.line, ": a redirect, which is not followed (to http://evil.example/<1B>[2J)"));
        done(&asked);
    }
}

static void c7_the_request_id_comes_out_of_a_header_too(void **state) {
    (void)state;
    static const char *const names[] = {"Request-Id", "x-request-id"};
    for (size_t i = 0; i < 2; i++) {
        struct asked asked;
        give(&asked, 500, NULL, "");
        headers_add(&asked.reply.headers, names[i], "req\x1B-1");
        judge(&asked, "", &first);
        assert_string_equal(asked.answer.line, "500: the service failed; request id req<1B>-1");
        done(&asked);
        give(&asked, 500, NULL, "{\"message\":\"M\",\"request_id\":\"in-body\"}");
        headers_add(&asked.reply.headers, names[i], "in-header");
        judge(&asked, "", &first);
        assert_string_equal(asked.answer.line, "500: the service failed. It says: M; request id in-body");
        done(&asked);
    }
}

static void c1_the_profiles_own_places_of_error_text_come_first(void **state) {
    (void)state;
    struct asked asked;
    give(&asked, 400, NULL, "{\"message\":\"usual\",\"fault\":{\"why\":\"own\"}}");
    judge(&asked, "error_message = {\"fault.why\"}", &first);
    assert_string_equal(asked.answer.line, "400: the request was not valid. It says: own");
    done(&asked);
}

static void c9_secrets_are_redacted_wherever_they_come_back(void **state) {
    (void)state;
    struct secret *secret = secret_new("tok_sentinel_0123456789", 23);
    static const char *const bodies[] = {"{\"message\":\"tok_sentinel_0123456789\"}", "tok_sentinel_0123456789",
                                         "<title>tok_sentinel_0123456789</title>"};
    for (size_t i = 0; i < 3; i++) {
        struct asked asked;
        give(&asked, 302, "x/tok_sentinel_0123456789", bodies[i]);
        asked.reply.redirect = mem_dup("http://a.example/?t=tok_sentinel_0123456789");
        headers_add(&asked.reply.headers, "Request-Id", "tok_sentinel_0123456789");
        judge(&asked, "", &first);
        assert_null(strstr(asked.answer.line, "sentinel"));
        done(&asked);
    }
    expect(200, "tok_sentinel_0123456789", "x", ERR_UNEXPECTED,
           "200, not JSON, 1 byte: not an answer of the service ([redacted] from 127.0.0.1). It says: x");
    secret_free(secret);
}

static void a12_a_refused_cursor_is_told_from_other_refusals(void **state) {
    (void)state;
    static const struct {
        int status;
        bool refused;
    } cases[] = {{400, true},  {404, true},  {410, true},  {422, true},
                 {401, false}, {403, false}, {429, false}, {500, false}};
    const struct list_query with = {.cursor = "c"}, empty = {.cursor = ""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked asked;
        give(&asked, cases[i].status, NULL, "");
        judge(&asked, "", &with);
        assert_int_equal(asked.answer.cursor_refused, cases[i].refused);
        api_answer_clear(&asked.answer);
        judge(&asked, "", &empty);
        assert_false(asked.answer.cursor_refused);
        done(&asked);
    }
}

static void variation_d1_d5_a_429_says_when_to_ask_again(void **state) {
    (void)state;
    static const struct {
        const char *value, *line;
    } cases[] = {
        {"30", "429: too many requests, the service asks to wait. Ask again in 30 s"},
        {"0", "429: too many requests, the service asks to wait. Ask again in 0 s"},
        {"600", "429: too many requests, the service asks to wait. Ask again in 10 min"},
        {"86400", "429: too many requests, the service asks to wait. Ask again in 24 h"},
        {"junk", "429: too many requests, the service asks to wait"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked asked;
        give(&asked, 429, NULL, "");
        headers_add(&asked.reply.headers, "Retry-After", cases[i].value);
        judge(&asked, "", &first);
        assert_string_equal(asked.answer.line, cases[i].line);
        assert_true(i == 4 ? asked.answer.retry_at == CLOCK_NONE
                           : asked.answer.retry_at == NOW + strtoll(cases[i].value, NULL, 10) * S);
        done(&asked);
    }
}

static void variation_d7_the_quota_left_is_read_from_any_of_its_headers(void **state) {
    (void)state;
    static const struct {
        const char *name, *value;
        int64_t left;
    } cases[] = {{"RateLimit-Remaining", "5", 5},
                 {"X-RateLimit-Remaining", "0", 0},
                 {"RateLimit", "\"a\";r=7;t=1, \"b\";r=3;t=9", 3},
                 {"RateLimit", "limit=10, remaining=9, reset=1", 9},
                 {"X-RateLimit-Remaining", "many", -1},
                 {"X-Other", "5", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked asked;
        give(&asked, 200, NULL, "{\"data\":[]}");
        headers_add(&asked.reply.headers, cases[i].name, cases[i].value);
        judge(&asked, "", &first);
        assert_true(asked.answer.quota_left == cases[i].left);
        done(&asked);
    }
}

static void no_answer_at_all_gives_its_reason(void **state) {
    (void)state;
    struct asked asked;
    reply_init(&asked.reply);
    error_set(&asked.reply.failure, ERR_TIMEOUT, "no answer within 60 s");
    judge(&asked, "", &first);
    assert_int_equal(asked.answer.code, ERR_TIMEOUT);
    assert_string_equal(asked.answer.line, "no answer within 60 s");
    done(&asked);
    reply_init(&asked.reply);
    asked.reply.failure.code = ERR_CONNECT;
    judge(&asked, "", &first);
    assert_string_equal(asked.answer.line, err_sentence(ERR_CONNECT));
    done(&asked);
}

static void j2_an_answer_beyond_a_cap_names_it(void **state) {
    (void)state;
    struct str body;
    str_init(&body, 1 << 20);
    str_add(&body, "{\"data\":[0");
    for (int i = 0; i < 10000; i++)
        str_add(&body, ",0");
    str_add(&body, "]}");
    struct asked asked;
    give(&asked, 200, NULL, body.s);
    judge(&asked, "", &first);
    assert_int_equal(asked.answer.code, ERR_LIMIT);
    assert_true(str_starts(asked.answer.line, "200: more than 10,000 rows in one answer"));
    done(&asked);
    str_clear(&body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_fills_the_page),
        cmocka_unit_test(a10_the_profile_says_where_rows_and_cursor_stand),
        cmocka_unit_test(a10_a_cursor_can_come_in_a_header),
        cmocka_unit_test(a12_a_refused_cursor_is_told_from_other_refusals),
        cmocka_unit_test(a14_j9_a_damaged_listing_names_its_place_and_none_of_its_data),
        cmocka_unit_test(c1_the_profiles_own_places_of_error_text_come_first),
        cmocka_unit_test(c4_a_body_that_cannot_be_read_never_replaces_the_status),
        cmocka_unit_test(c4_k39_a_page_of_html_becomes_one_line),
        cmocka_unit_test(c5_j11_html_with_200_is_no_answer),
        cmocka_unit_test(c5_an_error_inside_200_is_no_empty_list),
        cmocka_unit_test(f28_an_answer_that_says_it_failed_or_has_no_list_is_no_empty_page),
        cmocka_unit_test(f28_rows_beside_errors_are_kept_with_the_text),
        cmocka_unit_test(f28_rows_in_another_place_are_named_by_their_path),
        cmocka_unit_test(f28_a_failure_is_found_wherever_it_stands),
        cmocka_unit_test(f28_an_answer_that_is_not_whole_says_so),
        cmocka_unit_test(f28_an_answer_that_says_more_follows_is_no_end),
        cmocka_unit_test(c7_the_request_id_comes_out_of_a_header_too),
        cmocka_unit_test(c8_each_class_of_status_has_its_code_and_sentence),
        cmocka_unit_test(c9_secrets_are_redacted_wherever_they_come_back),
        cmocka_unit_test(variation_d1_d5_a_429_says_when_to_ask_again),
        cmocka_unit_test(variation_d7_the_quota_left_is_read_from_any_of_its_headers),
        cmocka_unit_test(j2_an_answer_beyond_a_cap_names_it),
        cmocka_unit_test(k21_an_empty_answer_is_said_plainly),
        cmocka_unit_test(n3_a_redirect_is_shown_and_not_followed),
        cmocka_unit_test(no_answer_at_all_gives_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, profile_teardown);
}
