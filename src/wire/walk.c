#include "scan.h"

#include "wire/page.h"

#include <string.h>

/* What may stand next. */
enum { VALUE, FIRST_VALUE, KEY, FIRST_KEY, AFTER };

_Static_assert(WIRE_DEPTH_MAX == 64, "one bit of wire_walk.objects a level");

void wire_walk_init(struct wire_walk *walk, const char *s, size_t len) {
    *walk = (struct wire_walk){.state = VALUE};
    wire_scan_init(&walk->scan, s, len);
}

/* A fault of the scanner comes first, since it is the more precise one. */
static enum wire_event walk_bad(struct wire_walk *walk, enum wire_token token, const char *fault) {
    if (token == TOKEN_BAD)
        fault = walk->scan.fault;
    else if (token == TOKEN_END)
        fault = "it ends too early";
    walk->fault = fault;
    return WALK_BAD;
}

static enum wire_event walk_event(struct wire_walk *walk, enum wire_token token, enum wire_event found) {
    walk->token = token;
    walk->start = walk->scan.start;
    walk->end = walk->scan.at;
    return found;
}

static bool in_object(const struct wire_walk *walk) {
    return (walk->objects >> (walk->depth - 1)) & 1;
}

static enum wire_event walk_leave(struct wire_walk *walk, enum wire_token token) {
    walk->depth--;
    walk->state = AFTER;
    return walk_event(walk, token, WALK_CLOSE);
}

static enum wire_event walk_enter(struct wire_walk *walk, enum wire_token token) {
    bool object = token == TOKEN_OPEN_OBJECT;
    if (walk->depth == WIRE_DEPTH_MAX) {
        walk->limit = true;
        return walk_bad(walk, token, "nested deeper than 64 levels");
    }
    walk->objects = (walk->objects & ~(UINT64_C(1) << walk->depth)) | (uint64_t)object << walk->depth;
    walk->depth++;
    walk->state = object ? FIRST_KEY : FIRST_VALUE;
    return walk_event(walk, token, WALK_OPEN);
}

static enum wire_event value(struct wire_walk *walk, enum wire_token token) {
    if (token == TOKEN_OPEN_OBJECT || token == TOKEN_OPEN_ARRAY)
        return walk_enter(walk, token);
    if (token < TOKEN_STRING)
        return walk_bad(walk, token, "a value is missing");
    walk->state = AFTER;
    return walk_event(walk, token, WALK_SCALAR);
}

static enum wire_event walk_key(struct wire_walk *walk, enum wire_token token) {
    if (token != TOKEN_STRING)
        return walk_bad(walk, token, "a member without a name");
    walk_event(walk, token, WALK_KEY);
    token = wire_scan_next(&walk->scan);
    if (token != TOKEN_COLON)
        return walk_bad(walk, token, "a name without a colon");
    walk->state = VALUE;
    return WALK_KEY;
}

enum wire_event wire_walk_next(struct wire_walk *walk) {
    enum wire_token token = wire_scan_next(&walk->scan);
    if (walk->state == AFTER && walk->depth == 0)
        return token == TOKEN_END ? WALK_END : walk_bad(walk, token, "text after its end");
    if (walk->state == AFTER) {
        bool object = in_object(walk);
        if (token == (object ? TOKEN_CLOSE_OBJECT : TOKEN_CLOSE_ARRAY))
            return walk_leave(walk, token);
        if (token != TOKEN_COMMA)
            return walk_bad(walk, token, "a comma is missing");
        walk->state = object ? KEY : VALUE;
        token = wire_scan_next(&walk->scan);
    }
    if ((walk->state == FIRST_KEY && token == TOKEN_CLOSE_OBJECT) ||
        (walk->state == FIRST_VALUE && token == TOKEN_CLOSE_ARRAY))
        return walk_leave(walk, token);
    return walk->state == KEY || walk->state == FIRST_KEY ? walk_key(walk, token) : value(walk, token);
}

bool wire_walk_leave(struct wire_walk *walk) {
    int depth = walk->depth - 1;
    while (walk->depth > depth) {
        enum wire_event found = wire_walk_next(walk);
        if (found == WALK_BAD || found == WALK_END)
            return false;
    }
    return true;
}

/* The value at which the walk stands next, whole. */
static bool walk_take(struct wire_walk *walk, struct wire_slice *out) {
    enum wire_event found = wire_walk_next(walk);
    size_t start = walk->start;
    if (found != WALK_SCALAR && !(found == WALK_OPEN && wire_walk_leave(walk)))
        return false;
    *out = (struct wire_slice){walk->scan.s + start, walk->end - start};
    return true;
}

bool wire_find(struct wire_slice container, const char *name, size_t name_len, struct wire_slice *out) {
    struct wire_walk walk;
    wire_walk_init(&walk, container.s, container.len);
    if (wire_walk_next(&walk) != WALK_OPEN || walk.token != TOKEN_OPEN_OBJECT)
        return false;
    while (wire_walk_next(&walk) == WALK_KEY) {
        bool hit = wire_string_is(container.s + walk.start, walk.end - walk.start, name, name_len);
        if (!walk_take(&walk, out))
            return false;
        if (hit)
            return true;
    }
    return false;
}

bool wire_find_only(struct wire_slice container, const char *name, struct wire_slice *out) {
    struct wire_walk walk;
    struct wire_slice value;
    size_t hits = 0;
    wire_walk_init(&walk, container.s, container.len);
    if (wire_walk_next(&walk) != WALK_OPEN || walk.token != TOKEN_OPEN_OBJECT)
        return false;
    while (wire_walk_next(&walk) == WALK_KEY) {
        bool hit = wire_string_is(container.s + walk.start, walk.end - walk.start, name, strlen(name));
        if (!walk_take(&walk, &value))
            break;
        if (hit && ++hits == 1)
            *out = value;
    }
    return hits == 1;
}

bool wire_find_path(struct wire_slice container, const char *path, struct wire_slice *out) {
    *out = container;
    while (*path) {
        size_t len = strcspn(path, ".");
        if (!wire_find(*out, path, len, out))
            return false;
        path += len + (path[len] == '.');
    }
    return true;
}

bool wire_each_begin(struct wire_walk *walk, struct wire_slice array) {
    wire_walk_init(walk, array.s, array.len);
    return wire_walk_next(walk) == WALK_OPEN && walk->token == TOKEN_OPEN_ARRAY;
}

bool wire_each_next(struct wire_walk *walk, struct wire_slice *out) {
    return walk_take(walk, out);
}
