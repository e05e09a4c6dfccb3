#include "api/user.h"

#include "api/api.h"
#include "config/near.h"

#include <string.h>

void api_user_body(const struct profile *profile, const struct user *user, const char *key, struct str *out) {
    wire_user_body(user, api_key_field(profile), key, out);
}

void api_user_given(const struct profile *profile, const char *given, const char *key, struct str *out,
                    char **held_key) {
    wire_user_given(given, api_key_field(profile), key, out, held_key);
}

struct unknown {
    const char *key_field;
    struct str *out;
    size_t n;
};

/* The part of a path within this object; NULL: the field is in another object. At the top level names of inner objects
 * count too: "first" may be meant for name.first. */
static const char *name_in(const char *path, const char *group) {
    size_t len = strlen(group);
    const char *dot = strchr(path, '.');
    if (len == 0)
        return dot ? dot + 1 : path;
    return dot && (size_t)(dot - path) == len && strncmp(path, group, len) == 0 ? dot + 1 : NULL;
}

/* Whole path of the field that may be meant; NULL: none is similar. A common beginning counts as similar: "phone". */
static const char *meant(const char *group, const char *name) {
    const char *names[USER_FIELD_COUNT];
    const char *near = NULL;
    size_t len = strlen(name);
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        names[i] = name_in(user_path((enum user_field)i), group);
    near = near_word(name, names, USER_FIELD_COUNT);
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        bool begins = !near && len >= 3 && names[i] && strncmp(names[i], name, len) == 0;
        if ((near && names[i] == near) || begins)
            return user_path((enum user_field)i);
    }
    return NULL;
}

static void api_user_add_unknown(void *context, const char *group, const char *name) {
    struct unknown *unknown = context;
    if (!*group && str_equal(name, unknown->key_field))
        return;
    unknown->n++;
    if (unknown->out) {
        const char *field = meant(group, name);
        str_addf(unknown->out, "%s%s%s is no field of a user", group, *group ? "." : "", name);
        if (field)
            str_addf(unknown->out, ": is %s meant?", field);
        str_add(unknown->out, field ? " It would be sent as it stands\n" : "; it would be sent as it stands\n");
    }
}

size_t api_user_unknown(const struct profile *profile, const char *given, struct str *out) {
    struct unknown unknown = {.key_field = api_key_field(profile), .out = out};
    wire_user_strange(given, api_user_add_unknown, &unknown);
    return unknown.n;
}

enum { PLACE_MAX = 8192 };

static void api_user_add_place(const struct profile *profile, struct str *out) {
    str_init(out, PLACE_MAX);
    str_addf(out, "%s %s", profile->name, profile->origin);
    if (profile->account && *profile->account)
        str_addf(out, " %s", profile->account);
}

void api_draft(const struct profile *profile, const struct user *user, int64_t locked, struct str *out) {
    struct str place;
    api_user_add_place(profile, &place);
    wire_draft(user, locked, place.s, out);
    str_clear(&place);
}

enum err api_draft_read(const struct profile *profile, const char *text, struct user *out, int64_t *locked,
                        struct error *error) {
    struct str place;
    api_user_add_place(profile, &place);
    enum err err = wire_draft_read(text, strlen(text), place.s, out, locked, error);
    str_clear(&place);
    return err;
}
