#include "api/user.h"

#include "api/api.h"

void api_user_body(const struct profile *profile, const struct user *user, const char *key, struct str *out) {
    wire_user_body(user, api_key_field(profile), key, out);
}

void api_draft(const struct user *user, int64_t locked, struct str *out) {
    wire_draft(user, locked, out);
}

enum err api_draft_read(const char *text, size_t len, struct user *out, int64_t *locked, struct error *error) {
    return wire_draft_read(text, len, out, locked, error);
}
