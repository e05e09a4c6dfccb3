#ifndef SUPPORT_LOOKER_H
#define SUPPORT_LOOKER_H
/* Answers the console's questions to the column index the slow way: by looking at each intent of a listing in turn. For
 * tests of flow and screen that have a filter, a sort, counts or a find, without a store. Rows have the keys 1, 2, ...
 * in the listing's order. */

#include "support/driver.h"

/* The last lookup asked for since driver_forget is answered over the listing's intents; whole: they are all that the
 * cache holds. Fails the program where nothing was asked. body NULL: over the rows of the walk that the console gave to
 * the index. */
void looker_answer(struct driver *driver, const char *body, bool whole);
/* Every lookup asked for since driver_forget that was not cancelled, and those that follow, until none is left. */
void looker_settle(struct driver *driver, const char *body, bool whole);
/* The same over the rows of the walk that the console gave to the index, where there is no cache; tells it first that
 * they are in it. */
void looker_settle_walk(struct driver *driver);
/* Keys as driver_keys has them, each followed by the answers to what it asked: over the listing, of which the cache
 * holds more, or for NULL over the rows of the walk. looker_try: each of the texts then stands on the screen. */
void looker_press(struct driver *driver, const char *body, const char *keys);
#define looker_try(driver, body, keys, ...) \
    (looker_press((driver), (body), (keys)), driver_shows((driver), __VA_ARGS__))
/* Whether a lookup was asked for since driver_forget; borrowed. */
const struct lookup *looker_asked(const struct driver *driver);

#endif
