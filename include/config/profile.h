#ifndef CONFIG_PROFILE_H
#define CONFIG_PROFILE_H
/* The operator's configuration. One table of keys in keys.c gives parser, check, sample file and manual. A missing or
 * damaged setting never means production. Read once at start; immutable after. */

#include "base/csv.h"
#include "base/secret.h"
#include "base/str.h"
#include "model/money.h"

#include <stdint.h>

struct string_list {
    char **items; /* n entries, then NULL */
    size_t n, cap;
};

enum filter_style { FILTER_REPEAT, FILTER_BRACKETS, FILTER_INDEXED, FILTER_COMMA, FILTER_JSON };

struct api_settings {
    char *list_path;
    bool list_body_object; /* list_body = empty_object */
    char *list_data, *list_next, *list_has_more;
    char *cursor_param;
    struct string_list list_extra; /* "name=value" */
    struct string_list headers;    /* "Name: value" */
    char *filter_type, *filter_status, *filter_after, *filter_before;
    enum filter_style filter_status_style;
    char *user_path;
    char *user_idempotency; /* "none", "header:NAME", "body:FIELD" */
    char *webhook_path;
    struct string_list error_message;
};

struct profile {
    char *name;
    char *environment; /* "production", "sandbox" or another word; "" is an error of check */
    char *base_url;
    char *origin; /* of base_url */
    struct string_list token_command;
    struct string_list token_command_env; /* further variables that the command gets, by name */
    char *token_file, *token_env;
    /* Line numbers in the file, for checks that find a fault later; 0: not given. */
    struct {
        int block, token, theme, highlight, ca_file, webhook_secret_file, team_store, team_key_file,
            team_password_command;
    } lines;
    char *account;
    char *timezone, *day_ends; /* "": none of its own; HH:MM */
    enum money_unit amount_unit;
    enum spreadsheet_decimal { DECIMAL_OF_LOCALE, DECIMAL_POINT, DECIMAL_COMMA } spreadsheet_decimal;
    struct string_list exponents; /* "USDC=6" */
    bool country_alpha3;
    struct string_list user_required;
    bool kyc_required;
    bool latin_only;
    int requests_per_hour;      /* 0: none stated */
    int mirror_walks;           /* at once, at most */
    int attempt_window_minutes; /* between two attempts at one payment, at most */
    int auto_refresh, retention_days, cache_limit_mb;
    char *webhook_secret_file;        /* "": none */
    int events_days, events_limit_mb; /* of events that came to webhook listen */
    bool read_only;                   /* resolved: false only for sandbox or by read_only = false */
    char *accent;                     /* colour word, or "off" */
    struct string_list highlight;
    char *ca_file;
    char *team_store, *team_key_file; /* "": no team; "": its usual place */
    bool team_required;
    int team_window_days; /* 0: all */
    struct string_list team_password_command;
    bool team_notes;                      /* notes, tags and hand-overs are shared with the team */
    bool team_views;                      /* saved views can be shared with it */
    int webhook_approval, users_approval; /* persons: 1, or 2 in production */
    char *theme;
    struct api_settings api;
};

struct config {
    char *path; /* of the file, sanitised for messages */
    char *default_profile;
    char *theme;
    int theme_line; /* 0: not given */
    struct profile **profiles;
    size_t n, cap;
};

/* Every fault found, each as file:line: reason, in `report`; ERR_CONFIG if there is any. */
enum err config_load(const char *path, struct config *out, struct str *report, struct error *error) MUST_CHECK;
enum err config_parse(const char *text, const char *name, struct config *out, struct str *report,
                      struct error *error) MUST_CHECK;
void config_clear(struct config *config);
/* NULL: there is no such profile. Without a name (NULL or ""): the default profile, or the only one there is. */
const struct profile *config_profile(const struct config *config, const char *name);

/* A profile of nothing but defaults, for the demo and tests. */
struct profile *profile_new(const char *name, const char *environment, const char *base_url);
void profile_free(struct profile *profile);
void profile_set_timezone(struct profile *profile, const char *name);
struct money_rule profile_money(const struct profile *profile); /* borrows from it */
/* How CSV is written for a spreadsheet program; profile NULL: by this machine's locale. */
enum csv_reader_kind profile_spreadsheet(const struct profile *profile);
/* Appends why that is a guess: the locale that is to decide it is not installed. False: it is none. */
bool profile_spreadsheet_guessed(const struct profile *profile, struct str *out);
/* Minutes by which its days begin before midnight: 420 where they end at 17:00, -120 at 02:00, 0 at midnight. */
int profile_day_ahead(const struct profile *profile);
int64_t profile_attempt_window(const struct profile *profile); /* ms */
bool profile_is_sandbox(const struct profile *profile);        /* the exact word */
/* The file that a parameter of the store's address names, as sslrootcert; NULL: none, or one that only libpq can read
 * (with escapes, `system`). Free with free(). */
char *team_store_file(const char *address, const char *parameter);
bool profile_has_team(const struct profile *profile);     /* team_store names one; profile may be NULL */
bool profile_shares_notes(const struct profile *profile); /* with it; likewise */
/* In production alone: a second person releases it (webhook_approval, users_approval). */
bool profile_webhook_needs_two(const struct profile *profile);
bool profile_users_need_two(const struct profile *profile);

/* The commented sample that `config init` writes. It parses clean. */
void config_sample(struct str *out);

/* The keys, in the order of the sample, for help and manual; false past the last. */
struct config_key {
    const char *section; /* "", "profile", "api" */
    const char *name;
    char values[64];   /* what may stand there: TEXT, {TEXT, ...}, true|false, a|b|c, 0-3600 */
    char fallback[80]; /* the default in file syntax */
    bool required;     /* there is no default */
    const char *help;
};
bool config_key(size_t index, struct config_key *out);

/* Default place of the file: BURSAR_CONFIG or path_home. */
enum err config_path(struct str *out, struct error *error) MUST_CHECK;

/* Whether the certificates at `path` can be trusted (path_check_trusted) and are some. Fails with ERR_CONFIG. */
enum err config_check_certificates(const char *path, struct error *error) MUST_CHECK;

/* Reads the token from the profile's source: command (argv, no shell, the terminal's stdin, stdout captured, before the
 * screen opens), file (0600 or refused) or variable (overwritten in place after reading). A trailing newline is
 * removed; an empty token, blanks inside and control characters are refused. Errors name the source, never the value.
 */
enum err config_token(const struct profile *profile, struct secret **out, struct error *error) MUST_CHECK;
/* The same, and appends the last line that the command wrote to its stderr, sanitised. */
enum err config_token_heard(const struct profile *profile, struct secret **out, struct str *said,
                            struct error *error) MUST_CHECK;
/* Whether the source could give a token, without using it: the file can be read, or the program exists. */
enum err config_token_look(const struct profile *profile, struct error *error) MUST_CHECK;
/* The password of the team's store by team_password_command; *out NULL where the profile names none. */
enum err config_team_password(const struct profile *profile, struct secret **out, struct error *error) MUST_CHECK;
void config_token_source(const struct profile *profile,
                         struct str *out); /* "file /path", "command pass", "variable X" */

#endif
