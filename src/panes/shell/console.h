#ifndef PANES_CONSOLE_H
#define PANES_CONSOLE_H
/* What a pane or an overlay may use of the console that it stands in. What the console itself holds is in
 * panes/shell/shell_state.h, which only the files of this folder know. */

#include "app/actions.h"
#include "panes/shell.h"
#include "ui/edit.h"

/* ---- The clock, the profile and the screen ---- */

int64_t shell_now(const struct shell *shell); /* of the event or key that is being taken */
enum clock_zone shell_zone(const struct shell *shell);
const struct shell_options *shell_options(const struct shell *shell);
const struct profile *shell_profile(const struct shell *shell);
bool shell_is_read_only(const struct shell *shell);
int shell_rows(const struct shell *shell);
int shell_cols(const struct shell *shell);
bool shell_is_framed(const struct shell *shell);    /* it is told when a frame stands on the terminal */
bool shell_is_too_small(const struct shell *shell); /* to show anything */
void shell_redraw(struct shell *shell);             /* something on show changed */

/* ---- Messages ---- */

void shell_message(struct shell *shell, enum role role, const char *format, ...) PRINTF_LIKE(3, 4);
void shell_message_clear(struct shell *shell);
/* Something else is on show now, or what was complained of was changed: only word of the link is still true. */
void shell_message_outdated(struct shell *shell);
void shell_message_of_link(struct shell *shell);    /* what was said is about the last answer: the next replaces it */
void shell_message_link_clear(struct shell *shell); /* only such a one */
bool shell_has_message(const struct shell *shell);
bool shell_message_may_go(const struct shell *shell); /* none, or one that something more important may replace */

/* ---- Keys and text ---- */

const struct keymap *shell_keymap(const struct shell *shell);
/* The key that does it, as every text on the screen names it; where none does, how to find it in the palette. */
const char *shell_key_of(const struct shell *shell, int action);
/* `KEY does`, after what stands there with a comma. */
void shell_hint(const struct shell *shell, int action, const char *does, struct str *out);
/* Nothing is silent: a key without a meaning here says so. */
void shell_unbound(struct shell *shell, int32_t key);
/* A section of the key map, as people call it. */
const char *shell_section_title(const struct shell *shell, const char *section);
void shell_paste_refused(struct shell *shell, const struct edit *edit, const char *text); /* says why */
/* Pasted text into a field; false: it was refused, and why was said. */
bool shell_paste_into(struct shell *shell, struct edit *edit, const char *text);
/* edit_key; what the field has no room for is said, for a text that ends unseen is another text. */
enum edit_result shell_edit_key(struct shell *shell, struct edit *edit, int32_t key);
/* A file as it was named, with the folder that it is in. */
void shell_place(const struct shell *shell, const char *name, struct str *out);
/* An action as if its key were pressed; false where it does nothing here. */
bool shell_act(struct shell *shell, int action, struct effects *effects);
/* Leaves the console, after a question where something could be lost. */
void shell_leave(struct shell *shell, struct effects *effects);

#endif
