#include "wire/page.h"

#include "base/utf8.h"
#include "scan.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 2 };

/* Checked behind a letter, so that a mark has a base. */
static bool is_quiet(const char *s, size_t len) {
    char pair[5] = {'a'};
    memcpy(pair + 1, s, len);
    return utf8_is_clean(pair, len + 1);
}

static void compact_add_escape(struct str *out, int32_t cp) {
    if (cp > 0xFFFF) {
        str_addf(out, "\\u%04" PRIx32, (uint32_t)(0xD800 + ((cp - 0x10000) >> 10)));
        cp = 0xDC00 + ((cp - 0x10000) & 0x3FF);
    }
    str_addf(out, "\\u%04" PRIx32, (uint32_t)cp);
}

static void add_escaped(struct str *out, const char *s, size_t len, bool all) {
    for (size_t at = 0, taken; at < len; at += taken) {
        int32_t cp;
        taken = utf8_decode(s + at, len - at, &cp);
        if (cp < 0x7F || (!all && cp != UTF8_REPLACEMENT && is_quiet(s + at, taken)))
            str_add_n(out, s + at, taken);
        else
            compact_add_escape(out, cp);
    }
}

/* A token whose bytes a terminal may see: the same value, with \u escapes where it must be. */
static void add_safe(struct str *out, const char *s, size_t len) {
    if (utf8_is_clean(s, len)) {
        str_add_n(out, s, len);
        return;
    }
    size_t start = out->len;
    add_escaped(out, s, len, false);
    /* Too many marks on one letter are each clean by themselves. */
    if (!utf8_is_clean(out->s + start, out->len - start)) {
        str_delete(out, start, out->len - start);
        add_escaped(out, s, len, true);
    }
}

static bool is_valid(const char *raw, size_t len) {
    struct wire_walk walk;
    enum wire_event found;
    wire_walk_init(&walk, raw, len);
    do
        found = wire_walk_next(&walk);
    while (found != WALK_END && found != WALK_BAD);
    return found == WALK_END;
}

void wire_compact(struct str *out, const char *raw, size_t len, bool escape_controls) {
    struct wire_scan scan;
    if (!is_valid(raw, len)) {
        utf8_sanitise(out, raw, len);
        return;
    }
    wire_scan_init(&scan, raw, len);
    while (wire_scan_next(&scan) != TOKEN_END)
        if (escape_controls)
            add_safe(out, raw + scan.start, scan.at - scan.start);
        else
            str_add_n(out, raw + scan.start, scan.at - scan.start);
}

static void compact_new_line(struct str *out, int depth) {
    str_add_char(out, '\n');
    str_add_repeat(out, ' ', (size_t)depth * INDENT);
}

void wire_pretty(struct str *out, const char *raw, size_t len) {
    struct wire_walk walk;
    enum wire_event found, before = WALK_END;
    if (!is_valid(raw, len)) {
        utf8_sanitise_lines(out, raw, len);
        return;
    }
    wire_walk_init(&walk, raw, len);
    for (; (found = wire_walk_next(&walk)) != WALK_END; before = found) {
        bool after_value = before == WALK_SCALAR || before == WALK_CLOSE;
        if (found == WALK_CLOSE && before != WALK_OPEN)
            compact_new_line(out, walk.depth);
        if (found != WALK_CLOSE && after_value)
            str_add_char(out, ',');
        if (found != WALK_CLOSE && (after_value || before == WALK_OPEN))
            compact_new_line(out, walk.depth - (found == WALK_OPEN));
        add_safe(out, raw + walk.start, walk.end - walk.start);
        if (found == WALK_KEY)
            str_add(out, ": ");
    }
}

/* Any bytes as a JSON string in ASCII. */
static void add_string(struct str *out, const char *s, size_t len) {
    str_add_char(out, '"');
    for (size_t at = 0, taken; at < len; at += taken) {
        int32_t cp;
        taken = utf8_decode(s + at, len - at, &cp);
        if (cp == '"' || cp == '\\')
            str_addf(out, "\\%c", (char)cp);
        else if (cp < 0x20 || cp >= 0x7F)
            compact_add_escape(out, cp);
        else
            str_add_char(out, (char)cp);
    }
    str_add_char(out, '"');
}

void wire_intent_line(struct str *out, const struct intent *intent, bool escape_controls) {
    const char *raw = intent->raw ? intent->raw : "null", *id = intent->id.text;
    size_t len = intent->raw ? intent->raw_len : strlen("null");
    if (!intent->broken) {
        wire_compact(out, raw, len, escape_controls);
        return;
    }
    str_add(out, "{");
    if (id) {
        str_add(out, "\"id\":");
        add_string(out, id, strlen(id));
        str_add(out, ",");
    }
    str_add(out, "\"broken\":");
    add_string(out, intent->broken, strlen(intent->broken));
    str_add(out, ",\"raw\":");
    add_string(out, raw, len);
    str_add(out, "}");
}
