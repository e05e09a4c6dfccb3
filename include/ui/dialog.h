#ifndef UI_DIALOG_H
#define UI_DIALOG_H
/* Boxes over the screen: a message or question, a choice list with check marks (the facet picker), a scrolling text
 * (help, raw JSON). Each is a struct with a draw and a key function; none holds the loop. A dialog that no longer fits
 * is closed, never answered. */

#include "base/mem.h"
#include "ui/canvas.h"
#include "ui/edit.h"
#include "ui/input.h"

enum dialog_result { DIALOG_OPEN, DIALOG_IGNORED, DIALOG_DONE, DIALOG_CANCELLED };

/* Question with buttons; `selected` starts on the safe one. */
struct confirm {
    const char *title;
    const char *text; /* lines separated by '\n' */
    const char *const *buttons;
    int n_buttons, selected;
    enum role role; /* of the title: ROLE_ENV_PRODUCTION, ROLE_WARN ... */
};
/* Left and Right choose, Enter answers (DIALOG_DONE), Esc and Ctrl-C cancel. */
void confirm_draw(const struct confirm *confirm, struct canvas *canvas, struct rect within);
enum dialog_result confirm_key(struct confirm *confirm, int32_t key);
/* False where not all of its text and buttons would be seen: the owner closes it unanswered. */
bool confirm_fits(const struct confirm *confirm, struct rect within);

/* A list to choose from: one (Enter) or many (Space toggles, Enter applies). Typing narrows by substring (a first '/'
 * is taken as the start of it); Esc drops the narrowing, then cancels. */
struct choice {
    const char *label;
    const char *group; /* heading above the first of its group, or NULL */
    const char *text;  /* what is said of it, in a column of its own; may be NULL */
    const char *note;  /* right-hand text, e.g. a count; may be NULL */
    bool checked;
    enum role role;
    const char *also; /* where narrowing is fuzzy: further words that find it; may be NULL */
};
/* Choices being made, and the arena of their texts. */
struct choices {
    struct choice *items;
    size_t n, cap;
    struct arena arena;
};
void choices_clear(struct choices *choices);

struct picker {
    const char *title;
    struct choice *choices; /* borrowed; checked is written */
    size_t n;
    bool many;
    const char *const *also; /* of each choice: further words that find it, folded, separated by line ends; or NULL */
    bool ranked;             /* narrowing puts whole words and beginnings first */
    bool fuzzy;              /* narrowing takes letters in order and words of the text, and puts the best first */
    size_t cursor, top;      /* cursor: index into choices; top: line of the narrowed list */
    int visible_rows;
    struct edit narrow;
    bool narrowing;
};
void picker_init(struct picker *picker, const char *title, struct choice *choices, size_t n, bool many);
void picker_clear(struct picker *picker);
void picker_draw(struct picker *picker, struct canvas *canvas, struct rect within);
enum dialog_result picker_key(struct picker *picker, int32_t key);
enum edit_result picker_paste(struct picker *picker, const char *text); /* into what narrows */

/* Read-only lines with a role each; scrolling and searching (/ n N). The detail pane, help and raw JSON stand on it. */
struct text_line {
    const char *label; /* drawn with ROLE_KEY in a column of its own; "" leaves the column blank, NULL has none */
    const char *text;
    enum role role;
    int indent;                     /* cells */
    int labels;                     /* cells of the label's column; 0: as wide as the widest label of all */
    const struct text_line *beside; /* in a second column, which begins at beside_at; NULL: none */
    int beside_at;
};
struct pager {
    const struct text_line *lines; /* borrowed until the next pager_set */
    size_t n;
    size_t top;
    int left, visible_rows;
    struct edit search;
    bool searching;
    size_t hit; /* line of the current hit, n where none */
};
void pager_init(struct pager *pager);
void pager_clear(struct pager *pager);
/* keep_position: scroll, column and search stay, as far as the new lines go. */
void pager_set(struct pager *pager, const struct text_line *lines, size_t n, bool keep_position);
void pager_draw(struct pager *pager, struct canvas *canvas, struct rect area, bool focused);
/* DIALOG_CANCELLED for Esc, q, Backspace and Ctrl-C outside the search; DIALOG_IGNORED for keys that are not its own.
 */
enum dialog_result pager_key(struct pager *pager, int32_t key);

/* A centred box with a title row; returns the inside, of rows x cols where `within` has the room, else smaller; 0 rows
 * or cols where nothing fits. */
struct rect dialog_box(struct canvas *canvas, struct rect within, int rows, int cols, const char *title,
                       enum role role);

#endif
