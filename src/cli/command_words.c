#include "cli/cli.h"

#include <string.h>

const char *word_at(const char *words, size_t index, size_t *len) {
    while (words && *words) {
        *len = strcspn(words, " ");
        if (index-- == 0)
            return words;
        words += *len + strspn(words + *len, " ");
    }
    return NULL;
}

/* Number of the command's words, if they are the first of these; else 0. */
static size_t match(const struct command *command, const char *const *words, size_t n) {
    size_t used = 0, len;
    const char *word;
    while ((word = word_at(command->words, used, &len)) != NULL) {
        if (used == n || strlen(words[used]) != len || memcmp(words[used], word, len) != 0)
            return 0;
        used++;
    }
    return used;
}

int command_find(const char *const *words, size_t n, size_t *used) {
    *used = 0;
    if (n == 0)
        return COMMAND_CONSOLE;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        *used = match(command_of((enum command_id)id), words, n);
        if (*used > 0)
            return id;
    }
    return -1;
}
