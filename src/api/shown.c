#include "api/api.h"

#include <string.h>

/* A parameter's name as sent, or one with an index or brackets behind it. */
static bool shown_is_named(const char *param, size_t len, const char *name) {
    size_t n = name ? strlen(name) : 0;
    return n > 0 && len >= n && memcmp(param, name, n) == 0 && (len == n || param[n] == '[' || param[n] == '%');
}

static bool is_filter(const struct api_settings *api, const char *param, size_t len) {
    const char *const names[] = {api->filter_type, api->filter_status, api->filter_after, api->filter_before};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (shown_is_named(param, len, names[i]))
            return true;
    return false;
}

void api_list_shown(const struct profile *profile, const struct request *request, struct str *out) {
    const char *at = request->url ? strchr(request->url, '?') : NULL;
    str_add(out, request->path ? request->path : "");
    for (; at && at[1]; at = strchr(at + 1, '&')) {
        const char *param = at + 1;
        size_t len = strcspn(param, "&"), name = strcspn(param, "=&");
        str_add_char(out, *at);
        if (name == len || is_filter(&profile->api, param, name)) {
            str_add_n(out, param, len);
        } else {
            str_add_n(out, param, name);
            str_addf(out, "=(%zu bytes)", len - name - 1);
        }
    }
}
