#include "local_store.h"

#include "arrivals_file.h"
#include "drafts.h"
#include "history.h"
#include "notes_file.h"
#include "purge.h"
#include "run/lanes/notes_lane.h"
#include "session.h"
#include "shared_file.h"
#include "since_place.h"
#include "views.h"

#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "model/cells.h"
#include "model/user.h"
#include "run/lanes/cache_lane.h"
#include "run/lanes/journal_lane.h"
#include "store/cache_care.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, PORTION = 1000, WHO_BYTES = 256 };

/* ---- the journal ---- */

static void tell_opening(const struct local_asker *asker, const struct journal_opening *opening) {
    if (opening->key_is_new)
        asker->notice(asker->context, JOURNAL_KEY_IS_NEW);
}

static enum err opened(const struct local_asker *asker, const struct journal *journal,
                       const struct journal_opening *opening, struct error *error) {
    if (!journal)
        return error_set(error, ERR_STORE, "%s", opening->error.text);
    tell_opening(asker, opening);
    return ERR_OK;
}

static enum err files_local_store_open_journal(const struct local_asker *asker, struct journal **out,
                                               struct error *error) {
    struct journal_opening opening;
    *out = journal_open(NULL, clock_now(), &opening);
    return opened(asker, *out, &opening, error);
}

static enum err files_local_store_open_reading(const struct local_asker *asker, struct journal **out,
                                               struct error *damage, struct error *error) {
    struct journal_opening opening;
    *out = journal_open_reading(NULL, clock_now(), &opening);
    if (*out && opening.state != JOURNAL_OK) {
        enum err told = error_set(damage, ERR_STORE, "%s", opening.error.text);
        (void)told;
    }
    return opened(asker, *out, &opening, error);
}

static enum err list_portion(const struct local_asker *asker, struct journal *journal, struct journal_filter *filter,
                             size_t *n, struct error *error) {
    struct journal_records records;
    struct outcome_records copies = {0};
    journal_records_init(&records);
    enum err err = journal_list(journal, filter, &records, error);
    if (err == ERR_OK) {
        journal_copy_records(&records, &copies);
        err = asker->portion(asker->context, &copies, error);
    }
    *n = records.n;
    filter->before = records.n ? records.items[records.n - 1].n : filter->before;
    outcome_records_clear(&copies);
    journal_records_clear(&records);
    return err;
}

static enum err list_records(const struct local_asker *asker, const struct local_list *list, struct error *damage,
                             struct error *error) {
    struct journal *journal = NULL;
    struct journal_filter filter = JOURNAL_ANY;
    struct journal_value match = {user_match_name(USER_MATCH_TAG), list->tag};
    size_t listed = 0, n = 0;
    filter.profile = list->profile;
    filter.outcome = list->outcome;
    filter.since = list->since;
    filter.match = list->tag ? &match : NULL;
    enum err err = files_local_store_open_reading(asker, &journal, damage, error);
    for (bool more = true; err == ERR_OK && more; listed += n) {
        size_t left = list->limit ? list->limit - listed : PORTION;
        filter.limit = left < PORTION ? left : PORTION;
        err = list_portion(asker, journal, &filter, &n, error);
        more = n == filter.limit && (!list->limit || listed + n < list->limit);
    }
    journal_close(journal);
    return err;
}

static enum err files_local_store_read_record(const struct local_asker *asker, int64_t n, struct outcome_records *out,
                                              struct error *damage, struct error *error) {
    struct journal *journal = NULL;
    struct journal_records records;
    journal_records_init(&records);
    enum err err = files_local_store_open_reading(asker, &journal, damage, error);
    if (err == ERR_OK)
        err = journal_get(journal, n, &records, error);
    if (err == ERR_OK)
        journal_copy_records(&records, out);
    journal_records_clear(&records);
    journal_close(journal);
    return err;
}

static enum err verify_journal(struct local_health *health, struct error *error) {
    struct journal_health found;
    enum err err = journal_verify(NULL, clock_now(), &found, error);
    *health = (struct local_health){.sound = found.opening.state == JOURNAL_OK,
                                    .records = found.records,
                                    .entries = found.entries,
                                    .confirmed = found.confirmed};
    str_init(&health->faults, found.faults.len + 1);
    str_add_n(&health->faults, found.faults.s, found.faults.len);
    journal_health_clear(&found);
    return err;
}

static enum err settle_record(const struct local_asker *asker, int64_t n, enum outcome outcome, const char *note,
                              struct error *error) {
    struct journal *journal = NULL;
    struct str who;
    str_init(&who, WHO_BYTES);
    journal_who(&who);
    struct journal_settle settle = {
        .now = clock_now(), .outcome = (enum journal_outcome)outcome, .who = who.s, .note = note};
    enum err err = files_local_store_open_journal(asker, &journal, error);
    if (err == ERR_OK)
        err = journal_settle(journal, n, &settle, error);
    journal_close(journal);
    str_clear(&who);
    return err;
}

static enum err purge_journal(const struct local_asker *asker, int64_t before, int64_t *purged, bool *log_left,
                              struct error *error) {
    struct journal *journal = NULL;
    enum err err = files_local_store_open_journal(asker, &journal, error);
    if (err == ERR_OK)
        err = journal_purge(journal, before, clock_now(), purged, log_left, error);
    journal_close(journal);
    return err;
}

/* ---- the cache of a profile ---- */

/* damaged, if given: what there was is not read any more, it was set aside. */
static enum err open_cache(const struct local_asker *asker, const struct profile *profile, struct cache **out,
                           struct str *path, bool *damaged, struct error *error) {
    struct cache_binding binding = {.origin = profile->origin,
                                    .profile = profile->name,
                                    .account = profile->account ? profile->account : "",
                                    .token = ""};
    struct cache_opening opening;
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    *out = cache_open(NULL, &binding, &opening);
    cache_outcome_text(&opening, &text);
    if (*out && text.len > 0)
        asker->notice(asker->context, text.s);
    if (path)
        str_add(path, opening.path);
    if (damaged)
        *damaged = opening.outcome == CACHE_SET_ASIDE;
    enum err err = *out ? ERR_OK : error_set(error, ERR_STORE, "%s", text.s);
    str_clear(&text);
    return err;
}

static enum err read_stats(const struct local_asker *asker, const struct profile *profile, struct cache_stats *out,
                           struct str *path, struct error *error) {
    struct cache *cache = NULL;
    enum err err = open_cache(asker, profile, &cache, path, NULL, error);
    if (err == ERR_OK)
        err = cache_stats(cache, out, error);
    cache_close(cache);
    return err;
}

static enum err read_unknown(const struct local_asker *asker, const struct profile *profile,
                             struct cache_unknown_fields *out, struct error *error) {
    struct cache *cache = NULL;
    enum err err = open_cache(asker, profile, &cache, NULL, NULL, error);
    if (err == ERR_OK)
        err = cache_unknown_fields(cache, out, error);
    cache_close(cache);
    return err;
}

static enum err verify_cache(const struct local_asker *asker, const struct profile *profile, struct cache_report *out,
                             bool *checked, struct error *error) {
    struct cache *cache = NULL;
    bool damaged = false;
    enum err err = open_cache(asker, profile, &cache, NULL, &damaged, error);
    if (err == ERR_OK && damaged)
        err = error_set(error, ERR_CHECK_FAILED,
                        "the cache was damaged, and nothing of it could be checked; bursar intents list --all reads "
                        "everything again from the service");
    *checked = err == ERR_OK;
    if (err == ERR_OK)
        err = cache_verify(cache, NULL, NULL, out, error);
    cache_close(cache);
    return err;
}

static enum err purge_cache(const struct local_asker *asker, const struct profile *profile, struct cache_purged *out,
                            struct str *path, struct error *error) {
    struct cache *cache = NULL;
    enum err err = open_cache(asker, profile, &cache, path, NULL, error);
    if (err == ERR_OK)
        err = cache_purge(cache, out, error);
    cache_close(cache);
    return err;
}

/* Collects each code once. */
struct decline_codes {
    const struct reasons *reasons;
    struct idset *seen;
    size_t n;
    struct str *out;
};

static bool take_decline(void *context, int64_t key, const void *blob, size_t len) {
    enum { CODES_MAX = 1000 };
    struct decline_codes *codes = context;
    struct cells cells;
    (void)key;
    if (!cells_read(blob, len, &cells) || !cells.text[CELLS_DECLINE].s)
        return true;
    const struct cells_slice *code = &cells.text[CELLS_DECLINE];
    if (!idset_put(codes->seen, code->s, code->len, codes->n))
        return true;
    char *text = mem_dup_n(code->s, code->len);
    if (!reasons_find(codes->reasons, text))
        str_addf(codes->out, "%s\n", text);
    free(text);
    return ++codes->n < CODES_MAX;
}

static bool cache_is_there(const struct profile *profile) {
    struct str path;
    str_init(&path, PATH_BYTES);
    bool there = path_home(PATH_CACHE, NULL, &path, NULL) == ERR_OK;
    str_add_char(&path, '/');
    path_add_name(&path, profile->name);
    str_add(&path, ".db");
    there = there && !path.truncated && access(path.s, F_OK) == 0;
    str_clear(&path);
    return there;
}

static enum err find_unexplained(const struct local_asker *asker, const struct profile *profile,
                                 const struct reasons *reasons, struct str *out, struct error *error) {
    if (!cache_is_there(profile))
        return ERR_OK;
    struct cache *cache = NULL;
    enum err err = open_cache(asker, profile, &cache, NULL, NULL, error);
    struct decline_codes codes = {.reasons = reasons, .seen = idset_new(), .out = out};
    if (err == ERR_OK)
        err = cache_stream(cache, CACHE_KEY_NEWEST, take_decline, &codes, error);
    idset_free(codes.seen);
    cache_close(cache);
    return err;
}

/* ---- forms and session ---- */

static enum err files_local_store_purge_drafts(int *removed, int *kept, struct error *error) {
    *removed = drafts_purge(NULL, kept, error);
    return *removed < 0 ? ERR_FILE : ERR_OK;
}

static void say_removed(struct str *said, const char *what, int n) {
    if (n > 0)
        str_addf(said, "%s of %d profile%s removed\n", what, n, plural_s(n));
}

static enum err purge_session(struct str *said, struct error *error) {
    struct str path;
    str_init(&path, PATH_BYTES);
    enum err err = path_home(PATH_STATE, "session", &path, error);
    if (err == ERR_OK && unlink(path.s) == 0)
        str_add(said, "session removed\n");
    str_clear(&path);
    int n = err == ERR_OK ? history_purge(NULL, error) : 0;
    say_removed(said, "history", n);
    int views = n >= 0 && err == ERR_OK ? views_purge(NULL, error) : 0;
    say_removed(said, "saved views", views);
    int shared = views >= 0 && err == ERR_OK ? shared_file_purge(NULL, error) : 0;
    say_removed(said, "views that a team shares", shared);
    return n < 0 || views < 0 || shared < 0 ? ERR_FILE : err;
}

static enum err share_notes(const struct profile *profile, struct error *error) {
    struct exchange_memory memory = {0};
    struct str who;
    str_init(&who, WHO_BYTES);
    journal_who(&who);
    bool wanted = notes_exchange_is_wanted(profile, EXCHANGE_NOTES);
    struct team_side *side = wanted ? team_side_new(profile, NULL, who.s) : NULL;
    enum err err = side ? notes_exchange(side, NULL, EXCHANGE_NOTES, -1, &memory, error) : ERR_OK;
    team_side_free(side);
    str_clear(&who);
    return err;
}

static void keep_notes(const struct profile *profile, const struct notes_ask *ask, struct notes_answer *out) {
    struct notes_place place = notes_place_of(NULL, profile);
    struct str who;
    str_init(&who, WHO_BYTES);
    journal_who(&who);
    notes_file_answer(&place, ask, who.s, out);
    enum err err = ask && ask->n > 0 && out->error.code == ERR_OK ? share_notes(profile, &out->unshared) : ERR_OK;
    (void)err; /* it is kept here, and goes there another time */
    str_clear(&who);
}

static void exchange_views_of(struct team_side *side, struct views_kept *out) {
    struct error unsent = {0};
    struct exchange_memory memory = {0};
    enum err err = notes_exchange(side, NULL, EXCHANGE_VIEWS, -1, &memory, &unsent);
    (void)err; /* kept in out */
    out->unsent = unsent;
    out->unasked = !memory.taken;
}

/* Before it is read, so that it is what the team shares now; and after a change, which is to go there. */
static void keep_views(const struct profile *profile, const struct views_wish *wish, struct views_kept *out) {
    bool shares = wish->act == VIEWS_SHARE || wish->act == VIEWS_UNSHARE;
    const struct shared_place place = {NULL, profile};
    struct str who;
    str_init(&who, WHO_BYTES);
    journal_who(&who);
    struct team_side *side =
        notes_exchange_is_wanted(profile, EXCHANGE_VIEWS) ? team_side_new(profile, NULL, who.s) : NULL;
    struct views_kept before = {0};
    if (side)
        exchange_views_of(side, &before);
    views_do(NULL, profile, wish, out);
    out->unsent = before.unsent;
    out->unasked = before.unasked;
    if (side && shares && out->error.code == ERR_OK) {
        exchange_views_of(side, out);
        str_reset(&out->shared);
        shared_file_text(&place, &out->shared);
    }
    team_side_free(side);
    str_clear(&who);
}

static enum err purge_notes(const char *profile, struct str *said, struct error *error) {
    int n = notes_file_purge(NULL, profile, error);
    say_removed(said, "notes and tags", n);
    return n < 0 ? ERR_FILE : ERR_OK;
}

static enum err purge_events(const char *profile, int *removed, struct error *error) {
    *removed = arrivals_file_purge(NULL, profile, error);
    return *removed < 0 ? ERR_FILE : ERR_OK;
}

const struct local_store local_store = {
    .list_records = list_records,
    .read_record = files_local_store_read_record,
    .verify_journal = verify_journal,
    .settle_record = settle_record,
    .purge_journal = purge_journal,
    .cache_stats = read_stats,
    .cache_unknown = read_unknown,
    .verify_cache = verify_cache,
    .purge_cache = purge_cache,
    .unexplained = find_unexplained,
    .notes = keep_notes,
    .share_notes = share_notes,
    .views = keep_views,
    .open_since = since_place_open,
    .write_since = since_place_write,
    .close_since = since_place_close,
    .name_question = since_place_name_question,
    .purge_notes = purge_notes,
    .purge_events = purge_events,
    .purge_drafts = files_local_store_purge_drafts,
    .purge_session = purge_session,
    .purge_all = purge_all,
};
