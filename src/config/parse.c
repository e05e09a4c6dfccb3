#include "config/outline.h"

#include "base/url.h"
#include "base/utf8.h"

#include <confuse.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS_MAX = 64 };

/* libconfuse hands its error function no context. Configuration is read by one thread, at start. */
static struct faults *current_faults;

static void on_error(cfg_t *cfg, const char *format, va_list args) PRINTF_LIKE(2, 0);
static void on_error(cfg_t *cfg, const char *format, va_list args) {
    struct str text;
    if (current_faults->n > 0) /* the outline has reported it, with a better text */
        return;
    str_init(&text, 1024);
    str_vaddf(&text, format, args);
    fault_add(current_faults, cfg ? cfg->line : 0, "%s", text.s);
    str_clear(&text);
}

/* For libconfuse every option is a text without a default: values, defaults and limits come from the table of keys. */
static size_t config_parse_add_options(cfg_opt_t *options, enum key_section section) {
    size_t n;
    const struct key *keys = keys_of(section, &n);
    if (n + 2 > OPTIONS_MAX) /* a section and the end stand behind them */
        mem_fatal("the table of configuration keys has outgrown its place");
    for (size_t i = 0; i < n; i++)
        if (keys[i].kind == KEY_LIST)
            options[i] = (cfg_opt_t)CFG_STR_LIST(keys[i].name, 0, CFGF_NODEFAULT);
        else
            options[i] = (cfg_opt_t)CFG_STR(keys[i].name, 0, CFGF_NODEFAULT);
    return n;
}

static cfg_t *parse_text(const char *text) {
    cfg_opt_t api[OPTIONS_MAX] = {0};
    cfg_opt_t profile[OPTIONS_MAX] = {0};
    cfg_opt_t root[OPTIONS_MAX] = {0};
    api[config_parse_add_options(api, SECTION_API)] = (cfg_opt_t)CFG_END();
    size_t n = config_parse_add_options(profile, SECTION_PROFILE);
    profile[n] = (cfg_opt_t)CFG_SEC("api", api, CFGF_NONE);
    profile[n + 1] = (cfg_opt_t)CFG_END();
    n = config_parse_add_options(root, SECTION_ROOT);
    root[n] = (cfg_opt_t)CFG_SEC("profile", profile, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
    root[n + 1] = (cfg_opt_t)CFG_END();

    cfg_t *cfg = cfg_init(root, CFGF_IGNORE_UNKNOWN);
    if (!cfg)
        mem_fatal("no memory for the configuration");
    (void)cfg_set_error_function(cfg, on_error);
    /* The outline refuses ${NAME}. With an empty environment no variable can get into a value, even if the two readings
     * differed. */
    char *nothing[] = {NULL};
    char **kept = environ;
    environ = nothing;
    int result = cfg_parse_buf(cfg, text);
    environ = kept;
    if (result != CFG_SUCCESS) {
        if (current_faults->n == 0)
            fault_add(current_faults, cfg->line, "the file cannot be understood here");
        cfg_free(cfg);
        return NULL;
    }
    return cfg;
}

/* Stores what the block gives; a given list replaces the default list. */
static void config_parse_set_values(const struct outline *outline, size_t profile, enum key_section section, cfg_t *cfg,
                                    void *base) {
    size_t n;
    const struct key *keys = keys_of(section, &n);
    for (size_t i = 0; i < n; i++) {
        const struct key *key = &keys[i];
        int line = outline_line(outline, profile, section, key);
        if (line && key->kind == KEY_LIST)
            key_clear_value(key, base);
        for (unsigned at = 0; at < cfg_size(cfg, key->name); at++) {
            struct str reason;
            str_init(&reason, 1024);
            const char *value = cfg_getnstr(cfg, key->name, at);
            if (!line)
                fault_add(outline->faults, 0, "%s is given where it cannot be read", key->name);
            else if (!key_set(key, base, value ? value : "", &reason))
                fault_add(outline->faults, line, "%s: %s", key->name, reason.s);
            str_clear(&reason);
        }
    }
}

static int profile_line(const struct outline *outline, size_t index, const char *name) {
    return outline_line(outline, index, SECTION_PROFILE, key_find(SECTION_PROFILE, name));
}

static void check_token_source(const struct outline *outline, size_t index, const struct profile *profile) {
    int line = outline_line(outline, index, SECTION_PROFILE, NULL);
    int sources = (profile->token_command.n > 0) + (profile->token_file[0] != '\0') + (profile->token_env[0] != '\0');
    if (sources == 0)
        fault_add(outline->faults, line,
                  "profile %s names no source of its token: one of token_command, token_file and token_env",
                  profile->name);
    else if (sources > 1)
        fault_add(outline->faults, line, "profile %s names more than one source of its token", profile->name);
    struct str reason;
    str_init(&reason, 512);
    if (profile->token_command.n > 0 && !check_program(profile->token_command.items[0], &reason))
        fault_add(outline->faults, profile_line(outline, index, "token_command"), "token_command: %s", reason.s);
    str_clear(&reason);
}

static void check_exponents(const struct outline *outline, size_t index, const struct profile *profile) {
    const struct string_list *list = &profile->exponents;
    for (size_t i = 1; i < list->n; i++) {
        size_t len = strcspn(list->items[i], "=") + 1;
        for (size_t k = 0; k < i; k++)
            if (strncmp(list->items[k], list->items[i], len) == 0)
                fault_add(outline->faults, profile_line(outline, index, "exponents"), "exponents: %.*s is given twice",
                          (int)len - 1, list->items[i]);
    }
}

/* One name with two meanings: the listing would be asked for the same page again, or by a filter nobody chose. */
static void check_parameters(const struct outline *outline, size_t index, const struct api_settings *api) {
    const char *const names[] = {api->cursor_param, api->filter_type, api->filter_status, api->filter_after,
                                 api->filter_before};
    int line = outline_line(outline, index, SECTION_API, NULL);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        size_t len = strlen(names[i]);
        bool twice = false;
        for (size_t k = 0; k < i; k++)
            twice = twice || (len > 0 && strcmp(names[k], names[i]) == 0);
        for (size_t k = 0; k < api->list_extra.n; k++)
            twice = twice || (len > 0 && strcspn(api->list_extra.items[k], "=") == len &&
                              str_starts(api->list_extra.items[k], names[i]));
        if (twice)
            fault_add(outline->faults, line, "api: the parameter %s of the listing has two meanings", names[i]);
    }
}

/* Without the team's store nobody could release it. */
static void check_approvals(const struct outline *outline, size_t index, const struct profile *profile) {
    static const char *const KEYS[] = {"webhook_approval", "users_approval"};
    const int persons[] = {profile->webhook_approval, profile->users_approval};
    for (size_t i = 0; i < COUNT_OF(KEYS); i++)
        if (persons[i] > 1 && !profile->team_store[0])
            fault_add(outline->faults, profile_line(outline, index, KEYS[i]),
                      "%s = 2 needs the store of a team, in which the second person releases it: team_store", KEYS[i]);
}

/* What depends on several keys. A missing environment never means production: without one there is no profile. */
static void config_parse_check_profile(const struct outline *outline, size_t index, const struct profile *profile) {
    int line = outline_line(outline, index, SECTION_PROFILE, NULL);
    if (!profile_line(outline, index, "environment"))
        fault_add(outline->faults, line, "profile %s does not say its environment; nothing is assumed", profile->name);
    if (!profile_line(outline, index, "base_url"))
        fault_add(outline->faults, line, "profile %s has no base_url", profile->name);
    check_token_source(outline, index, profile);
    check_exponents(outline, index, profile);
    check_parameters(outline, index, &profile->api);
    check_approvals(outline, index, profile);
}

static void note_lines(const struct outline *outline, size_t index, struct profile *profile) {
    const char *source = profile->token_command.n > 0     ? "token_command"
                         : profile->token_file[0] != '\0' ? "token_file"
                                                          : "token_env";
    profile->lines.block = outline_line(outline, index, SECTION_PROFILE, NULL);
    profile->lines.token = profile_line(outline, index, source);
    profile->lines.theme = profile_line(outline, index, "theme");
    profile->lines.highlight = profile_line(outline, index, "highlight");
    profile->lines.ca_file = profile_line(outline, index, "ca_file");
    profile->lines.webhook_secret_file = profile_line(outline, index, "webhook_secret_file");
    profile->lines.team_store = profile_line(outline, index, "team_store");
    profile->lines.team_key_file = profile_line(outline, index, "team_key_file");
    profile->lines.team_password_command = profile_line(outline, index, "team_password_command");
}

static void config_parse_add_profile(const struct outline *outline, size_t index, cfg_t *cfg, struct config *config) {
    struct profile *profile = profile_new(cfg_title(cfg), "", "");
    cfg_t *api = cfg_getsec(cfg, "api");
    config_parse_set_values(outline, index, SECTION_PROFILE, cfg, profile);
    if (api)
        config_parse_set_values(outline, index, SECTION_API, api, &profile->api);
    profile_resolve(profile, profile_line(outline, index, "read_only") > 0, profile_line(outline, index, "accent") > 0);
    note_lines(outline, index, profile);
    config_parse_check_profile(outline, index, profile);
    config->profiles = vec_grow(config->profiles, config->n, &config->cap, sizeof(void *));
    config->profiles[config->n++] = profile;
}

static void check_config(const struct outline *outline, const struct config *config) {
    const struct key *key = key_find(SECTION_ROOT, "default_profile");
    int line = outline_line(outline, 0, SECTION_ROOT, key);
    if (config->n == 0)
        fault_add(outline->faults, 0, "there is no profile; nothing is assumed");
    else if (config->default_profile[0] && !config_profile(config, config->default_profile))
        fault_add(outline->faults, line, "default_profile: there is no profile %s", config->default_profile);
}

static void config_parse_read_values(const struct outline *outline, const char *text, struct config *config) {
    current_faults = outline->faults;
    cfg_t *cfg = parse_text(text);
    current_faults = NULL;
    if (!cfg)
        return;
    config_parse_set_values(outline, 0, SECTION_ROOT, cfg, config);
    config->theme_line = outline_line(outline, 0, SECTION_ROOT, key_find(SECTION_ROOT, "theme"));
    for (unsigned i = 0; i < cfg_size(cfg, "profile"); i++)
        config_parse_add_profile(outline, i + 1, cfg_getnsec(cfg, "profile", i), config);
    check_config(outline, config);
    cfg_free(cfg);
}

/* The first fault as the error's text, the others counted. */
static enum err config_parse_refuse(const struct faults *faults, const struct str *report, struct error *error) {
    size_t first = strcspn(report->s, "\n");
    if (faults->n == 1)
        return error_set(error, ERR_CONFIG, "%.*s", (int)first, report->s);
    return error_set(error, ERR_CONFIG, "%.*s (and %zu more; see bursar config check)", (int)first, report->s,
                     faults->n - 1);
}

enum err config_parse(const char *text, const char *name, struct config *out, struct str *report, struct error *error) {
    struct str found;
    str_init(&found, 256 << 10);
    struct faults faults = {.name = name, .report = &found};
    struct outline outline = {.faults = &faults};
    enum err err = ERR_OK;
    *out = (struct config){.path = mem_dup(name)};
    key_set_fallbacks(SECTION_ROOT, out);
    if (outline_read(&outline, text))
        config_parse_read_values(&outline, text, out);
    outline_clear(&outline);
    if (faults.n > 0) {
        config_clear(out);
        err = config_parse_refuse(&faults, &found, error);
    }
    if (report)
        str_add_n(report, found.s, found.len);
    str_clear(&found);
    return err;
}
