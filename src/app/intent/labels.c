#include "app/labels.h"

#include "app/idset.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Names of values too long for their column. Two values that look the same when cut get names that differ: the first
 * keeps the plain cut, the next shows more of its end, and where all of that is the same too, a number. A name stays
 * until the width of the column or the list changes, so that scrolling renames nothing. Tried and left: widening the
 * column for such values drops other columns for one long value, and a service can send values of any length. */

enum { LABELS_MOST = 4096, NUMBER_MOST = 999 };

void labels_reset(struct labels *labels) {
    arena_clear(&labels->arena);
    labels->n = 0;
    if (labels->names) {
        idset_reset(labels->names);
        idset_reset(labels->taken);
    }
}

void labels_clear(struct labels *labels) {
    arena_clear(&labels->arena);
    idset_free(labels->names);
    idset_free(labels->taken);
    free(labels->items);
    *labels = (struct labels){0};
}

static void labels_begin(struct labels *labels, int width) {
    if (!labels->names) {
        labels->names = idset_new();
        labels->taken = idset_new();
    }
    if (labels->width != width || labels->n >= LABELS_MOST)
        labels_reset(labels);
    labels->width = width;
}

static void labels_add_head(struct str *out, const char *value, size_t len, int cells) {
    str_add_n(out, value, utf8_cut(value, len, cells, NULL));
}

/* A cut of the value that keeps `tail` cells of its end behind the sign; 0: no end. */
static void labels_cut(struct str *out, const struct label_value *value, int width, int tail) {
    str_reset(out);
    labels_add_head(out, value->text, value->len, width - 1 - tail);
    str_add(out, value->sign);
    utf8_last(out, value->text, value->len, tail);
}

/* The sign and a number, and as much of the value as there is room for: of an identifier its end. */
static void labels_number(struct str *out, const struct label_value *value, int width, int n) {
    struct str digits;
    str_init(&digits, 16);
    str_addf(&digits, "%d", n);
    int room = width - 1 - (int)digits.len;
    str_reset(out);
    if (value->end) {
        str_addf(out, "%s%s", digits.s, value->sign);
        utf8_last(out, value->text, value->len, room > 0 ? room : 0);
    } else {
        labels_add_head(out, value->text, value->len, room > 0 ? room : 0);
        str_addf(out, "%s%s", value->sign, digits.s);
    }
    str_clear(&digits);
}

static bool is_free(const struct labels *labels, const struct str *name) {
    return utf8_cells(name->s, name->len) <= labels->width && idset_find(labels->taken, name->s, name->len) == SIZE_MAX;
}

static void labels_choose(const struct labels *labels, const struct label_value *value, struct str *out) {
    int width = labels->width;
    if (value->end)
        labels_cut(out, value, width, width - 1);
    else
        labels_cut(out, value, width, 0);
    for (int tail = 1; !value->end && tail < width - 1 && !is_free(labels, out); tail++)
        labels_cut(out, value, width, tail);
    for (int n = 2; n <= NUMBER_MOST && !is_free(labels, out); n++)
        labels_number(out, value, width, n);
}

/* A value that fits is shown whole. A name given before that looks the same has to be given again. */
static void keep_whole(struct labels *labels, const struct label_value *value) {
    size_t place = idset_find(labels->taken, value->text, value->len);
    if (place != SIZE_MAX && place < labels->n) {
        labels_reset(labels);
        labels->again = true;
    }
    (void)idset_put(labels->taken, value->text, value->len, LABELS_MOST);
}

void labels_fit(struct labels *labels, const struct label_value *value, int width, struct str *out) {
    labels_begin(labels, width);
    if (utf8_cells(value->text, value->len) <= width) {
        if (strstr(value->text, value->sign))
            keep_whole(labels, value);
        str_add_n(out, value->text, value->len);
        return;
    }
    size_t place = idset_find(labels->names, value->text, value->len);
    if (place == SIZE_MAX) {
        struct str name;
        str_init(&name, 1024);
        labels_choose(labels, value, &name);
        place = labels->n;
        *vec_add(labels) = (struct label){arena_dup_n(&labels->arena, name.s, name.len),
                                          arena_dup_n(&labels->arena, value->text, value->len)};
        (void)idset_put(labels->names, value->text, value->len, place);
        (void)idset_put(labels->taken, name.s, name.len, place);
        str_clear(&name);
    }
    str_add(out, labels->items[place].name);
}
