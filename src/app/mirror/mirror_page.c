/* A page of the mirror: what it says of the list is noted, its rows are not kept. */
#include "mirror_own.h"

#include "app/idset.h"

#include <stdlib.h>
#include <string.h>

static void note_time(struct mirror_part *part, const struct intent *intent) {
    bool timed = intent->created_at.state == VALUE_OK;
    int64_t ms = intent->created_at.ms;
    part->newest_first = part->newest_first && timed && (part->last == CLOCK_NONE || ms <= part->last);
    part->last = timed ? ms : part->last;
    if (!timed)
        return;
    part->newest = part->newest == CLOCK_NONE || ms > part->newest ? ms : part->newest;
    part->oldest = part->oldest == CLOCK_NONE || ms < part->oldest ? ms : part->oldest;
}

/* True where this part did not have the row before. A row without an id is known by its bytes. */
static bool note_row(struct mirror *mirror, struct mirror_part *part, const struct intent *intent,
                     struct mirror_news *news) {
    char bytes[IDSET_BYTES_KEY];
    bool has_id = intent_id(intent) != NULL;
    const char *key = has_id ? intent->id.text : idset_bytes_key(intent->raw, intent->raw_len, bytes);
    size_t before = idset_swap(mirror->ids, key, has_id ? strlen(key) : sizeof bytes, part->number);
    mirror->distinct += before == SIZE_MAX;
    mirror->broken += intent->broken != NULL;
    mirror->no_id += !intent->broken && !has_id;
    note_time(part, intent);
    news->rows++;
    if (part == mirror->parts.items && mirror->parts.n > 1 && !mirror->catching &&
        !mirror_split_knows(mirror, intent, before)) {
        /* What came since the parts were read is news; what is older they should have had. */
        news->unknown++;
        bool timed = intent->created_at.state == VALUE_OK;
        mirror->thorough = mirror->thorough || !timed || intent->created_at.ms <= mirror->split.newest;
    }
    return before != part->number;
}

void mirror_take_page(struct mirror *mirror, struct mirror_part *part, struct page *page) {
    size_t fresh = 0;
    struct mirror_news news = {0};
    for (size_t i = 0; i < page->n; i++)
        fresh += page->items[i] && note_row(mirror, part, page->items[i], &news);
    mirror->pages++;
    mirror->listed += part == mirror->parts.items;
    /* The first page of all: what it has newest was there when the pass began. */
    if (mirror->ground == 0 && !mirror->resumed && part->newest != CLOCK_NONE && !part->next)
        mirror->ground = part == mirror->parts.items ? part->newest : 0;
    mirror->rows += page->n;
    free(part->next);
    part->next_is_url = page->next_is_url;
    part->end = chain_take_page(&part->chain, page, fresh, &part->next);
    bool list = part == mirror->parts.items && part->end == BROWSE_OPEN && mirror->parts.n > 1;
    if (list && (mirror->catching ? mirror_catch_is_done(mirror) : mirror_split_is_done(mirror, &news))) {
        part->end = BROWSE_END;
        mirror->spared = true;
    }
}
