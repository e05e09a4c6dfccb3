#ifndef PANES_OVERVIEW_H
#define PANES_OVERVIEW_H
/* The Overview pane: pictures of the rows that the list is about. Each is one question to the column index, by one axis
 * or two; a cursor stands on one bar or cell of it, and opens the list of just its intents. */

#include "panes/intents/list.h"

enum picture_kind {
    PICTURE_TIMES, /* a row of small bars for each value, a column for each hour, day or week */
    PICTURE_RATE,  /* of the same answer: how many of those decided were approved */
    PICTURE_BARS,  /* a bar for each place */
    PICTURE_HEAT,  /* a table of counts, shaded */
};

enum { PICTURES = 9, PICTURE_TIMES_MOST = 512, PICTURE_PLACES_MOST = 4096 };

/* Those drawn, and as many before them. */
_Static_assert(2 * PICTURE_TIMES_MOST <= VIEW_TIMES_MOST, "what is drawn is counted");

struct picture_info {
    const char *title;
    enum picture_kind kind;
    enum query_field_code over, by; /* over QUERY_FIELD_COUNT: the spans of time where it is of times, else none */
    size_t limit;
    bool present; /* rows without a value are left out, and said */
};
extern const struct picture_info PICTURE_INFO[PICTURES];

/* One picture: its answer, and the cursor. */
struct picture {
    struct lookup_result *found; /* NULL: not counted yet */
    struct query_axis over, by;
    bool observed; /* its places are the statuses before and after an observed change, its counts what was observed */
    uint64_t ticket;
    bool again;
    bool late; /* the rows asked for are others than those of the answer on show */
    int64_t asked;
    size_t column, row; /* of the cursor: TIMES, RATE: columns are times, the newest is 0; BARS: row; HEAT: both */
    size_t top, left;   /* what is drawn first */
    size_t columns;     /* of times: how many were drawn last */
};

struct overview {
    struct picture pictures[PICTURES];
    enum query_axis_kind span;
    size_t current;       /* under the cursor */
    size_t currency;      /* of amounts against guarantees: the n-th code */
    int tiles;            /* how many pictures the window has room for */
    enum clock_zone zone; /* that times were counted in */
    unsigned question;    /* whose rows are counted */
};

static inline struct overview *overview_of(const struct shell *shell) {
    return shell_state(shell, PANE_OVERVIEW);
}

/* ---- picture.c: what a picture shows ---- */

bool picture_is_of_times(size_t i);
void picture_axes(const struct overview *overview, size_t i, struct query_axis *over, struct query_axis *by);
void picture_clear(struct picture *picture);
/* Takes the answer by those axes. */
void picture_take(struct overview *overview, size_t i, struct lookup_result *found);
size_t picture_currencies(const struct picture *picture); /* of the places of over */
size_t picture_count(const struct picture *picture, size_t over, size_t by);
/* The places that are drawn as rows and columns, in order: those without a value last, or left out. */
size_t picture_places(const struct overview *overview, size_t i, bool columns, const struct query_place **out,
                      size_t most);
/* The numbers of the newest `n` times, the newest first; how many there are before the oldest. */
size_t picture_times(const struct picture *picture, struct query_clock *clock, int64_t *out, size_t most);
bool picture_find_time(const struct picture *picture, int64_t number, size_t *over);
/* The bar under the cursor: how many rows, which places (over or by NULL: all of them), and the filter of just those
 * rows. */
struct picture_bar {
    size_t rows;
    const struct query_place *over, *by;
    struct query_place empty; /* for a time that has no rows */
    bool decided;             /* of the rate: those approved or declined */
};
bool picture_bar(const struct overview *overview, size_t i, struct query_clock *clock, struct picture_bar *out);
bool picture_terms(const struct picture *picture, struct query_clock *clock, const struct picture_bar *bar,
                   struct str *out);
/* Approved and declined of a time; SIZE_MAX: of all that are given. */
struct picture_rate {
    size_t approved, declined, left_out;
};
void picture_rate(const struct picture *picture, size_t over, struct picture_rate *out);

/* ---- overview_draw.c, overview_time.c ---- */

int overview_tiles(const struct shell *shell); /* how many pictures have room side by side */
void overview_draw(struct shell *shell, struct canvas *canvas, struct rect area);
void overview_draw_times(struct shell *shell, size_t i, struct canvas *canvas, struct rect area);
void overview_draw_rate(struct shell *shell, size_t i, struct canvas *canvas, struct rect area);
struct query_clock overview_clock(const struct shell *shell);

#endif
