#ifndef SUPPORT_MOCK_H
#define SUPPORT_MOCK_H
/* The independent mock and validator of the interface document (prism), on loopback: BURSAR_MOCK names its script,
 * BURSAR_SPEC the folder with openapi.yaml. One thread. */

#include "support/proc.h"

struct mock {
    struct proc proc;
    int port;
    char *url;
};

/* NULL where both are there, else what is missing, for a message. */
const char *mock_missing(void);

/* Answers by itself, with invented values that keep to the document. */
bool mock_start(struct mock *mock);
/* Stands before a service and holds requests (422) and answers (500) to the document. */
bool mock_start_proxy(struct mock *mock, const char *upstream);
/* Everything it said so far; a violation is a line with "error" in it. */
const char *mock_log(struct mock *mock);
void mock_stop(struct mock *mock);

#endif
