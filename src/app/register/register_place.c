#include "register_place.h"

#include "app/headings.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/user_names.h"

#include <stdlib.h>
#include <string.h>

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

/* Writes "dateOfBirth", "Date-Of-Birth" and "DATE_OF_BIRTH" as date_of_birth, up to the next dot. */
static void add_snake(struct str *out, const char *name) {
    for (const char *s = name; *s && *s != '.'; s++) {
        bool word = s > name && is_upper(*s) && s[-1] >= 'a' && s[-1] <= 'z';
        str_add(out, word ? "_" : "");
        str_add_char(out, (char)(is_upper(*s) ? *s + ('a' - 'A') : *s == '-' || *s == ' ' ? '_' : *s));
    }
}

/* Finds a field in any spelling; "first_name" is the first part of name, and "name" alone means its first part. */
static int register_place_find_alike(const char *name) {
    int field = -1;
    struct str snake;
    str_init(&snake, 256);
    add_snake(&snake, name);
    bool of_name = str_equal(snake.s, "first_name") || str_equal(snake.s, "last_name");
    bool last = strchr(name, '.') == NULL;
    if (of_name) {
        field = user_find(snake.s[0] == 'f' ? "name.first" : "name.last");
    } else if (last && snake.len > 0) {
        field = user_find(snake.s);
        for (int i = 0; field < 0 && i < USER_FIELD_COUNT; i++) {
            const char *path = user_path((enum user_field)i);
            field = str_starts(path, snake.s) && path[snake.len] == '.' ? i : -1;
        }
    }
    str_clear(&snake);
    return field;
}

/* Services name a field by its path, its name alone, a JSON pointer, or below a word of their own: "/name/first",
 * "body.name.first", "user[name][first]", "first"; or by a name that tables have too: "zip", "dob". */
int register_field_at(const char *place) {
    const struct headings none = {0};
    int field = -1;
    char *path = mem_dup(place ? place : "");
    size_t len = 0;
    for (const char *s = path; *s; s++)
        if (*s != ']')
            path[len++] = *s == '/' || *s == '[' ? '.' : *s;
    path[len] = '\0';
    for (char *s = path; s && field < 0; s = strchr(s, '.')) {
        s += *s == '.';
        field = user_find(s);
        field = field < 0 ? register_place_find_alike(s) : field;
        field = field < 0 ? headings_field(&none, user_usual_names(), USER_FIELD_COUNT, s) : field;
    }
    free(path);
    return field;
}
