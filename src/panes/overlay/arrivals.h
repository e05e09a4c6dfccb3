#ifndef PANES_ARRIVALS_H
#define PANES_ARRIVALS_H
/* The page of events that came here, for the line in which a filter of them is typed (PROMPT_EVENTS). */

#include "panes/shell/pane.h"
#include "query/complete.h"

enum err arrivals_page_parse(const struct shell *shell, const char *text, struct query **out, struct query_fault *fault,
                             struct error *error) MUST_CHECK;
/* The page comes back, with this filter; NULL: with the one it had. */
void arrivals_page_apply(struct shell *shell, const char *text, struct effects *effects);
/* The values that the events on show have in a field: `each` of struct query_seen. */
void arrivals_page_values(const struct shell *shell, enum query_field_code field,
                          void (*found)(void *to, const char *value, int64_t count), void *to);

#endif
