#ifndef CLI_TOPICS_H
#define CLI_TOPICS_H
/* What help and manual say beside commands and options. Private to the layer. */

#include <stddef.h>

struct fact {
    const char *name, *text;
};

extern const struct fact exit_facts[], environment_facts[];
extern const size_t n_exit_facts, n_environment_facts;

#endif
