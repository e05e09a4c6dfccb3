#include "support/golden.h"

#include "base/linux.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { GOLDEN_MAX = 4 * 1024 * 1024, DIFFERENCES_MAX = 40 };

static void golden_path(const char *name, char *out, size_t size) {
    const char *tests = getenv("BURSAR_TESTS");

    (void)snprintf(out, size, "%s/screen/golden/%s.txt", !tests || tests[0] == '\0' ? "tests" : tests, name);
}

static char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text;
    size_t n;

    if (!file)
        return NULL;
    text = calloc(1, GOLDEN_MAX);
    n = !text ? 0 : fread(text, 1, GOLDEN_MAX - 1, file);
    (void)fclose(file);
    if (!text || n == GOLDEN_MAX - 1)
        fail_msg("%s is too large", path);
    return text;
}

static void write_whole(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    size_t len = strlen(text);

    if (!file || fwrite(text, 1, len, file) != len || fclose(file) != 0)
        fail_msg("cannot write %s: %s", path, strerror(errno));
}

static bool is_same(const char *a, size_t a_len, const char *b, size_t b_len) {
    return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* Line by line: both halves of a golden screen keep their line numbers, so more is not needed to find the place. */
static void print_difference(const char *wanted, const char *actual) {
    int shown = 0;

    for (int line = 1; (*wanted != '\0' || *actual != '\0') && shown < DIFFERENCES_MAX; line++) {
        size_t w = strcspn(wanted, "\n"), a = strcspn(actual, "\n");
        if (!is_same(wanted, w, actual, a)) {
            (void)fprintf(stderr, "%4d - %.*s\n     + %.*s\n", line, (int)w, wanted, (int)a, actual);
            shown++;
        }
        wanted += w + (wanted[w] == '\n' ? 1 : 0);
        actual += a + (actual[a] == '\n' ? 1 : 0);
    }
}

static void keep(const char *name, const char *actual, const char *kept) {
    char own[PATH_MAX] = "", path[PATH_MAX + 64];
    ssize_t n;

    if (!kept) {
        n = readlink("/proc/self/exe", own, sizeof own - 1);
        own[n > 0 ? n : 0] = '\0';
        char *slash = strrchr(own, '/');
        if (!slash)
            return;
        *slash = '\0';
        kept = own;
    }
    (void)snprintf(path, sizeof path, "%s/%s.actual", kept, name);
    write_whole(path, actual);
    (void)fprintf(stderr, "drawn: %s\n", path);
}

void golden_check(const char *name, const char *actual, const char *kept) {
    const char *rewrite = getenv("GOLDEN_WRITE");
    char path[PATH_MAX];
    char *wanted;
    bool same;

    golden_path(name, path, sizeof path);
    if (rewrite && strcmp(rewrite, "1") == 0) {
        write_whole(path, actual);
        return;
    }
    wanted = read_whole(path);
    same = wanted && strcmp(wanted, actual) == 0;
    if (!same) {
        (void)fprintf(stderr, "%s: - wanted, + drawn\n", path);
        print_difference(!wanted ? "" : wanted, actual);
        keep(name, actual, kept);
    }
    free(wanted);
    if (!same)
        fail_msg("%s differs", name);
}
