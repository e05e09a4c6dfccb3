#ifndef INDEX_GRID_H
#define INDEX_GRID_H
/* Counts by places on up to three axes while a run makes them: grid.c fills them, grid_report.c names them. */

#include "block.h"

enum { CODE_NONE = 0, BAND_CODES = 2 * QUERY_BAND_MOST + 1 };

enum { GRID_OF = 1, GRID_HIT = 2 };
enum { GRID_OVER, GRID_BY, GRID_SECOND, GRID_AXES };

struct grid_counts {
    __int128 sum;
    uint32_t rows, without, hits, of; /* of so many at most as there are handles of rows */
};

struct grid_cell {
    uint32_t codes[GRID_AXES], currency;
    struct grid_counts now;
};

/* The codes of one axis. */
struct grid_axis {
    struct query_axis axis;
    unsigned column;  /* of values; COLUMN_COUNT: computed of numbers */
    uint32_t *groups; /* by code of the column: the first code with the same text as far as filters see it */
    size_t *spelled;  /* rows by code of the column, to name a group by what most of its rows have */
    struct query_clock clock;
    struct {
        int64_t *items; /* of times, by code less one */
        size_t n, cap;
    } times;
    struct grid_slot {
        int64_t number;
        uint32_t code;
    } * slots; /* codes of times by number */
    size_t n_slots;
    int64_t last_number; /* most rows have the time of the row before */
    uint32_t last_code;
};

struct grid {
    struct index *index;
    struct grid_axis axes[GRID_AXES];
    uint32_t *currencies;  /* by code: the first one that a filter takes for the same */
    unsigned char *shares; /* of a rate, GRID_OF and GRID_HIT by code of the status; NULL: none is asked */
    bool guarantees;
    bool unsummed;                        /* rows are counted by the code of their value, and become cells at the end */
    const struct index_earlier *compared; /* NULL: nothing is */
    bool is_earlier;                      /* what is added now is of the earlier period */
    struct grid_counts *earlier;          /* by cell; NULL: nothing is compared */
    struct {
        struct grid_cell *items;
        size_t n, cap;
    } cells;
    uint32_t *slots; /* places of cells by their codes, plus one: by hash, or one for each that there can be */
    size_t n_slots;
    size_t steps[GRID_AXES]; /* from a code's slots to those of the next, where each cell has a slot; else 0 */
    int64_t now;             /* ms, for findings */
    uint32_t codes[GRID_AXES][BLOCK_ROWS];
    unsigned char mask[BLOCK_ROWS];
    const struct index_condition *conditions; /* of the query; a row is at the place of each that applies to it */
    struct program *programs[INDEX_CONDITIONS_MAX];
    size_t n_conditions;
    uint64_t fulfilled[BLOCK_ROWS]; /* bits of the conditions */
    size_t undated;                 /* rows that are not compared, since they have no time of creation */
};

#endif
