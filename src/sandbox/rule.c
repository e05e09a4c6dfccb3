#include "rule.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/path.h"
#include "json_writer.h"
#include "rule_words.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_FILE_MAX = 256 << 20, RULES_MAX = 1000 };

struct rule {
    char *text, *path, *method;
    long long nth, count, seen;
    struct rule_hit act;
};

struct rules {
    pthread_mutex_t lock;
    struct rule *items;
    size_t n, cap;
    int next_id;
};

enum kind { NUMBER, TEXT, FLAG, SPECIAL };

enum key {
    KEY_PATH,
    KEY_METHOD,
    KEY_NTH,
    KEY_COUNT,
    KEY_DELAY,
    KEY_STATUS,
    KEY_BODY,
    KEY_BODY_FILE,
    KEY_HEADER,
    KEY_TYPE,
    KEY_RETRY_AFTER,
    KEY_TRUNCATE,
    KEY_ENDLESS,
    KEY_BOMB,
    KEY_PACE,
    KEY_CURSOR,
    KEY_CURSOR_TEXT,
    KEY_IGNORE_FILTER,
    KEY_CLOSE,
    KEY_RESET,
    KEY_HANG,
    KEY_DROP_AFTER_READ,
    KEY_APPLY,
};

static const struct {
    const char *name, *shape, *help;
    enum kind kind;
    unsigned flag;
} keys[] = {
    [KEY_PATH] = {"path", "PATH", "Only requests of this path; a * at its end matches anything", TEXT, 0},
    [KEY_METHOD] = {"method", "NAME", "Only requests with this method", TEXT, 0},
    [KEY_NTH] = {"nth", "N", "From the Nth matching request on; with no count, that one alone", NUMBER, 0},
    [KEY_COUNT] = {"count", "N", "So many requests, then the rule is spent", NUMBER, 0},
    [KEY_DELAY] = {"delay", "MS", "Wait before the answer", NUMBER, 0},
    [KEY_STATUS] = {"status", "N", "Answer with this status and an error body; the request has no effect", NUMBER, 0},
    [KEY_BODY] = {"body", "TEXT", "Answer with this body", SPECIAL, 0},
    [KEY_BODY_FILE] = {"body_file", "FILE", "Answer with the file's bytes, read when the rule is added", SPECIAL, 0},
    [KEY_HEADER] = {"header", "\"NAME: VALUE\"", "Add a header; may be repeated", SPECIAL, 0},
    [KEY_TYPE] = {"type", "TEXT", "Content type of the answer; empty sends none", TEXT, 0},
    [KEY_RETRY_AFTER] = {"retry_after", "TEXT", "The header Retry-After; with no status, 429", SPECIAL, 0},
    [KEY_TRUNCATE] = {"truncate", "N", "Promise the whole body, send N bytes, close", NUMBER, 0},
    [KEY_ENDLESS] = {"endless", "1", "After the body send blanks without end", FLAG, RULE_ENDLESS},
    [KEY_BOMB] = {"bomb", "N", "A gzip body that unpacks to N bytes, asked for or not", NUMBER, 0},
    [KEY_PACE] = {"pace", "MS", "Send the body byte by byte, so long after each other", NUMBER, 0},
    [KEY_CURSOR] =
        {"cursor", "HOW",
         "What a listing's next_cursor is: repeat (as sent), cycle, fresh (same rows, new cursor), blank (no rows, "
         "new cursor), empty, null, absent, number, bool, object, long, odd, url, foreign",
         SPECIAL, 0},
    [KEY_CURSOR_TEXT] = {"cursor_text", "TEXT", "A listing's next_cursor is this text", TEXT, 0},
    [KEY_IGNORE_FILTER] = {"ignore_filter", "1", "A listing without its filters", FLAG, RULE_IGNORE_FILTER},
    [KEY_CLOSE] = {"close", "1", "Close when the headers are there, answer nothing", FLAG, RULE_CLOSE},
    [KEY_RESET] = {"reset", "1", "Read the request, then reset the connection", FLAG, RULE_RESET},
    [KEY_HANG] = {"hang", "1", "Read the request, never answer", FLAG, RULE_HANG},
    [KEY_DROP_AFTER_READ] = {"drop_after_read", "1", "Read the request, close without an answer", FLAG,
                             RULE_DROP_AFTER_READ},
    [KEY_APPLY] = {"apply", "1",
                   "The request takes effect although status, body, hang, reset or drop_after_read hide its answer",
                   FLAG, RULE_APPLY},
};

static const struct {
    const char *name;
    enum rule_cursor cursor;
} cursors[] = {
    {"repeat", RULE_CURSOR_REPEAT}, {"cycle", RULE_CURSOR_CYCLE},     {"fresh", RULE_CURSOR_FRESH},
    {"blank", RULE_CURSOR_BLANK},   {"empty", RULE_CURSOR_EMPTY},     {"null", RULE_CURSOR_NULL},
    {"absent", RULE_CURSOR_ABSENT}, {"number", RULE_CURSOR_NUMBER},   {"bool", RULE_CURSOR_BOOL},
    {"object", RULE_CURSOR_OBJECT}, {"long", RULE_CURSOR_LONG},       {"odd", RULE_CURSOR_ODD},
    {"url", RULE_CURSOR_URL},       {"foreign", RULE_CURSOR_FOREIGN},
};

void rules_describe(void (*entry)(void *context, const char *key, const char *shape, const char *help), void *context) {
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        entry(context, keys[i].name, keys[i].shape, keys[i].help);
}

/* ---- reading one ---- */

static void rule_set_text(char **to, const char *value, size_t len) {
    free(*to);
    *to = mem_dup_n(value, len);
}

static enum err rule_set_body(struct rule_hit *act, const char *value, size_t len) {
    rule_set_text(&act->body, value, len);
    act->body_len = len;
    return ERR_OK;
}

static enum err set_body_file(struct rule_hit *act, const char *path, struct error *error) {
    struct str bytes;
    str_init(&bytes, BODY_FILE_MAX);
    enum err err = path_read(path, BODY_FILE_MAX, false, &bytes, error);
    if (err == ERR_OK)
        err = rule_set_body(act, bytes.s, bytes.len);
    str_clear(&bytes);
    return err;
}

static void rule_add_header(struct rule_hit *act, const char *name, size_t name_len, const char *value) {
    struct rule_header *header = vec_add(act);
    header->name = mem_dup_n(name, name_len);
    header->value = mem_dup(value);
}

static enum err set_header(struct rule_hit *act, const char *value, struct error *error) {
    const char *colon = strchr(value, ':');
    if (!colon || colon == value)
        return error_set(error, ERR_USAGE, "a header is \"NAME: VALUE\", not \"%s\"", value);
    rule_add_header(act, value, (size_t)(colon - value), colon + 1 + strspn(colon + 1, " \t"));
    return ERR_OK;
}

static enum err set_cursor(struct rule_hit *act, const char *value, struct error *error) {
    for (size_t i = 0; i < COUNT_OF(cursors); i++) {
        if (strcmp(cursors[i].name, value) == 0) {
            act->cursor = cursors[i].cursor;
            return ERR_OK;
        }
    }
    return error_set(error, ERR_USAGE, "no cursor game \"%s\"", value);
}

static enum err set_special(struct rule *rule, enum key key, const struct rule_word *word, struct error *error) {
    switch (key) {
    case KEY_BODY:
        return rule_set_body(&rule->act, word->value, word->value_len);
    case KEY_BODY_FILE:
        return set_body_file(&rule->act, word->value, error);
    case KEY_HEADER:
        return set_header(&rule->act, word->value, error);
    case KEY_RETRY_AFTER:
        rule_add_header(&rule->act, "Retry-After", 11, word->value);
        rule->act.status = rule->act.status < 0 ? 429 : rule->act.status;
        return ERR_OK;
    default:
        return set_cursor(&rule->act, word->value, error);
    }
}

static long long *rule_number_of(struct rule *rule, enum key key) {
    switch (key) {
    case KEY_NTH:
        return &rule->nth;
    case KEY_COUNT:
        return &rule->count;
    case KEY_DELAY:
        return &rule->act.delay;
    case KEY_STATUS:
        return &rule->act.status;
    case KEY_TRUNCATE:
        return &rule->act.truncate;
    case KEY_BOMB:
        return &rule->act.bomb;
    default:
        return &rule->act.pace;
    }
}

static char **rule_text_of(struct rule *rule, enum key key) {
    return key == KEY_PATH     ? &rule->path
           : key == KEY_METHOD ? &rule->method
           : key == KEY_TYPE   ? &rule->act.type
                               : &rule->act.cursor_text;
}

static enum err rule_set_number(struct rule *rule, enum key key, const struct rule_word *word, struct error *error) {
    long long value = 0;
    bool ok = str_to_int64(word->value, word->value_len, &value) && value >= 0 && value <= INT64_C(1) << 40;
    if (key == KEY_STATUS)
        ok = ok && value >= 100 && value <= 599;
    if (key == KEY_NTH || key == KEY_COUNT)
        ok = ok && value >= 1;
    if (!ok)
        return error_set(error, ERR_USAGE, "%s=%s is not such a number", word->key, word->value);
    *rule_number_of(rule, key) = value;
    return ERR_OK;
}

static enum err rule_set_flag(struct rule *rule, enum key key, const struct rule_word *word, struct error *error) {
    if (strcmp(word->value, "1") != 0 && strcmp(word->value, "0") != 0)
        return error_set(error, ERR_USAGE, "%s is 1 or 0, not \"%s\"", word->key, word->value);
    rule->act.flags = word->value[0] == '1' ? rule->act.flags | keys[key].flag : rule->act.flags & ~keys[key].flag;
    return ERR_OK;
}

static enum err set_key(struct rule *rule, const struct rule_word *word, struct error *error) {
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcmp(keys[i].name, word->key) != 0)
            continue;
        enum key key = (enum key)i;
        switch (keys[i].kind) {
        case NUMBER:
            return rule_set_number(rule, key, word, error);
        case FLAG:
            return rule_set_flag(rule, key, word, error);
        case TEXT:
            rule_set_text(rule_text_of(rule, key), word->value, word->value_len);
            return ERR_OK;
        case SPECIAL:
            return set_special(rule, key, word, error);
        }
    }
    return error_set(error, ERR_USAGE, "no rule key \"%s\"", word->key);
}

static void clear_rule(struct rule *rule) {
    free(rule->text);
    free(rule->path);
    free(rule->method);
    rule_hit_clear(&rule->act);
}

static void init_rule(struct rule *rule, const char *text) {
    *rule = (struct rule){.text = mem_dup(text), .nth = -1, .count = -1};
    rule->act.delay = rule->act.status = rule->act.truncate = rule->act.bomb = rule->act.pace = -1;
}

/* Cleared again where it cannot be read. */
static enum err read_rule(const char *text, struct rule *rule, struct error *error) {
    struct rule_words words = {0};
    init_rule(rule, text);
    enum err err = rule_words_read(text, &words, error);
    for (size_t i = 0; err == ERR_OK && i < words.n; i++)
        err = set_key(rule, &words.items[i], error);
    if (err == ERR_OK && words.n == 0)
        err = error_set(error, ERR_USAGE, "the rule is empty");
    rule_words_clear(&words);
    if (rule->count < 0 && rule->nth > 0)
        rule->count = 1;
    if (err != ERR_OK)
        clear_rule(rule);
    return err;
}

/* ---- the set ---- */

struct rules *rules_new(void) {
    struct rules *rules = mem_new(sizeof *rules);
    (void)pthread_mutex_init(&rules->lock, NULL);
    rules->next_id = 1;
    return rules;
}

void rules_clear(struct rules *rules) {
    (void)pthread_mutex_lock(&rules->lock);
    for (size_t i = 0; i < rules->n; i++)
        clear_rule(&rules->items[i]);
    rules->n = 0;
    (void)pthread_mutex_unlock(&rules->lock);
}

void rules_free(struct rules *rules) {
    if (rules) {
        rules_clear(rules);
        free(rules->items);
        (void)pthread_mutex_destroy(&rules->lock);
        free(rules);
    }
}

enum err rules_add(struct rules *rules, const char *text, int *id, struct error *error) {
    struct rule rule;
    enum err err = read_rule(text, &rule, error);
    if (err != ERR_OK)
        return err;
    (void)pthread_mutex_lock(&rules->lock);
    if (rules->n >= RULES_MAX) {
        err = error_set(error, ERR_LIMIT, "at most %d rules", RULES_MAX);
        clear_rule(&rule);
    } else {
        *id = rule.act.id = rules->next_id++;
        *vec_add(rules) = rule;
    }
    (void)pthread_mutex_unlock(&rules->lock);
    return err;
}

bool rules_remove(struct rules *rules, int id) {
    bool found = false;
    (void)pthread_mutex_lock(&rules->lock);
    for (size_t i = 0; i < rules->n && !found; i++) {
        if (rules->items[i].act.id == id) {
            clear_rule(&rules->items[i]);
            rules->n--;
            for (size_t j = i; j < rules->n; j++)
                rules->items[j] = rules->items[j + 1];
            found = true;
        }
    }
    (void)pthread_mutex_unlock(&rules->lock);
    return found;
}

void rules_print(struct rules *rules, struct str *out) {
    (void)pthread_mutex_lock(&rules->lock);
    json_write_open(out, NULL, '[');
    for (size_t i = 0; i < rules->n; i++) {
        json_write_open(out, NULL, '{');
        json_write_int(out, "id", rules->items[i].act.id);
        json_write_string(out, "rule", rules->items[i].text);
        json_write_int(out, "matched", rules->items[i].seen);
        json_write_close(out, '}');
    }
    json_write_close(out, ']');
    (void)pthread_mutex_unlock(&rules->lock);
}

static bool path_matches(const char *pattern, const char *path) {
    size_t len = strlen(pattern);
    if (len > 0 && pattern[len - 1] == '*')
        return strncmp(pattern, path, len - 1) == 0;
    return strcmp(pattern, path) == 0;
}

static bool rule_wants(const struct rule *rule, const char *method, const char *path) {
    return (!rule->method || ascii_compare(rule->method, method) == 0) &&
           (!rule->path || path_matches(rule->path, path));
}

static bool rule_is_due(const struct rule *rule) {
    long long from = rule->nth < 0 ? 1 : rule->nth;
    return rule->seen >= from && (rule->count < 0 || rule->seen < from + rule->count);
}

static void copy_hit(const struct rule_hit *from, struct rule_hit *to) {
    *to = *from;
    to->body = !from->body ? NULL : mem_dup_n(from->body, from->body_len);
    to->type = mem_dup(from->type);
    to->cursor_text = mem_dup(from->cursor_text);
    to->items = NULL;
    to->n = to->cap = 0;
    for (size_t i = 0; i < from->n; i++)
        rule_add_header(to, from->items[i].name, strlen(from->items[i].name), from->items[i].value);
}

void rules_match(struct rules *rules, const char *method, const char *path, struct rule_hit *hit) {
    *hit = (struct rule_hit){.delay = -1, .status = -1, .truncate = -1, .bomb = -1, .pace = -1};
    (void)pthread_mutex_lock(&rules->lock);
    for (size_t i = 0; i < rules->n; i++) {
        struct rule *rule = &rules->items[i];
        if (!rule_wants(rule, method, path))
            continue;
        rule->seen++;
        if (hit->id == 0 && rule_is_due(rule))
            copy_hit(&rule->act, hit);
    }
    (void)pthread_mutex_unlock(&rules->lock);
}

void rule_hit_clear(struct rule_hit *hit) {
    free(hit->body);
    free(hit->type);
    free(hit->cursor_text);
    for (size_t i = 0; i < hit->n; i++) {
        free(hit->items[i].name);
        free(hit->items[i].value);
    }
    free(hit->items);
    *hit = (struct rule_hit){0};
}
