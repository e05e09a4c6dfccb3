#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H
/* The one table of keys, from which parser, check, sample, reference and defaults are made. Private to the layer.
 * Values are stored in a struct config, profile or api_settings by offset; given text is copied. */

#include "config/profile.h"

enum key_kind {
    KEY_TEXT,   /* char * */
    KEY_WORD,   /* unsigned: index into words */
    KEY_CHOICE, /* bool: the second of two words */
    KEY_FLAG,   /* bool: true or false */
    KEY_NUMBER, /* int, min to max */
    KEY_LIST,   /* struct string_list of checked texts */
};

enum key_section { SECTION_ROOT, SECTION_PROFILE, SECTION_API, SECTION_COUNT };

/* Says in reason what is wrong with a value and returns false. */
typedef bool key_check_fn(const char *value, struct str *reason);

struct key {
    const char *name;
    enum key_kind kind;
    size_t offset;
    const char *fallback; /* the default as a value; list items separated by blanks; NULL: must be given */
    const char *sample;   /* line of the sample file in file syntax; NULL: shown as a comment with its default */
    const char *words;    /* of KEY_WORD and KEY_CHOICE, separated by blanks */
    int min, max;
    key_check_fn *check;
    const char *help;
};

const struct key *keys_of(enum key_section section, size_t *n);
const struct key *key_find(enum key_section section, const char *name);
const char *key_section_name(enum key_section section);

/* Sets a scalar, or adds one item to a list. */
bool key_set(const struct key *key, void *base, const char *value, struct str *reason);
void key_set_fallbacks(enum key_section section, void *base);
void key_clear_value(const struct key *key, void *base);
void key_clear_values(enum key_section section, void *base);
/* A value in file syntax: quoted where it is text, in braces where it is a list. */
void key_print_value(const struct key *key, const char *value, struct str *out);

/* Fills in what depends on other keys or on the home folder: read_only and accent where they are not given, the origin,
 * "~/". */
void profile_resolve(struct profile *profile, bool read_only_given, bool accent_given);

bool check_line(const char *value, struct str *reason); /* no control characters, valid UTF-8, at most 4096 bytes */
bool check_profile_name(const char *value, struct str *reason);
bool check_environment(const char *value, struct str *reason);
bool check_file(const char *value, struct str *reason); /* "" or a fixed place */
bool check_program(const char *value, struct str *reason);
bool check_variable(const char *value, struct str *reason);
bool check_path(const char *value, struct str *reason);
bool check_parameter(const char *value, struct str *reason);
bool check_optional_parameter(const char *value, struct str *reason);
bool check_exponent(const char *value, struct str *reason);
bool check_dotted(const char *value, struct str *reason);
bool check_user_field(const char *value, struct str *reason);
bool check_optional_dotted(const char *value, struct str *reason);
bool check_next(const char *value, struct str *reason);
bool check_extra(const char *value, struct str *reason);
bool check_header(const char *value, struct str *reason);
bool check_idempotency(const char *value, struct str *reason);
bool check_accent(const char *value, struct str *reason);
bool check_zone(const char *value, struct str *reason);    /* "" or one that this machine knows */
bool check_day_end(const char *value, struct str *reason); /* HH:MM */
bool check_base_url(const char *value, struct str *reason);
bool check_team_store(const char *value, struct str *reason); /* no password, and TLS that names the other side */

#endif
