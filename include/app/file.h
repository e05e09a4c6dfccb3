#ifndef APP_FILE_H
#define APP_FILE_H
/* The operator's own files, as data: run reads and writes them on a lane. What an ask or answer owns moves with it;
 * text may be personal and is wiped. */

#include "app/effect.h"

enum file_task {
    FILE_IMPORT,     /* path, beside (the mapping, or NULL), results: all three read; the last may be missing */
    FILE_RESULTS,    /* results: its whole text in place of what it had; path is held against other imports */
    FILE_RESULT_ADD, /* one more line; synced before the answer */
    FILE_NEW,        /* path: a new file with this text, 0600; refused where there is one */
    FILE_RESULT_END, /* as FILE_RESULTS, and both are let go */
    FILE_COMPLETE,   /* path, as it is typed: text is as much of it as is certain, names what begins so */
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
    struct str names; /* of COMPLETE, with blanks between */
    size_t n_names;
};
enum { FILE_IMPORT_MAX = 64 << 20, FILE_NAMES_MAX = 4096 };
struct file_answer *file_answer_new(enum file_task task);
void file_answer_free(struct file_answer *answer);
PAYLOAD_TYPE(file_answer)

uint64_t effects_file(struct effects *effects, struct file_ask *ask); /* takes ask; the answer bears the ticket */

#endif
