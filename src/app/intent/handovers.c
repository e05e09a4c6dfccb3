#include "app/handovers.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 2 * NOTE_TEXT_MAX };

enum err handover_check_team(const struct profile *profile, struct error *error) {
    if (profile_shares_notes(profile))
        return ERR_OK;
    return error_set(error, ERR_CONFIG,
                     "a colleague sees it through the team's store alone: set team_store and "
                     "team_notes = true in profile %s (bursar help team-store)",
                     profile->name);
}

/* ---- Asking ---- */

static bool is_word_of_filter(const char *name) {
    return ascii_compare(name, "me") == 0;
}

enum err handover_check(const struct handing *handing, struct str *to, struct error *error) {
    struct str reason;
    size_t before = to->len;
    str_init(&reason, ERROR_TEXT_MAX);
    enum err err = ERR_OK;
    if (!handover_name(handing->to, to, &reason) || !handover_check_text(handing->text, &reason))
        err = error_set(error, ERR_USAGE, "%s", reason.s);
    else if (secret_stands_in(handing->text) || secret_stands_in(handing->to))
        err = error_set(error, ERR_USAGE, "this contains the profile's token");
    else if (is_word_of_filter(to->s + before) || handover_is_same_person(handing->me, to->s + before))
        err = error_set(error, ERR_USAGE, "%s is you: a note keeps it for yourself", to->s + before);
    str_clear(&reason);
    return err;
}

enum err notes_ask_handover(struct notes_ask *ask, const struct handing *handing, const char *id, struct error *error) {
    struct note note = {.kind = NOTE_HANDOVER, .about = NOTE_OF_INTENT, .id = id, .at = handing->at};
    struct str text;
    str_init(&text, LINE_BYTES);
    enum err err = notes_check_id(&note, error);
    if (err == ERR_OK)
        err = handover_check(handing, &text, error);
    if (err == ERR_OK && ask->n >= HANDOVERS_AT_ONCE)
        err = error_set(error, ERR_LIMIT, "more than %d intents are not handed over at once", HANDOVERS_AT_ONCE);
    str_addf(&text, "\t%s", handing->text + strspn(handing->text, " "));
    note.text = text.s;
    if (err == ERR_OK)
        notes_ask_add(ask, &note);
    str_clear(&text);
    return err;
}

void notes_ask_done(struct notes_ask *ask, const struct handover *handover, int64_t now) {
    struct note note = {.kind = NOTE_DONE, .about = NOTE_OF_INTENT, .id = handover->id, .at = now};
    struct str text;
    str_init(&text, LINE_BYTES);
    str_addf(&text, "%.*s\t%" PRId64, (int)handover_person(handover->from), handover->from, handover->at);
    note.text = text.s;
    notes_ask_add(ask, &note);
    str_clear(&text);
}

/* ---- Words ---- */

void handover_tell_handed(const char *to, size_t n, struct str *out) {
    str_addf(out, "Handed to %s: %zu intent%s, as soon as the team's store has %s", to, n, plural_s(n),
             n == 1 ? "it" : "them");
}

void handover_add_state(const struct handover *handover, enum clock_zone zone, int64_t now, struct str *out) {
    if (!handover->done_by) {
        str_add(out, "open");
        return;
    }
    bool back = !handover_is_same_person(handover->done_by, handover->to);
    str_addf(out, "%s by %s ", back ? "taken back" : "done", handover->done_by);
    clock_format(out, handover->done_at, zone, now);
}

size_t handover_tell_news(const struct notes *before, const struct notes *notes, struct str *out) {
    size_t n, news = 0;
    bool alone = true;
    const struct handover *const *all = notes_handovers(notes, &n), *newest = NULL;
    for (size_t i = 0; before && i < n; i++) {
        if (all[i]->done_by || !notes_is_to_me(notes, all[i]) || notes_has_handover(before, all[i]))
            continue;
        news++;
        newest = newest ? newest : all[i];
        alone = alone && handover_is_same_person(newest->from, all[i]->from);
    }
    if (!newest)
        return 0;
    if (alone)
        str_addf(out, "%.*s", (int)handover_person(newest->from), newest->from);
    else
        str_add(out, "colleagues");
    str_addf(out, " handed over %zu intent%s%s%s", news, plural_s(news), *newest->text ? ": " : "", newest->text);
    return news;
}

/* ---- Names ---- */

void handover_names_of(const struct notes *notes, struct handover_names *out) {
    struct notes_people people = {0};
    notes_people_of(notes, &people);
    for (size_t i = 0; i < people.n; i++) {
        const char *who = people.items[i].who;
        size_t len = handover_person(who);
        if (len <= HANDOVER_NAME_MAX && !handover_is_same_person(who, notes_me(notes)))
            *vec_add(out) = arena_dup_n(&out->arena, who, len);
    }
    free(people.items);
}

void handover_names_clear(struct handover_names *names) {
    free(names->items);
    arena_clear(&names->arena);
    *names = (struct handover_names){0};
}

const char *handover_name_like(const struct handover_names *names, const char *typed, size_t i) {
    for (size_t at = 0; at < names->n; at++)
        if (ascii_compare_n(names->items[at], typed, strlen(typed)) == 0 && i-- == 0)
            return names->items[at];
    return NULL;
}
