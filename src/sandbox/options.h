#ifndef SANDBOX_OPTIONS_H
#define SANDBOX_OPTIONS_H
/* The command line of bursar-sandbox. One table gives parser, --help and manual. Main thread. */

#include "dataset.h"
#include "deliver.h"
#include "style.h"

#include <netinet/in.h>

enum options_do { OPTIONS_SERVE, OPTIONS_HELP, OPTIONS_VERSION };

struct options_faults {
    const char **items;
    size_t n, cap;
};

/* Texts point into argv. */
struct options {
    enum options_do act;
    struct sockaddr_storage address;
    bool remote; /* the address is not loopback */
    const char *port_file, *token_file, *control_token_file, *journal;
    struct dataset_setup setup;
    long long page_size, tick_ms; /* tick_ms 0: time stands */
    struct options_faults faults;
    struct style style;
    struct deliver_setup deliver;
};

/* ERR_USAGE with what is wrong. Cleared by the caller in any case. */
enum err options_read(int argc, char **argv, struct options *out, struct error *error) MUST_CHECK;
void options_clear(struct options *options);
void options_help(struct str *out);

/* The option table as text: name without dashes, shape of the value ("" for none), help. */
void options_describe(void (*entry)(void *context, const char *name, const char *shape, const char *help),
                      void *context);

#endif
