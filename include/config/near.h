#ifndef CONFIG_NEAR_H
#define CONFIG_NEAR_H
/* The known word nearest to an unknown one, for "did you mean": keys, commands, options. Pure. */

#include <stddef.h>

/* NULL where no word is similar: more than a third of the letters would have to change. words[i] == NULL is skipped. */
const char *near_word(const char *word, const char *const *words, size_t n);

#endif
