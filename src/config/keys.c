#include "config/keys.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define ROOT(member) offsetof(struct config, member)
#define PROFILE(member) offsetof(struct profile, member)
#define API(member) offsetof(struct api_settings, member)

static const struct key root_keys[] = {
    {"default_profile", KEY_TEXT, ROOT(default_profile), "", "'sandbox'", NULL, 0, 0, check_line,
     "The profile used without --profile and BURSAR_PROFILE. Not needed where there is only one."},
    {"theme", KEY_TEXT, ROOT(theme), "", NULL, NULL, 0, 0, check_line,
     "The theme used where the profile names none; empty is the built-in theme 'terminal'."},
};

static const struct key profile_keys[] = {
    {"environment", KEY_TEXT, PROFILE(environment), NULL, "sandbox", NULL, 0, 0, check_environment,
     "The word shown wherever something can be written. Only the exact word 'sandbox' relaxes anything; in "
     "any "
     "other environment the profile is read-only unless read_only = false, and a write asks for this word."},
    {"base_url", KEY_TEXT, PROFILE(base_url), NULL, "'http://127.0.0.1:8080'", NULL, 0, 0, check_base_url,
     "Where the service is, in quotes. https; http only to this machine (loopback). No user, query or "
     "fragment. "
     "The token goes to this origin and to no other."},
    {"token_command", KEY_LIST, PROFILE(token_command), "", NULL, NULL, 0, 0, check_line,
     "A program and its arguments that print the token, run without a shell before the screen opens. Exactly one of "
     "token_command, token_file and token_env is required. It gets a short list of variables and no others: HOME, "
     "PATH, "
     "USER, LOGNAME, SHELL, TERM, COLORTERM, LANG, LANGUAGE, LC_*, TZ, TMPDIR, XDG_*, DISPLAY, WAYLAND_DISPLAY, "
     "XAUTHORITY, DBUS_SESSION_BUS_ADDRESS, SSH_AUTH_SOCK, GPG_TTY, GNUPGHOME, PASSWORD_STORE_*. For a secret that a "
     "container platform mounts as a link or readable by all: token_command = {'cat', '/run/secrets/NAME'}."},
    {"token_command_env", KEY_LIST, PROFILE(token_command_env), "", NULL, NULL, 0, 0, check_variable,
     "Names of further variables that token_command gets, as {'VAULT_ADDR', 'AWS_PROFILE'}."},
    {"token_file", KEY_TEXT, PROFILE(token_file), "", "'~/.config/bursar/sandbox.token'", NULL, 0, 0, check_file,
     "A file that holds the token: yours, mode 0600 or stricter. An absolute path, or one that begins with ~/."},
    {"token_env", KEY_TEXT, PROFILE(token_env), "", NULL, NULL, 0, 0, check_variable,
     "The environment variable that holds the token. It is overwritten and removed once it was read."},
    {"account", KEY_TEXT, PROFILE(account), "", NULL, NULL, 0, 0, check_line,
     "A name for the account, shown in the title. The cache is bound to it."},
    {"timezone", KEY_TEXT, PROFILE(timezone), "", NULL, NULL, 0, 0, check_zone,
     "The zone whose days and hours are meant by filters, counts, pictures and exports, as 'Europe/Zurich'; times "
     "shown "
     "as local are in it. Empty: UTC, or where times are shown as local this machine's zone."},
    {"day_ends", KEY_TEXT, PROFILE(day_ends), "00:00", NULL, NULL, 0, 0, check_day_end,
     "The time at which a business day ends, as '17:00'. From 12:00 on what comes later belongs to the next day; "
     "before "
     "12:00 the day ends in the next morning, so that with '02:00' what comes after midnight still belongs to it."},
    {"amount_unit", KEY_WORD, PROFILE(amount_unit), "raw", NULL, "raw minor major", 0, 0, NULL,
     "What the service's integers count: raw shows them as they are (the interface does not specify the unit), minor "
     "adds the value by the currency's decimals, major says they are whole units."},
    {"exponents", KEY_LIST, PROFILE(exponents), "", NULL, NULL, 0, 0, check_exponent,
     "Decimals of currencies that ISO 4217 does not give, or that the service counts otherwise, as {'USDC=6', "
     "'usd=2'}; "
     "codes as the service writes them. Under amount_unit = minor an amount whose decimals are not known is shown as "
     "the integer served and marked raw."},
    {"spreadsheet_decimal", KEY_WORD, PROFILE(spreadsheet_decimal), "locale", NULL, "locale point comma", 0, 0, NULL,
     "The decimal sign of the spreadsheet program that opens a file of csv-excel: comma also means that cells are "
     "separated by semicolons, point by commas. locale asks the environment (LC_NUMERIC)."},
    {"country_code", KEY_CHOICE, PROFILE(country_alpha3), "alpha2", NULL, "alpha2 alpha3", 0, 0, NULL,
     "Which ISO 3166-1 code is sent for a country."},
    {"user_required", KEY_LIST, PROFILE(user_required), "", NULL, NULL, 0, 0, check_user_field,
     "Fields of a user that must be filled before it can be sent, as {'name.last', 'email'}: the interface does not "
     "say which the service requires."},
    {"kyc_required", KEY_FLAG, PROFILE(kyc_required), "false", NULL, NULL, 0, 0, NULL,
     "Whether identity_verified must be true before a user can be sent."},
    {"latin_only", KEY_FLAG, PROFILE(latin_only), "false", NULL, NULL, 0, 0, NULL,
     "Whether the rails behind the service take Latin letters only; other scripts in a user's name or address are then "
     "warned of."},
    {"requests_per_hour", KEY_NUMBER, PROFILE(requests_per_hour), "1000", NULL, NULL, 0, 1000000, NULL,
     "The most requests sent in an hour by what runs by itself, counted for all of a team where there is a team_store; "
     "0: no limit known."},
    {"mirror_walks", KEY_NUMBER, PROFILE(mirror_walks), "4", NULL, NULL, 1, 32, NULL,
     "The most parts of the list that a mirror reads at once, where the service can be asked for parts."},
    {"attempt_window_minutes", KEY_NUMBER, PROFILE(attempt_window_minutes), "60", NULL, NULL, 1, 525600, NULL,
     "Minutes that two attempts at one payment are apart at most: intents of one user, direction, amount and currency, "
     "up to one that is approved, count as one payment."},
    {"auto_refresh", KEY_NUMBER, PROFILE(auto_refresh), "0", NULL, NULL, 0, 86400, NULL,
     "Seconds between live updates of the list (p in the console); 0: off."},
    {"retention_days", KEY_NUMBER, PROFILE(retention_days), "0", NULL, NULL, 0, 36500, NULL,
     "Days that cached intents are kept; 0 keeps them."},
    {"cache_limit_mb", KEY_NUMBER, PROFILE(cache_limit_mb), "0", NULL, NULL, 0, 1048576, NULL,
     "The most the cache may take on disk, in MB; 0: no limit."},
    {"webhook_secret_file", KEY_TEXT, PROFILE(webhook_secret_file), "", NULL, NULL, 0, 0, check_file,
     "A file that holds the secret of this profile's webhook, for webhook listen and replay: yours, mode 0600 or "
     "stricter. An absolute path, or one that begins with ~/."},
    {"events_days", KEY_NUMBER, PROFILE(events_days), "30", NULL, NULL, 0, 36500, NULL,
     "Days that events received by webhook listen are kept; 0 keeps them."},
    {"events_limit_mb", KEY_NUMBER, PROFILE(events_limit_mb), "100", NULL, NULL, 0, 1048576, NULL,
     "The most that those events may take on disk, in MB: the oldest make room for one that verifies; 0: no limit."},
    {"read_only", KEY_FLAG, PROFILE(read_only), "true", NULL, NULL, 0, 0, NULL,
     "Whether writes are refused. Default: false in the environment 'sandbox', true in any other."},
    {"accent", KEY_TEXT, PROFILE(accent), "red", NULL, NULL, 0, 0, check_accent,
     "The colour of the title in this profile: black, red, green, yellow, blue, magenta, cyan, white, or off for the "
     "theme's own. Default: off in the environment 'sandbox', red in any other."},
    {"highlight", KEY_LIST, PROFILE(highlight), "", NULL, NULL, 0, 0, check_line,
     "Rules \"FILTER = role\" that colour the rows that match."},
    {"ca_file", KEY_TEXT, PROFILE(ca_file), "", NULL, NULL, 0, 0, check_file,
     "A file of certificates to trust instead of the system's. An absolute path, or one that begins with ~/."},
    {"team_store", KEY_TEXT, PROFILE(team_store), "", NULL, NULL, 0, 0, check_team_store,
     "A database that several operators share, PostgreSQL or an engine that speaks its protocol: a URI as "
     "'postgresql://db.example.com/bursar' or 'service=NAME', never with a password. Each write is recorded there "
     "before it is sent, so that two desks cannot send the same. The connection is made with sslmode=verify-full; "
     "anything weaker is allowed to this machine only. The password comes from ~/.pgpass, a service file, a client "
     "certificate or team_password_command. Empty: no team. `bursar team init` begins one."},
    {"team_key_file", KEY_TEXT, PROFILE(team_key_file), "", NULL, NULL, 0, 0, check_file,
     "The team's key, yours and closed to others (0600): tags, mails, phones and names stand in the team's store as "
     "digests under it alone. `bursar team init` makes it once; colleagues get a copy by the team's own means, never "
     "through the store. Empty: team.key beside the configuration."},
    {"team_required", KEY_FLAG, PROFILE(team_required), "true", NULL, NULL, 0, 0, NULL,
     "Whether writes are refused while the team's store cannot be reached. false: they are recorded on this machine "
     "alone and merged later; a colleague may have sent the same meanwhile, which Activity then shows."},
    {"team_window_days", KEY_NUMBER, PROFILE(team_window_days), "90", NULL, NULL, 0, 36500, NULL,
     "Days of the team's records that Activity and `bursar activity --team` bring to this machine without --since, "
     "and of the intents in the team's store that a fresh cache begins with; 0: all."},
    {"team_password_command", KEY_LIST, PROFILE(team_password_command), "", NULL, NULL, 0, 0, check_line,
     "A program and its arguments that print the password of the team's store, run without a shell and with the same "
     "short list of variables as token_command."},
    {"team_notes", KEY_FLAG, PROFILE(team_notes), "true", NULL, NULL, 0, 0, NULL,
     "Whether notes and tags on intents and users are shared with the team, and intents can be handed to a colleague: "
     "sealed under the team's key in its store, and taken in from there with who wrote them. false: they stay on this "
     "machine."},
    {"webhook_approval", KEY_NUMBER, PROFILE(webhook_approval), "1", NULL, NULL, 1, 2, NULL,
     "How many persons it takes to register the webhook in the environment 'production': with 2, one proposes it and "
     "another releases it (bursar help webhook release). Needs team_store."},
    {"users_approval", KEY_NUMBER, PROFILE(users_approval), "1", NULL, NULL, 1, 2, NULL,
     "The same for users, by the form and by `bursar users create`; the rows of an import need no second person. Needs "
     "team_store."},
    {"theme", KEY_TEXT, PROFILE(theme), "", NULL, NULL, 0, 0, check_line,
     "The theme of this profile; empty: that of the top level."},
};

static const struct key api_keys[] = {
    {"list_path", KEY_TEXT, API(list_path), "/intent/list", NULL, NULL, 0, 0, check_path,
     "Path of the listing under base_url."},
    {"list_body", KEY_CHOICE, API(list_body_object), "none", NULL, "none empty_object", 0, 0, NULL,
     "Whether the listing's GET carries a body: none, or the two bytes {}."},
    {"list_data", KEY_TEXT, API(list_data), "data", NULL, NULL, 0, 0, check_optional_dotted,
     "Dotted path of the rows in an answer; empty: the answer itself is the array."},
    {"list_next", KEY_TEXT, API(list_next), "next_cursor", NULL, NULL, 0, 0, check_next,
     "Dotted path of the next page's cursor in an answer, or header:NAME; header:Link reads the link with "
     "rel=\"next\"."},
    {"list_has_more", KEY_TEXT, API(list_has_more), "", NULL, NULL, 0, 0, check_optional_dotted,
     "Dotted path of a flag that is false on the last page; empty: there is none."},
    {"cursor_param", KEY_TEXT, API(cursor_param), "cursor", NULL, NULL, 0, 0, check_parameter,
     "Name of the parameter that carries the cursor."},
    {"list_extra", KEY_LIST, API(list_extra), "", NULL, NULL, 0, 0, check_extra,
     "Further parameters of each listing, each \"name=value\"."},
    {"headers", KEY_LIST, API(headers), "", NULL, NULL, 0, 0, check_header,
     "Further headers of each request, each \"Name: value\"."},
    {"filter_type", KEY_TEXT, API(filter_type), "type", NULL, NULL, 0, 0, check_optional_parameter,
     "Name of the parameter for the flow type; empty: the service has none."},
    {"filter_status", KEY_TEXT, API(filter_status), "status", NULL, NULL, 0, 0, check_optional_parameter,
     "Name of the parameter for the status; empty: the service has none."},
    {"filter_status_style", KEY_WORD, API(filter_status_style), "repeat", NULL, "repeat brackets indexed comma json", 0,
     0, NULL,
     "How several statuses are sent: status=a&status=b, status[]=a, status[0]=a, status=a,b or status=[\"a\"]."},
    {"filter_after", KEY_TEXT, API(filter_after), "", NULL, NULL, 0, 0, check_optional_parameter,
     "Name of the parameter for the earliest created_at; empty: the service has none."},
    {"filter_before", KEY_TEXT, API(filter_before), "", NULL, NULL, 0, 0, check_optional_parameter,
     "Name of the parameter for the latest created_at; empty: the service has none."},
    {"user_path", KEY_TEXT, API(user_path), "/user", NULL, NULL, 0, 0, check_path,
     "Path for creating users under base_url."},
    {"user_idempotency", KEY_TEXT, API(user_idempotency), "none", NULL, NULL, 0, 0, check_idempotency,
     "Where the idempotency key of a new user goes: none, header:NAME or body:FIELD."},
    {"webhook_path", KEY_TEXT, API(webhook_path), "/webhook/register", NULL, NULL, 0, 0, check_path,
     "Path for registering the webhook under base_url."},
    {"error_message", KEY_LIST, API(error_message), "", NULL, NULL, 0, 0, check_dotted,
     "Further dotted paths where the service puts its error text, tried first."},
};

static const struct {
    const char *name;
    const struct key *keys;
    size_t n;
} sections[SECTION_COUNT] = {
    {"", root_keys, COUNT_OF(root_keys)},
    {"profile", profile_keys, COUNT_OF(profile_keys)},
    {"api", api_keys, COUNT_OF(api_keys)},
};

const struct key *keys_of(enum key_section section, size_t *n) {
    *n = sections[section].n;
    return sections[section].keys;
}

const char *key_section_name(enum key_section section) {
    return sections[section].name;
}

const struct key *key_find(enum key_section section, const char *name) {
    for (size_t i = 0; i < sections[section].n; i++)
        if (strcmp(sections[section].keys[i].name, name) == 0)
            return &sections[section].keys[i];
    return NULL;
}

/* Index of value among blank-separated words, or -1. */
static int word_index(const char *words, const char *value) {
    size_t len = strlen(value);
    for (int i = 0; *words; i++) {
        size_t n = strcspn(words, " ");
        if (n == len && memcmp(words, value, n) == 0)
            return i;
        words += n + strspn(words + n, " ");
    }
    return -1;
}

static bool set_word(const struct key *key, void *place, const char *value, struct str *reason) {
    int index = word_index(key->words, value);
    if (index < 0) {
        str_addf(reason, "%s is not one of: %s", value[0] ? value : "an empty value", key->words);
        return false;
    }
    if (key->kind == KEY_CHOICE)
        *(bool *)place = index == 1;
    else
        *(unsigned *)place = (unsigned)index;
    return true;
}

static bool config_keys_set_flag(void *place, const char *value, struct str *reason) {
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        str_addf(reason, "%s is neither true nor false", value[0] ? value : "an empty value");
        return false;
    }
    *(bool *)place = value[0] == 't';
    return true;
}

static bool config_keys_set_number(const struct key *key, void *place, const char *value, struct str *reason) {
    long long number;
    if (!str_to_int64(value, strlen(value), &number) || number < key->min || number > key->max) {
        str_addf(reason, "%s is not a whole number from %d to %d", value[0] ? value : "an empty value", key->min,
                 key->max);
        return false;
    }
    *(int *)place = (int)number;
    return true;
}

enum { LIST_MAX = 64 };

static bool config_keys_add_item(struct string_list *list, const char *value, struct str *reason) {
    if (list->n == LIST_MAX) {
        str_addf(reason, "more than %d entries", LIST_MAX);
        return false;
    }
    /* One more than the number of items: the list ends with NULL, as execv needs it. */
    char **slot = vec_add(list);
    *slot = mem_dup(value);
    (void)vec_add(list);
    list->n--;
    return true;
}

bool key_set(const struct key *key, void *base, const char *value, struct str *reason) {
    void *place = (char *)base + key->offset;
    if (key->check && !key->check(value, reason))
        return false;
    switch (key->kind) {
    case KEY_TEXT:
        free(*(char **)place);
        *(char **)place = mem_dup(value);
        return true;
    case KEY_WORD:
    case KEY_CHOICE:
        return set_word(key, place, value, reason);
    case KEY_FLAG:
        return config_keys_set_flag(place, value, reason);
    case KEY_NUMBER:
        return config_keys_set_number(key, place, value, reason);
    case KEY_LIST:
        return config_keys_add_item(place, value, reason);
    }
    return false;
}

static void set_fallback(const struct key *key, void *base) {
    struct str reason;
    str_init(&reason, 256);
    bool ok = true;
    if (key->kind == KEY_TEXT) {
        char **place = (char **)((char *)base + key->offset);
        free(*place);
        *place = mem_dup(key->fallback ? key->fallback : "");
    } else if (key->kind != KEY_LIST) {
        ok = key_set(key, base, key->fallback, &reason);
    } else {
        for (const char *at = key->fallback; ok && *at;) {
            size_t n = strcspn(at, " ");
            char *item = mem_dup_n(at, n);
            ok = key_set(key, base, item, &reason);
            free(item);
            at += n + strspn(at + n, " ");
        }
    }
    str_clear(&reason);
    if (!ok)
        mem_fatal("a default of the key table is not valid");
}

void key_set_fallbacks(enum key_section section, void *base) {
    for (size_t i = 0; i < sections[section].n; i++)
        set_fallback(&sections[section].keys[i], base);
}

static void clear_list(struct string_list *list) {
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct string_list){0};
}

void key_clear_value(const struct key *key, void *base) {
    void *place = (char *)base + key->offset;
    if (key->kind == KEY_LIST) {
        clear_list(place);
    } else if (key->kind == KEY_TEXT) {
        free(*(char **)place);
        *(char **)place = NULL;
    }
}

void key_clear_values(enum key_section section, void *base) {
    for (size_t i = 0; i < sections[section].n; i++)
        key_clear_value(&sections[section].keys[i], base);
}

void key_print_value(const struct key *key, const char *value, struct str *out) {
    if (key->kind == KEY_TEXT) {
        str_addf(out, "'%s'", value);
    } else if (key->kind != KEY_LIST) {
        str_add(out, value);
    } else {
        str_add(out, "{");
        for (const char *at = value; *at;) {
            size_t n = strcspn(at, " ");
            str_addf(out, "%s'%.*s'", at == value ? "" : ", ", (int)n, at);
            at += n + strspn(at + n, " ");
        }
        str_add(out, "}");
    }
}
