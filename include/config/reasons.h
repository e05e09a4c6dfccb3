#ifndef CONFIG_REASONS_H
#define CONFIG_REASONS_H
/* What a decline means: the operator's file `reasons`, a section for each code that the service gives, with its
 * meaning, what to tell the customer, and what to do. Read once at start. */

#include "base/str.h"

/*  code, name in the file, label on the screen and in a hand-over */
#define REASON_TEXT_TABLE(X)         \
    X(MEANING, "meaning", "means")   \
    X(TELL, "tell", "tell customer") \
    X(DO, "do", "what to do")
enum reason_text {
#define X(code, name, label) REASON_##code,
    REASON_TEXT_TABLE(X)
#undef X
        REASON_TEXT_COUNT
};
const char *reason_label(enum reason_text text);

struct reason {
    char *code;
    char *texts[REASON_TEXT_COUNT]; /* NULL: not given; of a reason that is found, the meaning is */
    int line;
};

struct reasons {
    struct reason *items;
    size_t n, cap;
    bool there; /* the operator has such a file */
};

/* Faults are lines of report; the rest applies. name: of the file, for them. */
void reasons_parse(struct reasons *reasons, const char *name, const char *text, struct str *report);
void reasons_load(struct reasons *reasons, struct str *report);
void reasons_clear(struct reasons *reasons);
/* NULL where reasons or code is, or there is no such code. */
const struct reason *reasons_find(const struct reasons *reasons, const char *code);

/* With the codes of the sandbox. `config init` writes it, and the demo uses it. */
extern const char reasons_sample[];

#endif
