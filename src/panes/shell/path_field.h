#ifndef PANES_PATH_FIELD_H
#define PANES_PATH_FIELD_H
/* A field of a form in which a path is typed: the key that would move past its end completes it. Tab goes to the next
 * field in every form. */

#include "panes/shell/pane.h"
#include "ui/form.h"

struct path_field {
    int row;         /* of the form, whose path is being completed */
    uint64_t ticket; /* 0: none is */
};
/* Asks for the rest of the path in the field that has the focus; false: the key is not the one for it. */
bool path_field_key(struct path_field *field, struct form *form, int32_t key, struct effects *effects);
/* True when the event was the answer. */
bool path_field_event(struct shell *shell, struct path_field *field, struct form *form, const struct event *event);
/* A key into the text that is focused, whether a path or another: what was said of the text before goes. */
void path_field_type(struct shell *shell, struct form *form, int32_t key);

#endif
