#include "support/listing.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>

enum { ID_LEN = 36, IDS_MAX = 64 << 20 };

size_t text_count(const char *text, const char *part) {
    size_t n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + strlen(part), part))
        n++;
    return n;
}

size_t listing_count(const char *body) {
    return text_count(body, "\"user_id\":");
}

/* Of all objects only an intent has created_at right behind its id. */
static const char *next_intent(const char *at) {
    static const char open[] = "{\"id\":\"";
    for (at = strstr(at, open); at; at = strstr(at + 1, open))
        if (strlen(at) > sizeof open + ID_LEN && strncmp(at + sizeof open - 1 + ID_LEN, "\",\"created_at\"", 14) == 0)
            return at + sizeof open - 1;
    return NULL;
}

char *listing_id(const char *body, size_t index) {
    const char *at = next_intent(body);
    for (size_t i = 0; i < index && at; i++)
        at = next_intent(at);
    return !at ? NULL : mem_dup_n(at, ID_LEN);
}

char *listing_ids(const char *body) {
    struct str ids;
    str_init(&ids, IDS_MAX);
    for (const char *at = next_intent(body); at; at = next_intent(at)) {
        str_add_n(&ids, at, ID_LEN);
        str_add_char(&ids, '\n');
    }
    return str_take(&ids);
}

char *listing_cursor(const char *body) {
    static const char name[] = "\"next_cursor\":\"";
    const char *at = strstr(body, name);
    return !at ? NULL : mem_dup_n(at + sizeof name - 1, strcspn(at + sizeof name - 1, "\""));
}
