#ifndef UI_EDIT_H
#define UI_EDIT_H
/* One line of text being edited, by grapheme: the prompt, the filter row and every form field stand on it. */

#include "ui/canvas.h"
#include "ui/input.h"

struct edit {
    struct str text;
    size_t at;   /* byte offset of the caret, on a grapheme boundary */
    int scroll;  /* cells hidden at the left */
    bool secret; /* drawn as dots; wiped on clear */
    size_t rule; /* the limit that is told, where it is less than the room; 0: the room is the limit */
    struct edit_undo *undo;
};
enum edit_result { EDIT_IGNORED, EDIT_MOVED, EDIT_CHANGED, EDIT_REFUSED };

void edit_init(struct edit *edit, size_t max);
void edit_clear(struct edit *edit);
void edit_set(struct edit *edit, const char *text);
/* Printable keys, arrows, Home/End (Ctrl-A Ctrl-E), Backspace, Delete (Ctrl-D); Ctrl-W cuts the word before the caret,
 * Ctrl-U the line, Ctrl-K the rest; Ctrl-Y puts the last cut back in, Ctrl-_ undoes. A secret has neither of the two.
 */
enum edit_result edit_key(struct edit *edit, int32_t key);
/* Pasted text; EDIT_REFUSED when it has several lines or does not fit: nothing is changed then. */
enum edit_result edit_paste(struct edit *edit, const char *text);
/* After a paste was refused (EDIT_REFUSED): why, without quoting the text. place is what the text was to go into:
 * "field". */
void edit_refusal(const struct edit *edit, const char *text, const char *place, struct str *out);
void edit_draw(struct edit *edit, struct canvas *canvas, struct rect area, enum role role, bool focused);

#endif
