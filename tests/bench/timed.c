/* Commands run in turn, for peers.sh: `timed ROUNDS cmd... -- cmd... --` gives a line for each command with the median
 * of its wall time in ms, of its processor's time in ms, and its greatest memory in KB. Their output goes nowhere. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16, ROUNDS_MAX = 99 };

struct series {
    char **argv;
    double wall[ROUNDS_MAX], busy[ROUNDS_MAX];
    long peak;
};

static double ms_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double ms_of(struct timeval time) {
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static void become(char **argv) {
    int nowhere = open("/dev/null", O_RDWR);
    (void)dup2(nowhere, 0);
    (void)dup2(nowhere, 1);
    (void)dup2(nowhere, 2);
    (void)execvp(argv[0], argv);
    _exit(127);
}

static void run(struct series *series, int round) {
    struct rusage usage;
    int status;
    double began = ms_now();
    pid_t pid = fork();
    if (pid == 0)
        become(series->argv);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        exit(1);
    series->wall[round] = ms_now() - began;
    series->busy[round] = ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
    series->peak = usage.ru_maxrss > series->peak ? usage.ru_maxrss : series->peak;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int n) {
    qsort(times, (size_t)n, sizeof *times, by_value);
    return times[n / 2];
}

int main(int argc, char **argv) {
    static struct series all[COMMANDS_MAX];
    int rounds = argc > 1 ? atoi(argv[1]) : 0, n = 0, from = 2;
    for (int i = 2; i < argc && n < COMMANDS_MAX; i++)
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            all[n++].argv = argv + from;
            from = i + 1;
        }
    if (rounds < 1 || rounds > ROUNDS_MAX || n == 0)
        return 2;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < n; i++)
            run(&all[i], round);
    for (int i = 0; i < n; i++)
        printf("%.2f %.2f %ld\n", median(all[i].wall, rounds), median(all[i].busy, rounds), all[i].peak);
    return 0;
}
