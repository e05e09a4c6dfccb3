#include "ui/theme.h"

#include "ui/theme_colour.h"
#include "ui/theme_table.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DOCUMENTS_MAX = 8, PALETTE_NAME_MAX = 32, PALETTE_COLOURS_MAX = 4, DOCUMENT_MAX = 256 * 1024, QUOTED_MAX = 60 };

struct slice {
    const char *s;
    size_t len;
};

/* One text of the chain: the theme, those that it inherits, and last the built-in one. */
struct document {
    const char *name;
    struct slice text;
    struct str room; /* of an inherited text and name */
};

struct tint { /* palette.NAME */
    struct slice name;
    struct theme_colour colours[PALETTE_COLOURS_MAX];
    int n;
};

struct loader {
    struct theme *theme;
    struct str *report;
    struct document documents[DOCUMENTS_MAX];
    int n_documents;
    struct {
        struct tint *items;
        size_t n, cap;
    } palette;
};

struct line {
    const struct document *document;
    int number;
    struct slice key, value;
    bool well_formed;
};

static bool theme_load_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static struct slice theme_load_trim(const char *s, size_t len) {
    while (len > 0 && theme_load_is_blank(s[0])) {
        s++;
        len--;
    }
    while (len > 0 && theme_load_is_blank(s[len - 1]))
        len--;
    return (struct slice){s, len};
}

static bool theme_load_is(struct slice slice, const char *text) {
    return slice.len == strlen(text) && memcmp(slice.s, text, slice.len) == 0;
}

static bool theme_load_has_prefix(struct slice slice, const char *prefix) {
    size_t len = strlen(prefix);

    return slice.len > len && memcmp(slice.s, prefix, len) == 0;
}

/* Cuts the part before the first `separator` off *rest, trimmed; false at the end. */
static bool theme_load_next_part(struct slice *rest, char separator, struct slice *part) {
    const char *end;

    if (!rest->s)
        return false;
    end = memchr(rest->s, separator, rest->len);
    *part = theme_load_trim(rest->s, !end ? rest->len : (size_t)(end - rest->s));
    rest->len = !end ? 0 : rest->len - (size_t)(end + 1 - rest->s);
    rest->s = !end ? NULL : end + 1;
    return true;
}

static bool next_word(struct slice *rest, struct slice *word) {
    size_t len = 0;

    *rest = theme_load_trim(rest->s, rest->len);
    while (len < rest->len && !theme_load_is_blank(rest->s[len]))
        len++;
    *word = (struct slice){rest->s, len};
    rest->s += len;
    rest->len -= len;
    return len > 0;
}

/* The next line that says something: comments and blank lines are stepped over. */
static bool next_line(struct slice *rest, struct line *line) {
    struct slice text;

    while (theme_load_next_part(rest, '\n', &text)) {
        const char *equals;
        line->number++;
        if (text.len == 0 || text.s[0] == '#')
            continue;
        equals = memchr(text.s, '=', text.len);
        line->well_formed = equals != NULL;
        line->key = text;
        line->value = (struct slice){0};
        if (equals) {
            line->key = theme_load_trim(text.s, (size_t)(equals - text.s));
            line->value = theme_load_trim(equals + 1, text.len - (size_t)(equals + 1 - text.s));
        }
        return true;
    }
    return false;
}

static void theme_load_fault(struct loader *loader, const struct line *line, const char *reason, struct slice what) {
    struct str quoted;

    str_init(&quoted, (size_t)QUOTED_MAX * 4);
    utf8_sanitise(&quoted, !what.s ? "" : what.s, what.len > QUOTED_MAX ? QUOTED_MAX : what.len);
    str_addf(loader->report, "%s:%d: %s", line->document->name, line->number, reason);
    str_addf(loader->report, quoted.len > 0 ? ": %s\n" : "%s\n", quoted.s);
    str_clear(&quoted);
}

static const struct tint *find_tint(const struct loader *loader, struct slice name) {
    for (size_t i = 0; i < loader->palette.n; i++) {
        const struct tint *tint = &loader->palette.items[i];
        if (tint->name.len == name.len && memcmp(tint->name.s, name.s, name.len) == 0)
            return tint;
    }
    return NULL;
}

/* One alternative of a role, with the v-th colour of each palette name in it; *variants grows to the longest palette
 * entry met. */
struct alternative {
    struct theme_style style;
    bool plain, named; /* "plain", any attribute word */
    int v, variants;
};

static bool parse_colour(struct loader *loader, const struct line *line, struct slice word, struct alternative *out,
                         struct theme_colour *colour) {
    const struct tint *tint;

    if (word.len > 0 && word.s[0] == '$') {
        tint = find_tint(loader, (struct slice){word.s + 1, word.len - 1});
        if (!tint) {
            theme_load_fault(loader, line, "no such palette name", word);
            return false;
        }
        out->variants = tint->n > out->variants ? tint->n : out->variants;
        *colour = tint->colours[out->v < tint->n ? out->v : tint->n - 1];
        return true;
    }
    if (!colour_parse(word.s, word.len, colour)) {
        theme_load_fault(loader, line, "neither an attribute nor a colour", word);
        return false;
    }
    return true;
}

static unsigned attribute(struct slice word) {
    static const struct {
        const char *name;
        unsigned bit;
    } table[] = {{"bold", THEME_BOLD},
                 {"dim", THEME_DIM},
                 {"reverse", THEME_REVERSE},
                 {"underline", THEME_UNDERLINE},
                 {"italic", THEME_ITALIC}};

    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (theme_load_is(word, table[i].name))
            return table[i].bit;
    return 0;
}

static bool parse_alternative(struct loader *loader, const struct line *line, struct slice text,
                              struct alternative *out) {
    struct slice word;
    bool on = false, fg = false, bg = false;

    while (next_word(&text, &word)) {
        unsigned bit = attribute(word);
        if (bit != 0 || theme_load_is(word, "plain")) {
            out->named = true;
            out->style.attributes |= bit;
        } else if (theme_load_is(word, "on") && !on) {
            on = true;
        } else if (on ? bg : fg) {
            theme_load_fault(loader, line, "more than one colour", word);
            return false;
        } else if (!parse_colour(loader, line, word, out, on ? &out->style.bg : &out->style.fg)) {
            return false;
        } else {
            *(on ? &bg : &fg) = true;
        }
    }
    if (on && !bg) {
        theme_load_fault(loader, line, "no colour after \"on\"", (struct slice){0});
        return false;
    }
    return out->named || fg || bg || (theme_load_fault(loader, line, "empty alternative", (struct slice){0}), false);
}

/* Attributes carry over to alternatives that name none: "bold #d70000 | red" is bold in both. */
static bool parse_look(struct loader *loader, const struct line *line, struct theme_look *look) {
    struct slice rest = line->value, part;
    unsigned attributes = 0;

    while (theme_load_next_part(&rest, '|', &part)) {
        struct alternative made = {.variants = 1};
        for (int v = 0; v < made.variants; v++) {
            made = (struct alternative){.v = v, .variants = made.variants};
            if (!parse_alternative(loader, line, part, &made))
                return false;
            if (look->n == THEME_ALTERNATIVES_MAX) {
                theme_load_fault(loader, line, "too many alternatives", (struct slice){0});
                return false;
            }
            attributes = made.named ? made.style.attributes : attributes;
            made.style.attributes = attributes;
            look->styles[look->n++] = made.style;
        }
    }
    return true;
}

static void set_role(struct loader *loader, const struct line *line) {
    struct theme_look look = {0};
    char name[64] = "";
    int role = -1;

    if (line->key.len < sizeof name) {
        memcpy(name, line->key.s, line->key.len);
        role = role_find(name);
    }
    if (role < 0)
        theme_load_fault(loader, line, "unknown role", line->key);
    else if (parse_look(loader, line, &look))
        loader->theme->looks[role] = look;
}

static void set_palette(struct loader *loader, const struct line *line) {
    struct tint tint = {.name = {line->key.s + 8, line->key.len - 8}};
    struct slice rest = line->value, part;
    struct tint *old;

    while (theme_load_next_part(&rest, '|', &part)) {
        if (tint.n == PALETTE_COLOURS_MAX || !colour_parse(part.s, part.len, &tint.colours[tint.n])) {
            theme_load_fault(loader, line, tint.n == PALETTE_COLOURS_MAX ? "too many alternatives" : "no such colour",
                             part);
            return;
        }
        tint.n++;
    }
    old = (struct tint *)find_tint(loader, tint.name);
    *(old ? old : vec_add(&loader->palette)) = tint;
}

static bool is_symbol_text(struct slice word) {
    return word.len < THEME_SYMBOL_MAX && utf8_is_clean(word.s, word.len) && utf8_cells(word.s, word.len) == 1;
}

static bool theme_load_is_ascii(struct slice word) {
    return word.len == 1 && word.s[0] > ' ' && word.s[0] < 0x7f;
}

/* sym.NAME = UNICODE [ASCII]; a single ASCII character serves for both. */
static void set_symbol(struct loader *loader, const struct line *line) {
    struct slice name = {line->key.s + 4, line->key.len - 4}, rest = line->value, first, second;
    int found = -1;

    for (int i = 0; i < SYMBOL_COUNT; i++)
        found = theme_load_is(name, symbol_name((enum symbol)i)) ? i : found;
    if (found < 0) {
        theme_load_fault(loader, line, "unknown symbol", name);
        return;
    }
    if (!next_word(&rest, &first) || !is_symbol_text(first)) {
        theme_load_fault(loader, line, "a symbol is one character of one cell", first);
        return;
    }
    second = first;
    if (next_word(&rest, &second) && !theme_load_is_ascii(second)) {
        theme_load_fault(loader, line, "the second form of a symbol is one ASCII character", second);
        return;
    }
    memcpy(loader->theme->symbols[found][0], first.s, first.len);
    loader->theme->symbols[found][0][first.len] = '\0';
    second = second.len > 0 ? second : first;
    if (theme_load_is_ascii(second)) {
        loader->theme->symbols[found][1][0] = second.s[0];
        loader->theme->symbols[found][1][1] = '\0';
    }
}

static void set_background(struct loader *loader, const struct line *line) {
    static const char *const words[] = {"any", "dark", "light"};

    for (unsigned i = 0; i < COUNT_OF(words); i++) {
        if (theme_load_is(line->value, words[i])) {
            loader->theme->background = (enum theme_background)i;
            return;
        }
    }
    theme_load_fault(loader, line, "background is dark, light or any", line->value);
}

static void apply_line(struct loader *loader, const struct line *line) {
    if (!line->well_formed)
        theme_load_fault(loader, line, "no \"=\" in this line", line->key);
    else if (theme_load_is(line->key, "inherit") || theme_load_has_prefix(line->key, "palette."))
        return;
    else if (theme_load_is(line->key, "background"))
        set_background(loader, line);
    else if (theme_load_has_prefix(line->key, "sym."))
        set_symbol(loader, line);
    else
        set_role(loader, line);
}

static void add_document(struct loader *loader, const char *name, const char *text, size_t len) {
    struct document *document = &loader->documents[loader->n_documents++];

    *document = (struct document){.name = name, .text = {text, len}};
    str_init(&document->room, DOCUMENT_MAX);
}

static bool is_in_chain(const struct loader *loader, struct slice name) {
    for (int i = 0; i < loader->n_documents; i++)
        if (theme_load_is(name, loader->documents[i].name))
            return true;
    return false;
}

static bool theme_load_is_name(struct slice word) {
    return word.len > 0 && word.len <= QUOTED_MAX && utf8_is_clean(word.s, word.len);
}

/* Adds the theme that the line names. Its name is stored behind its text, in the same buffer. */
static void inherit(struct loader *loader, const struct theme_source *source, const struct line *line) {
    struct str name, text;
    struct document *document;
    size_t len;

    if (loader->n_documents >= DOCUMENTS_MAX - 1 || is_in_chain(loader, line->value)) {
        theme_load_fault(loader, line, "themes inherit in a circle", line->value);
        return;
    }
    str_init(&name, QUOTED_MAX);
    str_init(&text, DOCUMENT_MAX - QUOTED_MAX - 1);
    str_add_n(&name, line->value.s, line->value.len);
    if (!theme_load_is_name(line->value) || !source->find || !source->find(source->context, name.s, &text)) {
        theme_load_fault(loader, line, "no such theme", line->value);
    } else {
        len = text.len;
        document = &loader->documents[loader->n_documents];
        add_document(loader, "", "", 0);
        str_add_n(&document->room, text.s, len);
        str_add_char(&document->room, '\0');
        str_add(&document->room, name.s);
        document->text = (struct slice){document->room.s, len};
        document->name = document->room.s + len + 1;
    }
    str_clear(&text);
    str_clear(&name);
}

static void gather(struct loader *loader, const struct theme_source *source) {
    add_document(loader, source->name, source->text, source->len);
    for (int i = 0; i < loader->n_documents; i++) {
        struct slice rest = loader->documents[i].text;
        struct line line = {.document = &loader->documents[i]};
        bool inherits = false;
        while (next_line(&rest, &line)) {
            if (!line.well_formed || !theme_load_is(line.key, "inherit"))
                continue;
            if (inherits)
                theme_load_fault(loader, &line, "a second inherit line; the first holds", line.value);
            else
                inherit(loader, source, &line);
            inherits = true;
        }
    }
    if (source->text != theme_builtin)
        add_document(loader, "terminal", theme_builtin, strlen(theme_builtin));
}

/* First palettes, then roles, each over the whole chain from its base: a theme may change a colour of the one that it
 * inherits, and the inherited roles use it. */
static void theme_load_apply(struct loader *loader, bool palettes) {
    for (int i = loader->n_documents - 1; i >= 0; i--) {
        struct slice rest = loader->documents[i].text;
        struct line line = {.document = &loader->documents[i]};
        while (next_line(&rest, &line))
            if (!palettes)
                apply_line(loader, &line);
            else if (line.well_formed && theme_load_has_prefix(line.key, "palette."))
                set_palette(loader, &line);
    }
}

struct theme *theme_load(const struct theme_source *source, struct str *report) {
    struct loader loader = {.theme = mem_new(sizeof *loader.theme), .report = report};

    gather(&loader, source);
    theme_load_apply(&loader, true);
    theme_load_apply(&loader, false);
    for (int i = 0; i < loader.n_documents; i++)
        str_clear(&loader.documents[i].room);
    free(loader.palette.items);
    return loader.theme;
}
