#include "api/user.h"

#include "api/api.h"

#include <string.h>

void api_user_body(const struct profile *profile, const struct user *user, const char *key, struct str *out) {
    wire_user_body(user, api_key_field(profile), key, out);
}

enum { PLACE_MAX = 8192 };

static void add_place(const struct profile *profile, struct str *out) {
    str_init(out, PLACE_MAX);
    str_addf(out, "%s %s", profile->name, profile->origin);
}

void api_draft(const struct profile *profile, const struct user *user, int64_t locked, struct str *out) {
    struct str place;
    add_place(profile, &place);
    wire_draft(user, locked, place.s, out);
    str_clear(&place);
}

enum err api_draft_read(const struct profile *profile, const char *text, struct user *out, int64_t *locked,
                        struct error *error) {
    struct str place;
    add_place(profile, &place);
    enum err code = wire_draft_read(text, strlen(text), place.s, out, locked, error);
    str_clear(&place);
    return code;
}
