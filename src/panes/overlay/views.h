#ifndef PANES_OVERLAY_VIEWS_H
#define PANES_OVERLAY_VIEWS_H
/* The overlay of saved views: what its files share. */

#include "app/shared_views.h"
#include "panes/shell/console.h"
#include "panes/shell/pane.h"

enum { VIEW_DAYS = 14 };

/* The saved views, one's own and then those that the team shares, how many intents each has, and a name being typed. */
struct view_count {
    size_t rows, days[VIEW_DAYS]; /* created on each of the last days, today last */
    bool known, whole;
};
struct saved_list {
    size_t cursor, top;
    struct {
        struct view_count *items;
        size_t n, cap;
    } counts; /* by the order of the views, as far as they came */
    uint64_t ticket;
    bool naming;
    bool saved; /* a view was just saved: the cursor goes to it when the list comes */
    bool sure;  /* the key that deletes a view was pressed once */
    struct edit name;
    char *keeping; /* the name is for a copy of this one of a colleague; NULL: for what is on show */
    char *who;     /* this operator; NULL: not known yet */
    char *said;    /* the message for when the change is on the disk */
    bool restored; /* the layout of the last session was restored */
    struct {
        char *name;           /* of the view on show; "" for the list that has none */
        struct layout layout; /* as it was at the last key */
        bool changed;         /* differs from the file */
    } seen;
};

/* shared: of a colleague, or that of one's own of this name; NULL: it is not shared. */
struct view_line {
    const struct saved_view *view;
    const struct shared_view *shared;
    bool own;
};

struct saved_list *views_of(const struct shell *shell);
bool view_line_at(const struct shell *shell, size_t place, struct view_line *out);
bool view_line_at_cursor(const struct shell *shell, struct view_line *out);
size_t view_lines(const struct shell *shell);
void overlay_views_draw(struct shell *shell, struct canvas *canvas, struct rect within);

#endif
