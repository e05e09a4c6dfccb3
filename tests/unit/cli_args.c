#include "cli/args.h"

#include "cli/help.h"
#include "model/intent.h"
#include "query/query.h"

#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct args args;
static struct error error;

static enum err parse(const char *line) {
    static char text[512];
    char *argv[32] = {"bursar"};
    int argc = 1;
    char *at = text;
    (void)snprintf(text, sizeof text, "%s", line);
    error_clear(&error);
    for (char *word; (word = strsep(&at, " ")) != NULL;)
        if (*word)
            argv[argc++] = word;
    return args_parse(argc, argv, &args, &error);
}

static void good(const char *line, enum command_id command) {
    if (parse(line) != ERR_OK)
        fail_msg("%s: %s", line, error.text);
    assert_int_equal(args.command, command);
}

static void bad(const char *line, const char *text) {
    assert_int_equal(parse(line), ERR_USAGE);
    assert_string_equal(error.text, text);
}

static void no_words_open_the_console(void **state) {
    (void)state;
    good("", COMMAND_CONSOLE);
    good("--profile live --read-only --theme=dark --color never", COMMAND_CONSOLE);
    assert_string_equal(args.profile, "live");
    assert_true(args.read_only);
    assert_string_equal(args.theme, "dark");
    assert_int_equal(args.color, COLOR_NEVER);
}

static void intents_list_takes_its_options_anywhere(void **state) {
    (void)state;
    good("--status declined intents --config /x/y list --status=pending --type card_only --limit 250 --format ndjson",
         COMMAND_INTENTS_LIST);
    assert_int_equal(args.n_statuses, 2);
    assert_string_equal(args.statuses[0], "declined");
    assert_string_equal(args.statuses[1], "pending");
    assert_string_equal(args.type, "card_only");
    assert_int_equal(args.limit, 250);
    assert_int_equal(args.format, OUTPUT_NDJSON);
    assert_string_equal(args.config, "/x/y");
    assert_false(args.all);
}

static void nothing_given_is_a_table_of_one_page(void **state) {
    (void)state;
    good("intents list", COMMAND_INTENTS_LIST);
    assert_int_equal(args.limit, 0);
    assert_false(args.all);
    assert_int_equal(args.format, OUTPUT_TABLE);
    assert_null(args.type);
    assert_int_equal(args.n_statuses, 0);
}

static void every_command_of_the_table_is_parsed(void **state) {
    (void)state;
    for (int id = 1; id < COMMAND_VERSION; id++) {
        const struct command *command = command_of((enum command_id)id);
        char line[128];
        (void)snprintf(line, sizeof line, "%s %s", command->words,
                       command->operands_min > 1 ? "x x"
                       : command->operands_min   ? "x"
                                                 : "");
        good(line, (enum command_id)id);
        assert_int_equal(args.n_operands, command->operands_min);
    }
}

static void help_and_version_win(void **state) {
    (void)state;
    good("--version", COMMAND_VERSION);
    good("--help", COMMAND_HELP);
    assert_int_equal(args.n_operands, 0);
    good("intents list -h", COMMAND_HELP);
    assert_int_equal(args.n_operands, 2);
    assert_string_equal(args.operands[1], "list");
}

static void a_double_dash_ends_the_options(void **state) {
    (void)state;
    good("theme check -- --odd", COMMAND_THEME_CHECK);
    assert_string_equal(args.operands[0], "--odd");
}

/* K26 */
static void a_token_is_refused_and_not_repeated(void **state) {
    (void)state;
    assert_int_equal(parse("--token sentinel-1 intents list"), ERR_USAGE);
    assert_non_null(strstr(error.text, "--token is refused"));
    assert_non_null(strstr(error.text, "token_command, token_file or token_env"));
    assert_null(strstr(error.text, "sentinel"));
    assert_int_equal(parse("--token=sentinel-1"), ERR_USAGE);
    assert_null(strstr(error.text, "sentinel"));
    assert_int_equal(parse("webhook register --secret sentinel-1"), ERR_USAGE);
    assert_non_null(strstr(error.text, "--secret-file"));
    assert_null(strstr(error.text, "sentinel"));
    assert_int_equal(parse("--tokn=sentinel-1"), ERR_USAGE);
    assert_null(strstr(error.text, "sentinel"));
}

static void bad_words_are_named_with_the_nearest(void **state) {
    (void)state;
    bad("intent list", "no such command: intent; did you mean intents?");
    bad("intents", "intents needs a word: list, show, stats, mirror, match, note, tag, untag");
    bad("intents lst", "no such command of intents: lst; did you mean list?");
    bad("config", "config needs a word: init, check, path");
    bad("frobnicate", "no such command: frobnicate; see bursar help");
    bad("--profil x", "no such option: --profil; did you mean --profile?");
    bad("intents list --format jsn", "--format: no such word: jsn; did you mean json?");
    bad("intents list --format xml",
        "--format: no such word: xml; it is one of: table json ndjson csv csv-excel sqlite");
    bad("-x", "no such option: -x; options begin with --, and what follows -- by itself is none");
    bad("intents list a now", "intents list takes no further word: now");
}

static void values_are_checked(void **state) {
    (void)state;
    bad("intents list --limit 0", "--limit: 0 is not a whole number above 0");
    bad("intents list --limit 1e3", "--limit: 1e3 is not a whole number above 0");
    bad("intents list --limit 99999999999999999999", "--limit: 99999999999999999999 is not a whole number above 0");
    bad("intents list --limit", "--limit needs a value: N");
    bad("--profile=", "--profile: the value is empty");
    bad("--read-only=yes", "--read-only takes no value");
    bad("--profile a --profile b", "--profile is given twice");
    bad("theme show", "theme show needs NAME");
}

static void what_does_not_go_together_is_refused(void **state) {
    (void)state;
    bad("intents list --all --limit 3", "--all and --limit exclude each other");
    bad("--demo --profile live", "--demo has its own profile: --profile and --config do not go with it");
    bad("--limit 3", "--limit needs a command; see bursar help");
    bad("keys list --all", "keys list takes no --all");
}

static void control_characters_are_not_repeated(void **state) {
    (void)state;
    assert_int_equal(parse("\x1b[2Jx"), ERR_USAGE);
    assert_null(strchr(error.text, 0x1b));
}

/* The words offered here are those of the document. */
static void b4_values_outside_the_known_set_can_be_typed(void **state) {
    (void)state;
    good("intents list --status in_review --type wallet", COMMAND_INTENTS_LIST);
    assert_string_equal(args.statuses[0], "in_review");
    assert_string_equal(args.type, "wallet");
}

static void statuses_and_types_are_those_of_the_model(void **state) {
    (void)state;
    char words[128] = "";
    size_t used = 0;
    for (int i = 0; i < INTENT_STATUS_COUNT; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? " " : "",
                                 intent_status_name((enum intent_status)i));
    assert_string_equal(option_of(OPTION_STATUS)->words, words);
    used = 0;
    for (size_t i = 0; intent_type_name(i); i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? " " : "", intent_type_name(i));
    assert_string_equal(option_of(OPTION_TYPE)->words, words);
}

/* Every topic that is offered has help, and every command is in the overview. */
static void help_covers_what_it_offers(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 64 << 10);
    size_t len;
    const char *topics = command_of(COMMAND_HELP)->choices;
    for (size_t i = 0; word_at(topics, i, &len); i++) {
        char word[64];
        const char *const words[] = {word};
        (void)snprintf(word, sizeof word, "%.*s", (int)len, word_at(topics, i, &len));
        str_reset(&out);
        assert_int_equal(help_topic(words, 1, &out, NULL), ERR_OK);
        assert_true(out.len > 60);
    }
    str_reset(&out);
    help_overview(&out);
    for (int id = 1; id < COMMAND_VERSION; id++)
        assert_non_null(strstr(out.s, command_of((enum command_id)id)->words));
    for (int id = 0; id < OPTION_COUNT; id++)
        if (option_of((enum option_id)id)->global)
            assert_non_null(strstr(out.s, option_of((enum option_id)id)->name));
    str_clear(&out);
}

static void help_lines_fit_eighty_columns(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 256 << 10);
    help_overview(&out);
    for (int id = 1; id < COMMAND_VERSION; id++)
        help_command((enum command_id)id, &out);
    const char *const topics[] = {"configuration", "environment", "exit-status", "jobs"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(help_topic(&topics[i], 1, &out, NULL), ERR_OK);
    assert_false(out.truncated);
    for (const char *at = out.s; *at;) {
        size_t n = strcspn(at, "\n");
        if (n > 80)
            fail_msg("%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
    str_clear(&out);
}

/* Each line `bursar WORD WORD ...` of the jobs names commands, separated by commas. */
static void the_jobs_name_commands_that_there_are(void **state) {
    (void)state;
    static const char NAME[] = " bursar ";
    const char *const topic[] = {"jobs"};
    size_t jobs = 0, used;
    struct str out;
    str_init(&out, 64 << 10);
    assert_int_equal(help_topic(topic, 1, &out, NULL), ERR_OK);
    for (const char *at = out.s; (at = strstr(at, NAME)) != NULL; jobs++) {
        char line[128], *rest = line;
        at += sizeof NAME - 1;
        (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        for (char *command; (command = strsep(&rest, ",")) != NULL;) {
            const char *words[2] = {strtok(command, " "), strtok(NULL, " ")};
            if (command_find(words, words[1] ? 2 : 1, &used) < 0)
                fail_msg("no command: %s", words[0]);
        }
    }
    assert_true(jobs > 10);
    str_clear(&out);
}

/* What stands between quotes on a line, from *at on; moves behind it. False: no more. */
static bool next_quoted(const char **at, char *out, size_t room) {
    size_t len = strcspn(*at, "'\n");
    const char *begin = *at + len + 1;
    if ((*at)[len] != '\'')
        return false;
    size_t n = strcspn(begin, "'\n");
    (void)snprintf(out, room, "%.*s", (int)n, begin);
    *at = begin + n + (begin[n] == '\'');
    return begin[n] == '\'';
}

/* Lines of a text with commands on intents: their filters parse, but for lists of ids, which are files. Gives the
 * number of filters. */
static size_t check_filters(const char *text) {
    size_t n = 0;
    char filter[256];
    for (const char *at = text; (at = strstr(at, "bursar intents ")) != NULL; at += strcspn(at, "\n")) {
        for (const char *on = at; next_quoted(&on, filter, sizeof filter); n++) {
            struct query *query = NULL;
            struct query_fault fault;
            if (!strchr(filter, '@') && strcmp(filter, "FILTER") != 0 &&
                query_parse(filter, &(struct query_options){.unit = MONEY_RAW}, &query, &fault, &error) != ERR_OK)
                fail_msg("%s: %s", filter, error.text);
            query_free(query);
        }
    }
    return n;
}

/* In the help of jobs and commands, and in the README, which make runs beside. */
static void filters_of_examples_parse(void **state) {
    (void)state;
    const char *const topic[] = {"jobs"};
    struct str out;
    str_init(&out, 512 << 10);
    assert_int_equal(help_topic(topic, 1, &out, NULL), ERR_OK);
    assert_true(check_filters(out.s) >= 3);
    str_reset(&out);
    help_command(COMMAND_INTENTS_STATS, &out);
    assert_true(check_filters(out.s) >= 1);
    char *readme = proc_read_file("README.md");
    assert_non_null(readme);
    assert_true(check_filters(readme) >= 5);
    free(readme);
    str_clear(&out);
}

static void an_unknown_topic_names_the_nearest(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 1024);
    const char *const one[] = {"exit-staus"};
    const char *const two[] = {"intents", "lost"};
    error_clear(&error);
    assert_int_equal(help_topic(one, 1, &out, &error), ERR_USAGE);
    assert_string_equal(error.text, "no help on exit-staus; did you mean exit-status?");
    error_clear(&error);
    assert_int_equal(help_topic(two, 2, &out, &error), ERR_USAGE);
    assert_int_equal(out.len, 0);
    str_clear(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_words_open_the_console),
        cmocka_unit_test(intents_list_takes_its_options_anywhere),
        cmocka_unit_test(nothing_given_is_a_table_of_one_page),
        cmocka_unit_test(every_command_of_the_table_is_parsed),
        cmocka_unit_test(help_and_version_win),
        cmocka_unit_test(a_double_dash_ends_the_options),
        cmocka_unit_test(a_token_is_refused_and_not_repeated),
        cmocka_unit_test(bad_words_are_named_with_the_nearest),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(control_characters_are_not_repeated),
        cmocka_unit_test(b4_values_outside_the_known_set_can_be_typed),
        cmocka_unit_test(statuses_and_types_are_those_of_the_model),
        cmocka_unit_test(help_covers_what_it_offers),
        cmocka_unit_test(help_lines_fit_eighty_columns),
        cmocka_unit_test(the_jobs_name_commands_that_there_are),
        cmocka_unit_test(filters_of_examples_parse),
        cmocka_unit_test(an_unknown_topic_names_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
