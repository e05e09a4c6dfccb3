#ifndef APP_IMPORT_H
#define APP_IMPORT_H
/* Many users from one CSV file (src/README.md, The way of a registration): each row is one write by app/write.h, one at
 * a time. A row that cannot be sent is refused here and never leaves; a row whose body the journal knows is never sent
 * again, whatever stopped the run before. A row is known by what it sends, never by its place: one that was changed is
 * a new one. Where the service asks to wait the row was not sent, and goes on by itself. The next row leaves only when
 * the line of the one before is in the result file, synced. Owns its rows; a row's personal text is wiped as soon as
 * its outcome is known. Pure: files, looks and writes leave as effects.
 *
 * import_open, then MAPPING (if asked for) and import_map_done, then READY, import_may_start, import_start. */

#include "app/create.h"
#include "app/register.h"

enum import_state {
    IMPORT_WAITING,
    IMPORT_BAD, /* refused here */
    IMPORT_SENDING,
    IMPORT_DONE,
    IMPORT_REFUSED, /* by the service */
    IMPORT_UNKNOWN,
    IMPORT_NOT_SENT,  /* the attempt ended before its first byte: may be sent by the next run */
    IMPORT_ELSEWHERE, /* another program is sending it now */
    IMPORT_STATE_COUNT
};
const char *import_state_name(enum import_state state);

struct import_row {
    size_t line; /* of the file, where the row begins */
    enum import_state state;
    bool earlier; /* its outcome is of a run before this one */
    struct user user;
    char *id, *error, *warning; /* without the row's personal text; NULL: none */
    int64_t record;             /* in the journal; 0: none */
    char *key;                  /* random: its idempotency key, should the profile want one */
    char *name;                 /* of what is sent, from the journal: known again wherever the row stands; NULL: BAD */
};

enum import_stage {
    IMPORT_EMPTY,
    IMPORT_OPENING,
    IMPORT_MAPPING, /* waits for import_map_done */
    IMPORT_LOOKING, /* the journal is asked about each row */
    IMPORT_READY,   /* waits for import_start */
    IMPORT_RUNNING,
    IMPORT_PAUSED,
    IMPORT_ENDED,
    IMPORT_FAILED, /* the file cannot be used: `stop` says why */
};
enum { IMPORT_ROWS_MAX = 100000, IMPORT_LEFT_OUT = -1, IMPORT_NOT_KNOWN = -2, IMPORT_NO_NAME = -3 };

struct import_options {
    bool ask_mapping;
    bool resume;        /* goes on where an earlier run stopped */
    bool refused;       /* sends again what the service refused then */
    bool skip_unknown;  /* goes on past a row whose outcome is not known */
    bool again;         /* sends although an earlier write looks the same */
    long long failures; /* stops after so many refusals of the service; 0: never */
    long long pace;     /* rows a minute at most; 0: as fast as they are answered */
};

/* "30" or "30/min". */
enum { IMPORT_PACE_MAX = 6000 };
bool import_read_pace(const char *text, long long *out);

struct import_column {
    char *name; /* as the file has it; "" without a heading */
    int field;  /* IMPORT_LEFT_OUT, IMPORT_NOT_KNOWN; IMPORT_NO_NAME: its cells have to be empty */
};

struct import {
    const struct profile *profile; /* borrowed */
    struct import_options options;
    enum import_stage stage;
    char *path, *results_path;
    struct str text; /* of the file, until its rows are read */
    struct {
        struct import_column *items;
        size_t n, cap;
    } columns;
    struct {
        struct import_row *items;
        size_t n, cap;
    } rows;
    struct {
        struct import_header {
            char *name; /* normalised */
            int field;
        } * items;
        size_t n, cap;
    } map; /* of the mapping file */
    struct {
        struct import_duplicate {
            size_t row;
            int64_t record;
            char *text;
        } * items;
        size_t n, cap;
    } duplicates; /* earlier writes that look the same, until all rows are looked up */
    struct {
        struct import_result {
            size_t line; /* where it stood then: for the operator's eyes alone */
            enum import_state state;
            int64_t record;
            char *id, *error, *name;
        } * items;
        size_t n, cap;
    } results; /* of the result file; after the looks: those whose rows are not in the file any more */
    bool has_results;
    size_t asked;       /* of results: those whose outcome was asked for */
    size_t header_line; /* of the file */
    char *read_as;      /* how the file was read, where it is no plain one with commas; NULL */
    char *notice;       /* of the journal, to be said once; NULL */
    char *name;         /* of this run in the journal, random */
    size_t at;          /* row that is looked up or sent */
    size_t failures;    /* of the service, in this run */
    size_t sent;        /* in this run */
    int64_t sending_ms; /* spent on them */
    int64_t since;      /* when the running row began */
    uint64_t ticket;    /* of the journal or a file, whichever is waited for */
    int64_t hold;       /* nothing is sent before; CLOCK_NONE: nothing is waited for */
    int64_t held;       /* waited for the service, without a row that went through, ms */
    unsigned waits;     /* asked to wait so often in a row */
    bool throttled;     /* it is the service that is waited for */
    int64_t last;       /* when the last row left */
    bool ending;        /* the result file is written a last time */
    bool pausing, stopping;
    bool unwritten; /* the result file could not be written: what it would say is in memory alone */
    struct write write;
    struct error stop; /* why it ended before its last row; ERR_OK: it did not */
};
void import_init(struct import *import, const struct profile *profile);
void import_clear(struct import *import);

/* Reads the file, its mapping file (NULL: none) and the result file of an earlier run. */
void import_open(struct import *import, const char *path, const char *map, const struct import_options *options,
                 struct effects *effects);
/* What a column that is not known may be, by its heading; IMPORT_LEFT_OUT where nothing is near. */
int import_propose(const struct import *import, size_t column);
/* MAPPING: what a column is; and on to the rows. ERR_INVALID where a column is not known, or two are the same field. */
void import_set_column(struct import *import, size_t column, int field);
enum err import_map_done(struct import *import, int64_t now, struct effects *effects, struct error *error) MUST_CHECK;

/* What forbids the start of a READY import: rows sent before and no resume, unknown ones and no skip_unknown, a result
 * file that would be overwritten. */
enum err import_may_start(const struct import *import, struct error *error) MUST_CHECK;
/* Where rows of an earlier run are unknown, it ends at once: the result file names them, and nothing is sent. */
void import_start(struct import *import, int64_t now, struct effects *effects);
/* ENDED before its last row: READY again, for the rows that have not left. False where there are none. */
bool import_again(struct import *import);
/* After the row that is on its way. */
void import_pause(struct import *import);
void import_go_on(struct import *import, int64_t now, struct effects *effects);
void import_stop(struct import *import, struct effects *effects);
/* True when the event was for this. */
bool import_update(struct import *import, struct event *event, struct effects *effects);

struct import_counts {
    size_t of[IMPORT_STATE_COUNT];
    size_t left;         /* waiting, on their way or not sent */
    size_t gone_unknown; /* of rows of an earlier run that are not in the file any more */
};
struct import_counts import_count(const struct import *import);
/* "118 done, 3 refused ... 1,204 rows an hour, about 7 min left" of a run. */
void import_progress(const struct import *import, struct str *out);
/* Numbers of the records that wait for the operator's word, "2, 5 and 3 more"; says how many. */
size_t import_unknown_records(const struct import *import, struct str *out);
/* What became of the whole, in the command line's words, as an error whose code gives the exit status. */
enum err import_verdict(const struct import *import, struct error *error) MUST_CHECK;

/* Seconds until the next row leaves, and whether the service asked for it; 0: it does not wait. */
int64_t import_wait(const struct import *import, int64_t now);
/* All that is known, as the result file has it, in the file's order. */
void import_results(const struct import *import, struct str *out);
/* A line for each row of the earlier run that is not in the file any more. */
void import_tell_gone(const struct import *import, struct str *out);

/* `users.csv` gives `users.result.csv`. */
char *import_results_path(const char *path);

#endif
