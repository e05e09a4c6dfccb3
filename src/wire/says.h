#ifndef WIRE_SAYS_H
#define WIRE_SAYS_H
/* The one table of names under which an answer says how it went: texts for people, codes, places, lists of errors,
 * signs of failure and of missing parts. Everything that reads an answer's words uses it. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum says_role {
    SAYS_TEXT = 1 << 0,
    SAYS_CODE = 1 << 1,  /* names the fault itself */
    SAYS_CLASS = 1 << 2, /* only names its kind */
    SAYS_PLACE = 1 << 3, /* of an entry in a list */
    /* Of an error that is not in a list: there `name` belongs to the error. */
    SAYS_LONE_PLACE = 1 << 4,
    SAYS_LIST = 1 << 5,     /* of errors */
    SAYS_MAP = 1 << 6,      /* its members are named after fields */
    SAYS_ENVELOPE = 1 << 7, /* holds an answer within the answer */
    FAILS_FILLED = 1 << 8,  /* the answer failed where this has any value */
    FAILS_FALSE = 1 << 9,
    FAILS_TRUE = 1 << 10,
    FAILS_WORD = 1 << 11,   /* the answer failed where this is a word of failure or an HTTP status of one */
    DOUBTS_FALSE = 1 << 12, /* the answer may have failed where this is false */
    PART_TRUE = 1 << 13,    /* something is left out */
    PART_FALSE = 1 << 14,
    COUNTS_ALL = 1 << 15,  /* how many rows there are in all, whatever page this is */
    COUNTS_BARE = 1 << 19, /* the same, unless something beside it is about money: a sum has this name too */
    SAYS_MONEY = 1 << 20,
    COUNTS_WITHIN = 1 << 16, /* holds such counts, and nothing else of note */
    SAYS_RULES = 1 << 17,    /* its members are texts, named after the rules that were broken */
    SAYS_BELOW = 1 << 18,    /* has entries below the place that it is in, and is no place itself */
    MORE_TRUE = 1 << 21,     /* pages follow */
    MORE_FALSE = 1 << 22,
    MORE_FILLED = 1 << 23, /* pages follow where this has any value: where the next one is */
    /* Of such an error too, where its text stands beside it and it reads as a field's name: the path of the request and
     * a key of the API are named so as well. */
    SAYS_FIELD_PLACE = 1 << 24,
};

/* The table's names that have one of the roles, in its order: NULL at the end; *at begins at 0. */
const char *says_name(unsigned roles, size_t *at);
/* All roles of a name: `errorMessage`, `Error-Message` and `error_message` are one. */
unsigned says_roles(const char *name);
/* A rule's name in a map of fields: isEmail, min_length. */
bool says_is_rule(const char *name);
/* A field's name or a way to it, `address.city`, `items[0].tag`: no path of an URL, and nothing that may be a key of
 * the API. */
bool says_is_field(const char *text);
/* A member by a name of the table, in whatever spelling; the exact one first. NULL: none. */
json_t *says_member(const json_t *object, const char *name);

/* ---- What values mean ---- */

bool says_anything(const json_t *value); /* no null, false, zero, blank, empty list, or word for nothing */
bool says_no(const json_t *value);
bool says_yes(const json_t *value);
long long says_count(const json_t *value); /* as a number or in digits; 0: none */
enum says_word {
    WORD_FINE,
    WORD_STATE, /* the state of a created thing, or of a quoted filter; by itself a refusal */
    WORD_PART,
    WORD_DENIAL,
    WORD_FAILURE,
};
enum says_word says_word(const json_t *value);

#endif
