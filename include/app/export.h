#ifndef APP_EXPORT_H
#define APP_EXPORT_H
/* Writing the result or the marked rows to a new file: rows are fetched and written in portions, so that neither the
 * screen nor memory waits for all of them. What was exported, by which filter and how far it reaches, stands in a file
 * beside it, never inside the data; a database has a table for it. A file that was not finished is taken away again.
 * Pure. */

#include "app/browse.h"
#include "app/record.h"
#include "app/sample.h"

/* What the performer is asked for; it answers each but a drop with EVENT_EXPORTED. */
enum export_step {
    EXPORT_BEGIN, /* path: made new, 0600; text: its first bytes */
    EXPORT_ADD,   /* text */
    EXPORT_END,   /* text: of the file beside it, or of the table `about` */
    EXPORT_DROP,  /* the file is taken away */
};
struct export_ask {
    enum export_step step;
    bool database; /* of BEGIN: text is the columns' names */
    char *path;
    char *text;
    size_t len;
};
void export_ask_free(struct export_ask *ask);
PAYLOAD_TYPE(export_ask)
uint64_t effects_export(struct effects *effects, struct export_ask *ask); /* takes ask */

enum export_scope { EXPORT_RESULT, EXPORT_MARKS };

enum export_state {
    EXPORT_IDLE,
    EXPORT_LOOKING, /* for the marked rows in the cache */
    EXPORT_DRAWING, /* rows are read for the sample */
    EXPORT_WRITING,
    EXPORT_READING, /* rows */
    EXPORT_ENDING,
};

struct export_job {
    struct record_style style; /* its `fields` points to the next member */
    unsigned char fields[RECORD_FIELD_COUNT];
    struct notes *notes; /* as they were when it started, of `style` */
    enum export_scope scope;
    struct sample sample; /* wanted 0: every row is written */
    char *path;
    char *filter, *sort;        /* as the operator sees them; "" for none */
    const char *profile, *word; /* borrowed: name and environment of the profile */
    struct coverage coverage;   /* of the list that is exported */
    int64_t now;

    int64_t *keys; /* keys of the rows: rows of the walk are in memory, the others are read from the cache */
    char **ids; /* ids of the walk's rows when the export started, NULL for a row without one: a walk that goes on can
                   renumber its rows */
    size_t n, at;
    size_t written, left_out;
    size_t mismatched; /* rows left out since they do not match the filter, which the service did not apply */
    size_t gone;       /* rows on show left out since they were no longer in the list */
    enum export_state state;
    uint64_t ticket;
    bool whole;    /* the text behind the last row was written, or is being written */
    bool made;     /* the file exists: EXPORT_BEGIN was done */
    bool finished; /* this update ended the export; error says how */
    struct error error;
};

/* Before a start, style, scope, path, filter, sort and profile have to be set, then one of: */
void export_keys(struct export_job *job, int64_t *keys, size_t n); /* takes keys */
/* Takes lookup. */
void export_look(struct export_job *job, struct lookup *lookup, size_t expected, struct effects *effects);
void export_start(struct export_job *job, const struct browse *browse, struct effects *effects);
bool export_is_busy(const struct export_job *job);
void export_cancel(struct export_job *job, struct effects *effects);
void export_clear(struct export_job *job);
/* True when the event was the export's. */
bool export_update(struct export_job *job, const struct browse *browse, struct event *event, struct effects *effects);

#endif
