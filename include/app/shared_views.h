#ifndef APP_SHARED_VIEWS_H
#define APP_SHARED_VIEWS_H
/* Saved views that a team shares by name. Each is whose it is and called WHO/NAME, so that no view of a colleague can
 * stand in for one's own; sharing again under the same name replaces it, and its author alone takes it back. What holds
 * is the last row of a name in the order of the store, whatever the clocks say. A row is text (shared_view_print); it
 * waits here until the store has it. Pure. */

#include "app/views.h"
#include "base/clock.h"
#include "config/profile.h"

struct shared_view {
    int64_t change; /* the store has it under this number; SHARED_WAITING: not yet */
    char *id;       /* of its row there, "" while it waits */
    int64_t at;     /* ms: when the store took it, or when it was shared here */
    bool dropped;   /* no longer shared */
    char *nonce;    /* random: tells rows with the same words apart */
    char *who, *host, *name;
    char *lines;            /* what the view is, as it came, harmless on a terminal */
    struct saved_view view; /* as this program understands it, called WHO/NAME */
    char *fault;            /* why it cannot be used; NULL: it can */
};
enum {
    SHARED_WAITING = 0,
    SHARED_ROW_MAX = QUERY_TEXT_MAX + 4096,
    SHARED_ROWS_MAX = 1000, /* the latest are kept */
    SHARED_OWN_MAX = 100,   /* that one operator shares */
    SHARED_BYTES_MAX = 32 << 20,
    SHARED_OF_HEX = 16,
};

struct shared_views {
    struct shared_view *items; /* by who and name; one that waits behind the one that the store has */
    size_t n, cap;
    int64_t change; /* how far the store was taken in */
    char *id;
    char of[SHARED_OF_HEX + 1]; /* which store and account that is a place of */
};

bool shared_views_wanted(const struct profile *profile); /* the profile has a team, and shares views with it */
/* ERR_CONFIG says what to set. */
enum err shared_views_check(const struct profile *profile, struct error *error) MUST_CHECK;

void shared_view_clear(struct shared_view *view);
void shared_views_clear(struct shared_views *views);
/* The text of the file; one of another store or account, or that is none, is empty. */
void shared_views_parse(const char *text, const struct profile *profile, struct shared_views *out);
void shared_views_print(const struct shared_views *views, struct str *out);

/* One row as the store has it, foreign text: false, and nothing, where it is none. */
bool shared_view_read(const char *text, size_t len, const struct profile *profile, struct shared_view *out);
void shared_view_print(const struct shared_view *view, struct str *out);
/* A row of the store: takes it. */
void shared_views_take(struct shared_views *views, struct shared_view *row);

/* The i-th of those that are shared now, by who and name; NULL past the last. */
const struct shared_view *shared_views_at(const struct shared_views *views, size_t i);
size_t shared_views_count(const struct shared_views *views);
/* By WHO/NAME. */
const struct shared_view *shared_views_find(const struct shared_views *views, const char *label);
/* By who and name; NULL: it is not shared. */
const struct shared_view *shared_views_of(const struct shared_views *views, const char *who, const char *name);
/* For query_views: the filter is NULL where the view cannot be used. */
const char *shared_views_named(const struct shared_views *views, size_t i, const char **filter);
bool shared_view_waits(const struct shared_view *view);
bool shared_view_equals(const struct shared_view *shared, const struct saved_view *view); /* but for the name */
/* Appends `by anna at desk-1, 30 Nov 14:02`. */
void shared_view_add_by(const struct shared_view *view, enum clock_zone zone, int64_t now, struct str *out);

/* Who shares, where, when, with a fresh nonce. */
struct shared_by {
    const char *who, *host, *nonce;
    int64_t now;
};
/* Shares the view of this name as it is now; other views in its filter are written out. */
enum err shared_views_share(struct shared_views *views, const struct saved_views *own, const char *name,
                            const struct profile *profile, const struct shared_by *by, struct error *error) MUST_CHECK;
/* Takes it back: NAME, or WHO/NAME. */
enum err shared_views_unshare(struct shared_views *views, const char *name, const struct profile *profile,
                              const struct shared_by *by, struct error *error) MUST_CHECK;
/* A copy of WHO/NAME as one's own, in `change`, under `as`; NULL: its own name. Never over one of `own`. */
enum err shared_views_keep(const struct shared_views *views, const char *label, const char *as,
                           const struct saved_views *own, struct saved_views *change, struct error *error) MUST_CHECK;

/* What is asked of the files of views: the console sends an effect, a command asks app/local_store.h. */
enum views_act { VIEWS_READ, VIEWS_PUT, VIEWS_DROP, VIEWS_SHARE, VIEWS_UNSHARE, VIEWS_COPY };
struct views_wish {
    enum views_act act;
    const char *text; /* PUT: a view as text. Otherwise its name */
    const char *as;   /* COPY: the copy's name; NULL: as the colleague calls it */
};
struct views_kept {
    struct str own, shared; /* the files as they are now */
    struct str who;         /* this operator */
    struct error error;     /* nothing was changed */
    struct error unsent;    /* of a command: what waits was not sent, or the team's store was not asked */
    bool unasked;           /* of a command: what the store has was not taken in */
};
void views_kept_clear(struct views_kept *kept);

#endif
