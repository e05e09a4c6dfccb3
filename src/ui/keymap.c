#include "ui/keymap_own.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char global_section[] = "global";

bool keymap_next_name(const char **list, char name[KEY_NAME_MAX]) {
    size_t len;

    *list += strspn(*list, " ");
    len = strcspn(*list, " ");
    if (len == 0 || len >= KEY_NAME_MAX)
        return false;
    memcpy(name, *list, len);
    name[len] = '\0';
    *list += len;
    return true;
}

struct keymap *keymap_new(const struct action *actions, size_t n) {
    struct keymap *keymap = mem_new(sizeof *keymap);

    keymap->actions = actions;
    keymap->n_actions = n;
    for (size_t i = 0; i < n; i++) {
        const char *list = actions[i].keys;
        char name[KEY_NAME_MAX];
        int32_t key;
        while (keymap_next_name(&list, name))
            if (input_key_parse(name, &key))
                *vec_add(&keymap->bindings) = (struct binding){.action = i, .key = key};
    }
    return keymap;
}

void keymap_free(struct keymap *keymap) {
    if (!keymap)
        return;
    free(keymap->bindings.items);
    free(keymap);
}

static const struct binding *find_in(const struct keymap *keymap, const char *section, int32_t key) {
    for (size_t i = 0; i < keymap->bindings.n; i++) {
        const struct binding *binding = &keymap->bindings.items[i];
        if (binding->key == key && strcmp(keymap->actions[binding->action].section, section) == 0)
            return binding;
    }
    return NULL;
}

int keymap_find(const struct keymap *keymap, const char *section, int32_t key) {
    const struct binding *binding = find_in(keymap, section, key);

    if (!binding)
        binding = find_in(keymap, global_section, key);
    return !binding ? -1 : keymap->actions[binding->action].id;
}

static void keymap_add_keys(const struct keymap *keymap, int action, size_t max, struct str *out) {
    size_t found = 0;

    for (size_t i = 0; i < keymap->bindings.n && found < max; i++) {
        const struct binding *binding = &keymap->bindings.items[i];
        if (keymap->actions[binding->action].id == action) {
            str_add(out, found++ > 0 ? ", " : "");
            input_key_name(binding->key, out);
        }
    }
}

void keymap_key(const struct keymap *keymap, int action, struct str *out) {
    keymap_add_keys(keymap, action, 1, out);
}

void keymap_keys(const struct keymap *keymap, int action, struct str *out) {
    keymap_add_keys(keymap, action, SIZE_MAX, out);
}

const struct action *keymap_actions(const struct keymap *keymap, size_t *n) {
    *n = keymap->n_actions;
    return keymap->actions;
}

static bool keymap_check_names(const struct action *action, struct str *report) {
    const char *list = action->keys;
    char name[KEY_NAME_MAX];
    int32_t key;
    bool good = true;

    while (keymap_next_name(&list, name)) {
        if (!input_key_parse(name, &key)) {
            str_addf(report, "%s %s: no such key: %s\n", action->section, action->name, name);
            good = false;
        }
    }
    if (*list != '\0') {
        str_addf(report, "%s %s: a key name is too long\n", action->section, action->name);
        good = false;
    }
    return good;
}

bool keymap_check(const struct action *actions, size_t n, struct str *report) {
    struct keymap *keymap = keymap_new(actions, n);
    bool good = true;

    for (size_t i = 0; i < n; i++)
        good = keymap_check_names(&actions[i], report) && good;
    for (size_t i = 0; i < keymap->bindings.n; i++) {
        const struct binding *binding = &keymap->bindings.items[i];
        const struct action *action = &actions[binding->action];
        const struct binding *first = find_in(keymap, action->section, binding->key);
        if (first != binding) {
            str_addf(report, "%s %s: ", action->section, action->name);
            input_key_name(binding->key, report);
            str_addf(report, " is taken by %s\n", actions[first->action].name);
            good = false;
        }
    }
    keymap_free(keymap);
    return good;
}
