#include "panes/shell/path_field.h"

#include "app/file.h"
#include "ui/input.h"

bool path_field_key(struct path_field *field, struct form *form, int32_t key, struct effects *effects) {
    const struct edit *edit = &form_focused(form)->edit;
    if (key != INPUT_RIGHT || edit->at != edit->text.len)
        return false;
    field->row = form->order[form->focus];
    field->ticket = effects_file(effects, file_ask_new(FILE_COMPLETE, edit->text.s));
    return true;
}

/* Text that was typed meanwhile stays: only a completion of it replaces it. */
bool path_field_event(struct shell *shell, struct path_field *field, struct form *form, const struct event *event) {
    if (event->kind != EVENT_FILE || field->ticket == 0 || event->ticket != field->ticket)
        return false;
    struct edit *edit = &form->rows[field->row].edit;
    const struct file_answer *answer = event_get(event, file_answer);
    field->ticket = 0;
    if (str_starts(answer->text.s, edit->text.s))
        edit_set(edit, answer->text.s);
    if (answer->n_names == 0)
        shell_message(shell, ROLE_INFO, "no file begins with this");
    else if (answer->n_names > 1)
        shell_message(shell, ROLE_INFO, "%s", answer->names.s);
    shell_redraw(shell);
    return true;
}

void path_field_type(struct shell *shell, struct form *form, int32_t key) {
    struct form_row *row = form_focused(form);
    if (shell_edit_key(shell, &row->edit, key) == EDIT_CHANGED) {
        row->wrong = false;
        shell_message_outdated(shell);
    }
}
