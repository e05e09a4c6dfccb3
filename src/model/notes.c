#include "model/notes.h"
#include "handovers.h"

#include "base/ascii.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST_HEX = 16, FIELDS = 5, SLOTS_FIRST = 64 };

struct notes {
    atomic_size_t shares;
    struct arena arena;
    struct notes_subject *items;
    size_t n, cap;
    uint32_t *slots; /* 1 + place in items, open addressing; 0: free */
    size_t n_slots;
    size_t count; /* of notes and tags */
    size_t later;
    struct handovers handovers;
    const char *me;
};

static bool notes_fail(struct str *reason, const char *text) {
    str_add(reason, text);
    return false;
}

bool note_check_text(const char *text, struct str *reason) {
    size_t len = strlen(text);
    if (text[strspn(text, " ")] == '\0')
        return notes_fail(reason, "the note is empty");
    if (len > NOTE_TEXT_MAX)
        return notes_fail(reason, "the note is longer than 1000 bytes");
    if (!utf8_is_valid(text, len) || !utf8_is_clean(text, len))
        return notes_fail(reason, "the note holds control or invisible characters");
    return true;
}

bool note_tag(const char *text, size_t len, struct str *out) {
    if (len == 0 || len > NOTE_TAG_MAX || text[0] == '-' || text[0] == '.')
        return false;
    for (size_t i = 0; i < len; i++)
        if (!ascii_is_word((unsigned char)text[i]) && !strchr("._-", text[i]))
            return false;
    for (size_t i = 0; i < len; i++)
        str_add_char(out, (char)ascii_lower(text[i]));
    return true;
}

struct notes *notes_new(void) {
    struct notes *notes = mem_new(sizeof *notes);
    atomic_init(&notes->shares, 1);
    return notes;
}

struct notes *notes_share(const struct notes *notes) {
    struct notes *shared = (struct notes *)(uintptr_t)notes; /* the count is all that changes */
    if (shared)
        (void)atomic_fetch_add(&shared->shares, 1);
    return shared;
}

void notes_free(struct notes *notes) {
    if (!notes || atomic_fetch_sub(&notes->shares, 1) > 1)
        return;
    for (size_t i = 0; i < notes->n; i++) {
        free(notes->items[i].notes);
        free(notes->items[i].tags);
    }
    free(notes->items);
    free(notes->slots);
    handovers_clear(&notes->handovers);
    arena_clear(&notes->arena);
    free(notes);
}

size_t notes_count(const struct notes *notes) {
    return notes ? notes->count + notes->handovers.handed.n : 0;
}

size_t notes_later(const struct notes *notes) {
    return notes ? notes->later : 0;
}

bool notes_is_empty(const struct notes *notes) {
    return notes_count(notes) == 0;
}

struct tag_use {
    const char *tag;
    size_t subjects;
};

static int by_tag(const void *a, const void *b) {
    return strcmp(((const struct tag_use *)a)->tag, ((const struct tag_use *)b)->tag);
}

static int by_use(const void *a, const void *b) {
    const struct tag_use *x = a, *y = b;
    return x->subjects != y->subjects ? (x->subjects < y->subjects) - (x->subjects > y->subjects) : by_tag(a, b);
}

static size_t tags_join(struct tag_use *uses, size_t n) {
    size_t kept = 0;
    qsort(uses, n, sizeof *uses, by_tag);
    for (size_t i = 0; i < n; i++)
        if (kept > 0 && by_tag(&uses[kept - 1], &uses[i]) == 0)
            uses[kept - 1].subjects++;
        else
            uses[kept++] = uses[i];
    return kept;
}

size_t notes_tags(const struct notes *notes, const char **out, size_t most) {
    struct {
        struct tag_use *items;
        size_t n, cap;
    } uses = {0};
    for (size_t i = 0; notes && i < notes->n; i++)
        for (size_t tag = 0; tag < notes->items[i].n_tags; tag++)
            *vec_add(&uses) = (struct tag_use){notes->items[i].tags[tag].text, 1};
    size_t n = uses.n > 0 ? tags_join(uses.items, uses.n) : 0;
    if (n > 0)
        qsort(uses.items, n, sizeof *uses.items, by_use);
    for (size_t i = 0; i < n && i < most; i++)
        out[i] = uses.items[i].tag;
    free(uses.items);
    return n;
}

/* Looked up for each row of a filter: ids differ in their last bytes, so these alone are mixed. */
static size_t notes_hash(enum note_about about, const char *id, size_t len) {
    uint64_t mixed = len * 2 + (unsigned)about, tail = 0;
    size_t n = len < sizeof tail ? len : sizeof tail;
    memcpy(&tail, id + len - n, n);
    mixed = (mixed ^ tail) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32);
}

static size_t notes_slot(const struct notes *notes, enum note_about about, const char *id, size_t len) {
    size_t at = notes_hash(about, id, len) & (notes->n_slots - 1);
    for (; notes->slots[at] != 0; at = (at + 1) & (notes->n_slots - 1)) {
        const struct notes_subject *subject = &notes->items[notes->slots[at] - 1];
        if (subject->about == about && strlen(subject->id) == len && memcmp(subject->id, id, len) == 0)
            break;
    }
    return at;
}

const struct notes_subject *notes_find(const struct notes *notes, enum note_about about, const char *id, size_t len) {
    if (!notes || notes->n == 0 || !id)
        return NULL;
    uint32_t place = notes->slots[notes_slot(notes, about, id, len)];
    return place ? &notes->items[place - 1] : NULL;
}

static void notes_grow(struct notes *notes) {
    notes->n_slots = notes->n_slots ? 2 * notes->n_slots : SLOTS_FIRST;
    free(notes->slots);
    notes->slots = mem_new_array(notes->n_slots, sizeof *notes->slots);
    for (size_t i = 0; i < notes->n; i++) {
        const struct notes_subject *subject = &notes->items[i];
        notes->slots[notes_slot(notes, subject->about, subject->id, strlen(subject->id))] = (uint32_t)i + 1;
    }
}

static struct notes_subject *notes_subject_of(struct notes *notes, enum note_about about, const char *id) {
    size_t len = strlen(id);
    if (2 * notes->n >= notes->n_slots)
        notes_grow(notes);
    size_t slot = notes_slot(notes, about, id, len);
    if (notes->slots[slot] == 0) {
        *vec_add(notes) = (struct notes_subject){.id = arena_dup_n(&notes->arena, id, len), .about = about};
        notes->slots[slot] = (uint32_t)notes->n;
    }
    return &notes->items[notes->slots[slot] - 1];
}

static size_t notes_tag_place(const struct notes_subject *subject, const char *tag) {
    size_t at = 0;
    while (at < subject->n_tags && !str_equal(subject->tags[at].text, tag))
        at++;
    return at;
}

static void notes_drop_tag(struct notes *notes, struct notes_subject *subject, size_t at) {
    subject->n_tags--;
    notes->count--;
    memmove(&subject->tags[at], &subject->tags[at + 1], (subject->n_tags - at) * sizeof *subject->tags);
}

static const char *notes_copy(struct notes *notes, const char *text) {
    return arena_dup_n(&notes->arena, text, strlen(text));
}

/* The text has a tab: a line without one is not read. */
static void notes_add_handover(struct notes *notes, const struct notes_subject *subject, const struct note *note) {
    struct handovers *lines = &notes->handovers;
    const char *tab = strchr(note->text, '\t'), *who = notes_copy(notes, note->who);
    const char *name = arena_dup_n(&notes->arena, note->text, (size_t)(tab - note->text));
    struct handover_line line = {.subject = (size_t)(subject - notes->items)};
    long long of = 0;
    if (note->kind == NOTE_HANDOVER) {
        line.handover = (struct handover){subject->id, who, name, notes_copy(notes, tab + 1), note->at, NULL, 0};
        *vec_add(&lines->handed) = line;
    } else if (str_to_int64(tab + 1, strlen(tab + 1), &of)) {
        line.handover = (struct handover){.from = name, .at = of, .done_by = who, .done_at = note->at};
        *vec_add(&lines->done) = line;
    }
}

void notes_add(struct notes *notes, const struct note *note) {
    struct notes_subject *subject = notes_subject_of(notes, note->about, note->id);
    if (note->kind == NOTE_HANDOVER || note->kind == NOTE_DONE) {
        notes_add_handover(notes, subject, note);
        return;
    }
    size_t at = note->kind == NOTE_TEXT ? 0 : notes_tag_place(subject, note->text);
    bool tagged = note->kind != NOTE_TEXT && at < subject->n_tags;
    if (note->kind == NOTE_UNTAG && tagged)
        notes_drop_tag(notes, subject, at);
    if (note->kind == NOTE_UNTAG || tagged)
        return;
    struct note kept = *note;
    kept.id = subject->id;
    kept.who = notes_copy(notes, note->who);
    kept.text = notes_copy(notes, note->text);
    notes->count++;
    if (note->kind == NOTE_TEXT) {
        subject->notes = vec_grow(subject->notes, subject->n_notes, &subject->notes_cap, sizeof *subject->notes);
        subject->notes[subject->n_notes++] = kept;
    } else {
        subject->tags = vec_grow(subject->tags, subject->n_tags, &subject->tags_cap, sizeof *subject->tags);
        subject->tags[subject->n_tags++] = kept;
    }
}

/* ---- Hand-overs ---- */

void notes_join(struct notes *notes) {
    handovers_join(&notes->handovers);
}

void notes_set_me(struct notes *notes, const char *login) {
    notes->me = login ? notes_copy(notes, login) : NULL;
}

const char *notes_me(const struct notes *notes) {
    return notes ? notes->me : NULL;
}

const struct handover *const *notes_handovers(const struct notes *notes, size_t *n) {
    *n = notes ? notes->handovers.n : 0;
    return notes ? notes->handovers.newest : NULL;
}

const struct handover *notes_handed(const struct notes *notes, const struct notes_subject *subject, size_t *n) {
    *n = 0;
    return notes && subject ? handovers_of(&notes->handovers, (size_t)(subject - notes->items), n) : NULL;
}

bool notes_has_handover(const struct notes *notes, const struct handover *handover) {
    const struct notes_subject *subject = notes_find(notes, NOTE_OF_INTENT, handover->id, strlen(handover->id));
    if (!subject)
        return false;
    const struct handover_line line = {(size_t)(subject - notes->items), *handover};
    return handovers_has(&notes->handovers, &line);
}

bool notes_is_to_me(const struct notes *notes, const struct handover *handover) {
    return handover_is_same_person(handover->to, notes_me(notes));
}

bool notes_is_by_me(const struct notes *notes, const struct handover *handover) {
    return handover_is_same_person(handover->from, notes_me(notes));
}

size_t notes_inbox(const struct notes *notes) {
    size_t inbox = 0;
    for (size_t i = 0; notes && i < notes->handovers.n; i++)
        inbox += !notes->handovers.all[i].done_by && notes_is_to_me(notes, &notes->handovers.all[i]);
    return inbox;
}

static void notes_add_people(const struct note *notes, size_t n, struct notes_people *out) {
    for (size_t i = 0; i < n; i++)
        *vec_add(out) = (struct notes_person){notes[i].who, notes[i].at};
}

void notes_people_of(const struct notes *notes, struct notes_people *out) {
    for (size_t i = 0; notes && i < notes->n; i++) {
        notes_add_people(notes->items[i].notes, notes->items[i].n_notes, out);
        notes_add_people(notes->items[i].tags, notes->items[i].n_tags, out);
    }
    if (notes)
        handovers_add_people(&notes->handovers, out);
    handovers_join_people(out);
}

/* ---- Lines ---- */

static const char KINDS[] = "n+-hd", ABOUTS[NOTE_ABOUT_COUNT + 1] = "iu";

const char *notes_format(void) {
    return KINDS;
}

static void notes_add_digest(const char *line, size_t len, struct str *out) {
    str_addf(out, "%016" PRIx64, digest_short(line, len));
}

/* `digest kind+about time who id text`, tabs between them: none of the texts holds one but that of a hand-over. */
void notes_print(const struct note *note, struct str *out) {
    struct str line;
    str_init(&line, 2 * (NOTE_TEXT_MAX + NOTE_ID_MAX + NOTE_WHO_MAX));
    str_addf(&line, "%c%c\t%" PRId64 "\t%s\t%s\t%s", KINDS[note->kind], ABOUTS[note->about], note->at, note->who,
             note->id, note->text);
    notes_add_digest(line.s, line.len, out);
    str_addf(out, "\t%s\n", line.s);
    str_clear(&line);
}

static bool notes_is_whole(const char *line, size_t len) {
    struct str digest;
    str_init(&digest, DIGEST_HEX);
    bool whole = len > DIGEST_HEX + 1 && line[DIGEST_HEX] == '\t';
    if (whole)
        notes_add_digest(line + DIGEST_HEX + 1, len - DIGEST_HEX - 1, &digest);
    whole = whole && memcmp(digest.s, line, DIGEST_HEX) == 0;
    str_clear(&digest);
    return whole;
}

static int notes_letter(const char *letters, char letter) {
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : -1;
}

/* A name before the tab; behind it a text that may be empty, or a time. */
static bool notes_is_handover(enum note_kind kind, const char *text) {
    const char *tab = strchr(text, '\t');
    long long of;
    if (!tab || tab == text || !utf8_is_clean(text, (size_t)(tab - text)))
        return false;
    return kind == NOTE_DONE ? str_to_int64(tab + 1, strlen(tab + 1), &of) : utf8_is_clean(tab + 1, strlen(tab + 1));
}

/* The line is whole, so it is as a program wrote it; perhaps a later one, with kinds that this one does not know. */
static bool notes_read_fields(char *line, struct note *out) {
    char *fields[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = line;
        line = i < FIELDS - 1 ? strchr(line, '\t') : line + strlen(line);
        if (!line)
            return false;
        if (i < FIELDS - 1)
            *line++ = '\0';
    }
    int kind = notes_letter(KINDS, fields[0][0]), about = notes_letter(ABOUTS, kind < 0 ? '\0' : fields[0][1]);
    bool handed = kind == NOTE_HANDOVER || kind == NOTE_DONE;
    long long at;
    if (kind < 0 || about < 0 || (handed && about != NOTE_OF_INTENT) ||
        !str_to_int64(fields[1], strlen(fields[1]), &at))
        return false;
    *out = (struct note){(enum note_kind)kind, (enum note_about)about, fields[3], at, fields[2], fields[4]};
    for (int i = 2; i < FIELDS - handed; i++)
        if (!*fields[i] || !utf8_is_clean(fields[i], strlen(fields[i])))
            return false;
    return !handed || notes_is_handover(out->kind, fields[FIELDS - 1]);
}

/* Whole, but of a kind that is not known here. */
static bool notes_is_later(const char *line, size_t len) {
    return notes_is_whole(line, len) && notes_letter(KINDS, line[DIGEST_HEX + 1]) < 0;
}

bool note_read(char *line, size_t len, struct note *out) {
    return strlen(line) == len && notes_is_whole(line, len) && notes_read_fields(line + DIGEST_HEX + 1, out);
}

/* Takes each line of a text; note NULL: it is a later program's, or else no good. */
typedef void notes_line_fn(void *context, char *line, const struct note *note, bool later);

static void notes_each_line(const char *text, size_t len, notes_line_fn *take, void *context) {
    for (const char *end = len > 0 ? text + len : text, *next; text < end; text = next) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((stop ? stop : end) - text);
        struct note note;
        next = stop ? stop + 1 : end;
        if (n == 0)
            continue;
        char *line = mem_dup_n(text, n);
        bool later = stop && notes_is_later(line, n), good = stop && !later && note_read(line, n, &note);
        take(context, line, good ? &note : NULL, later);
    }
}

struct notes_lines {
    struct notes_line {
        char *line; /* that the note borrows of */
        struct note note;
    } * items;
    size_t n, cap, damaged, later;
};

static void notes_take_line(void *context, char *line, const struct note *note, bool later) {
    struct notes_lines *lines = context;
    if (note) {
        *vec_add(lines) = (struct notes_line){line, *note};
        return;
    }
    lines->later += later;
    lines->damaged += !later;
    free(line);
}

/* A colleague is `anna at desk-1` here and `anna` there: the name alone is the same on every machine. */
static int notes_by_login(const char *a, const char *b) {
    size_t n = strcspn(a, " "), m = strcspn(b, " ");
    int order = memcmp(a, b, n < m ? n : m);
    return order != 0 ? order : (n > m) - (n < m);
}

/* Of two at the same moment what takes a tag off comes last, on every machine; who wrote them is looked at after that.
 */
static int notes_by_time(const void *a, const void *b) {
    const struct note *x = &((const struct notes_line *)a)->note, *y = &((const struct notes_line *)b)->note;
    int order = (x->at > y->at) - (x->at < y->at);
    order = order != 0 ? order : (int)x->kind - (int)y->kind;
    order = order != 0 ? order : notes_by_login(x->who, y->who);
    order = order != 0 ? order : strcmp(x->text, y->text);
    order = order != 0 ? order : strcmp(x->id, y->id);
    return order != 0 ? order : strcmp(x->who, y->who);
}

size_t notes_parse(struct notes *notes, const char *text, size_t len) {
    struct notes_lines lines = {0};
    notes_each_line(text, len, notes_take_line, &lines);
    if (lines.n > 0)
        qsort(lines.items, lines.n, sizeof *lines.items, notes_by_time);
    for (size_t i = 0; i < lines.n; i++) {
        notes_add(notes, &lines.items[i].note);
        free(lines.items[i].line);
    }
    free(lines.items);
    notes->later += lines.later;
    notes_join(notes);
    return lines.damaged;
}

struct notes_last {
    const struct note *of;
    int64_t at;
};

static void notes_take_last(void *context, char *line, const struct note *note, bool later) {
    struct notes_last *last = context;
    const struct note *of = last->of;
    (void)later;
    if (note && (note->kind == NOTE_TAG || note->kind == NOTE_UNTAG) && note->about == of->about &&
        note->at >= last->at && str_equal(note->id, of->id) && str_equal(note->text, of->text))
        last->at = note->at < INT64_MAX ? note->at + 1 : note->at;
    free(line);
}

int64_t notes_time_after(const char *text, size_t len, const struct note *note) {
    struct notes_last last = {note, note->at};
    if (note->kind == NOTE_TAG || note->kind == NOTE_UNTAG)
        notes_each_line(text, len, notes_take_last, &last);
    return last.at;
}
