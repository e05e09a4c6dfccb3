#ifndef APP_IMPORT_H
#define APP_IMPORT_H
/* Many users from one CSV file (src/README.md, The way of a registration): each row is one write by app/write.h, one at
 * a time. A row that cannot be sent is refused here; a row whose body the journal knows is never sent again, whatever
 * stopped the run before. A row is known by the content that it sends, never by its place in the file: a changed row is
 * a new one. A row that the service answers with "wait" (429) was not sent, and is sent when the time has come. The
 * next row leaves only when the line of the one before is in the result file, synced to the disk: what a crash leaves
 * behind is at most one row of unknown outcome. Owns its rows; a row's personal text is wiped as soon as its outcome is
 * known. Pure: files, questions to the journal and writes leave as effects. Order of calls: import_open, then MAPPING
 * (if asked for) and import_map_done, then READY, import_may_start, import_start. */

#include "app/create.h"
#include "app/headings.h"
#include "app/register.h"

enum import_state {
    IMPORT_WAITING,
    IMPORT_BAD, /* refused here */
    IMPORT_SENDING,
    IMPORT_DONE,
    IMPORT_REFUSED, /* by the service */
    IMPORT_UNKNOWN,
    IMPORT_NOT_SENT,  /* the attempt ended before the first byte left: the next run may send it */
    IMPORT_ELSEWHERE, /* another program is sending it now */
    IMPORT_STATE_COUNT
};
const char *import_state_name(enum import_state state);

struct import_row {
    size_t line; /* of the file, where the row begins */
    enum import_state state;
    bool earlier; /* the outcome is that of an earlier run */
    struct user user;
    char *id, *error, *warning; /* without the row's personal text; NULL: none */
    int64_t record;             /* in the journal; 0: none */
    char *key;                  /* random: its idempotency key, where the profile uses one */
    char *name; /* keyed digest of what is sent, from the journal: by it the row is known again wherever it stands;
                   NULL: BAD */
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
enum {
    IMPORT_ROWS_MAX = 100000,
    IMPORT_LEFT_OUT = HEADING_LEFT_OUT,
    IMPORT_NOT_KNOWN = HEADING_NOT_KNOWN,
    IMPORT_NO_NAME = HEADING_NO_NAME
};

struct import_options {
    bool ask_mapping;
    bool resume;        /* goes on where an earlier run stopped */
    bool refused;       /* sends again what the service refused then */
    bool skip_unknown;  /* goes on past a row whose outcome is not known */
    bool again;         /* sends although an earlier write looks the same */
    long long failures; /* stops after so many refusals by the service; 0: never */
    long long pace;     /* rows a minute at most; 0: as fast as they are answered */
    const char *folder; /* borrowed: where the result file goes; NULL: beside the file */
};

/* "30" or "30/min". */
enum { IMPORT_PACE_MAX = 6000 };
bool import_read_pace(const char *text, long long *out);

struct import_column {
    char *name; /* as the file has it; "" without a heading */
    int field;  /* IMPORT_LEFT_OUT, IMPORT_NOT_KNOWN; IMPORT_NO_NAME: there is no heading, so its cells have to be empty
                 */
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
    struct headings map; /* of the mapping file */
    struct {
        struct import_duplicate {
            size_t row;
            int64_t record;
            char *text;
        } * items;
        size_t n, cap;
    } duplicates; /* earlier writes that look the same, collected until all rows were looked up */
    struct {
        struct import_result {
            size_t line; /* its line in that file: only to tell the operator */
            enum import_state state;
            int64_t record;
            char *id, *error, *name;
        } * items;
        size_t n, cap;
    } results; /* rows of the result file; once the journal was asked, only those whose rows are not in the file any
                  more */
    bool has_results;
    size_t asked;       /* how many of `results` the journal was asked about */
    size_t header_line; /* of the file */
    char *read_as;      /* how the file was read, where it is not a plain one with commas; NULL */
    char *notice;       /* a message from the journal that is shown once; NULL */
    char *name;         /* name of this run in the journal, random */
    size_t at;          /* the row that is looked up or sent now */
    size_t failures;    /* of the service, in this run */
    size_t sent;        /* in this run */
    int64_t sending_ms; /* time spent on sending them */
    int64_t since;      /* when the row that is being sent began */
    uint64_t ticket;    /* of the journal or a file, whichever answer is expected */
    int64_t hold;       /* nothing is sent before this time; CLOCK_NONE: now */
    int64_t held;       /* ms spent waiting for the service since a row last went through */
    unsigned waits;     /* times in a row that the service asked to wait */
    bool throttled;     /* it waits because the service asked for it */
    int64_t last;       /* when the last row was sent */
    bool ending;        /* the result file is being written for the last time */
    bool pausing, stopping;
    bool unwritten; /* the result file could not be written: some results are in memory only */
    struct write write;
    struct error stop; /* why it ended before its last row; ERR_OK: it did not */
};
void import_init(struct import *import, const struct profile *profile);
void import_clear(struct import *import);

/* Reads the file, its mapping file (NULL: none) and the result file of an earlier run. */
void import_open(struct import *import, const char *path, const char *map, const struct import_options *options,
                 struct effects *effects);
/* The field that an unknown column may be, by its heading; IMPORT_LEFT_OUT where none is similar. */
int import_propose(const struct import *import, size_t column);
/* In MAPPING: says what a column is; map_done goes on to the rows. ERR_INVALID where a column is still not known, or
 * two are the same field. */
void import_set_column(struct import *import, size_t column, int field);
enum err import_map_done(struct import *import, int64_t now, struct effects *effects, struct error *error) MUST_CHECK;

/* What forbids the start of a READY import: rows sent before and no resume, unknown ones and no skip_unknown, a result
 * file that would be overwritten. */
enum err import_may_start(const struct import *import, struct error *error) MUST_CHECK;
/* Where rows of an earlier run are unknown (and skip_unknown is not set), it ends at once: the result file names them,
 * and nothing is sent. */
void import_start(struct import *import, int64_t now, struct effects *effects);
/* After it ended before its last row: READY again, for the rows that were not sent. False where there are none. */
bool import_again(struct import *import);
/* Pauses after the row that is being sent. */
void import_pause(struct import *import);
void import_go_on(struct import *import, int64_t now, struct effects *effects);
void import_stop(struct import *import, struct effects *effects);
/* True when the event was for this. */
bool import_update(struct import *import, struct event *event, struct effects *effects);

struct import_counts {
    size_t of[IMPORT_STATE_COUNT];
    size_t left;         /* rows that wait, are being sent or were not sent */
    size_t gone_unknown; /* rows of an earlier run with unknown outcome that are not in the file any more */
};
struct import_counts import_count(const struct import *import);
/* "118 done, 3 refused ... 1,204 rows an hour, about 7 min left" of a run. */
void import_progress(const struct import *import, struct str *out);
/* Appends the numbers of the records that the operator has to settle, "2, 5 and 3 more"; returns how many. */
size_t import_unknown_records(const struct import *import, struct str *out);
/* How the import ended, in the command line's words, as an error whose code gives the exit status. */
enum err import_verdict(const struct import *import, struct error *error) MUST_CHECK;

/* Seconds until the next row leaves, and whether the service asked for it; 0: it does not wait. */
int64_t import_wait(const struct import *import, int64_t now);
/* Appends all results, as the result file has them, in the file's order. */
void import_results(const struct import *import, struct str *out);
/* Appends a line for each row of the earlier run that is not in the file any more. */
void import_tell_gone(const struct import *import, struct str *out);

/* `users.csv` has its results in `users.result.csv`: beside it, or in the folder. */
char *import_results_path(const char *path, const char *folder);

#endif
