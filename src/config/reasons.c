#include "config/reasons.h"

#include "config/keys.h"
#include "config/near.h"
#include "config/own.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Embeds the file itself, so that what is installed and what is written cannot differ. make runs at the root. */
__asm__(".pushsection .rodata\n"
        ".global reasons_sample\n"
        ".type reasons_sample, %object\nreasons_sample:\n"
        ".incbin \"src/config/reasons.sample\"\n"
        ".byte 0\n"
        ".size reasons_sample, . - reasons_sample\n"
        ".popsection\n");

enum { REASONS_MAX = 2000, REASON_TEXT_MAX = 1000 };

static const char *const NAMES[] = {
#define X(code, name, label) name,
    REASON_TEXT_TABLE(X)
#undef X
};

const char *reason_label(enum reason_text text) {
    static const char *const LABELS[] = {
#define X(code, name, label) label,
        REASON_TEXT_TABLE(X)
#undef X
    };
    return LABELS[text];
}

const struct reason *reasons_find(const struct reasons *reasons, const char *code) {
    for (size_t i = 0; reasons && code && i < reasons->n; i++)
        if (str_equal(reasons->items[i].code, code))
            return &reasons->items[i];
    return NULL;
}

static bool reasons_begin(struct reasons *reasons, const struct own_line *line, struct str *reason) {
    const struct reason *before = reasons_find(reasons, line->section);
    if (before)
        str_addf(reason, "a second section for %s, the first is on line %d", line->section, before->line);
    else if (reasons->n == REASONS_MAX)
        str_addf(reason, "there are more than %d codes", REASONS_MAX);
    else
        *vec_add(reasons) = (struct reason){.code = mem_dup(line->section), .line = line->number};
    return reason->len == 0;
}

static bool reasons_take(void *context, const struct own_line *line, struct str *reason) {
    struct reasons *reasons = context;
    size_t at = 0;
    if (line->faulty)
        return true; /* it cost itself alone */
    if (!line->name)
        return reasons_begin(reasons, line, reason);
    while (at < REASON_TEXT_COUNT && !str_equal(NAMES[at], line->name))
        at++;
    char **text = &reasons->items[reasons->n - 1].texts[at < REASON_TEXT_COUNT ? at : 0];
    const char *near = at < REASON_TEXT_COUNT ? NULL : near_word(line->name, NAMES, COUNT_OF(NAMES));
    if (near)
        str_addf(reason, "unknown name %s; did you mean %s?", line->name, near);
    else if (at == REASON_TEXT_COUNT)
        str_addf(reason, "unknown name %s; they are meaning, tell and do", line->name);
    else if (*text)
        str_addf(reason, "%s is given twice for %s", line->name, line->section);
    else if (strlen(line->value) > REASON_TEXT_MAX)
        str_addf(reason, "%s is longer than %d bytes", line->name, REASON_TEXT_MAX);
    else
        *text = mem_dup(line->value);
    return reason->len == 0;
}

static void reason_clear(struct reason *reason) {
    free(reason->code);
    for (size_t i = 0; i < REASON_TEXT_COUNT; i++)
        free(reason->texts[i]);
}

/* A code without a meaning says nothing, so it is not there. */
static void reasons_drop_empty(struct reasons *reasons, const char *name, struct str *report) {
    size_t kept = 0;
    for (size_t i = 0; i < reasons->n; i++) {
        struct reason *reason = &reasons->items[i];
        if (reason->texts[REASON_MEANING]) {
            reasons->items[kept++] = *reason;
        } else {
            own_fault(report, name, reason->line, "the section has no meaning = ...");
            reason_clear(reason);
        }
    }
    reasons->n = kept;
}

void reasons_parse(struct reasons *reasons, const char *name, const char *text, struct str *report) {
    (void)own_sections(name, text, reasons_take, reasons, report);
    reasons_drop_empty(reasons, name, report);
}

void reasons_load(struct reasons *reasons, struct str *report) {
    struct str text;
    str_init(&text, OWN_FILE_MAX + 1);
    reasons->there = own_read("reasons", &text, report);
    reasons_parse(reasons, "reasons", text.s, report);
    str_clear(&text);
}

void reasons_clear(struct reasons *reasons) {
    for (size_t i = 0; i < reasons->n; i++)
        reason_clear(&reasons->items[i]);
    free(reasons->items);
    *reasons = (struct reasons){0};
}
