#include "config/keys.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/url.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { CERTIFICATES_MAX = 16 << 20 };

static char *profile_origin_of(const char *base_url) {
    struct url url = {0};
    char *origin = NULL;
    if (base_url[0] && url_parse(base_url, &url, NULL) == ERR_OK)
        origin = mem_dup(url.origin);
    url_clear(&url);
    return origin ? origin : mem_dup("");
}

static void expand_home(char **path) {
    char *whole = path_expand(*path);
    free(*path);
    *path = whole;
}

/* As libcurl's TLS library looks for them: in any of three headings. */
static bool holds_certificate(const char *text) {
    static const char *const headings[] = {"-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----",
                                           "-----BEGIN X509 CERTIFICATE-----"};
    for (size_t i = 0; i < COUNT_OF(headings); i++)
        if (strstr(text, headings[i]))
            return true;
    return false;
}

enum err config_check_certificates(const char *path, struct error *error) {
    struct str text;
    str_init(&text, CERTIFICATES_MAX + 1);
    enum err err = path_check_trusted(path, error);
    if (err == ERR_OK)
        err = path_read(path, CERTIFICATES_MAX, false, &text, error);
    if (err == ERR_OK && !holds_certificate(text.s))
        err = error_set(error, ERR_CONFIG, "%s holds no certificate (PEM)", path);
    str_clear(&text);
    return err == ERR_OK ? ERR_OK : ERR_CONFIG;
}

bool profile_is_sandbox(const struct profile *profile) {
    return str_equal(profile->environment, "sandbox");
}

static bool is_production(const struct profile *profile) {
    return str_equal(profile->environment, "production");
}

bool profile_webhook_needs_two(const struct profile *profile) {
    return profile->webhook_approval > 1 && is_production(profile);
}

bool profile_users_need_two(const struct profile *profile) {
    return profile->users_approval > 1 && is_production(profile);
}

bool profile_has_team(const struct profile *profile) {
    return profile && profile->team_store && *profile->team_store;
}

bool profile_shares_notes(const struct profile *profile) {
    return profile_has_team(profile) && profile->team_notes;
}

struct money_rule profile_money(const struct profile *profile) {
    return (struct money_rule){profile->amount_unit, (const char *const *)profile->exponents.items};
}

void profile_set_timezone(struct profile *profile, const char *name) {
    free(profile->timezone);
    profile->timezone = mem_dup(name);
}

enum csv_reader_kind profile_spreadsheet(const struct profile *profile) {
    switch (profile ? profile->spreadsheet_decimal : DECIMAL_OF_LOCALE) {
    case DECIMAL_POINT:
        return CSV_FOR_EXCEL;
    case DECIMAL_COMMA:
        return CSV_FOR_EXCEL_COMMA;
    default:
        return csv_excel_of_locale();
    }
}

bool profile_spreadsheet_guessed(const struct profile *profile, struct str *out) {
    enum spreadsheet_decimal decimal = profile ? profile->spreadsheet_decimal : DECIMAL_OF_LOCALE;
    const char *variable = decimal == DECIMAL_OF_LOCALE ? csv_locale_missing() : NULL;
    const char *value = variable ? getenv(variable) : NULL;
    if (!value)
        return false;
    str_addf(out, "%s=", variable);
    utf8_sanitise(out, value, strlen(value));
    str_add(out, " names a locale that is not installed on this machine: cells are separated by commas; "
                 "spreadsheet_decimal = comma (or point) in the profile decides it");
    return true;
}

int profile_day_ahead(const struct profile *profile) {
    enum { TEN = 10, HOUR = 60, NOON = 12 * HOUR, DAY = 24 * HOUR };
    const char *at = profile->day_ends; /* HH:MM, as check_day_end saw it */
    int end = ((at[0] - '0') * TEN + at[1] - '0') * HOUR + (at[3] - '0') * TEN + at[4] - '0';
    return end < NOON ? -end : DAY - end;
}

int64_t profile_attempt_window(const struct profile *profile) {
    enum { MINUTE = 60 * 1000 };
    return (int64_t)profile->attempt_window_minutes * MINUTE;
}

void profile_resolve(struct profile *profile, bool read_only_given, bool accent_given) {
    bool sandbox = profile_is_sandbox(profile);
    if (!read_only_given)
        profile->read_only = !sandbox;
    if (!accent_given && sandbox) {
        free(profile->accent);
        profile->accent = mem_dup("off");
    }
    expand_home(&profile->token_file);
    expand_home(&profile->ca_file);
    expand_home(&profile->webhook_secret_file);
    expand_home(&profile->team_key_file);
    if (profile->team_password_command.n > 0)
        expand_home(&profile->team_password_command.items[0]);
    if (profile->token_command.n > 0)
        expand_home(&profile->token_command.items[0]);
    free(profile->origin);
    profile->origin = profile_origin_of(profile->base_url);
}

struct profile *profile_new(const char *name, const char *environment, const char *base_url) {
    struct profile *profile = mem_new(sizeof *profile);
    key_set_fallbacks(SECTION_PROFILE, profile);
    key_set_fallbacks(SECTION_API, &profile->api);
    profile->name = mem_dup(name);
    free(profile->environment);
    profile->environment = mem_dup(environment);
    free(profile->base_url);
    profile->base_url = mem_dup(base_url);
    profile_resolve(profile, false, false);
    return profile;
}

void profile_free(struct profile *profile) {
    if (!profile)
        return;
    key_clear_values(SECTION_PROFILE, profile);
    key_clear_values(SECTION_API, &profile->api);
    free(profile->name);
    free(profile->origin);
    free(profile);
}

void config_clear(struct config *config) {
    for (size_t i = 0; i < config->n; i++)
        profile_free(config->profiles[i]);
    free(config->profiles);
    key_clear_values(SECTION_ROOT, config);
    free(config->path);
    *config = (struct config){0};
}

const struct profile *config_profile(const struct config *config, const char *name) {
    if (!name || !name[0])
        name = config->default_profile && config->default_profile[0] ? config->default_profile
               : config->n == 1                                      ? config->profiles[0]->name
                                                                     : NULL;
    for (size_t i = 0; name && i < config->n; i++)
        if (str_equal(config->profiles[i]->name, name))
            return config->profiles[i];
    return NULL;
}
