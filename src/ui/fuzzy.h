#ifndef UI_FUZZY_H
#define UI_FUZZY_H
/* How well typed words fit a name, its description and other words for it: for lists of commands, whose names nobody
 * types in full. */

/* needle: folded words separated by blanks, each of which must fit: a part of the name, its letters in order, or the
 * beginning of a word of the text or of the other words. 0: does not fit; the more, the better. text and words may be
 * NULL. */
int fuzzy_score(const char *name, const char *text, const char *words, const char *needle);

#endif
