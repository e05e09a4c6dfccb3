#include "console.h"
#include "demo.h"
#include "run/files/local_store.h"
#include "run/files/notes_file.h"
#include "run/files/table_files.h"
#include "run/files/team_desk.h"
#include "run/files/theme_watch.h"
#include "run/files/views.h"

#include "app/days.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/proxy.h"
#include "base/signals.h"
#include "base/start.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "config/own_actions.h"
#include "run/loop.h"
#include "ui/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { EXIT_SIGNAL = 128, REPORT_MAX = 64 << 10, NONCE_BYTES = 16, FOLDER_MAX = 8192 };

/* One run of the program, with what has to be freed at its end. */
struct program {
    struct cli cli;
    struct demo *demo;
    struct secret *token;
    struct proxy_logins *logins;
    struct loop *loop;
    struct theme_watch *theme_watch;
    struct keymap *keymap;
    struct own_actions own_actions;
    struct str report; /* faults of theme and key map, told once */
};

static int run_main_columns_of(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void start_cli(struct cli *cli) {
    cli->out = stdout;
    cli->err = stderr;
    cli->out_is_terminal = isatty(STDOUT_FILENO) != 0;
    cli->utf8 = utf8_locale();
    cli->columns = cli->out_is_terminal ? run_main_columns_of(STDOUT_FILENO) : 0;
}

static void print_error(const struct error *error) {
    if (error->code != ERR_OK)
        out_say(stderr, "bursar: %s\n", *error->text ? error->text : err_sentence(error->code));
}

/* A command that asks nothing of the service needs no profile, unless one is named. */
static bool does_without(const struct cli *cli) {
    return command_of(cli->args.command)->bare && cli->args.n_operands > 0 && !cli->args.profile;
}

/* Before anything runs beside this thread. --tz stands for the timezone of the profile, wherever that is read. */
static enum err use_zone(const struct cli *cli, struct error *error) {
    const char *name = cli->args.tz ? cli->args.tz : cli->profile ? cli->profile->timezone : "";
    if (cli->args.tz && (!*name || !clock_knows_zone(name)))
        return error_set(error, ERR_USAGE, "--tz: this machine knows no zone \"%s\"", name);
    for (size_t i = 0; cli->args.tz && i < cli->config.n; i++)
        profile_set_timezone(cli->config.profiles[i], name);
    if (*name)
        clock_use_zone(name);
    return ERR_OK;
}

/* By name, by default_profile, or the only one there is. */
static enum err choose_profile(struct program *program, struct error *error) {
    struct cli *cli = &program->cli;
    const char *environment = getenv("BURSAR_PROFILE");
    const char *name = cli->args.profile                                             ? cli->args.profile
                       : environment && *environment                                 ? environment
                       : cli->config.default_profile && *cli->config.default_profile ? cli->config.default_profile
                                                                                     : NULL;
    if (!name && cli->config.n == 1) {
        cli->profile = cli->config.profiles[0];
    } else if (!name && does_without(cli)) {
        return ERR_OK;
    } else if (!name) {
        return error_set(error, ERR_CONFIG, "no profile is named: use --profile NAME, or set default_profile in %s",
                         cli->config.path);
    } else {
        cli->profile = config_profile(&cli->config, name);
    }
    if (!cli->profile)
        return error_set(error, ERR_CONFIG, "no profile \"%s\" in %s", name, cli->config.path);
    return ERR_OK;
}

static enum err load_config(struct program *program, struct error *error) {
    struct str place;
    str_init(&place, 4096);
    enum err err = cli_config_place(&program->cli, &place, error);
    /* Only a file that does not exist counts as absent: one that cannot be looked at is reported by reading it. */
    bool absent = err == ERR_OK && faccessat(AT_FDCWD, place.s, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
    bool nowhere = err != ERR_OK && !program->cli.args.config && !getenv("BURSAR_CONFIG");
    if ((absent || nowhere) && does_without(&program->cli)) {
        error_clear(error);
        str_clear(&place);
        return ERR_OK;
    }
    if (absent) {
        err = error_set(error, ERR_CONFIG,
                        "no configuration at %s: `bursar config init` writes one, `bursar --demo` needs none", place.s);
    }
    if (err == ERR_OK)
        err = config_load(place.s, &program->cli.config, NULL, error);
    if (err == ERR_OK)
        err = choose_profile(program, error);
    /* The file of trusted certificates decides whom the program trusts, as the configuration does: it must be as safe.
     */
    const struct profile *profile = program->cli.profile;
    if (err == ERR_OK && profile && profile->ca_file && profile->ca_file[0] &&
        config_check_certificates(profile->ca_file, error) != ERR_OK)
        err = ERR_CONFIG;
    str_clear(&place);
    return err;
}

static bool is_offline(const struct cli *cli) {
    const struct command *command = command_of(cli->args.command);
    return cli->args.cached || (command->cached && !cli->args.fresh) || command->offline || cli->args.team;
}

/* Reading cached rows needs no token, but the token tells whose they are: it is read where that asks nobody and runs no
 * program. */
static void recognise_token(struct program *program) {
    const struct profile *profile = program->cli.profile;
    const struct command *command = command_of(program->cli.args.command);
    bool cached = program->cli.args.cached || (command->cached && !program->cli.args.fresh);
    bool wanted = cached || command->changes; /* it does not go into a note */
    if (wanted && profile && profile->token_command.n == 0 && config_token(profile, &program->token, NULL) != ERR_OK)
        program->token = NULL; /* without one they are read all the same */
}

static enum err load_profile(struct program *program, struct error *error) {
    enum err err;
    if (program->cli.args.demo) {
        err = use_zone(&program->cli, error);
        if (err == ERR_OK)
            err = demo_start(&program->demo, error);
        if (err == ERR_OK) {
            program->cli.profile = demo_profile(program->demo);
            program->cli.demo_folder = demo_folder(program->demo);
        }
        if (err == ERR_OK && program->cli.args.tz)
            demo_set_timezone(program->demo, program->cli.args.tz);
    } else {
        err = load_config(program, error);
        if (err == ERR_OK)
            err = use_zone(&program->cli, error);
    }
    if (err == ERR_OK && !is_offline(&program->cli))
        err = config_token(program->cli.profile, &program->token, error);
    else if (err == ERR_OK)
        recognise_token(program);
    program->cli.token = program->token;
    return err;
}

static const char *theme_name(const struct program *program) {
    const struct cli *cli = &program->cli;
    const char *environment = getenv("BURSAR_THEME");
    const char *names[] = {cli->args.theme, environment, cli->profile->theme, cli->config.theme};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (names[i] && *names[i])
            return names[i];
    return NULL;
}

static const char *color_wish(enum color_when color) {
    static const char *const WISHES[] = {
        [COLOR_NEVER] = "never", [COLOR_16] = "16", [COLOR_256] = "256", [COLOR_TRUECOLOR] = "truecolor"};
    return color < COUNT_OF(WISHES) ? WISHES[color] : NULL;
}

/* The demo's service is the sandbox, so its codes have a meaning before anyone wrote a file. */
static void load_reasons(struct program *program, struct str *report) {
    struct cli *cli = &program->cli;
    reasons_load(&cli->reasons, report);
    if (program->demo && !cli->reasons.there)
        reasons_parse(&cli->reasons, "reasons", reasons_sample, report);
}

static enum err run_console(struct program *program, struct error *error) {
    struct cli *cli = &program->cli;
    struct str notice, nonce, folder;
    program->theme_watch = theme_watch_new(theme_name(program), cli->utf8, &program->report);
    str_init(&nonce, 2 * NONCE_BYTES + 1);
    secret_random_hex(&nonce, NONCE_BYTES);
    program->keymap = cli_keymap(&program->report);
    load_reasons(program, &program->report);
    own_actions_load(&program->own_actions, &program->report);
    str_init(&folder, FOLDER_MAX);
    path_here(&folder);
    str_init(&notice, ERROR_TEXT_MAX);
    if (program->report.len > 0) {
        size_t first = strcspn(program->report.s, "\n"), more = 0;
        for (const char *at = program->report.s + first; (at = strchr(at, '\n')) && at[1]; at++)
            more++;
        utf8_sanitise(&notice, program->report.s, first);
        if (more > 0)
            str_addf(&notice, " (and %zu more)", more);
    } else if (start_notice()) {
        str_add(&notice, start_notice());
    } else if (!cli->utf8) {
        str_add(&notice, "the locale is not UTF-8: text is shown in ASCII, ? for what it cannot show");
    }
    const struct query_zone zone = days_of(cli->profile, false);
    struct console_options options = {
        .shell = {.profile = cli->profile,
                  .token = cli->token,
                  .read_only = cli->args.read_only,
                  .demo_folder = cli->demo_folder,
                  .zone = days_clock(&zone),
                  .folder = folder.len > 0 ? folder.s : NULL,
                  .nonce = nonce.s,
                  .keymap = program->keymap,
                  .reasons = &cli->reasons,
                  .own_actions = &program->own_actions,
                  .notice = notice.len > 0 ? notice.s : NULL},
        .token = cli->token,
        .control = program->demo ? demo_control(program->demo) : NULL,
        .folder = program->cli.demo_folder,
        .theme_watch = program->theme_watch,
        .depth = screen_depth(color_wish(cli->args.color)),
    };
    if (program->demo) {
        options.shell.ca_file = demo_ca_file(program->demo);
        options.shell.receiver = demo_receiver(program->demo);
        options.shell.secret_file = demo_secret_file(program->demo);
    }
    enum err err = console_run(&options, &cli->signal, error);
    str_clear(&notice);
    str_clear(&nonce);
    str_clear(&folder);
    return err;
}

static int run_main_drive(void *context, const struct client *client) {
    return loop_drive(context, client);
}

/* For filters and columns. Notes that cannot be read cost themselves alone. */
static void load_notes(struct program *program) {
    struct cli *cli = &program->cli;
    struct notes_place place = notes_place_of(program->cli.demo_folder, cli->profile);
    struct notes_answer answer = {0};
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    notes_file_answer(&place, NULL, NULL, &answer);
    notes_answer_text(&answer, &text);
    if (text.len > 0)
        out_say(cli->err, "bursar: %s\n", text.s);
    cli->notes = answer.notes;
    str_clear(&text);
}

/* Every command that prints CSV prints it so. */
static void choose_spreadsheet(struct cli *cli) {
    if (cli->args.format != OUTPUT_CSV_EXCEL)
        return;
    struct str guessed;
    str_init(&guessed, ERROR_TEXT_MAX);
    if (profile_spreadsheet_guessed(cli->profile, &guessed))
        out_say(cli->err, "bursar: %s\n", guessed.s);
    str_clear(&guessed);
    (void)csv_write_for(profile_spreadsheet(cli->profile));
    cli->args.format = OUTPUT_CSV;
}

static enum err run_command(struct program *program, struct error *error) {
    struct cli *cli = &program->cli;
    const struct command *command = command_of(cli->args.command);
    if (command->profile && !command->offline) {
        struct loop_options options = {.profile = cli->profile,
                                       .token = cli->token,
                                       .folder = program->cli.demo_folder,
                                       .read_only = cli->args.read_only};
        enum err err = loop_new(&options, &program->loop, error);
        if (err == ERR_OK)
            err = loop_connect(program->loop, error);
        if (err != ERR_OK)
            return err;
        cli->drive = run_main_drive;
        cli->drive_context = program->loop;
    }
    if (cli->profile)
        views_read(program->cli.demo_folder, cli->profile, &cli->saved, &cli->shared);
    if (cli->args.by) {
        load_reasons(program, &program->report);
        if (program->report.len > 0)
            out_say(cli->err, "%s", program->report.s);
    }
    cli->local = &local_store;
    cli->tables = &table_files;
    cli->team = &team_desk;
    choose_spreadsheet(cli);
    if (command->profile && cli->profile && !command->offline)
        load_notes(program);
    return command->run(cli, error);
}

/* What such a command does here needs no configuration; one that cannot be read keeps it from nothing. */
static void load_profiles_if_any(struct program *program) {
    struct str place;
    struct error fault = {0};
    str_init(&place, 4096);
    if (cli_config_place(&program->cli, &place, &fault) != ERR_OK ||
        config_load(place.s, &program->cli.config, NULL, &fault) != ERR_OK)
        config_clear(&program->cli.config);
    str_clear(&place);
}

static enum err run_main_run(struct program *program, struct error *error) {
    struct cli *cli = &program->cli;
    bool console = cli->args.command == COMMAND_CONSOLE;
    enum err err = console ? screen_check(STDIN_FILENO, STDOUT_FILENO, error) : ERR_OK;
    if (err == ERR_OK && (command_of(cli->args.command)->profile || cli->args.team))
        err = load_profile(program, error);
    else if (err == ERR_OK && command_of(cli->args.command)->named)
        load_profiles_if_any(program);
    if (err != ERR_OK)
        return err;
    return console ? run_console(program, error) : run_command(program, error);
}

static void put_away(struct program *program) {
    loop_free(program->loop);
    theme_watch_free(program->theme_watch);
    keymap_free(program->keymap);
    secret_free(program->token);
    proxy_logins_free(program->logins);
    demo_stop(program->demo);
    saved_views_clear(&program->cli.saved);
    shared_views_clear(&program->cli.shared);
    cli_lists_free(&program->cli);
    reasons_clear(&program->cli.reasons);
    own_actions_clear(&program->own_actions);
    notes_free(program->cli.notes);
    config_clear(&program->cli.config);
    str_clear(&program->report);
}

/* Faults of the environment are told before their consequences; the console shows them on its screen. */
static void say_notice(const struct cli *cli) {
    if (start_notice() && cli->args.command != COMMAND_CONSOLE)
        out_say(stderr, "bursar: %s\n", start_notice());
}

/* The reader of a list is gone, as with `head`: the command ends silently, by the signal that ends other filters. A
 * command that changed something tells its outcome first. */
static bool run_main_ends_unread(const struct cli *cli) {
    return out_is_unread() && !command_of(cli->args.command)->changes;
}

static int run_main_finish(struct program *program, enum err err, struct error *error) {
    struct cli *cli = &program->cli;
    int signal = cli->signal ? cli->signal : signals_input_ended();
    if (err == ERR_OK)
        err = output_flush(stdout, error);
    bool unread = run_main_ends_unread(cli);
    if (err != ERR_OK && !unread)
        print_error(error);
    put_away(program);
    if (unread)
        signals_die(SIGPIPE);
    return signal ? EXIT_SIGNAL + signal : err_exit(err);
}

int main(int argc, char **argv) {
    struct program program = {0};
    struct error error = {0};
    mem_keep();
    start_process(screen_restore_unsafe);
    str_init(&program.report, REPORT_MAX);
    start_cli(&program.cli);
    enum err err = args_parse(argc, argv, &program.cli.args, &error);
    if (program.cli.args.csv_guard == GUARD_OFF)
        csv_guard_off();
    if (err == ERR_OK)
        err = secret_init(&error);
    say_notice(&program.cli);
    if (err == ERR_OK) {
        program.logins = proxy_logins_new();
        err = run_main_run(&program, &error);
    }
    return run_main_finish(&program, err, &error);
}
