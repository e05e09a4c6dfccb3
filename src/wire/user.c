#include "wire/user.h"

#include "base/mem.h"
#include "wire/body.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing in it has to be escaped: what nearly every text of a million rows is. */
static bool wire_is_plain(const char *text) {
    const char *at = text;
    while (*at >= ' ' && *at < 0x7F && *at != '"' && *at != '\\')
        at++;
    return *at == '\0';
}

static void wire_add_quoted(struct str *out, const char *text) {
    str_add_char(out, '"');
    str_add(out, text);
    str_add_char(out, '"');
}

/* With jansson's escapes: only what has to be escaped. */
void wire_add_string(struct str *out, const char *text) {
    if (wire_is_plain(text)) {
        wire_add_quoted(out, text);
        return;
    }
    json_t *value = json_string(text);
    char *json = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    str_add(out, json ? json : "\"\"");
    free(json);
    json_decref(value);
}

void wire_add_member(struct str *out, const char *name, const char *text) {
    wire_add_quoted(out, name);
    str_add_char(out, ':');
    if (text)
        wire_add_string(out, text);
    else
        str_add(out, "null");
}

struct printer {
    struct str *out;
    char group[32]; /* the object that is open, "" at the top */
    bool any;       /* this level has a member already */
};

static void begin_line(struct printer *printer, int depth) {
    str_add(printer->out, printer->any ? ",\n" : "\n");
    str_add_repeat(printer->out, ' ', (size_t)depth * 2);
    printer->any = true;
}

static void end_group(struct printer *printer) {
    if (*printer->group) {
        str_add(printer->out, "\n  }");
        printer->group[0] = '\0';
    }
}

static void wire_user_enter(struct printer *printer, const char *path, size_t len) {
    if (strlen(printer->group) == len && strncmp(printer->group, path, len) == 0)
        return;
    end_group(printer);
    if (len > 0 && len < sizeof printer->group) {
        begin_line(printer, 1);
        memcpy(printer->group, path, len);
        printer->group[len] = '\0';
        wire_add_string(printer->out, printer->group);
        str_add(printer->out, ": {");
        printer->any = false;
    }
}

static void wire_user_add_member(struct printer *printer, const char *path, const char *text, bool quoted) {
    const char *dot = strchr(path, '.');
    wire_user_enter(printer, path, dot ? (size_t)(dot - path) : 0);
    begin_line(printer, dot ? 2 : 1);
    wire_add_string(printer->out, dot ? dot + 1 : path);
    str_add(printer->out, ": ");
    if (quoted)
        wire_add_string(printer->out, text);
    else
        str_add(printer->out, text);
}

static void wire_user_add_user(struct printer *printer, const struct user *user, bool draft) {
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        enum user_field field = (enum user_field)i;
        if (user_has(user, field) && (!draft || user_is_kept(field)))
            wire_user_add_member(printer, user_path(field), user->text[field], field != USER_VERIFIED);
    }
}

void wire_user_body(const struct user *user, const char *key_field, const char *key, struct str *out) {
    struct printer printer = {.out = out};
    str_add_char(out, '{');
    wire_user_add_user(&printer, user, false);
    end_group(&printer);
    if (key_field && key) {
        begin_line(&printer, 1);
        wire_add_string(out, key_field);
        str_add(out, ": ");
        wire_add_string(out, key);
    }
    str_add(out, printer.any ? "\n}" : "}");
}

void wire_draft(const struct user *user, int64_t locked, const char *place, struct str *out) {
    struct printer printer = {.out = out};
    str_add_char(out, '{');
    wire_user_add_user(&printer, user, true);
    end_group(&printer);
    if (locked) {
        begin_line(&printer, 1);
        str_addf(out, "\"locked\": %lld", (long long)locked);
    }
    begin_line(&printer, 1);
    str_add(out, "\"for\": ");
    wire_add_string(out, place);
    str_add(out, "\n}\n");
}

static const struct body_value *value_at(const struct body_value *root, const char *path) {
    const char *dot = strchr(path, '.');
    if (!dot)
        return body_member(root, path);
    char *group = mem_dup_n(path, (size_t)(dot - path));
    const struct body_value *value = body_member(body_member(root, group), dot + 1);
    free(group);
    return value;
}

static enum err wire_user_take(const struct body_value *value, enum user_field field, struct user *out,
                               struct error *error) {
    size_t len = 0;
    const char *text = body_string(value, &len);
    enum body_kind wanted = field == USER_VERIFIED ? BODY_BOOL : BODY_STRING;
    if (body_kind(value) == BODY_NONE)
        return ERR_OK;
    if (body_kind(value) != wanted) {
        return error_set(error, ERR_INVALID, "%s is not %s", user_path(field),
                         field == USER_VERIFIED ? "true or false" : "text");
    }
    if (field == USER_VERIFIED) {
        user_set(out, field, body_bool(value) ? "true" : "false");
        return ERR_OK;
    }
    if (len == 0)
        return error_set(error, ERR_INVALID, "%s is empty: leave it out instead", user_path(field));
    if (strlen(text) != len || len > USER_TEXT_MAX) {
        return error_set(error, ERR_INVALID, "%s %s", user_path(field),
                         len > USER_TEXT_MAX ? "is too long" : "holds a control character");
    }
    user_set(out, field, text);
    return ERR_OK;
}

static enum err read_user(const struct body_value *root, struct user *out, struct error *error) {
    static const char *const GROUPS[] = {"name", "address", "government_id"};
    enum err err = ERR_OK;
    *out = (struct user){0};
    if (body_kind(root) != BODY_OBJECT)
        return error_set(error, ERR_INVALID, "not a JSON object");
    for (size_t i = 0; i < COUNT_OF(GROUPS) && err == ERR_OK; i++) {
        enum body_kind kind = body_kind(body_member(root, GROUPS[i]));
        if (kind != BODY_NONE && kind != BODY_OBJECT)
            err = error_set(error, ERR_INVALID, "%s is not an object", GROUPS[i]);
    }
    for (int i = 0; i < USER_FIELD_COUNT && err == ERR_OK; i++)
        err = wire_user_take(value_at(root, user_path((enum user_field)i)), (enum user_field)i, out, error);
    if (err != ERR_OK)
        user_clear(out);
    return err;
}

static bool wire_user_is_known(const char *group, const char *name) {
    char path[64];
    int len = snprintf(path, sizeof path, "%s%s%s", group, *group ? "." : "", name);
    size_t known = len > 0 && (size_t)len < sizeof path ? (size_t)len : 0;
    for (int i = 0; i < USER_FIELD_COUNT && known > 0; i++) {
        const char *field = user_path((enum user_field)i);
        if (strncmp(field, path, known) == 0 && (field[known] == '\0' || (field[known] == '.' && !*group)))
            return true;
    }
    return false;
}

static void tell_strange(const struct body_value *object, const char *group, wire_strange_fn *each, void *context) {
    const char *name;
    for (size_t i = 0; (name = body_name(object, i)) != NULL; i++) {
        const struct body_value *inner = body_member(object, name);
        if (!wire_user_is_known(group, name))
            each(context, group, name);
        else if (!*group && body_kind(inner) == BODY_OBJECT)
            tell_strange(inner, name, each, context);
    }
}

void wire_user_strange(const char *body, wire_strange_fn *each, void *context) {
    struct body *tree = NULL;
    if (body_read(body, strlen(body), &tree, NULL) == ERR_OK && body_kind(body_root(tree)) == BODY_OBJECT)
        tell_strange(body_root(tree), "", each, context);
    body_free(tree);
}

void wire_user_given(const char *body, const char *key_field, const char *key, struct str *out, char **held_key) {
    struct body *tree = NULL;
    const struct body_value *root = NULL;
    *held_key = NULL;
    if (key_field && body_read(body, strlen(body), &tree, NULL) == ERR_OK) {
        root = body_root(tree);
        *held_key = mem_dup(body_string(body_member(root, key_field), NULL));
    }
    const char *open = strchr(body, '{');
    if (root && open && key && body_kind(body_member(root, key_field)) == BODY_NONE) {
        str_add_n(out, body, (size_t)(open - body) + 1);
        wire_add_string(out, key_field);
        str_add(out, ": ");
        wire_add_string(out, key);
        str_add(out, body_name(root, 0) ? ", " : "");
        body = open + 1;
    }
    str_add(out, body);
    body_free(tree);
}

enum err wire_user_read(const char *body, size_t len, struct user *out, struct error *error) {
    struct body *tree = NULL;
    *out = (struct user){0};
    enum err err = body_read(body, len, &tree, error);
    if (err == ERR_OK)
        err = read_user(body_root(tree), out, error);
    body_free(tree);
    return err;
}

enum err wire_draft_read(const char *text, size_t len, const char *place, struct user *out, int64_t *locked,
                         struct error *error) {
    struct body *tree = NULL;
    *out = (struct user){0};
    *locked = 0;
    enum err err = body_read(text, len, &tree, error);
    if (err == ERR_OK) {
        *locked = body_integer(body_member(body_root(tree), "locked"));
        err = str_equal(body_string(body_member(body_root(tree), "for"), NULL), place)
                  ? read_user(body_root(tree), out, error)
                  : error_set(error, ERR_INVALID, "a form of another profile or service");
    }
    body_free(tree);
    return err;
}
