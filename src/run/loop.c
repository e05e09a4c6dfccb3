#include "run/loop.h"

#include "bound.h"
#include "clipboard.h"
#include "run/files/drafts.h"
#include "run/files/history.h"
#include "run/files/views.h"
#include "run/lanes/cache_lane.h"
#include "run/lanes/doctor_lane.h"
#include "run/lanes/export_lane.h"
#include "run/lanes/file_lane.h"
#include "run/lanes/index_lane.h"
#include "run/lanes/observed_lane.h"
#include "run/lanes/webhook_lane.h"
#include "run/transfers/deliveries.h"
#include "run/transfers/fetches.h"
#include "run/transfers/writes.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/signals.h"

#include <stdlib.h>

struct loop {
    struct loop_options options;
    struct net *net;
    struct lane *pages; /* the page lane: decodes away from the keys, then stores */
    struct lane *reads; /* the read lane: rows out of the cache */
    struct lane *journals;
    struct journal_lane journal;
    struct str who;
    struct writes writes;
    struct doctor_lane doctor;
    struct clipboard clipboard;
    struct export_lane exports;
    struct bound *bound;
    struct file_lane files;
    struct cache_lane page_cache;
    struct index_lane read_state;
    bool indexing;  /* a slice of the index is under way */
    size_t storing; /* pages on show that the index does not hold yet: an answer meanwhile is not about all rows */
    size_t putting; /* pages on their way into the cache */
    size_t stored;  /* of them: in the cache, and the index is on its way to them */
    bool unsettled; /* such an answer was given */
    struct fetches fetches;
    struct deliveries_fetch deliveries;
    int64_t timers[TIMER_COUNT]; /* monotonic ms, CLOCK_NONE where unset */
    int64_t wall_ahead;          /* of the monotonic clock, ms: another value is a clock that was set */
    int signal_fd;
    struct signals signals;
    int put_off; /* a signal that the client answered by coming to its end; 0: none */
    const struct client *client;
    struct effects effects;
};

static void wake(void *context) {
    net_wake(((struct loop *)context)->net);
}

enum err loop_new(const struct loop_options *options, struct loop **out, struct error *error) {
    struct loop *loop = mem_new(sizeof *loop);
    loop->options = *options;
    loop->files = FILE_LANE_NONE;
    loop->wall_ahead = clock_now() - clock_mono();
    for (int i = 0; i < TIMER_COUNT; i++) {
        loop->timers[i] = CLOCK_NONE;
    }
    *out = loop;
    return signals_open(&loop->signal_fd, error);
}

static void hand_over(struct loop *loop, struct event *event);

static void take_event(void *owner, struct event *event) {
    struct loop *loop = owner;
    struct looked *looked = event->kind == EVENT_LOOKED ? event_get(event, looked) : NULL;
    if (looked && looked->whole && loop->storing > 0) {
        looked->behind = true;
        loop->unsettled = true;
    }
    hand_over(loop, event);
}

static void answered(void *owner, uint64_t ticket, struct journal_answer *answer) {
    struct event event = {.kind = EVENT_JOURNAL, .ticket = ticket, .payload = payload_of(journal_answer, answer)};
    hand_over(owner, &event);
}

static void begun(void *owner, uint64_t ticket, int64_t n, const struct error *error) {
    writes_begun(&((struct loop *)owner)->writes, ticket, n, error);
}

static void ended(void *owner, uint64_t ticket, struct write_result *result) {
    struct event event = {.kind = EVENT_WRITE, .ticket = ticket, .payload = payload_of(write_result, result)};
    hand_over(owner, &event);
}

static void request_seen(void *owner, const struct request_seen *seen) {
    struct event event = {.kind = EVENT_REQUEST, .payload = payload_of(request_seen, seen)};
    hand_over(owner, &event);
}

static void webhook_answered(void *owner, uint64_t ticket, struct webhook_answer *answer) {
    struct event event = {.kind = EVENT_WEBHOOK, .ticket = ticket, .payload = payload_of(webhook_answer, answer)};
    hand_over(owner, &event);
}

static void probed(void *owner, uint64_t ticket, const char *url, struct probe_result *result) {
    request_note_probe(&(struct request_noter){request_seen, owner}, url, result);
    struct event event = {.kind = EVENT_PROBED, .ticket = ticket, .payload = payload_of(probe_result, result)};
    hand_over(owner, &event);
}

static void index_begin(struct loop *loop);

/* After a slice or a change: the next slice, and word to the client. */
static void index_moved(void *owner, bool more, bool changed) {
    struct loop *loop = owner;
    loop->indexing = false;
    if (!more) {
        loop->storing -= loop->stored;
        loop->stored = 0;
    }
    if (changed || (loop->unsettled && loop->storing == 0)) {
        loop->unsettled = loop->unsettled && loop->storing > 0;
        struct event event = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){!more})};
        hand_over(loop, &event);
    }
    if (more) {
        index_begin(loop);
    }
}

static void index_begin(struct loop *loop) {
    if (!loop->indexing) {
        loop->indexing = true;
        lane_push(loop->reads, index_fill_job(index_moved));
    }
}

static void listed(void *owner, uint64_t ticket, struct list_result *result, bool is_stored) {
    struct loop *loop = owner;
    loop->storing += is_stored;
    loop->putting += is_stored;
    loop->unsettled = loop->unsettled || is_stored; /* the answer that was given before is not about these rows */
    result->stored = is_stored;
    struct event event = {.kind = EVENT_LIST, .ticket = ticket, .payload = payload_of(list_result, result)};
    hand_over(owner, &event);
}

static void index_took(void *owner, bool more, bool changed) {
    ((struct loop *)owner)->stored++;
    index_moved(owner, more, changed);
}

static void rows_put(void *owner, int64_t *keys, size_t n) {
    struct loop *loop = owner;
    loop->putting--;
    if (loop->client->unindexed) {
        loop->storing--;
        free(keys);
    } else if (keys) {
        lane_push(loop->reads, index_put_job(keys, n, index_took));
    } else {
        loop->storing--;
        loop->unsettled = true;
        index_begin(loop); /* questions are answered over what there is */
    }
}

static void open_journal(struct loop *loop) {
    const struct profile *profile = loop->options.profile;
    str_init(&loop->who, 256);
    journal_who(&loop->who);
    loop->journal = (struct journal_lane){.folder = loop->options.folder,
                                          .lane = loop->journals,
                                          .who = loop->who.s,
                                          .scope = {profile->origin, profile->name, profile->account},
                                          .environment = profile->environment};
    loop->writes = (struct writes){.profile = profile,
                                   .read_only = loop->options.read_only,
                                   .net = loop->net,
                                   .lane = loop->journals,
                                   .owner = loop,
                                   .token = loop->bound->token,
                                   .ended = ended,
                                   .noter = {request_seen, loop},
                                   .begun = begun,
                                   .marked = ended};
}

/* The log beside the journal. A log that cannot be written costs itself and nothing else. */
static void open_log(const struct loop *loop) {
    struct str place;
    str_init(&place, 4096);
    enum err code = ERR_OK;
    if (loop->options.folder) {
        str_add(&place, loop->options.folder);
    } else {
        code = path_home(PATH_STATE, NULL, &place, NULL);
    }
    if (code == ERR_OK) {
        code = path_make_private(place.s, NULL);
    }
    str_add(&place, "/log");
    if (code == ERR_OK) {
        code = log_open(place.s, NULL);
    }
    (void)code;
    str_clear(&place);
}

enum err loop_connect(struct loop *loop, struct error *error) {
    const struct profile *profile = loop->options.profile;
    struct net_options options = {.user_agent = "bursar/" BURSAR_VERSION,
                                  .read_only = loop->options.read_only || !profile || profile->read_only};
    enum err code = net_new(&options, &loop->net, error);
    if (code != ERR_OK) {
        return code;
    }
    loop->pages = lane_new("pages", &loop->page_cache, wake, loop);
    loop->reads = lane_new("reads", &loop->read_state, wake, loop);
    loop->journals = lane_new("journal", &loop->journal, wake, loop);
    if (profile) {
        loop->bound = bound_new(&loop->options, NULL, NULL);
        loop->page_cache.place = loop->read_state.cache.place = &loop->bound->place;
        loop->fetches = (struct fetches){.profile = profile,
                                         .token = loop->bound->token,
                                         .net = loop->net,
                                         .lane = loop->pages,
                                         .owner = loop,
                                         .ended = listed,
                                         .noter = {request_seen, loop},
                                         .put = rows_put,
                                         .told = take_event};
        loop->deliveries =
            (struct deliveries_fetch){.control = loop->options.control, .origin = profile->origin, .net = loop->net};
        lane_push(loop->reads, cache_open_job(take_event));
        open_journal(loop);
        open_log(loop);
    }
    return ERR_OK;
}

void loop_free(struct loop *loop) {
    if (!loop) {
        return;
    }
    loop->client = NULL; /* gone, or about to go */
    if (loop->pages) {
        doctor_lane_close(&loop->doctor);
        clipboard_close(&loop->clipboard);
        export_lane_close(&loop->exports);
        writes_end(&loop->writes);
        lane_free(loop->journals, true);
        writes_clear(&loop->writes);
        journal_lane_close(&loop->journal);
        str_clear(&loop->who);
        lane_free(loop->reads, false);
        lane_free(loop->pages, true); /* what was shown is kept */
        file_lane_close(&loop->files);
        index_lane_close(&loop->read_state);
        cache_lane_end(&loop->page_cache);
    }
    log_close();
    net_free(loop->net);
    bound_free(loop->bound);
    fetches_clear(&loop->fetches);
    effects_clear(&loop->effects);
    signals_close();
    free(loop);
}

static void hand_over(struct loop *loop, struct event *event) {
    event->now = clock_now();
    if (loop->client) {
        loop->client->update(loop->client->self, event, &loop->effects);
    }
    payload_clear(&event->payload);
}

static void cancel(struct loop *loop, uint64_t ticket) {
    lane_drop(loop->reads, index_is_of, &ticket);
    if (!writes_cancel(&loop->writes, ticket) && !doctor_lane_cancel(&loop->doctor, ticket)) {
        (void)fetches_cancel(&loop->fetches, ticket);
    }
}

static void set_timer(struct loop *loop, const struct effect *effect) {
    int64_t *timer = &loop->timers[effect->timer];
    *timer = effect->at == CLOCK_NONE ? CLOCK_NONE : clock_mono() + (effect->at - clock_now());
}

static bool on_screen(void *owner, const struct effect *effect) {
    const struct client *client = ((struct loop *)owner)->client;
    return client && client->perform && client->perform(client->self, effect);
}

static void exported(void *owner, uint64_t ticket, const struct error *failure) {
    struct event event = {.kind = EVENT_EXPORTED, .ticket = ticket, .payload = payload_of(error, failure)};
    hand_over(owner, &event);
}

static void copied(void *owner, const struct copied *copied) {
    struct event event = {.kind = EVENT_COPIED, .payload = payload_of(copied, copied)};
    hand_over(owner, &event);
}

/* What the cache and its index are asked; false for everything else. */
static bool perform_read(struct loop *loop, struct effect *effect) {
    switch (effect->kind) {
    case EFFECT_CACHE_ROWS:
        lane_push(loop->reads, cache_rows_job(effect->ticket, effect->ask, effect->from, take_event));
        effect->ask = NULL;
        break;
    case EFFECT_LOOKUP:
        lane_push(loop->reads, index_lookup_job(effect->ticket, effect->lookup, take_event));
        effect->lookup = NULL;
        index_begin(loop);
        break;
    case EFFECT_WALKED:
        lane_push(loop->reads, index_walked_job(effect->walked, take_event));
        effect->walked = NULL;
        break;
    case EFFECT_CATCH_UP:
        index_begin(loop);
        break;
    case EFFECT_LOOKUP_ROWS:
        lane_push(loop->reads, index_rows_job(effect->ticket, effect->keys, effect->n_keys, effect->first, take_event));
        effect->keys = NULL;
        break;
    case EFFECT_CACHE_ACCEPT:
        atomic_store(&loop->bound->place.accepted, true);
        /* Kept when leaving; jobs of the read lane are dropped. */
        lane_push(loop->pages, cache_accept_job(take_event));
        break;
    case EFFECT_OBSERVED:
        lane_push(loop->reads, observed_job(effect->ticket, effect->name, take_event));
        effect->name = NULL;
        break;
    default:
        return false;
    }
    return true;
}

/* A command has no screen to put away meanwhile. */
static void reload_token(struct loop *loop) {
    struct error error = {0};
    struct secret *token;
    enum err code = config_token(loop->options.profile, &token, &error);
    struct token_read read = {.failure = code == ERR_OK ? NULL : error.text};
    struct event event = {.kind = EVENT_TOKEN, .payload = payload_of(token_read, &read)};
    read.changed = code == ERR_OK && loop_token(loop, token);
    hand_over(loop, &event);
}

static void perform(struct loop *loop, struct effect *effect) {
    switch (effect->kind) {
    case EFFECT_FETCH:
        fetches_start(&loop->fetches, effect->ticket, effect->ask);
        effect->ask = NULL;
        break;
    case EFFECT_CANCEL:
        cancel(loop, effect->ticket);
        break;
    case EFFECT_TIMER:
        set_timer(loop, effect);
        break;
    case EFFECT_WRITE:
        writes_start(&loop->writes, effect->ticket, effect->write);
        effect->write = NULL;
        break;
    case EFFECT_JOURNAL:
        lane_push(loop->journals, journal_ask_job(effect->ticket, effect->journal, answered));
        effect->journal = NULL;
        break;
    case EFFECT_FILE:
        lane_push(loop->pages, file_job(effect->ticket, effect->file, &loop->files, take_event));
        effect->file = NULL;
        break;
    case EFFECT_DRAFT_KEEP: /* in line with the records: a form is on the disk before the record of its write */
    case EFFECT_DRAFT_DROP:
        lane_push(loop->journals, drafts_job(loop->options.folder, effect->draft, effect->text, take_event));
        break;
    case EFFECT_DRAFTS:
        lane_push(loop->journals, drafts_read_job(loop->options.folder, take_event));
        break;
    case EFFECT_PROBE:
        doctor_lane_ask(&loop->doctor, &(struct doctor_lane_setup){wake, loop, probed}, effect->ticket, effect->probe);
        effect->probe = NULL;
        break;
    case EFFECT_VIEWS:
    case EFFECT_VIEW_KEEP:
    case EFFECT_VIEW_DROP:
        lane_push(loop->pages, views_job(loop->options.folder, loop->options.profile->name, effect, take_event));
        break;
    case EFFECT_HISTORY:
        lane_push(loop->pages, history_read_job(loop->options.folder, loop->options.profile->name, take_event));
        break;
    case EFFECT_HISTORY_KEEP:
        lane_push(loop->pages, history_keep_job(loop->options.folder, loop->options.profile->name, effect->text));
        break;
    case EFFECT_WEBHOOK:
        lane_push(loop->journals, webhook_job(effect->ticket, effect->webhook, loop->options.folder, webhook_answered));
        effect->webhook = NULL;
        break;
    case EFFECT_DELIVERIES:
        deliveries_ask(&loop->deliveries, effect->ticket);
        break;
    case EFFECT_EXPORT:
        export_lane_ask(&loop->exports, &(struct export_lane_setup){wake, exported, loop}, effect->ticket,
                        effect->export);
        effect->export = NULL;
        break;
    case EFFECT_COPY:
        clipboard_copy(&loop->clipboard, &(struct clipboard_setup){wake, on_screen, copied, loop}, effect);
        break;
    default:
        if (!perform_read(loop, effect) && !on_screen(loop, effect) && effect->kind == EFFECT_TOKEN) {
            reload_token(loop);
        }
        break;
    }
}

/* Performing an effect can add others: go on until none is left. */
void loop_perform(struct loop *loop) {
    while (loop->effects.n > 0) {
        struct effects now = loop->effects;
        loop->effects = (struct effects){.tickets = now.tickets};
        for (size_t i = 0; i < now.n; i++) {
            perform(loop, &now.items[i]);
        }
        effects_clear(&now);
    }
}

void loop_client(struct loop *loop, const struct client *client) {
    loop->client = client;
}

struct effects *loop_effects(struct loop *loop) {
    return &loop->effects;
}

bool loop_token(struct loop *loop, struct secret *token) {
    struct bound *bound = bound_new(&loop->options, token, loop->bound);
    if (secret_same(bound->token, loop->bound->token)) {
        bound->before = NULL;
        bound_free(bound);
        return false;
    }
    loop->bound = bound;
    loop->writes.token = loop->fetches.token = bound->token;
    lane_push(loop->pages, cache_move_job(&bound->place));
    lane_push(loop->reads, cache_move_job(&bound->place));
    lane_push(loop->reads, cache_open_job(take_event));
    return true;
}

/* Times are told by the wall clock, waits are counted by the monotonic one: whoever waits until a time hears of the
 * difference. */
static void look_at_clock(struct loop *loop) {
    enum { STEP_MS = 2000 };
    int64_t ahead = clock_now() - clock_mono(), shift = ahead - loop->wall_ahead;
    if (shift <= -STEP_MS || shift >= STEP_MS) {
        struct event event = {.kind = EVENT_CLOCK_SET,
                              .payload = payload_of(clock_shifted, &(struct clock_shifted){shift})};
        loop->wall_ahead = ahead;
        hand_over(loop, &event);
    }
}

static void fire_timers(struct loop *loop) {
    int64_t now = clock_mono();
    for (int i = 0; i < TIMER_COUNT; i++) {
        if (loop->timers[i] != CLOCK_NONE && loop->timers[i] <= now) {
            loop->timers[i] = CLOCK_NONE;
            struct event event = {.kind = EVENT_TIMER,
                                  .payload = payload_of(timer_fired, &(struct timer_fired){(enum timer)i})};
            hand_over(loop, &event);
        }
    }
}

static int wait_for(const struct loop *loop, int timeout_ms) {
    int64_t now = clock_mono();
    for (int i = 0; i < TIMER_COUNT; i++) {
        if (loop->timers[i] != CLOCK_NONE) {
            int64_t left = loop->timers[i] > now ? loop->timers[i] - now : 0;
            left = left < INT32_MAX ? left : INT32_MAX;
            timeout_ms = timeout_ms < 0 || left < timeout_ms ? (int)left : timeout_ms;
        }
    }
    return timeout_ms;
}

void loop_wait(struct loop *loop, struct net_watch *own, size_t n, int timeout_ms) {
    struct net_watch watches[1 + LOOP_WATCHES_MAX] = {{.fd = loop->signal_fd}};
    n = n < LOOP_WATCHES_MAX ? n : LOOP_WATCHES_MAX;
    for (size_t i = 0; i < n; i++) {
        watches[1 + i] = own[i];
    }
    net_wait(loop->net, watches, 1 + n, wait_for(loop, timeout_ms));
    for (size_t i = 0; i < n; i++) {
        own[i] = watches[1 + i];
    }
    signals_read(loop->signal_fd, &loop->signals);
    look_at_clock(loop);
    struct reply reply;
    uint64_t ticket;
    while ((ticket = net_take(loop->net, &reply)) != 0) {
        struct deliveries *found = deliveries_reply(&loop->deliveries, ticket, &reply);
        if (found) {
            struct event event = {
                .kind = EVENT_DELIVERIES, .ticket = loop->deliveries.ticket, .payload = payload_of(deliveries, found)};
            hand_over(loop, &event);
        } else if (!writes_reply(&loop->writes, ticket, &reply) && !fetches_reply(&loop->fetches, ticket, &reply)) {
            reply_clear(&reply);
        }
    }
    (void)lane_finish(loop->journals, loop);
    (void)lane_finish(loop->reads, loop);
    (void)lane_finish(loop->pages, loop);
    if (loop->doctor.lane) {
        (void)lane_finish(loop->doctor.lane, loop);
    }
    if (loop->clipboard.lane) {
        (void)lane_finish(loop->clipboard.lane, loop);
    }
    if (loop->exports.lane) {
        (void)lane_finish(loop->exports.lane, loop);
    }
    fire_timers(loop);
    loop_perform(loop);
}

int loop_signal(struct loop *loop) {
    return loop->signals.end;
}

bool loop_resized(struct loop *loop) {
    bool resized = loop->signals.resized;
    loop->signals.resized = false;
    return resized;
}

bool loop_stopped(struct loop *loop) {
    bool stopped = loop->signals.stopped;
    loop->signals.stopped = false;
    return stopped;
}

/* A client may put the end off once; the next signal is not asked about. */
static bool ends_now(struct loop *loop, const struct client *client) {
    if (loop->signals.end != 0 && !loop->put_off && client->interrupted && client->interrupted(client->self)) {
        loop->put_off = loop->signals.end;
        loop->signals.end = 0;
    }
    return loop->signals.end != 0;
}

int loop_drive(struct loop *loop, const struct client *client) {
    struct event start = {.kind = EVENT_START};
    loop->client = client;
    hand_over(loop, &start);
    loop_perform(loop);
    /* What storing has to say belongs to the command. */
    while ((!client->is_finished(client->self) || loop->putting > 0) && !ends_now(loop, client)) {
        loop_wait(loop, NULL, 0, -1);
        if (loop->signals.stopped) {
            loop->signals.stopped = false;
            signals_stop(false);
        }
    }
    return loop->signals.end ? loop->signals.end : loop->put_off;
}
