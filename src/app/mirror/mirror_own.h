#ifndef APP_MIRROR_OWN_H
#define APP_MIRROR_OWN_H
/* What the files of the mirror share. */

#include "app/mirror.h"

/* after, before: CLOCK_NONE for an open end. Both ends are a second wider than asked for: whether a service takes them
 * in is not told anywhere. */
struct mirror_part *mirror_part_add(struct mirror *mirror, int64_t after, int64_t before, const char *type);
void mirror_part_clear(struct mirror_part *part);
void mirror_parts_clear(struct mirror *mirror);
/* From its first page. */
void mirror_part_restart(struct mirror *mirror, struct mirror_part *part);
bool mirror_part_is_open(const struct mirror_part *part); /* it has pages to ask for */

/* The parts as text, and back; false: not such a text, and the parts are as before. */
void mirror_plan_text(const struct mirror *mirror, struct str *out);
bool mirror_plan_read(struct mirror *mirror, const char *text);

/* Takes ask, which is about all parts. */
void mirror_ask_cache(struct mirror *mirror, struct mirror_ask *ask, struct effects *effects);
struct mirror_ask *mirror_ask_new(const struct mirror *mirror, enum mirror_task task);

/* Its rows stay in the page. */
void mirror_take_page(struct mirror *mirror, struct mirror_part *part, struct page *page);
char *mirror_time(int64_t ms); /* as a filter has it: heap text, NULL for CLOCK_NONE */

/* ---- Catching up ---- */

/* Whether all was read before, as of *as_of, with *ground as its newest row. */
bool mirror_catch_can(const struct mirror *mirror, const struct mirror_held *held, int64_t *as_of, int64_t *ground);
void mirror_catch_begin(struct mirror *mirror, int64_t as_of, int64_t ground);
bool mirror_catch_is_done(const struct mirror *mirror); /* the list was read down to known ground */

/* ---- Splitting the list ---- */

bool mirror_split_begins(const struct mirror *mirror); /* the first page of the list is looked at for it */
/* After that page: asks further, or for the plan, or leaves the list in one part. */
void mirror_split_first(struct mirror *mirror, int64_t now, struct effects *effects);
/* The answer to split.ticket. */
void mirror_split_take(struct mirror *mirror, struct list_result *result, int64_t now, struct effects *effects);
bool mirror_split_declined(const struct mirror_part *part, const struct page *page);

/* Of a page of the walk over the whole list: its rows, and those that no part returned. */
struct mirror_news {
    size_t rows, unknown;
};
/* before: the number of the walk that had the row before, SIZE_MAX for none. */
bool mirror_split_knows(const struct mirror *mirror, const struct intent *intent, size_t before);
bool mirror_split_is_done(const struct mirror *mirror, const struct mirror_news *news);

#endif
