#ifndef MODEL_USER_H
#define MODEL_USER_H
/* A user to be registered: the fields of the document as text, exactly as they will be sent, and what can be said about
 * them. Only what cannot be sent or is surely a mistake blocks; all else is a warning. Dates are three integers and no
 * clock. Text is wiped when it is freed. */

#include "base/clock.h"
#include "model/country.h"

/*  code       path                           label */
#define USER_FIELD_TABLE(X)                            \
    X(FIRST, "name.first", "First name")               \
    X(LAST, "name.last", "Last name")                  \
    X(STREET, "address.address_line_1", "Street")      \
    X(LOCALITY, "address.locality", "City")            \
    X(AREA, "address.administrative_area", "State")    \
    X(POSTAL, "address.postal_code", "Postal code")    \
    X(COUNTRY, "address.country", "Country")           \
    X(EMAIL, "email", "E-mail")                        \
    X(BIRTH, "date_of_birth", "Date of birth")         \
    X(ID_TYPE, "government_id.type", "ID type")        \
    X(ID_LAST4, "government_id.last4", "ID last four") \
    X(ID_STATE, "government_id.state", "ID state")     \
    X(PHONE, "phone_number", "Phone")                  \
    X(TAG, "tag", "Tag")                               \
    X(VERIFIED, "identity_verified", "Identity verified")

enum user_field {
#define X(code, path, label) USER_##code,
    USER_FIELD_TABLE(X)
#undef X
        USER_FIELD_COUNT
};
enum { USER_TEXT_MAX = 4096 }; /* bytes of one field */

/* NULL or "": absent, and left out of the body. VERIFIED is "true" or "false". */
struct user {
    char *text[USER_FIELD_COUNT];
};
void user_clear(struct user *user);
void user_set(struct user *user, enum user_field field, const char *text);
bool user_has(const struct user *user, enum user_field field);
bool user_is_empty(const struct user *user);
const char *user_path(enum user_field field);  /* "name.first" */
const char *user_label(enum user_field field); /* "First name" */
int user_find(const char *path);               /* -1: none; also by the last part alone */
/* Is stored on the disk with a draft; other fields have to be typed again for a repeat. */
bool user_is_kept(enum user_field field);
bool user_is_sensitive(enum user_field field); /* masked by the privacy key */

struct user_rules {
    const char *const *required; /* paths that the profile asks for */
    size_t n_required;
    bool kyc;          /* identity_verified must be true */
    bool alpha3;       /* country by three letters */
    bool latin_only;   /* names and addresses go on to systems that take Latin letters alone */
    bool ask_verified; /* a form: identity_verified has to be chosen */
    int64_t now;
};

struct user_finding {
    enum user_field field;
    bool blocks; /* it cannot be sent; false: a warning */
    char *text;
};
struct user_findings {
    struct user_finding *items;
    size_t n, cap, blocks;
};
void user_findings_clear(struct user_findings *findings);
/* All that can be said, field by field; the first of a field is the most important. */
void user_check(const struct user *user, const struct user_rules *rules, struct user_findings *out);
const struct user_finding *user_finding_of(const struct user_findings *findings, enum user_field field); /* or NULL */

/* What identifies a person well enough to ask whether they are registered already; normalised for comparing. */
enum user_match { USER_MATCH_TAG, USER_MATCH_EMAIL, USER_MATCH_PHONE, USER_MATCH_NAME_BIRTH, USER_MATCH_COUNT };
const char *user_match_name(enum user_match match); /* "tag", "email", "phone", "name+birth" */
/* False where the user has no such text. */
bool user_match_text(const struct user *user, enum user_match match, struct str *out);

/* A tag for comparing, as it is matched; false where nothing is left of it. */
bool user_tag_normal(const char *tag, struct str *out);
/* Digits of any script as ASCII, '+' in front kept, 00 in its place read as one, punctuation and blanks dropped. */
void user_phone_normal(const char *phone, struct str *out);
/* The forms in which earlier versions compared such a number: with 00 for the +, and with the trunk zero behind a
 * country code of one to three digits. False, and nothing appended, after the last form. */
bool user_phone_earlier(const char *normal, size_t index, struct str *out);
/* Puts dashes into `19720229`; false where the text is no such date. */
bool user_date_dashes(const char *text, struct str *out);
/* Removes blanks around a day, and midnight behind it as in `1980-01-02 00:00:00`; false where the text is no day. */
bool user_date_midnight(const char *text, struct str *out);
bool user_date(const char *text, int out[3]); /* year, month, day; false: not YYYY-MM-DD, or no such day */
/* "29 February 1972"; false: not a calendar day. */
bool user_date_words(const char *text, struct str *out);

#endif
