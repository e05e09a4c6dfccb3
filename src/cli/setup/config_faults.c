#include "config_faults.h"

#include "base/command.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "query/query.h"
#include "ui/role.h"
#include "ui/theme.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the parser cannot know of a configuration: whether the files and names in it exist and can be used. */

enum { REPORT_MAX = 64 << 10, SECRET_FILE_MAX = 16 << 10 };

struct check {
    const struct config *config;
    struct str *report;
    bool good;
};

static void add_fault(struct check *check, int line, const char *key, const char *text) {
    check->good = false;
    str_add(check->report, check->config->path);
    if (line > 0)
        str_addf(check->report, ":%d", line);
    str_addf(check->report, ": %s: %s\n", key, text);
}

static void check_theme(struct check *check, int line, const char *name) {
    struct error error = {0};
    struct theme *theme;
    struct str report;
    if (!name || !*name)
        return;
    str_init(&report, REPORT_MAX);
    if (cli_theme_load(name, &theme, &report, &error) == ERR_OK && report.len > 0)
        (void)error_set(&error, ERR_CONFIG, "%.*s; see bursar theme check %s", (int)strcspn(report.s, "\n"), report.s,
                        name);
    if (error.code != ERR_OK)
        add_fault(check, line, "theme", error.text);
    theme_free(theme);
    str_clear(&report);
}

/* "FILTER = role": a filter may have an equals sign too, so the last one separates them. */
static void check_highlight(struct check *check, const struct profile *profile, const char *rule) {
    struct query_options options = {.unit = profile->amount_unit};
    struct error error = {0};
    struct query *query = NULL;
    const char *equals = strrchr(rule, '=');
    const char *role = equals ? equals + 1 + strspn(equals + 1, " ") : "";
    size_t len = equals ? (size_t)(equals - rule) : 0;
    while (len > 0 && rule[len - 1] == ' ')
        len--;
    char *filter = mem_dup_n(rule, len);
    if (len == 0 || !*role)
        (void)error_set(&error, ERR_CONFIG, "\"%s\" is no rule of the form FILTER = role", rule);
    else if (role_find(role) < 0)
        (void)error_set(&error, ERR_CONFIG, "\"%s\": no role of a theme is called %s", rule, role);
    else if (query_parse(filter, &options, &query, NULL, &error) != ERR_OK)
        error_prefix(&error, filter);
    if (error.code != ERR_OK)
        add_fault(check, profile->lines.highlight, "highlight", error.text);
    query_free(query);
    free(filter);
}

/* A file that holds a secret: there, ours and closed to others; what it holds is not kept. */
static void check_secret_file(struct check *check, int line, const char *key, const char *path) {
    struct error error = {0};
    struct str text;
    if (!*path)
        return;
    str_init(&text, SECRET_FILE_MAX + 1);
    str_add_repeat(&text, ' ', SECRET_FILE_MAX + 1); /* not moved later, so that no copy is left behind */
    str_reset(&text);
    if (path_read(path, SECRET_FILE_MAX, true, &text, &error) == ERR_OK && text.len == 0)
        (void)error_set(&error, ERR_CONFIG, "%s: is empty", path);
    secret_clear_str(&text);
    if (error.code != ERR_OK)
        add_fault(check, line, key, error.text);
}

/* Files that the address of the team's store names: libpq passes over some that are missing, and refuses later. */
static void check_store_files(struct check *check, const struct profile *profile) {
    static const char *const PARAMETERS[] = {"sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"};
    for (size_t i = 0; i < COUNT_OF(PARAMETERS); i++) {
        char *path = team_store_file(profile->team_store, PARAMETERS[i]);
        if (path && access(path, R_OK) != 0) {
            struct error error = {0};
            (void)error_set(&error, ERR_CONFIG, "%s: %s: %s", PARAMETERS[i], path, strerrordesc_np(errno));
            add_fault(check, profile->lines.team_store, "team_store", error.text);
        }
        free(path);
    }
}

static void config_faults_check_team(struct check *check, const struct profile *profile) {
    const struct string_list *command = &profile->team_password_command;
    struct error error = {0};
    if (profile_has_team(profile)) {
        check_store_files(check, profile);
        check_secret_file(check, profile->lines.team_key_file, "team_key_file", profile->team_key_file);
    }
    if (command->n > 0 && command_find_program(command->items[0], &error) != ERR_OK)
        add_fault(check, profile->lines.team_password_command, "team_password_command", error.text);
}

static void config_faults_check_profile(struct check *check, const struct profile *profile) {
    struct error token = {0}, certificates = {0};
    if (config_token_look(profile, &token) != ERR_OK)
        add_fault(check, profile->lines.token, "token", token.text);
    if (profile->ca_file[0] && config_check_certificates(profile->ca_file, &certificates) != ERR_OK)
        add_fault(check, profile->lines.ca_file, "ca_file", certificates.text);
    check_secret_file(check, profile->lines.webhook_secret_file, "webhook_secret_file", profile->webhook_secret_file);
    config_faults_check_team(check, profile);
    check_theme(check, profile->lines.theme, profile->theme);
    for (size_t i = 0; i < profile->highlight.n; i++)
        check_highlight(check, profile, profile->highlight.items[i]);
}

bool config_faults(const struct config *config, struct str *report) {
    struct check check = {.config = config, .report = report, .good = true};
    check_theme(&check, config->theme_line, config->theme);
    for (size_t i = 0; i < config->n; i++)
        config_faults_check_profile(&check, config->profiles[i]);
    return check.good;
}
