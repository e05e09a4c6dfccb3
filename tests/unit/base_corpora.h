#ifndef UNIT_BASE_CORPORA_H
#define UNIT_BASE_CORPORA_H
/* Reading a file of the shared corpora; without BURSAR_CORPORA the test is skipped aloud. */

#include "base/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static inline void corpora_read(const char *name, struct str *out) {
    const char *folder = getenv("BURSAR_CORPORA");
    struct error error = {0};
    struct str path;
    if (!folder) {
        print_message("skipped: no corpora\n");
        skip();
    }
    str_init(&path, 4096);
    str_addf(&path, "%s/%s", folder, name);
    str_init(out, 16 * 1024 * 1024);
    enum err err = path_read(path.s, out->max, false, out, &error);
    str_clear(&path);
    if (err != ERR_OK)
        fail_msg("%s", error.text);
}

#endif
