#include "config/keys.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum { WRAP = 100 };

/* The help text as comment lines under an indent. */
static void add_comment(struct str *out, const char *indent, const char *text) {
    while (*text) {
        size_t n = strlen(text);
        if (n > WRAP) {
            n = WRAP;
            while (n > 0 && text[n] != ' ')
                n--;
        }
        str_addf(out, "%s# %.*s\n", indent, (int)n, text);
        text += n + strspn(text + n, " ");
    }
}

static void sample_add_keys(struct str *out, const char *indent, enum key_section section) {
    size_t n;
    const struct key *keys = keys_of(section, &n);
    for (size_t i = 0; i < n; i++) {
        add_comment(out, indent, keys[i].help);
        if (!keys[i].fallback)
            add_comment(out, indent, "It must be given.");
        str_addf(out, "%s%s%s = ", indent, keys[i].sample ? "" : "# ", keys[i].name);
        if (keys[i].sample)
            str_add(out, keys[i].sample);
        else
            key_print_value(&keys[i], keys[i].fallback, out);
        str_add(out, "\n\n");
    }
}

void config_sample(struct str *out) {
    str_add(out, "# Configuration of bursar. Texts, paths and addresses stand in single quotes; # begins a comment.\n"
                 "# A line that is a comment shows the default. Check with: bursar config check\n\n");
    sample_add_keys(out, "", SECTION_ROOT);
    str_add(out, "# One block for each account. Its name is that of --profile and of the cache's file.\n"
                 "profile sandbox {\n");
    sample_add_keys(out, "  ", SECTION_PROFILE);
    str_add(out, "  # What the interface's document leaves open.\n  api {\n");
    sample_add_keys(out, "    ", SECTION_API);
    str_add(out, "  }\n}\n");
}

static void describe_values(const struct key *key, char *out, size_t size) {
    const char *text = key->kind == KEY_LIST ? "{TEXT, ...}" : key->kind == KEY_FLAG ? "true|false" : "TEXT";
    if (key->kind == KEY_NUMBER)
        (void)snprintf(out, size, "%d-%d", key->min, key->max);
    else
        (void)snprintf(out, size, "%s", key->words ? key->words : text);
    for (char *at = out; key->words && *at; at++)
        if (*at == ' ')
            *at = '|';
}

bool config_key(size_t index, struct config_key *out) {
    for (int section = 0; section < SECTION_COUNT; section++) {
        size_t n;
        const struct key *keys = keys_of((enum key_section)section, &n);
        if (index >= n) {
            index -= n;
            continue;
        }
        const struct key *key = &keys[index];
        *out = (struct config_key){.section = key_section_name((enum key_section)section),
                                   .name = key->name,
                                   .required = key->fallback == NULL,
                                   .help = key->help};
        describe_values(key, out->values, sizeof out->values);
        struct str fallback;
        str_init(&fallback, sizeof out->fallback - 1);
        key_print_value(key, key->fallback ? key->fallback : "", &fallback);
        memcpy(out->fallback, fallback.s, fallback.len + 1);
        str_clear(&fallback);
        return true;
    }
    return false;
}
