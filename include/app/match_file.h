#ifndef APP_MATCH_FILE_H
#define APP_MATCH_FILE_H
/* The table of a match, as the console asks for it: run reads the file on a lane, since a table may have a million
 * rows. */

#include "app/effect.h"
#include "app/match.h"

struct match_file_ask {
    char *path, *map;    /* map NULL: none */
    struct match *match; /* new, with its options */
};
/* Takes match. */
struct match_file_ask *match_file_ask_new(const char *path, const char *map, struct match *match);
void match_file_ask_free(struct match_file_ask *ask);
PAYLOAD_TYPE(match_file_ask)

struct match_file_answer {
    struct match *match; /* the ask's, with the rows of the table */
    struct error error;  /* code ERR_OK where they were read */
};
struct match_file_answer *match_file_answer_new(struct match *match); /* takes it */
void match_file_answer_free(struct match_file_answer *answer);
PAYLOAD_TYPE(match_file_answer)

uint64_t effects_match_file(struct effects *effects, struct match_file_ask *ask); /* takes ask */

#endif
