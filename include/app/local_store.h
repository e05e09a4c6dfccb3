#ifndef APP_LOCAL_STORE_H
#define APP_LOCAL_STORE_H
/* What this machine keeps of the program's work, for commands without a screen: records of the journal, the cache of a
 * profile, forms and session. One const table of operations, which run fills with the store and the disk: a command
 * asks and prints, and sees no database. An operation closes whatever it opened before it returns, so that a purge
 * never meets a handle of its own; there is no loop, lane or network behind it. Main thread. */

#include "app/notes.h"
#include "base/error.h"
#include "base/str.h"
#include "config/profile.h"
#include "config/reasons.h"
#include "model/cache_figures.h"
#include "model/outcome.h"

/* Who asks, and gets notices while the operation runs. */
struct local_asker {
    void *context;
    void (*notice)(void *context, const char *text); /* said once, before the answer */
    /* Takes a portion of a list, newest first, so that memory does not grow with the records. A failure ends the list.
     */
    enum err (*portion)(void *context, const struct outcome_records *records, struct error *error);
};

struct local_list {
    const char *profile; /* NULL: of all */
    int outcome;         /* -1: any */
    const char *tag;     /* in its normal form; NULL: any */
    size_t limit;        /* 0: all */
    int64_t since;       /* 0: any */
};

struct local_health {
    bool sound;               /* every record is as it was written, the chain is whole, and the head file agrees */
    int64_t records, entries; /* the ones that are sound */
    int64_t confirmed;        /* entries that the head file names; -1: it cannot be read */
    struct str faults;        /* lines */
};
void local_health_clear(struct local_health *health);

/* Of a journal that cannot be written, or that is damaged, what is sound is read all the same: *damage then says what
 * is wrong; otherwise it is left as it is. */
/* What a command keeps for its next run under a name. */
struct since_place {
    struct str path, text;
    bool there; /* the file: it may be empty, which is damage */
    int lock;   /* a file beside it; -1: none */
};

struct local_store {
    enum err (*list_records)(const struct local_asker *asker, const struct local_list *list, struct error *damage,
                             struct error *error);
    /* Appends one record with its events and the names of its fields; appends nothing where there is no such record. */
    enum err (*read_record)(const struct local_asker *asker, int64_t n, struct outcome_records *out,
                            struct error *damage, struct error *error);
    /* ERR_CHECK_FAILED where anything is wrong; health is filled all the same. */
    enum err (*verify_journal)(struct local_health *health, struct error *error);
    enum err (*settle_record)(const struct local_asker *asker, int64_t n, enum outcome outcome, const char *note,
                              struct error *error);
    enum err (*purge_journal)(const struct local_asker *asker, int64_t before, int64_t *purged, bool *log_left,
                              struct error *error);
    /* Each works on the cache of a profile; *path: where the cache is. */
    enum err (*cache_stats)(const struct local_asker *asker, const struct profile *profile, struct cache_stats *out,
                            struct str *path, struct error *error);
    enum err (*cache_unknown)(const struct local_asker *asker, const struct profile *profile,
                              struct cache_unknown_fields *out, struct error *error);
    /* *checked: the cache could be opened, and the report is filled, also where an error is returned. */
    enum err (*verify_cache)(const struct local_asker *asker, const struct profile *profile, struct cache_report *out,
                             bool *checked, struct error *error);
    enum err (*purge_cache)(const struct local_asker *asker, const struct profile *profile, struct cache_purged *out,
                            struct str *path, struct error *error);
    /* Appends the codes of declines in the profile's cache that have no entry, a line each; nothing where there is no
     * cache. */
    enum err (*unexplained)(const struct local_asker *asker, const struct profile *profile,
                            const struct reasons *reasons, struct str *codes, struct error *error);
    /* Adds what the ask has, NULL: nothing, then reads all notes and tags of the profile. */
    void (*notes)(const struct profile *profile, const struct notes_ask *ask, struct notes_answer *out);
    /* Exchanges notes with the team's store, once, where the profile shares them. */
    enum err (*share_notes)(const struct profile *profile, struct error *error);
    /* Until it is closed no other run has the place; one that has it is waited for, and named after a second. out: to
     * be closed whatever this returns. */
    enum err (*open_since)(const struct profile *profile, const char *name, struct since_place *out,
                           struct error *error);
    enum err (*write_since)(const struct since_place *place, const struct str *text, struct error *error);
    void (*close_since)(struct since_place *place);
    /* Appends a keyed digest of a text, in hex. */
    enum err (*name_question)(const char *text, struct str *out, struct error *error);
    /* profile NULL: of all. Appends what was removed, in lines. */
    enum err (*purge_notes)(const char *profile, struct str *said, struct error *error);
    enum err (*purge_events)(const char *profile, int *removed, struct error *error);
    /* *kept: forms whose write is of unknown outcome. */
    enum err (*purge_drafts)(int *removed, int *kept, struct error *error);
    /* Both append what was removed, in lines. */
    enum err (*purge_session)(struct str *said, struct error *error);
    enum err (*purge_all)(struct str *said, struct error *error);
};

#endif
