#ifndef API_USER_H
#define API_USER_H
/* The bodies of users for the layers above, which know no JSON. See wire/user.h. */

#include "config/profile.h"
#include "wire/user.h"

/* The JSON body that registers this user; key goes into the member that the profile names, if it names one. */
void api_user_body(const struct profile *profile, const struct user *user, const char *key, struct str *out);
/* The same from JSON that the operator wrote; *held_key: the key that is in it already, heap text, or NULL. */
void api_user_given(const struct profile *profile, const char *given, const char *key, struct str *out,
                    char **held_key);
/* Members of such JSON that are neither a field of the service's user nor the key: appends a line for each, with the
 * name that may be meant, and returns how many. */
size_t api_user_unknown(const struct profile *profile, const char *given, struct str *out);
/* A form belongs to the profile, origin and account it was typed for, and is read for no other. */
void api_draft(const struct profile *profile, const struct user *user, int64_t locked, struct str *out);
enum err api_draft_read(const struct profile *profile, const char *text, struct user *out, int64_t *locked,
                        struct error *error) MUST_CHECK;

#endif
