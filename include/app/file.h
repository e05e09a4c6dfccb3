#ifndef APP_FILE_H
#define APP_FILE_H
/* The operator's own files, as data: run reads and writes them on a lane. What an ask or answer owns moves with it; its
 * text may be personal and is wiped. */

#include "app/effect.h"

enum file_task {
    FILE_IMPORT,     /* reads path, beside (the mapping, or NULL) and results, which may be missing */
    FILE_RESULTS,    /* replaces the text of results; path is locked against other imports from now on */
    FILE_RESULT_ADD, /* adds one line to results; on the disk (fsync) before the answer comes */
    FILE_NEW,        /* writes path, a new file with this text, 0600; refused where the file exists */
    FILE_RESULT_END, /* as FILE_RESULTS, then both locks are released */
    FILE_IDS,        /* reads path: a list of ids */
    FILE_COMPLETE,   /* path as typed so far: text is how far it can be completed for certain, names are the files that
                        begin so */
};

struct file_ask {
    enum file_task task;
    char *path, *beside, *results;
    char *text;
};
struct file_ask *file_ask_new(enum file_task task, const char *path);
void file_ask_free(struct file_ask *ask);
PAYLOAD_TYPE(file_ask)

struct file_answer {
    enum file_task task;
    struct error error;
    struct str text, beside, results;
    bool has_results;
    struct str names; /* of FILE_COMPLETE, separated by blanks */
    size_t n_names;
};
enum { FILE_IMPORT_MAX = 64 << 20, FILE_NAMES_MAX = 4096 };
struct file_answer *file_answer_new(enum file_task task);
void file_answer_free(struct file_answer *answer);
PAYLOAD_TYPE(file_answer)

uint64_t effects_file(struct effects *effects, struct file_ask *ask); /* takes ask; the answer bears the ticket */

#endif
