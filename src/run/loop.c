#include "run/loop.h"

#include "app/webhook.h"
#include "clipboard.h"
#include "credentials.h"
#include "run/files/arrivals_file.h"
#include "run/indexing.h"
#include "run/lanes/cache_lane.h"
#include "run/lanes/doctor_lane.h"
#include "run/lanes/export_lane.h"
#include "run/lanes/file_lane.h"
#include "run/lanes/index_lane.h"
#include "run/lanes/notes_lane.h"
#include "run/lanes/team_lane.h"
#include "run/lanes/team_lookup.h"
#include "run/perform.h"
#include "run/teaming.h"
#include "run/transfers/deliveries.h"
#include "run/transfers/fetches.h"
#include "run/transfers/listening.h"
#include "run/transfers/writes.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/signals.h"

#include <stdlib.h>

struct loop {
    struct loop_options options;
    struct performer performer; /* what performers of effects share */
    struct net *net;
    struct lane *pages; /* the page lane: stores what was decoded */
    struct lane *reads; /* the read lane: rows out of the cache */
    struct lane *journals;
    struct journal_lane journal;
    struct str who;
    struct writes writes;
    struct doctor_lane doctor;
    struct team_lookup_lane team_lookups;
    struct notes_lane notes;
    struct clipboard clipboard;
    struct export_lane exports;
    struct credentials *credentials;
    struct file_lane files;
    struct cache_lane page_cache;
    struct index_lane read_state;
    struct indexing indexing;
    struct fetches fetches;
    struct deliveries_fetch deliveries;
    struct listening_state listening;
    struct arrivals_memory *arrivals;
    struct teaming teaming;
    struct request_noter noter;
    int64_t timers[TIMER_COUNT]; /* monotonic ms, CLOCK_NONE where unset */
    int64_t wall_ahead;          /* wall clock minus monotonic clock, ms: when it changes, the wall clock was set */
    int signal_fd;
    struct signals signals;
    int put_off; /* a signal that made the client begin to end; 0: none */
    const struct client *client;
    struct effects effects;
};

static void loop_wake(void *performer) {
    net_wake(((struct performer *)performer)->net);
}

enum err loop_new(const struct loop_options *options, struct loop **out, struct error *error) {
    struct loop *loop = mem_new(sizeof *loop);
    loop->options = *options;
    loop->files = FILE_LANE_NONE;
    loop->indexing.save_at = CLOCK_NONE;
    loop->teaming.next_at = CLOCK_NONE;
    loop->notes.at = CLOCK_NONE;
    loop->wall_ahead = clock_now() - clock_mono();
    for (int i = 0; i < TIMER_COUNT; i++)
        loop->timers[i] = CLOCK_NONE;
    *out = loop;
    return signals_open(&loop->signal_fd, error);
}

static void hand_over(struct loop *loop, struct event *event);

/* Passes an answer of a lane or a transfer on to the client. */
static void loop_tell(void *owner, struct event *event) {
    struct loop *loop = ((struct performer *)owner)->loop;
    if (event->kind == EVENT_LOOKUP)
        indexing_note(&loop->indexing, event_get(event, lookup_result));
    if (event->kind == EVENT_TEAM_LOOKUP && event_get(event, lookup_result)->kept && !loop->indexing.never)
        indexing_begin(owner);
    hand_over(loop, event);
}

static void request_seen(void *owner, const struct request_seen *seen) {
    struct event event = {.kind = EVENT_REQUEST, .payload = payload_of(request_seen, seen)};
    loop_tell(owner, &event);
}

static void loop_open_journal(struct loop *loop) {
    const struct profile *profile = loop->options.profile;
    str_init(&loop->who, 256);
    journal_who(&loop->who);
    loop->journal = (struct journal_lane){.folder = loop->options.folder,
                                          .lane = loop->journals,
                                          .who = loop->who.s,
                                          .scope = {profile->origin, profile->name, profile->account},
                                          .environment = profile->environment,
                                          .team = team_side_new(profile, loop->options.folder, loop->who.s)};
}

/* The log is in the journal's folder. A log that cannot be written costs nothing else. */
static void open_log(const struct loop *loop) {
    struct str place;
    str_init(&place, 4096);
    enum err err = ERR_OK;
    if (loop->options.folder)
        str_add(&place, loop->options.folder);
    else
        err = path_home(PATH_STATE, NULL, &place, NULL);
    if (err == ERR_OK)
        err = path_make_private(place.s, NULL);
    str_add(&place, "/log");
    if (err == ERR_OK)
        err = log_open(place.s, NULL);
    (void)err;
    str_clear(&place);
}

static void open_performer(struct loop *loop) {
    loop->noter = (struct request_noter){request_seen, &loop->performer};
    loop->performer = (struct performer){.loop = loop,
                                         .options = &loop->options,
                                         .net = loop->net,
                                         .pages = loop->pages,
                                         .reads = loop->reads,
                                         .journals = loop->journals,
                                         .writes = &loop->writes,
                                         .fetches = &loop->fetches,
                                         .deliveries = &loop->deliveries,
                                         .doctor = &loop->doctor,
                                         .team_lookups = &loop->team_lookups,
                                         .clipboard = &loop->clipboard,
                                         .exports = &loop->exports,
                                         .files = &loop->files,
                                         .indexing = &loop->indexing,
                                         .listening = &loop->listening,
                                         .arrivals = loop->arrivals,
                                         .teaming = &loop->teaming,
                                         .noter = &loop->noter,
                                         .wake = loop_wake,
                                         .tell = loop_tell};
}

enum err loop_connect(struct loop *loop, struct error *error) {
    const struct profile *profile = loop->options.profile;
    struct net_options options = {.user_agent = "bursar/" BURSAR_VERSION,
                                  .read_only = loop->options.read_only || !profile || profile->read_only};
    enum err err = net_new(&options, &loop->net, error);
    if (err != ERR_OK)
        return err;
    loop->pages = lane_new("pages", &loop->page_cache, loop_wake, &loop->performer);
    loop->reads = lane_new("reads", &loop->read_state, loop_wake, &loop->performer);
    loop->journals = lane_new("journal", &loop->journal, loop_wake, &loop->performer);
    loop->arrivals = arrivals_memory_new();
    open_performer(loop);
    if (profile) {
        loop->credentials = credentials_new(&loop->options, NULL, NULL);
        loop->performer.token = loop->credentials->token;
        loop->performer.place = &loop->credentials->place;
        loop->page_cache.place = loop->read_state.cache.place = loop->performer.place;
        lane_push(loop->reads, cache_open_job(loop_tell));
        loop_open_journal(loop);
        loop->performer.team = loop->journal.team;
        if (loop->journal.team)
            lane_rest_after(loop->journals, TEAM_REST_MS, journal_lane_rest);
        open_log(loop);
    }
    return ERR_OK;
}

void loop_share_notes(struct loop *loop) {
    const struct profile *profile = loop->options.profile;
    if (!notes_lane_is_wanted(profile))
        return;
    loop->notes = (struct notes_lane){
        .team = team_side_beside(loop->journal.team), .folder = loop->options.folder, .at = clock_mono()};
}

void loop_free(struct loop *loop) {
    if (!loop)
        return;
    loop->client = NULL; /* it no longer exists, or is about to end */
    listening_close(&loop->listening);
    if (loop->pages) {
        doctor_lane_close(&loop->doctor);
        team_lookup_close(&loop->team_lookups);
        notes_lane_close(&loop->notes);
        clipboard_close(&loop->clipboard);
        export_lane_close(&loop->exports);
        writes_end(&loop->performer);
        teaming_close(&loop->teaming);
        lane_free(loop->journals, true);
        writes_clear(&loop->writes);
        journal_lane_close(&loop->journal);
        str_clear(&loop->who);
        lane_free(loop->reads, false);
        fetches_close(&loop->fetches);
        lane_free(loop->pages, true); /* pages on screen are still stored */
        file_lane_close(&loop->files);
        index_lane_close(&loop->read_state);
        cache_lane_end(&loop->page_cache);
    }
    arrivals_memory_free(loop->arrivals);
    log_close();
    net_free(loop->net);
    credentials_free(loop->credentials);
    fetches_clear(&loop->fetches);
    effects_clear(&loop->effects);
    signals_close();
    free(loop);
}

static void hand_over(struct loop *loop, struct event *event) {
    event->now = clock_now();
    if (loop->client)
        loop->client->update(loop->client->self, event, &loop->effects);
    payload_clear(&event->payload);
}

void perform_timer(struct performer *performer, struct effect *effect) {
    const struct timer_ask *ask = effect_get(effect, timer_ask);
    int64_t *timer = &performer->loop->timers[ask->timer];
    *timer = ask->at == CLOCK_NONE ? CLOCK_NONE : clock_mono() + (ask->at - clock_now());
}

bool perform_screen(const struct performer *performer, const struct effect *effect) {
    const struct client *client = performer->loop->client;
    return client && client->perform && client->perform(client->self, effect);
}

/* A command has no screen that would have to be left for this. */
static void loop_reload_token(struct loop *loop) {
    struct error error = {0};
    struct secret *token;
    enum err err = config_token(loop->options.profile, &token, &error);
    struct token_read read = {.failure = err == ERR_OK ? NULL : error.text};
    struct event event = {.kind = EVENT_TOKEN, .payload = payload_of(token_read, &read)};
    read.changed = err == ERR_OK && loop_token(loop, token);
    hand_over(loop, &event);
}

void perform_token(struct performer *performer, struct effect *effect) {
    if (!perform_screen(performer, effect))
        loop_reload_token(performer->loop);
}

/* Performing an effect can add others: goes on until none is left. */
void loop_perform(struct loop *loop) {
    while (loop->effects.n > 0) {
        struct effects now = loop->effects;
        loop->effects = (struct effects){.tickets = now.tickets};
        for (size_t i = 0; i < now.n; i++)
            perform(&loop->performer, &now.items[i]);
        effects_clear(&now);
    }
}

void loop_client(struct loop *loop, const struct client *client) {
    loop->client = client;
    loop->indexing.never = client->unindexed;
    if (client->walks_with_team)
        teaming_begin(&loop->performer);
}

struct effects *loop_effects(struct loop *loop) {
    return &loop->effects;
}

bool loop_token(struct loop *loop, struct secret *token) {
    struct credentials *credentials = credentials_new(&loop->options, token, loop->credentials);
    if (secret_same(credentials->token, loop->credentials->token)) {
        credentials->before = NULL;
        credentials_free(credentials);
        return false;
    }
    loop->credentials = credentials;
    loop->performer.place = &credentials->place;
    loop->performer.token = credentials->token;
    lane_push(loop->reads, cache_move_job(&credentials->place));
    lane_push(loop->pages, cache_move_job(&credentials->place));
    if (loop->teaming.lane)
        lane_push(loop->teaming.lane, cache_move_job(&credentials->place));
    if (loop->team_lookups.lane)
        lane_push(loop->team_lookups.lane, cache_move_job(&credentials->place));
    /* After the pages that were read with the token before: they say whose the cache is. */
    lane_push(loop->pages, cache_open_job(loop_tell));
    return true;
}

/* Times use the wall clock, waits the monotonic one: whoever waits until a time is told how far the wall clock moved.
 */
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
    if (loop->indexing.save_at != CLOCK_NONE && loop->indexing.save_at <= now)
        indexing_save(&loop->performer);
    int64_t turn = teaming_due(&loop->teaming);
    if (turn != CLOCK_NONE && turn <= now)
        teaming_turn(&loop->performer);
    notes_lane_tick(&loop->notes, now, loop->teaming.notes, &loop->performer);
}

static int wait_at_most(int64_t at, int timeout_ms) {
    if (at == CLOCK_NONE)
        return timeout_ms;
    int64_t now = clock_mono(), left = at > now ? at - now : 0;
    left = left < INT32_MAX ? left : INT32_MAX;
    return timeout_ms < 0 || left < timeout_ms ? (int)left : timeout_ms;
}

static int wait_for(const struct loop *loop, int timeout_ms) {
    for (int i = 0; i < TIMER_COUNT; i++)
        timeout_ms = wait_at_most(loop->timers[i], timeout_ms);
    timeout_ms = wait_at_most(teaming_due(&loop->teaming), timeout_ms);
    timeout_ms = wait_at_most(loop->notes.at, timeout_ms);
    return wait_at_most(loop->indexing.save_at, timeout_ms);
}

void loop_wait(struct loop *loop, struct net_watch *fds, size_t n, int timeout_ms) {
    struct net_watch watches[1 + LOOP_WATCHES_MAX] = {{.fd = loop->signal_fd}};
    n = n < LOOP_WATCHES_MAX ? n : LOOP_WATCHES_MAX;
    for (size_t i = 0; i < n; i++)
        watches[1 + i] = fds[i];
    net_wait(loop->net, watches, 1 + n, wait_for(loop, timeout_ms));
    for (size_t i = 0; i < n; i++)
        fds[i] = watches[1 + i];
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
        } else if (!writes_reply(&loop->performer, ticket, &reply) &&
                   !listening_reply(&loop->performer, ticket, &reply) &&
                   !fetches_reply(&loop->performer, ticket, &reply)) {
            reply_clear(&reply);
        }
    }
    listening_finish(&loop->performer);
    (void)lane_finish(loop->journals, &loop->performer);
    (void)lane_finish(loop->reads, &loop->performer);
    (void)lane_finish(loop->fetches.decoding, &loop->performer);
    (void)lane_finish(loop->pages, &loop->performer);
    (void)lane_finish(loop->doctor.lane, &loop->performer);
    (void)lane_finish(loop->team_lookups.lane, &loop->performer);
    (void)lane_finish(loop->notes.lane, &loop->performer);
    (void)lane_finish(loop->clipboard.lane, &loop->performer);
    (void)lane_finish(loop->exports.lane, &loop->performer);
    (void)lane_finish(loop->teaming.lane, &loop->performer);
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

/* A client may delay the end once; the next signal ends the program. */
static bool ends_now(struct loop *loop, const struct client *client) {
    if (loop->signals.end != 0 && !loop->put_off && client->interrupted && client->interrupted(client->self)) {
        loop->put_off = loop->signals.end;
        loop->signals.end = 0;
    }
    return loop->signals.end != 0;
}

int loop_drive(struct loop *loop, const struct client *client) {
    struct event start = {.kind = EVENT_START};
    loop_client(loop, client);
    hand_over(loop, &start);
    loop_perform(loop);
    /* What storing the last pages has to tell is part of the command's output. */
    while ((!client->is_finished(client->self) || loop->indexing.putting > 0) && !ends_now(loop, client)) {
        loop_wait(loop, NULL, 0, -1);
        if (loop->signals.stopped) {
            loop->signals.stopped = false;
            signals_stop(false);
        }
    }
    listening_stop(&loop->performer);
    loop->read_state.saves_at_end = !loop->signals.end && !loop->put_off;
    return loop->signals.end ? loop->signals.end : loop->put_off;
}
