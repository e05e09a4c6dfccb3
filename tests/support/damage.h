#ifndef SUPPORT_DAMAGE_H
#define SUPPORT_DAMAGE_H
/* Files as bytes, and random damage done to them: what a disk, a crash or a careless hand does. One thread; the chance
 * is the test program's own, so that a seed gives the same damages again. */

#include <stdbool.h>
#include <stddef.h>

struct bytes {
    char *s; /* on the heap; NULL where the file is not there */
    size_t len;
    bool there;
};
struct bytes bytes_read(const char *path);
/* The text stands in the file, in plain; false too where it is not there. */
bool file_holds(const char *path, const char *text);
/* Private; one that is not there is removed. */
void bytes_write(const char *path, const struct bytes *bytes);

void chance_seed(unsigned long long seed);
size_t chance_below(size_t n); /* 0 for 0 */

/* A number above 0 out of the environment. */
int number_or(const char *variable, int otherwise);

/* Does one of its kinds and gives its name; bytes that are not there or empty stay so. */
const char *damage_do(struct bytes *bytes);

#endif
