#ifndef CLI_TOPICS_H
#define CLI_TOPICS_H
/* What help and manual say beside commands and options. Private to the layer. */

#include <stddef.h>

struct fact {
    const char *name, *text;
};

extern const struct fact exit_facts[], environment_facts[];
extern const size_t n_exit_facts, n_environment_facts;

/* A topic in parts, each for somebody. */
struct chapter {
    const char *title;
    const struct fact *facts;
    size_t n;
};

extern const struct chapter team_chapters[];
extern const size_t n_team_chapters;

/* A job of an operator's day: the command without the word bursar, NULL where there is none, and the action on the
 * screen. */
struct job_fact {
    const char *name, *command;
    int action;
};

extern const struct job_fact job_facts[];
extern const size_t n_job_facts;

struct keymap;
struct str;
void job_fact_text(const struct job_fact *job, const struct keymap *keymap, struct str *out); /* on two lines */

#endif
