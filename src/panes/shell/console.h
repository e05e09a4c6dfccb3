#ifndef PANES_CONSOLE_H
#define PANES_CONSOLE_H
/* What a pane or an overlay may use of the console around it. The console's own state is in panes/shell/shell_state.h,
 * which only the files of this folder include. */

#include "app/actions.h"
#include "panes/shell.h"
#include "ui/edit.h"

/* ---- The clock, the profile and the screen ---- */

int64_t shell_now(const struct shell *shell); /* the time of the event or key that is being handled */
enum clock_zone shell_zone(const struct shell *shell);
const struct shell_options *shell_options(const struct shell *shell);
const struct profile *shell_profile(const struct shell *shell);
bool shell_is_read_only(const struct shell *shell);
int shell_rows(const struct shell *shell);
int shell_cols(const struct shell *shell);
bool shell_is_framed(const struct shell *shell);    /* the terminal reports when a frame is on it */
bool shell_is_too_small(const struct shell *shell); /* to show anything */
void shell_redraw(struct shell *shell);             /* something on show changed */

/* ---- Messages ---- */

void shell_message(struct shell *shell, enum role role, const char *format, ...) PRINTF_LIKE(3, 4);
void shell_message_clear(struct shell *shell);
/* Something else is on show now, or what the message was about was changed: only a message about the service's last
 * answer stays. */
void shell_message_outdated(struct shell *shell);
/* The message is about the service's last answer: the next answer replaces it. */
void shell_message_of_link(struct shell *shell);
void shell_message_link_clear(struct shell *shell); /* clears only such a message */
bool shell_has_message(const struct shell *shell);
/* There is none, or only one that something more important may replace. */
bool shell_message_may_go(const struct shell *shell);
/* It was not on show long enough to be read, and no key came since. */
bool shell_message_is_new(const struct shell *shell);

/* ---- Keys and text ---- */

const struct keymap *shell_keymap(const struct shell *shell);
/* The name of the key for an action, as every text on the screen gives it; where no key is bound, how to find the
 * action in the palette. */
const char *shell_key_of(const struct shell *shell, int action);
/* Appends `KEY does`, separated by a comma. */
void shell_hint(const struct shell *shell, int action, const char *does, struct str *out);
/* No key is silent: one without a meaning here says so. */
void shell_unbound(struct shell *shell, int32_t key);
/* The title of a section of the key map. */
const char *shell_section_title(const struct shell *shell, const char *section);
void shell_paste_refused(struct shell *shell, const struct edit *edit, const char *text); /* says why */
/* Pasted text into a field; false: it was refused, and why was said. */
bool shell_paste_into(struct shell *shell, struct edit *edit, const char *text);
/* Calls edit_key, and says where the field has no room: a text that ends unnoticed is another text. */
enum edit_result shell_edit_key(struct shell *shell, struct edit *edit, int32_t key);
/* Appends a file's name with the folder that it is in. */
void shell_place(const struct shell *shell, const char *name, struct str *out);
/* Appends the name of a new table of these: `bursar-live-activity-20261130-104500.csv`. */
void shell_new_file(const struct shell *shell, const char *what, struct str *out);
/* Writes text (takes it) to such a new table, and says so. The ticket of its EVENT_FILE; *place (freed before) is where
 * it goes, for the message then. */
uint64_t shell_write_table(struct shell *shell, const char *what, char *text, char **place, struct effects *effects);
/* Carries out an action as if its key were pressed; false where it does nothing here. */
bool shell_act(struct shell *shell, int action, struct effects *effects);
bool shell_is_writing(const struct shell *shell); /* a write is on its way, or waits for its answer */
/* Leaves the console, after a question where something could be lost. */
void shell_leave(struct shell *shell, struct effects *effects);

#endif
