#include "panes/intents/intents.h"

#include "base/mem.h"

#include <stdlib.h>

/* Reads older pages one by one, until a screenful of further rows matches, or the wanted day or id is reached. */

enum { QUOTA_KEPT = 10 };

void read_back_clear(struct read_back *back) {
    query_free(back->query);
    free(back->text);
    *back = (struct read_back){0};
}

static void read_back_say_progress(struct shell *shell) {
    const struct read_back *back = &intents_of(shell)->back;
    struct str rows;
    str_init(&rows, 32);
    money_group_count(&rows, intents_browse(shell)->confirmed);
    shell_message(shell, ROLE_INFO, "reading back for %s: %zu page%s, %s row%s read; %s stops",
                  back->text ? back->text : "more that match", back->pages, plural_s(back->pages), rows.s,
                  plural_s(intents_browse(shell)->confirmed), shell_key_of(shell, ACTION_BACK));
    shell_message_of_link(shell);
    str_clear(&rows);
}

static bool read_back_read_page(struct shell *shell, struct effects *effects) {
    struct browse *browse = intents_browse(shell);
    bool asks = browse_more(browse, effects);
    if (asks || (browse_is_busy(browse) && browse->task == BROWSE_MORE)) {
        intents_of(shell)->back.on = true;
        intents_of(shell)->back.filters = browse->filters;
        intents_of(shell)->back.seen = browse->chain.pages;
        intents_of(shell)->back.pages++;
        read_back_say_progress(shell);
        return true;
    }
    return false;
}

bool read_back_rows(struct shell *shell, struct effects *effects) {
    struct read_back *back = &intents_of(shell)->back;
    if (back->on) {
        read_back_say_progress(shell); /* reading is under way already: says how far it got */
        return true;
    }
    size_t page = intents_of(shell)->table.visible_rows > 0 ? (size_t)intents_of(shell)->table.visible_rows : 1;
    read_back_clear(back);
    back->wanted = result_rows(intents_view(shell)) + page;
    return read_back_read_page(shell, effects);
}

bool read_back_jump(struct shell *shell, const struct query *query, const char *text, struct effects *effects) {
    struct read_back *back = &intents_of(shell)->back;
    size_t pages = str_equal(back->text, text) ? back->pages : 0;
    char *copy = mem_dup(text);
    read_back_clear(back);
    back->text = copy;
    back->query = query_dup(query);
    back->pages = pages;
    return pages < chain_budget(shell_profile(shell)) && read_back_read_page(shell, effects);
}

/* Only the newest page can have it: the earlier ones were searched. */
static bool is_reached(const struct shell *shell) {
    const struct read_back *back = &intents_of(shell)->back;
    const struct browse *browse = intents_browse(shell);
    if (!back->query)
        return result_rows(intents_view(shell)) >= back->wanted;
    size_t first = browse->pages.n > 0 ? browse->pages.items[browse->pages.n - 1].first : 0;
    size_t row =
        result_next_read(intents_view(shell), back->query, first == 0 ? SIZE_MAX : first - 1, 1, shell_now(shell));
    return row < browse->confirmed;
}

/* Whether the index has the newest page too. */
static bool read_back_is_settled(const struct shell *shell) {
    const struct view *view = intents_view(shell);
    bool indexed = view->ticket == 0 && !(view->answer && view->answer->behind);
    return result_is_as_read(view) || indexed;
}

static void read_back_say_end(struct shell *shell) {
    const struct read_back *back = &intents_of(shell)->back;
    const struct browse *browse = intents_browse(shell);
    const char *what = back->text ? back->text : "a screenful more";
    if (browse->code != ERR_OK)
        return; /* the error was told */
    if (browse->end == BROWSE_END) {
        shell_message(shell, ROLE_INFO, "the list was read to its end; %s is not in it", what);
    } else {
        shell_message(shell, ROLE_WARN, "%s was not found in %zu page%s; the same key reads on, %s reads all", what,
                      back->pages, plural_s(back->pages), shell_key_of(shell, ACTION_CRAWL));
    }
}

void read_back_follow(struct shell *shell, struct effects *effects) {
    struct read_back *back = &intents_of(shell)->back;
    const struct browse *browse = intents_browse(shell);
    back->on = back->on && back->filters == browse->filters;
    if (!back->on || !read_back_is_settled(shell))
        return;
    if (back->query && browse_is_busy(browse) && browse->chain.pages == back->seen)
        return; /* rows of earlier pages were searched already */
    if (is_reached(shell)) {
        back->on = false;
        shell_message_clear(shell);
        if (back->query) {
            char *text = mem_dup(back->text);
            intents_jump(shell, text, effects);
            free(text);
        }
        return;
    }
    if (browse_is_busy(browse) || browse_retries(browse)) { /* waits for a page that something else asked for */
        back->pages += browse->chain.pages != back->seen;
        back->seen = browse->chain.pages;
        read_back_say_progress(shell);
        return;
    }
    bool spent = back->pages >= chain_budget(shell_profile(shell)) ||
                 (browse->quota_left >= 0 && browse->quota_left < QUOTA_KEPT);
    if (browse->end != BROWSE_OPEN || browse->code != ERR_OK || spent || !read_back_read_page(shell, effects)) {
        back->on = false;
        read_back_say_end(shell);
        back->pages = 0;
    }
}

void read_back_stop(struct shell *shell) {
    intents_of(shell)->back.on = false;
}
