#include "base/mem.h"
#include "config/profile.h"

#include "config/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD                                   \
    "  environment = production\n"             \
    "  base_url = 'https://api.example.com'\n" \
    "  token_env = API_TOKEN\n"

struct fixture {
    struct config config;
    struct str report;
    struct error error;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    str_init(&f->report, 64 << 10);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    config_clear(&f->config);
    str_clear(&f->report);
    free(f);
    return 0;
}

static enum err parse(struct fixture *f, const char *text) {
    return config_parse(text, "conf", &f->config, &f->report, &f->error);
}

static const struct profile *parse_one(struct fixture *f, const char *text) {
    if (parse(f, text) != ERR_OK)
        fail_msg("%s", f->report.s);
    assert_int_equal(f->config.n, 1);
    return f->config.profiles[0];
}

/* The whole report is compared: no fault more, no fault less. */
static void refused(struct fixture *f, const char *text, const char *report) {
    assert_int_equal(parse(f, text), ERR_CONFIG);
    assert_string_equal(f->report.s, report);
    assert_int_equal(f->config.n, 0);
}

static void defaults_are_those_of_the_design(void **state) {
    const struct profile *p = parse_one(*state, "profile live {\n" GOOD "}\n");
    assert_string_equal(p->name, "live");
    assert_string_equal(p->origin, "https://api.example.com:443");
    assert_int_equal(p->amount_unit, MONEY_RAW);
    assert_false(p->country_alpha3);
    assert_int_equal(p->user_required.n, 0);
    assert_false(p->kyc_required);
    assert_int_equal(p->requests_per_hour, 1000);
    assert_int_equal(p->auto_refresh, 0);
    assert_int_equal(p->attempt_window_minutes, 60);
    assert_int_equal(p->retention_days, 0);
    assert_int_equal(p->events_days, 30);
    assert_int_equal(p->events_limit_mb, 100);
    assert_string_equal(p->webhook_secret_file, "");
    assert_int_equal(p->cache_limit_mb, 0);
    assert_string_equal(p->accent, "red");
    assert_int_equal(p->highlight.n, 0);
    assert_string_equal(p->ca_file, "");
}

static void api_defaults_are_those_of_the_document(void **state) {
    const struct api_settings *a = &parse_one(*state, "profile live {\n" GOOD "}\n")->api;
    assert_string_equal(a->list_path, "/intent/list");
    assert_false(a->list_body_object);
    assert_string_equal(a->list_data, "data");
    assert_string_equal(a->list_next, "next_cursor");
    assert_string_equal(a->list_has_more, "");
    assert_string_equal(a->cursor_param, "cursor");
    assert_int_equal(a->list_extra.n, 0);
    assert_int_equal(a->headers.n, 0);
    assert_string_equal(a->filter_type, "type");
    assert_string_equal(a->filter_status, "status");
    assert_int_equal(a->filter_status_style, FILTER_REPEAT);
    assert_string_equal(a->filter_after, "");
    assert_string_equal(a->filter_before, "");
    assert_string_equal(a->user_path, "/user");
    assert_string_equal(a->user_idempotency, "none");
    assert_string_equal(a->webhook_path, "/webhook/register");
    assert_int_equal(a->error_message.n, 0);
}

static void f32_exponents_are_checked(void **state) {
    static const struct {
        const char *given, *said;
    } rows[] = {
        {"'USDC'", "not CODE=DIGITS"},
        {"'USDC=19'", "not CODE=DIGITS"},
        {"'=2'", "not CODE=DIGITS"},
        {"'USDC=-1'", "not CODE=DIGITS"},
        {"'US DC=2'", "not CODE=DIGITS"},
        {"'USDC=2.5'", "not CODE=DIGITS"},
        {"'USDC='", "not CODE=DIGITS"},
        {"'ABCDEFGHIJKLMNOPQRSTUVWXYZ=2'", "not CODE=DIGITS"},
        {"'USDC=6', 'BTC=8', 'USDC=8'", "exponents: USDC is given twice"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "profile live {\n" GOOD " exponents = {%s}\n}\n", rows[i].given);
        config_clear(&f->config);
        str_reset(&f->report);
        assert_int_equal(parse(f, text), ERR_CONFIG);
        if (!strstr(f->report.s, rows[i].said) || !strstr(f->report.s, ":"))
            fail_msg("%s: %s", rows[i].given, f->report.s);
    }
}

static void a_team_store_is_safe_or_refused(void **state) {
    static const char *const GOODS[] = {"postgresql://db.example.com/bursar",
                                        "postgresql://anna@db.example.com/bursar?sslmode=verify-full",
                                        "service=bursar",
                                        "postgresql://127.0.0.1:5433/bursar?sslmode=disable",
                                        "postgresql:///bursar?host=/run/postgresql&sslmode=disable",
                                        "host=localhost dbname=bursar sslmode=prefer"};
    static const struct {
        const char *given, *said;
    } BADS[] = {{"postgresql://anna:hush@db.example.com/bursar", "holds a password"},
                {"postgresql://db.example.com/bursar?password=hush", "holds a password"},
                {"host=db.example.com password=hush", "holds a password"},
                {"postgresql://db.example.com/bursar?sslmode=require", "sslmode is weaker"},
                {"postgresql://127.0.0.1,db.example.com/bursar?sslmode=prefer", "sslmode is weaker"},
                {"service=bursar sslmode=disable", "sslmode is weaker"},
                {"postgresql://127.0.0.1.example.com/bursar?sslmode=disable", "sslmode is weaker"},
                {"mysql://db.example.com/bursar", "does not begin with"}};
    struct fixture *f = *state;
    char text[512];
    for (size_t i = 0; i < COUNT_OF(GOODS); i++) {
        (void)snprintf(text, sizeof text, "profile live {\n" GOOD " team_store = '%s'\n}\n", GOODS[i]);
        config_clear(&f->config);
        assert_string_equal(parse_one(f, text)->team_store, GOODS[i]);
    }
    for (size_t i = 0; i < COUNT_OF(BADS); i++) {
        (void)snprintf(text, sizeof text, "profile live {\n" GOOD " team_store = '%s'\n}\n", BADS[i].given);
        config_clear(&f->config);
        str_reset(&f->report);
        assert_int_equal(parse(f, text), ERR_CONFIG);
        if (!strstr(f->report.s, BADS[i].said) || strstr(f->report.s, "hush"))
            fail_msg("%s: %s", BADS[i].given, f->report.s);
    }
}

static void f95_a_required_field_that_no_user_has_is_refused(void **state) {
    static const struct {
        const char *given, *said;
    } rows[] = {
        {"'emial'", "conf:5: user_required: no field of a user is called emial; is email meant?"},
        {"'Email'", "no field of a user is called Email; is email meant?"},
        {"'email', 'name.middle'", "no field of a user is called name.middle"},
        {"'name'", "no field of a user is called name"},
        {"'address'", "no field of a user is called address"},
        {"'birthday'", "no field of a user is called birthday: they are name.first, name.last,"},
        {"'email '", "no field of a user is called email"},
        {"''", "no field of a user is called"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "profile live {\n" GOOD " user_required = {%s}\n}\n", rows[i].given);
        config_clear(&f->config);
        str_reset(&f->report);
        assert_int_equal(parse(f, text), ERR_CONFIG);
        if (!strstr(f->report.s, rows[i].said))
            fail_msg("%s: %s", rows[i].given, f->report.s);
    }
}

static void every_key_is_read(void **state) {
    struct fixture *f = *state;
    const struct profile *p = parse_one(
        f,
        "default_profile = \"live\"  # comment\ntheme = dark\n"
        "profile live {\n environment = production base_url = 'https://api.example.com/v1'\n"
        " token_command = {\"pass\", \"show\", 'payments/live'}\n account = \"acme-eu\" amount_unit = minor "
        "exponents = {'USDC=6'}\n"
        " country_code = alpha3 user_required = {'email'} kyc_required = true requests_per_hour = 50 mirror_walks = 7\n"
        " attempt_window_minutes = 90 auto_refresh = 30 retention_days = 7 cache_limit_mb = 200 events_days = 5 "
        "events_limit_mb = 9 accent = blue "
        "read_only = false\n"
        " highlight = {\"amount>=100000 = error\"} ca_file = '/etc/ssl/own.pem' theme = light\n"
        " api { list_path = '/v2/intents' list_body = empty_object list_data = '' list_next = 'meta.next'\n"
        "  list_has_more = 'meta.more' cursor_param = 'page[after]' list_extra = {'limit=100'}\n"
        "  headers = {'X-Team: blue'} filter_type = 'kind' filter_status = 'state' filter_status_style = json\n"
        "  filter_after = 'from' filter_before = 'to' user_path = '/users' user_idempotency = "
        "'header:Idempotency-Key'\n"
        "  webhook_path = '/hooks' error_message = {'fault.text'} }\n}\n");
    assert_string_equal(f->config.theme, "dark");
    assert_string_equal(f->config.default_profile, "live");
    assert_int_equal(p->token_command.n, 3);
    assert_string_equal(p->token_command.items[2], "payments/live");
    assert_string_equal(p->account, "acme-eu");
    assert_int_equal(p->amount_unit, MONEY_MINOR);
    assert_string_equal(profile_money(p).exponents[0], "USDC=6");
    assert_null(profile_money(p).exponents[1]);
    assert_true(p->country_alpha3);
    assert_int_equal(p->user_required.n, 1);
    assert_true(p->kyc_required);
    assert_int_equal(p->requests_per_hour, 50);
    assert_int_equal(p->mirror_walks, 7);
    assert_int_equal(p->auto_refresh, 30);
    assert_int_equal(profile_attempt_window(p), 90 * 60 * 1000);
    assert_int_equal(p->retention_days, 7);
    assert_int_equal(p->events_days, 5);
    assert_int_equal(p->events_limit_mb, 9);
    assert_int_equal(p->cache_limit_mb, 200);
    assert_string_equal(p->accent, "blue");
    assert_false(p->read_only);
    assert_string_equal(p->highlight.items[0], "amount>=100000 = error");
    assert_string_equal(p->ca_file, "/etc/ssl/own.pem");
    assert_string_equal(p->theme, "light");
    const struct api_settings *a = &p->api;
    assert_string_equal(a->list_path, "/v2/intents");
    assert_true(a->list_body_object);
    assert_string_equal(a->list_data, "");
    assert_string_equal(a->list_next, "meta.next");
    assert_string_equal(a->list_has_more, "meta.more");
    assert_string_equal(a->cursor_param, "page[after]");
    assert_string_equal(a->list_extra.items[0], "limit=100");
    assert_string_equal(a->headers.items[0], "X-Team: blue");
    assert_string_equal(a->filter_type, "kind");
    assert_string_equal(a->filter_status, "state");
    assert_int_equal(a->filter_status_style, FILTER_JSON);
    assert_string_equal(a->filter_after, "from");
    assert_string_equal(a->filter_before, "to");
    assert_string_equal(a->user_path, "/users");
    assert_string_equal(a->user_idempotency, "header:Idempotency-Key");
    assert_string_equal(a->webhook_path, "/hooks");
    assert_string_equal(a->error_message.items[0], "fault.text");
}

/* Promise 5, K31: whatever part of a good file is left, it is refused or means the same. */
static void a_file_cut_anywhere_never_gives_another_meaning(void **state) {
    struct fixture *f = *state;
    static const char whole[] = "profile live {\n" GOOD "  read_only = true\n}\n";
    size_t last = strlen(whole) - 2; /* the closing brace */
    for (size_t len = 0; len <= last; len++) {
        char *part = strndup(whole, len);
        str_reset(&f->report);
        error_clear(&f->error);
        assert_int_equal(parse(f, part), ERR_CONFIG);
        assert_int_equal(f->config.n, 0);
        assert_true(f->report.len > 0);
        free(part);
    }
    assert_int_equal(parse(f, whole), ERR_OK);
}

static void an_empty_file_is_refused(void **state) {
    refused(*state, "", "conf: there is no profile; nothing is assumed\n");
}

static void a_missing_environment_is_refused(void **state) {
    refused(*state, "profile live {\n base_url = 'https://api.example.com'\n token_env = X\n}\n",
            "conf:1: profile live does not say its environment; nothing is assumed\n");
}

static void an_open_block_is_refused(void **state) {
    refused(*state, "\nprofile live {\n" GOOD, "conf:2: the block profile that begins here is not closed by '}'\n");
}

static void every_fault_is_reported_with_its_line(void **state) {
    struct fixture *f = *state;
    refused(f,
            "profile live {\n" GOOD "  acount = 'x'\n  kyc_required = yes\n  requests_per_hour = -1\n"
            "  environment = sandbox\n  list_path = '/x'\n}\n",
            "conf:5: no such key in profile: acount; did you mean account?\n"
            "conf:8: environment is given twice, first on line 2\n"
            "conf:9: no such key in profile: list_path; it belongs into a block api\n"
            "conf:6: kyc_required: yes is neither true nor false\n"
            "conf:7: requests_per_hour: -1 is not a whole number from 0 to 1000000\n");
    assert_non_null(strstr(f->error.text, "conf:5: no such key"));
    assert_non_null(strstr(f->error.text, "and 4 more"));
}

static void a_repeated_empty_list_is_a_fault(void **state) {
    refused(*state, "profile live {\n" GOOD " highlight = {}\n highlight = {'a = error'}\n}\n",
            "conf:6: highlight is given twice, first on line 5\n");
}

static void a_repeated_api_block_is_a_fault(void **state) {
    refused(*state, "profile live {\n" GOOD " api {}\n api { list_path = '/x' }\n}\n",
            "conf:6: api is given twice, first on line 5\n");
}

static void a_second_profile_of_the_name_is_a_fault(void **state) {
    struct fixture *f = *state;
    assert_int_equal(parse(f, "profile live {\n" GOOD "}\nprofile live {\n" GOOD "}\n"), ERR_CONFIG);
    assert_non_null(strstr(f->report.s, "conf:6: a second profile live, the first is on line 1\n"));
}

static void variables_do_not_reach_a_value(void **state) {
    struct fixture *f = *state;
    setenv("EVIL", "https://evil.example", 1);
    refused(f, "profile live {\n environment = sandbox token_env = X\n base_url = \"${EVIL}\"\n}\n",
            "conf:3: variables are not filled in here; put the text in single quotes if it is meant as it is\n");
    str_reset(&f->report);
    refused(f, "profile live {\n environment = sandbox token_env = X\n base_url = ${EVIL}\n}\n",
            "conf:3: a character that must stand in quotes; write texts, paths and addresses in single quotes\n");
    str_reset(&f->report);
    refused(f, "profile live {\n environment = sandbox token_env = X\n base_url = '${EVIL}'\n}\n",
            "conf:3: base_url: the address holds a blank, '\\', '$', '{' or '}'\n");
    str_reset(&f->report);
    assert_int_equal(parse(f, "profile live {\n" GOOD " account = '${EVIL}'\n}\n"), ERR_OK);
    assert_string_equal(f->config.profiles[0]->account, "${EVIL}");
    unsetenv("EVIL");
}

static void include_is_no_key(void **state) {
    refused(*state, "include('/etc/passwd')\n",
            "conf:1: a character that must stand in quotes; write texts, paths and addresses in single quotes\n");
}

static void an_open_quote_names_its_line(void **state) {
    refused(*state, "profile live {\n environment = 'sandbox\n}\n",
            "conf:2: a quote is opened and not closed on its line\n");
}

static void base_url_faults(void **state) {
    (void)state;
    static const struct {
        const char *url, *reason;
    } cases[] = {
        {"http://api.example.com", "http is allowed to this machine only (127.0.0.1, ::1, localhost); use https"},
        {"http://127.0.0.1.example.com", "http is allowed to this machine only (127.0.0.1, ::1, localhost); use https"},
        {"https://user:pw@api.example.com", "the address holds a user or password; the token has its own keys"},
        {"https://api.example.com?x=1", "the address holds a query or fragment"},
        {"https://api.example.com#x", "the address holds a query or fragment"},
        {"ftp://api.example.com", "the address is not https"},
        {"file:///etc/passwd", "the address is not https"},
        {"api.example.com", "the address does not begin with https://"},
    };
    struct str reason;
    str_init(&reason, 512);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        str_reset(&reason);
        assert_false(check_base_url(cases[i].url, &reason));
        if (strncmp(cases[i].url, "file", 4) != 0)
            assert_string_equal(reason.s, cases[i].reason);
    }
    str_clear(&reason);
}

static void base_url_goods(void **state) {
    (void)state;
    static const char *const urls[] = {"https://api.example.com", "https://api.example.com:8443/v1/",
                                       "http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:8080/payments"};
    struct str reason;
    str_init(&reason, 512);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        if (!check_base_url(urls[i], &reason))
            fail_msg("%s: %s", urls[i], reason.s);
    str_clear(&reason);
}

static bool read_only_of(struct fixture *f, const char *environment, const char *more) {
    char text[512];
    (void)snprintf(text, sizeof text,
                   "profile p { environment = '%s' base_url = 'https://a.example' token_env = T %s }", environment,
                   more);
    config_clear(&f->config);
    return parse_one(f, text)->read_only;
}

static void only_the_exact_word_sandbox_relaxes(void **state) {
    assert_false(read_only_of(*state, "sandbox", ""));
    assert_true(read_only_of(*state, "sandbox", "read_only = true"));
    assert_true(read_only_of(*state, "production", ""));
    assert_false(read_only_of(*state, "production", "read_only = false"));
    assert_true(read_only_of(*state, "Sandbox", ""));
    assert_true(read_only_of(*state, "sandbox2", ""));
    assert_true(read_only_of(*state, "staging", ""));
}

static void a_token_has_exactly_one_source(void **state) {
    struct fixture *f = *state;
    refused(f, "profile p {\n environment = sandbox\n base_url = 'https://a.example'\n}\n",
            "conf:1: profile p names no source of its token: one of token_command, token_file and token_env\n");
    str_reset(&f->report);
    refused(f, "profile p {\n" GOOD " token_file = '/x'\n}\n",
            "conf:1: profile p names more than one source of its token\n");
}

static void relative_paths_are_refused(void **state) {
    struct fixture *f = *state;
    refused(f, "profile p {\n environment = sandbox\n base_url = 'https://a.example'\n token_file = 'token'\n}\n",
            "conf:4: token_file: the path is neither absolute nor begun by ~/\n"
            "conf:1: profile p names no source of its token: one of token_command, token_file and token_env\n");
    str_reset(&f->report);
    refused(f, "profile p {\n environment = sandbox\n base_url = 'https://a.example'\n token_command = {'./pass'}\n}\n",
            "conf:4: token_command: the program is neither a plain name, an absolute path nor a path begun by ~/\n");
}

static void headers_cannot_replace_the_token_or_the_host(void **state) {
    refused(*state,
            "profile p {\n" GOOD " api {\n  headers = {'X-A: b', 'authorization: Bearer x',\n 'Host: evil.example'}\n"
            "  user_idempotency = 'header:Authorization'\n }\n}\n",
            "conf:6: headers: the header authorization is set by the program itself\n"
            "conf:6: headers: the header Host is set by the program itself\n"
            "conf:8: user_idempotency: this header is set by the program itself\n");
}

static void a10_the_cursor_may_stand_in_a_header(void **state) {
    struct fixture *f = *state;
    const struct profile *p = parse_one(f, "profile live {\n" GOOD " api { list_next = 'header:X-Next' }\n}\n");
    assert_string_equal(p->api.list_next, "header:X-Next");
    config_clear(&f->config);
    refused(f, "profile p {\n" GOOD " api {\n  list_next = 'header:'\n }\n}\n",
            "conf:6: list_next: the value is neither a dotted path nor header:NAME\n");
    str_reset(&f->report);
    refused(f, "profile p {\n" GOOD " api {\n  list_next = 'header:X Next'\n }\n}\n",
            "conf:6: list_next: the value is neither a dotted path nor header:NAME\n");
}

static void control_characters_are_refused_and_never_printed(void **state) {
    struct fixture *f = *state;
    assert_int_equal(parse(f, "profile p {\n" GOOD " account = \"a\\e[2J\"\n \x1b[2J = 3\n}\n"), ERR_CONFIG);
    assert_null(memchr(f->report.s, 0x1b, f->report.len));
    assert_null(memchr(f->error.text, 0x1b, strlen(f->error.text)));
    str_reset(&f->report);
    refused(f, "profile p {\n" GOOD " account = \"a\\e[2J\"\n}\n",
            "conf:5: account: the value holds control or invisible characters\n");
}

static void a_profile_name_is_a_safe_file_name(void **state) {
    struct fixture *f = *state;
    assert_int_equal(parse(f, "profile '../x' {\n" GOOD "}\n"), ERR_CONFIG);
    assert_non_null(strstr(f->report.s, "conf:1: a profile's name is"));
}

static void the_default_profile_must_exist(void **state) {
    refused(*state, "default_profile = other\nprofile live {\n" GOOD "}\n",
            "conf:1: default_profile: there is no profile other\n");
}

static void a_profile_is_found_by_name_or_default(void **state) {
    struct fixture *f = *state;
    assert_int_equal(parse(f, "default_profile = b profile a {\n" GOOD "}\nprofile b {\n" GOOD "}\n"), ERR_OK);
    assert_string_equal(config_profile(&f->config, NULL)->name, "b");
    assert_string_equal(config_profile(&f->config, "a")->name, "a");
    assert_null(config_profile(&f->config, "c"));
    config_clear(&f->config);
    assert_int_equal(parse(f, "profile a {\n" GOOD "}\nprofile b {\n" GOOD "}\n"), ERR_OK);
    assert_null(config_profile(&f->config, ""));
}

static void lists_and_scalars_are_not_mixed_up(void **state) {
    struct fixture *f = *state;
    refused(f, "profile p {\n" GOOD " account = {'a'}\n}\n", "conf:5: account takes one value, not a list\n");
    str_reset(&f->report);
    refused(f, "profile p {\n" GOOD " highlight = 'a'\n}\n", "conf:5: highlight takes a list: {'...', '...'}\n");
}

static void the_sample_parses_clean(void **state) {
    struct fixture *f = *state;
    struct str sample;
    str_init(&sample, 64 << 10);
    config_sample(&sample);
    assert_false(sample.truncated);
    const struct profile *p = parse_one(f, sample.s);
    assert_true(profile_is_sandbox(p));
    assert_false(p->read_only);
    assert_ptr_equal(config_profile(&f->config, NULL), p);
    str_clear(&sample);
}

/* A default shown in the sample is the default: taking the comment away changes nothing. */
static void each_commented_key_of_the_sample_is_valid(void **state) {
    struct fixture *f = *state;
    struct config_key key;
    size_t n = 0;
    for (; config_key(n, &key); n++) {
        bool token = strncmp(key.name, "token_", 6) == 0;
        bool given = strcmp(key.name, "environment") == 0 || strcmp(key.name, "base_url") == 0;
        if (token || given || key.section[0] == '\0')
            continue;
        char text[1024];
        bool api = strcmp(key.section, "api") == 0;
        (void)snprintf(text, sizeof text, "profile p {\n" GOOD " %s %s = %s %s\n}\n", api ? "api {" : "", key.name,
                       key.fallback, api ? "}" : "");
        config_clear(&f->config);
        if (parse(f, text) != ERR_OK)
            fail_msg("%s", f->report.s);
    }
    assert_int_equal(n, 58);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(defaults_are_those_of_the_design),
        T(api_defaults_are_those_of_the_document),
        T(every_key_is_read),
        T(f32_exponents_are_checked),
        T(f95_a_required_field_that_no_user_has_is_refused),
        T(a_team_store_is_safe_or_refused),
        T(a_file_cut_anywhere_never_gives_another_meaning),
        T(an_empty_file_is_refused),
        T(a_missing_environment_is_refused),
        T(an_open_block_is_refused),
        T(every_fault_is_reported_with_its_line),
        T(a_repeated_empty_list_is_a_fault),
        T(a_repeated_api_block_is_a_fault),
        T(a_second_profile_of_the_name_is_a_fault),
        T(variables_do_not_reach_a_value),
        T(include_is_no_key),
        T(an_open_quote_names_its_line),
        T(base_url_faults),
        T(base_url_goods),
        T(only_the_exact_word_sandbox_relaxes),
        T(a_token_has_exactly_one_source),
        T(relative_paths_are_refused),
        T(headers_cannot_replace_the_token_or_the_host),
        T(a10_the_cursor_may_stand_in_a_header),
        T(control_characters_are_refused_and_never_printed),
        T(a_profile_name_is_a_safe_file_name),
        T(the_default_profile_must_exist),
        T(a_profile_is_found_by_name_or_default),
        T(lists_and_scalars_are_not_mixed_up),
        T(the_sample_parses_clean),
        T(each_commented_key_of_the_sample_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
