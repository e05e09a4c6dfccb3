#include "config_faults.h"

#include "cli/cli.h"
#include "cli/output.h"

#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/proxy.h"
#include "base/utf8.h"
#include "config/own_actions.h"
#include "ui/keymap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACE_MAX = 4096, SAMPLE_MAX = 64 << 10, REPORT_MAX = 256 << 10 };

enum err cli_config_place(const struct cli *cli, struct str *out, struct error *error) {
    if (!cli->args.config)
        return config_path(out, error);
    str_add(out, cli->args.config);
    return ERR_OK;
}

/* A path of ours for people: one line, whatever its bytes. */
static enum err print_path(struct cli *cli, const char *path, struct error *error) {
    struct str line;
    str_init(&line, PLACE_MAX * 4);
    if (cli->out_is_terminal)
        utf8_sanitise(&line, path, strlen(path));
    else
        str_add(&line, path);
    str_add(&line, "\n");
    return output_whole(cli->out, &line, ERR_OK, error);
}

enum err cli_config_path(struct cli *cli, struct error *error) {
    struct str place;
    str_init(&place, PLACE_MAX);
    enum err err = cli_config_place(cli, &place, error);
    if (err == ERR_OK)
        err = print_path(cli, place.s, error);
    str_clear(&place);
    return err;
}

/* An existing folder is not changed: it may hold other programs' files. */
static enum err config_commands_make_folder(const char *path, struct error *error) {
    struct stat info;
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return ERR_OK;
    char *folder = mem_dup_n(path, (size_t)(slash - path));
    enum err err = stat(folder, &info) == 0 ? ERR_OK : path_make_private(folder, error);
    free(folder);
    return err;
}

static bool config_commands_is_there(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

static enum err config_commands_write_new(const char *path, const char *text, size_t len, struct error *error) {
    if (config_commands_is_there(path))
        return error_set(error, ERR_FILE, "%s is already there and was left as it is", path);
    enum err err = config_commands_make_folder(path, error);
    return err == ERR_OK ? path_write_new(path, text, len, error) : err;
}

static enum err config_commands_write_config(const char *path, struct error *error) {
    struct str sample;
    str_init(&sample, SAMPLE_MAX);
    config_sample(&sample);
    enum err err = config_commands_write_new(path, sample.s, sample.len, error);
    str_clear(&sample);
    return err;
}

/* The operator's other files, which stand in the usual folder wherever the configuration is. */
static const struct config_sample_file {
    const char *name, *text;
} SAMPLES[] = {{"reasons", reasons_sample}, {"actions", own_actions_sample}};

/* again: one that is there is left, and no fault. */
static enum err config_commands_write_sample(struct cli *cli, const struct config_sample_file *sample, bool again,
                                             struct error *error) {
    struct str path;
    str_init(&path, PLACE_MAX);
    enum err err = path_home(PATH_CONFIG, sample->name, &path, error);
    bool left = err == ERR_OK && again && config_commands_is_there(path.s);
    if (err == ERR_OK && !left)
        err = config_commands_write_new(path.s, sample->text, strlen(sample->text), error);
    if (err == ERR_OK && !left && again)
        out_say(cli->err, "bursar: a sample beside it: %s\n", sample->name);
    else if (err == ERR_OK && !again)
        err = print_path(cli, path.s, error);
    str_clear(&path);
    return err;
}

static enum err config_commands_init_one(struct cli *cli, const char *name, struct error *error) {
    for (size_t i = 0; i < COUNT_OF(SAMPLES); i++)
        if (str_equal(SAMPLES[i].name, name))
            return config_commands_write_sample(cli, &SAMPLES[i], false, error);
    return error_set(error, ERR_USAGE, "config init: no file %s; they are: %s", name,
                     command_of(COMMAND_CONFIG_INIT)->choices);
}

enum err cli_config_init(struct cli *cli, struct error *error) {
    struct str place;
    if (cli->args.n_operands > 0)
        return config_commands_init_one(cli, cli->args.operands[0], error);
    str_init(&place, PLACE_MAX);
    enum err err = cli_config_place(cli, &place, error);
    if (err == ERR_OK)
        err = config_commands_write_config(place.s, error);
    if (err == ERR_OK)
        err = print_path(cli, place.s, error);
    bool usual = !cli->args.config && !getenv("BURSAR_CONFIG");
    if (usual && err == ERR_OK) /* actions are written only where they are asked for by name */
        err = config_commands_write_sample(cli, &SAMPLES[0], true, error);
    if (err == ERR_OK)
        out_say(cli->err, "bursar: a new file; set base_url and the token's source, then: bursar config check\n");
    str_clear(&place);
    return err;
}

static void config_commands_add_profile(const struct profile *profile, bool is_default, struct str *out) {
    str_addf(out, "profile %s: %s, %s, %s, token from ", profile->name, profile->environment, profile->base_url,
             profile->read_only ? "read-only" : "may write");
    config_token_source(profile, out);
    struct str proxy;
    str_init(&proxy, PLACE_MAX);
    const char *variable = proxy_text(profile->base_url, &proxy);
    if (variable)
        str_addf(out, ", through the proxy %s (%s)", proxy.s, variable);
    str_clear(&proxy);
    str_add(out, is_default ? ", the default\n" : "\n");
    bool asked = profile->webhook_approval > 1 || profile->users_approval > 1;
    if (asked && !profile_webhook_needs_two(profile) && !profile_users_need_two(profile))
        str_addf(out,
                 "profile %s: webhook_approval and users_approval hold in the environment production alone: in %s one "
                 "person sends\n",
                 profile->name, profile->environment);
}

/* Where programs read an exception in different ways, whoever wrote it cannot tell which requests use the proxy. */
static void add_exceptions(struct str *out) {
    static const char *const words[] = {
        [PROXY_PORT_ALONE] = "excepts that port alone; libcurl, and programs that use it, do not read a port there",
        [PROXY_DOMAIN] =
            "excepts the domain, as without `*`; libcurl, and programs that use it, do not read a `*` there",
        [PROXY_NOT_READ] = "is not read, and excepts nothing: name a host, a domain, an address or a network such as "
                           "10.0.0.0/8, with commas between them"};
    const char *entry;
    size_t len;
    enum proxy_reading reading;
    for (size_t i = 0; proxy_exception(i, &entry, &len, &reading); i++) {
        if (reading != PROXY_PLAIN) {
            str_add(out, "NO_PROXY: ");
            bool secret = memchr(entry, '@', len) != NULL;
            utf8_sanitise(out, secret ? "an entry with `@`" : entry, secret ? strlen("an entry with `@`") : len);
            str_addf(out, " %s\n", words[reading]);
        }
    }
}

enum err cli_config_check(struct cli *cli, struct error *error) {
    struct str place, report;
    struct config config = {0};
    str_init(&place, PLACE_MAX);
    str_init(&report, REPORT_MAX);
    enum err err = cli_config_place(cli, &place, error);
    if (err != ERR_OK)
        goto out;
    bool good = config_load(place.s, &config, &report, NULL) == ERR_OK;
    good = good && config_faults(&config, &report);
    size_t faults = report.len;
    keymap_free(cli_keymap(&report));
    bool keys_good = report.len == faults;
    bool reasons_good = config_reasons(cli, &config, &report);
    struct own_actions actions = {0};
    size_t before = report.len;
    own_actions_load(&actions, &report);
    bool actions_good = report.len == before;
    own_actions_clear(&actions);
    for (size_t i = 0; i < config.n; i++)
        config_commands_add_profile(config.profiles[i], config_profile(&config, NULL) == config.profiles[i], &report);
    add_exceptions(&report);
    err = output_text(cli->out, report.s, error);
    if (err == ERR_OK)
        err = output_flush(cli->out, error);
    if (err == ERR_OK && !good)
        err = error_set(error, ERR_CHECK_FAILED, "%s cannot be used as it is", place.s);
    else if (err == ERR_OK && !keys_good)
        err = error_set(error, ERR_CHECK_FAILED, "the key map file has faults; the rest of it applies");
    else if (err == ERR_OK && !reasons_good)
        err = error_set(error, ERR_CHECK_FAILED, "the file reasons has faults; the rest of it applies");
    else if (err == ERR_OK && !actions_good)
        err = error_set(error, ERR_CHECK_FAILED, "the file actions has faults; the rest of it applies");
out:
    config_clear(&config);
    str_clear(&report);
    str_clear(&place);
    return err;
}
