/* A name service that hangs: names under "stall.test" take SLOW_GETADDRINFO_MS (5000) and then fail; all others go to
 * the C library. Preloaded into a program, or included by a test that wants its own process so. */

#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int stalls(const char *node) {
    static const char suffix[] = "stall.test";
    size_t len = node ? strlen(node) : 0;
    return len >= sizeof suffix - 1 && strcmp(node + len - (sizeof suffix - 1), suffix) == 0;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **list) {
    if (stalls(node)) {
        const char *text = getenv("SLOW_GETADDRINFO_MS");
        long ms = text ? strtol(text, NULL, 10) : 5000;
        struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
        while (nanosleep(&left, &left) != 0)
            continue;
        return EAI_AGAIN;
    }
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    return real ? real(node, service, hints, list) : EAI_SYSTEM;
}
