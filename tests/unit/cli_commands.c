#include "cli/cli.h"
#include "cli/help.h"

#include "app/actions.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char *folder, *printed, *said;
    size_t printed_len, said_len;
    struct cli cli;
    struct error error;
};

static enum err nothing_unexplained(const struct local_asker *asker, const struct profile *profile,
                                    const struct reasons *reasons, struct str *codes, struct error *error) {
    (void)asker, (void)profile, (void)reasons, (void)codes, (void)error;
    return ERR_OK;
}

static int set_up(void **state) {
    static const struct local_store LOCAL = {.unexplained = nothing_unexplained};
    struct fixture *f = calloc(1, sizeof *f);
    f->folder = proc_folder_new();
    f->cli.out = open_memstream(&f->printed, &f->printed_len);
    f->cli.err = open_memstream(&f->said, &f->said_len);
    f->cli.utf8 = true;
    f->cli.local = &LOCAL;
    setenv("XDG_CONFIG_HOME", f->folder, 1);
    unsetenv("BURSAR_CONFIG");
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    (void)fclose(f->cli.out);
    (void)fclose(f->cli.err);
    free(f->printed);
    free(f->said);
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

static const char *in_folder(const struct fixture *f, const char *name) {
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return path;
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void put(const struct fixture *f, const char *name, const char *text) {
    assert_true(proc_write_file(in_folder(f, name), text));
}

static void init_writes_a_private_file_whatever_the_umask(void **state) {
    struct fixture *f = *state;
    char expected[600];
    mode_t old = umask(0);
    assert_int_equal(cli_config_init(&f->cli, &f->error), ERR_OK);
    (void)umask(old);
    (void)snprintf(expected, sizeof expected, "%s\n", in_folder(f, "bursar/config"));
    assert_string_equal(f->printed, expected);
    assert_int_equal(mode_of(in_folder(f, "bursar/config")), 0600);
    assert_int_equal(mode_of(in_folder(f, "bursar")), 0700);
}

/* The token's file is the operator's to make: nothing else is found (F95). */
static void what_init_writes_lacks_its_token_alone(void **state) {
    struct fixture *f = *state;
    assert_int_equal(cli_config_init(&f->cli, &f->error), ERR_OK);
    assert_int_equal(cli_config_check(&f->cli, &f->error), ERR_CHECK_FAILED);
    const char *found = strstr(f->printed, ": token: the token of profile sandbox: ");
    assert_non_null(found);
    assert_null(strstr(found + 1, "/config:"));
    assert_non_null(
        strstr(f->printed, "\nprofile sandbox: sandbox, http://127.0.0.1:8080, may write, token from file "));
}

static void init_writes_a_sample_of_reasons_beside_it(void **state) {
    struct fixture *f = *state;
    assert_int_equal(mkdir(in_folder(f, "bursar"), S_IRWXU), 0);
    put(f, "bursar/reasons", "kept");
    assert_int_equal(cli_config_init(&f->cli, &f->error), ERR_OK);
    char *text = proc_read_file(in_folder(f, "bursar/reasons"));
    assert_string_equal(text, "kept");
    free(text);
    assert_int_equal(unlink(in_folder(f, "bursar/reasons")), 0);
    assert_int_equal(unlink(in_folder(f, "bursar/config")), 0);
    assert_int_equal(cli_config_init(&f->cli, &f->error), ERR_OK);
    assert_int_equal(mode_of(in_folder(f, "bursar/reasons")), 0600);
    (void)fflush(f->cli.err);
    assert_non_null(strstr(f->said, "a sample beside it: reasons\n"));
}

static void init_never_overwrites(void **state) {
    struct fixture *f = *state;
    f->cli.args.config = in_folder(f, "mine");
    put(f, "mine", "kept");
    assert_int_equal(cli_config_init(&f->cli, &f->error), ERR_FILE);
    assert_non_null(strstr(f->error.text, "is already there and was left as it is"));
    char *text = proc_read_file(in_folder(f, "mine"));
    assert_string_equal(text, "kept");
    free(text);
}

static void init_does_not_write_through_a_link(void **state) {
    struct fixture *f = *state;
    char target[512];
    (void)snprintf(target, sizeof target, "%s", in_folder(f, "elsewhere"));
    assert_int_equal(symlink(target, in_folder(f, "link")), 0);
    f->cli.args.config = in_folder(f, "link");
    assert_int_equal(cli_config_init(&f->cli, &f->error), ERR_FILE);
    assert_int_not_equal(access(target, F_OK), 0);
}

static void check_prints_each_fault_and_finds_wanting(void **state) {
    struct fixture *f = *state;
    put(f, "bad", "profile live {\n  enviroment = production\n}\n");
    f->cli.args.config = in_folder(f, "bad");
    assert_int_equal(cli_config_check(&f->cli, &f->error), ERR_CHECK_FAILED);
    assert_int_equal(err_exit(f->error.code), 9);
    assert_non_null(strstr(f->printed, "/bad:2: no such key in profile: enviroment; did you mean environment?\n"));
    assert_non_null(strstr(f->printed, "/bad:1: profile live has no base_url\n"));
}

static void check_of_no_file_finds_wanting(void **state) {
    struct fixture *f = *state;
    assert_int_equal(cli_config_check(&f->cli, &f->error), ERR_CHECK_FAILED);
    assert_non_null(strstr(f->printed, "there is no such file; bursar config init makes one"));
}

static void path_prints_the_place(void **state) {
    struct fixture *f = *state;
    f->cli.args.config = "some/file";
    assert_int_equal(cli_config_path(&f->cli, &f->error), ERR_OK);
    assert_string_equal(f->printed, "some/file\n");
}

static void a_full_disk_is_an_error_of_every_command(void **state) {
    struct fixture *f = *state;
    static const char *const operands[] = {"terminal"};
    static command_fn *const commands[] = {cli_config_path, cli_keys_list, cli_theme_list,
                                           cli_theme_show,  cli_version,   cli_config_check};
    put(f, "good", "profile p { environment = sandbox base_url = 'https://a.example' token_env = T }\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct cli cli = f->cli;
        cli.args.config = in_folder(f, "good");
        cli.args.operands[0] = operands[0];
        cli.args.n_operands = commands[i] == cli_theme_show;
        cli.out = fopen("/dev/full", "w");
        assert_non_null(cli.out);
        error_clear(&f->error);
        assert_int_equal(commands[i](&cli, &f->error), ERR_FILE);
        (void)fclose(cli.out);
    }
}

static void keys_list_has_every_action(void **state) {
    struct fixture *f = *state;
    size_t n;
    const struct action *table = actions(&n);
    assert_int_equal(cli_keys_list(&f->cli, &f->error), ERR_OK);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(strstr(f->printed, table[i].name));
        assert_non_null(strstr(f->printed, table[i].help));
    }
}

static void version_is_one_line(void **state) {
    struct fixture *f = *state;
    assert_int_equal(cli_version(&f->cli, &f->error), ERR_OK);
    assert_string_equal(f->printed, "bursar " BURSAR_VERSION "\n");
}

static void make_themes(struct fixture *f) {
    assert_int_equal(mkdir(in_folder(f, "bursar"), 0700), 0);
    assert_int_equal(mkdir(in_folder(f, "bursar/themes"), 0700), 0);
    put(f, "bursar/themes/mine.theme", "inherit = terminal\ntitle = bold red\n");
    put(f, "bursar/themes/bad.theme", "no.such.role = red\n");
    put(f, "bursar/themes/odd name.theme", "title = red\n");
}

static void theme_list_names_the_operators_and_the_built_in(void **state) {
    struct fixture *f = *state;
    make_themes(f);
    assert_int_equal(cli_theme_list(&f->cli, &f->error), ERR_OK);
    assert_non_null(strstr(f->printed, "mine              "));
    assert_non_null(strstr(f->printed, "terminal          "));
    assert_null(strstr(f->printed, "odd"));
}

static enum err theme(struct fixture *f, command_fn *command, const char *name) {
    f->cli.args.operands[0] = name;
    f->cli.args.n_operands = 1;
    error_clear(&f->error);
    return command(&f->cli, &f->error);
}

static void theme_show_prints_by_name_and_by_path(void **state) {
    struct fixture *f = *state;
    make_themes(f);
    assert_int_equal(theme(f, cli_theme_show, "mine"), ERR_OK);
    assert_string_equal(f->printed, "inherit = terminal\ntitle = bold red\n");
    assert_int_equal(theme(f, cli_theme_show, in_folder(f, "bursar/themes/bad.theme")), ERR_OK);
    assert_int_equal(theme(f, cli_theme_show, "terminal"), ERR_OK);
    assert_non_null(strstr(f->printed, "status.declined"));
}

static void a_theme_that_is_not_there_is_named(void **state) {
    struct fixture *f = *state;
    assert_int_equal(theme(f, cli_theme_show, "nothing"), ERR_CONFIG);
    assert_string_equal(f->error.text, "there is no theme nothing; see bursar theme list");
    assert_int_equal(theme(f, cli_theme_show, "..%2fpasswd"), ERR_CONFIG);
    assert_int_equal(theme(f, cli_theme_show, "/no/such/file"), ERR_CONFIG);
}

static void theme_check_finds_wanting(void **state) {
    struct fixture *f = *state;
    make_themes(f);
    assert_int_equal(theme(f, cli_theme_check, "bad"), ERR_CHECK_FAILED);
    assert_non_null(strstr(f->printed, "bad:1: "));
    assert_int_equal(theme(f, cli_theme_check, "mine"), ERR_OK);
    assert_non_null(strstr(f->printed, "mine: no faults\n"));
    assert_int_equal(theme(f, cli_theme_check, "terminal"), ERR_OK);
}

/* Words that the shell would offer for a line, in one string. bash only: the others are checked for syntax. */
static char *complete(const struct fixture *f, const char *line) {
    struct str script;
    struct proc proc = {0};
    str_init(&script, 256 << 10);
    assert_int_equal(completion_script("bash", &script, NULL), ERR_OK);
    str_addf(&script,
             "bursar() { case $1 in config) echo %s;; theme) echo 'mine  x';; esac; }\n"
             "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_bursar\necho \"${COMPREPLY[@]}\"\n",
             in_folder(f, "config"), line);
    put(f, "script", script.s);
    str_clear(&script);
    const char *const argv[] = {"/bin/bash", in_folder(f, "script"), NULL};
    assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 0);
    char *words = strndup(proc.out.s, strcspn(proc.out.s, "\n"));
    (void)proc_end(&proc);
    return words;
}

static void offers(const struct fixture *f, const char *line, const char *words) {
    char *given = complete(f, line);
    assert_string_equal(given, words);
    free(given);
}

static void bash_offers_what_can_follow(void **state) {
    struct fixture *f = *state;
    if (access("/bin/bash", X_OK) != 0)
        skip();
    put(f, "config", "profile live {\n}\n  profile 'test-2' {\n}\n");
    offers(f, "bursar in", "intents");
    offers(f, "bursar config ''", "init check path");
    offers(f, "bursar --profile ''", "live test-2");
    offers(f, "bursar --profile = l", "live");
    offers(f, "bursar --profile = live intents ''", "list show stats mirror match note tag untag");
    offers(f, "bursar --profile live intents list --st", "--status");
    offers(f, "bursar intents list --status de", "declined");
    offers(f, "bursar intents list --format = nd", "ndjson");
    offers(f, "bursar theme show m", "mine");
    offers(f, "bursar completion z", "zsh");
    offers(f, "bursar keys list --stat", "");
}

static void has_good_syntax(struct fixture *f, const char *shell, const char *path) {
    struct str script;
    struct proc proc = {0};
    if (access(path, X_OK) != 0)
        skip();
    str_init(&script, 256 << 10);
    assert_int_equal(completion_script(shell, &script, NULL), ERR_OK);
    put(f, "script", script.s);
    str_clear(&script);
    const char *const argv[] = {path, "-n", in_folder(f, "script"), NULL};
    assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 0);
    (void)proc_end(&proc);
}

static void fish_offers_what_can_follow(void **state) {
    struct fixture *f = *state;
    struct str script;
    struct proc proc = {0};
    if (access("/usr/bin/fish", X_OK) != 0)
        skip();
    str_init(&script, 256 << 10);
    assert_int_equal(completion_script("fish", &script, NULL), ERR_OK);
    str_add(&script, "complete -C 'bursar --profile x config i'\ncomplete -C 'bursar intents list --status de'\n"
                     "complete -C 'bursar keys list --stat'\n");
    put(f, "script", script.s);
    str_clear(&script);
    const char *const argv[] = {"/usr/bin/fish", "--no-config", in_folder(f, "script"), NULL};
    assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 0);
    assert_string_equal(proc.out.s, "init\tWrite a new, commented configuration file\n"
                                    "declined\tOnly intents of this status; may be given several times\n");
    (void)proc_end(&proc);
}

static void zsh_completions_have_good_syntax(void **state) {
    has_good_syntax(*state, "zsh", "/usr/bin/zsh");
}

static void fish_completions_have_good_syntax(void **state) {
    has_good_syntax(*state, "fish", "/usr/bin/fish");
}

static void every_shell_knows_every_command_and_option(void **state) {
    (void)state;
    static const char *const shells[] = {"bash", "zsh", "fish"};
    for (size_t i = 0; i < 3; i++) {
        struct str script;
        str_init(&script, 256 << 10);
        assert_int_equal(completion_script(shells[i], &script, NULL), ERR_OK);
        for (int id = 1; id < COMMAND_VERSION; id++)
            if (!strstr(script.s, command_of((enum command_id)id)->words) && i < 2)
                fail_msg("%s: %s", shells[i], command_of((enum command_id)id)->words);
        for (int id = 0; id < OPTION_COUNT; id++)
            assert_non_null(strstr(script.s, option_of((enum option_id)id)->name));
        str_clear(&script);
    }
}

static void an_unknown_shell_is_refused(void **state) {
    struct fixture *f = *state;
    f->cli.args.operands[0] = "tcsh";
    f->cli.args.n_operands = 1;
    assert_int_equal(cli_completion(&f->cli, &f->error), ERR_USAGE);
    assert_string_equal(f->error.text, "no completions for tcsh; there are some for bash zsh fish");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(init_writes_a_private_file_whatever_the_umask),
        T(what_init_writes_lacks_its_token_alone),
        T(init_writes_a_sample_of_reasons_beside_it),
        T(init_never_overwrites),
        T(init_does_not_write_through_a_link),
        T(check_prints_each_fault_and_finds_wanting),
        T(check_of_no_file_finds_wanting),
        T(path_prints_the_place),
        T(a_full_disk_is_an_error_of_every_command),
        T(keys_list_has_every_action),
        T(version_is_one_line),
        T(theme_list_names_the_operators_and_the_built_in),
        T(theme_show_prints_by_name_and_by_path),
        T(a_theme_that_is_not_there_is_named),
        T(theme_check_finds_wanting),
        T(bash_offers_what_can_follow),
        T(fish_offers_what_can_follow),
        T(zsh_completions_have_good_syntax),
        T(fish_completions_have_good_syntax),
        T(every_shell_knows_every_command_and_option),
        T(an_unknown_shell_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
