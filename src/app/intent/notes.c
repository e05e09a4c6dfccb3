#include "app/notes.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

PAYLOAD_OWNED(notes_ask, notes_ask_free);
PAYLOAD_OWNED(notes_answer, notes_answer_free);

enum { TAGS_MAX = 20, SPELLING_MAX = 64 };

struct notes_ask *notes_ask_new(void) {
    return mem_new(sizeof(struct notes_ask));
}

void notes_ask_free(struct notes_ask *ask) {
    if (!ask)
        return;
    arena_clear(&ask->arena);
    free(ask->items);
    free(ask);
}

struct notes_answer *notes_answer_new(void) {
    return mem_new(sizeof(struct notes_answer));
}

void notes_answer_free(struct notes_answer *answer) {
    if (!answer)
        return;
    notes_free(answer->notes);
    free(answer);
}

static enum err notes_check_token(const char *text, struct error *error) {
    return secret_stands_in(text) ? error_set(error, ERR_USAGE, "this contains the profile's token") : ERR_OK;
}

/* As rows have it, which is found by an id as it was served too. */
static void notes_read_id(const char *typed, struct str *out) {
    str_init(out, NOTE_ID_MAX + 1);
    utf8_sanitise(out, typed, strlen(typed));
}

enum err notes_check_id(const struct note *where, struct error *error) {
    struct str reason, id;
    str_init(&reason, SPELLING_MAX * 2);
    notes_read_id(where->id, &id);
    bool good = id.len > 0 && !id.truncated && id.len <= NOTE_ID_MAX && note_check_text(id.s, &reason);
    str_clear(&id);
    str_clear(&reason);
    return good ? ERR_OK : error_set(error, ERR_USAGE, "this is no id that a note could be kept under");
}

void notes_ask_add(struct notes_ask *ask, const struct note *note) {
    struct note *added = vec_add(ask);
    struct str id;
    notes_read_id(note->id, &id);
    *added = *note;
    added->id = arena_dup_n(&ask->arena, id.s, id.len);
    str_clear(&id);
    added->text = arena_dup_n(&ask->arena, note->text, strlen(note->text));
}

static void notes_ask_put(struct notes_ask *ask, const struct note *where, enum note_kind kind, const char *text) {
    struct note note = *where;
    note.kind = kind;
    note.text = text;
    notes_ask_add(ask, &note);
}

enum err notes_ask_text(struct notes_ask *ask, const struct note *where, const char *text, struct error *error) {
    struct str reason;
    str_init(&reason, ERROR_TEXT_MAX);
    enum err err = notes_check_id(where, error);
    if (err == ERR_OK)
        err = notes_check_token(text, error);
    if (err == ERR_OK && !note_check_text(text, &reason))
        err = error_set(error, ERR_USAGE, "%s", reason.s);
    if (err == ERR_OK)
        notes_ask_put(ask, where, NOTE_TEXT, text);
    str_clear(&reason);
    return err;
}

static enum err notes_ask_tag(struct notes_ask *ask, const struct note *where, const char *word, size_t len,
                              struct error *error) {
    struct str tag;
    bool off = word[0] == '-', sign = off || word[0] == '+';
    str_init(&tag, SPELLING_MAX);
    enum err err = ERR_OK;
    if (!note_tag(word + sign, len - sign, &tag))
        err = error_set(error, ERR_USAGE, "\"%.*s\" is no tag: letters, digits, '.', '_' and '-', at most %d", (int)len,
                        word, NOTE_TAG_MAX);
    else
        notes_ask_put(ask, where, off ? NOTE_UNTAG : NOTE_TAG, tag.s);
    str_clear(&tag);
    return err;
}

enum err notes_ask_tags(struct notes_ask *ask, const struct note *where, const char *words, struct error *error) {
    size_t before = ask->n;
    enum err err = notes_check_id(where, error);
    if (err == ERR_OK)
        err = notes_check_token(words, error);
    for (words += strspn(words, " "); *words && err == ERR_OK; words += strspn(words, " ")) {
        size_t len = strcspn(words, " ");
        err = ask->n - before < TAGS_MAX ? notes_ask_tag(ask, where, words, len, error)
                                         : error_set(error, ERR_USAGE, "more than %d tags at once", TAGS_MAX);
        words += len;
    }
    if (err == ERR_OK && ask->n == before)
        err = error_set(error, ERR_USAGE, "a tag is missing: +name puts it on, -name takes it off");
    if (err != ERR_OK)
        ask->n = before;
    return err;
}

void notes_answer_text(const struct notes_answer *answer, struct str *out) {
    if (answer->error.code != ERR_OK)
        str_addf(out, "%s: %s", answer->notes ? "not kept" : "notes and tags are not at hand", answer->error.text);
    else if (answer->damaged > 0)
        str_addf(out, "%zu line%s of the file of notes %s damaged and left out; the others are shown", answer->damaged,
                 plural_s(answer->damaged), answer->damaged == 1 ? "is" : "are");
    else if (notes_later(answer->notes) > 0)
        str_addf(out, "%zu line%s of the file of notes are a later bursar's and left out; the others are shown",
                 notes_later(answer->notes), plural_s(notes_later(answer->notes)));
}

uint64_t effects_notes(struct effects *effects, struct notes_ask *ask) {
    return effects_ask(effects, EFFECT_NOTES, ask ? payload_of(notes_ask, ask) : (struct payload){0});
}

const struct notes_subject *notes_of(const struct notes *notes, const struct intent *intent, enum note_about about) {
    const struct value_text *id = about == NOTE_OF_INTENT ? &intent->id : &intent->user_id;
    return id->state == VALUE_OK ? notes_find(notes, about, id->text, strlen(id->text)) : NULL;
}

static bool notes_has_tag(const struct notes_subject *subject, const char *tag) {
    for (size_t i = 0; subject && i < subject->n_tags; i++)
        if (str_equal(subject->tags[i].text, tag))
            return true;
    return false;
}

void notes_add_tags(const struct notes *notes, const struct intent *intent, struct str *out) {
    const struct notes_subject *own = notes_of(notes, intent, NOTE_OF_INTENT);
    const struct notes_subject *user = notes_of(notes, intent, NOTE_OF_USER);
    for (size_t i = 0; own && i < own->n_tags; i++)
        str_addf(out, "%s%s", out->len > 0 ? " " : "", own->tags[i].text);
    for (size_t i = 0; user && i < user->n_tags; i++)
        if (!notes_has_tag(own, user->tags[i].text))
            str_addf(out, "%s%s", out->len > 0 ? " " : "", user->tags[i].text);
}

size_t notes_add_newest(const struct notes *notes, const struct intent *intent, struct str *out) {
    const struct note *newest = NULL;
    size_t n = 0;
    for (enum note_about about = 0; about < NOTE_ABOUT_COUNT; about++) {
        const struct notes_subject *subject = notes_of(notes, intent, about);
        const struct note *last = subject && subject->n_notes > 0 ? &subject->notes[subject->n_notes - 1] : NULL;
        n += subject ? subject->n_notes : 0;
        newest = last && (!newest || last->at >= newest->at) ? last : newest;
    }
    if (newest)
        str_add(out, newest->text);
    if (n > 1)
        str_addf(out, " (+%zu)", n - 1);
    return n;
}
