/* How fast jansson alone decodes the lines of a file: the yardstick of a walk (peers.sh). Prints ms by the clock, and
 * of the processor's time. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLOCKS = 2 };

/* Takes the time away at the beginning (-1), and adds it at the end (1). */
static void lap(double ms[CLOCKS], struct timespec at[CLOCKS], int sign) {
    static const clockid_t IDS[CLOCKS] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID};
    for (int i = 0; i < CLOCKS; i++) {
        (void)clock_gettime(IDS[i], &at[i]);
        ms[i] += sign * ((double)at[i].tv_sec * 1e3 + (double)at[i].tv_nsec / 1e6);
    }
}

int main(int argc, char **argv) {
    struct timespec at[CLOCKS];
    char *line = NULL;
    size_t cap = 0;
    double ms[CLOCKS] = {0};
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    for (ssize_t len = getline(&line, &cap, file); len > 0; len = getline(&line, &cap, file)) {
        lap(ms, at, -1);
        json_t *value = json_loadb(line, (size_t)len, JSON_REJECT_DUPLICATES, NULL);
        json_decref(value);
        lap(ms, at, 1);
        if (!value)
            return 1;
    }
    free(line);
    (void)fclose(file);
    printf("%.2f %.2f\n", ms[0], ms[1]);
    return 0;
}
