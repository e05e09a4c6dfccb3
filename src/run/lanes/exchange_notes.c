#include "exchange_sources.h"

#include "run/files/notes_file.h"
#include "team/notes.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, PLACE_BYTES = 256, LINES_MAX = 32 << 20 };

/* How far the file was sent, and how far the store was taken in. */
struct exchange {
    struct team_side *side;
    struct notes_place place;
    struct str path, text; /* of the place; the file of notes */
    struct str kept;       /* the place as it is on the disk */
    struct exchange_memory *memory;
    long long sent;
    struct team_place_of_changes taken;
};

/* ---- the place ---- */

/* A file that was removed and begun anew has another first line, which says when it was written. A program that knows
 * other kinds of lines has a place of its own: what an earlier one left out, it asks for. */
static void name_exchange(struct exchange *exchange) {
    const struct profile *profile = exchange->side->profile;
    const char *const parts[] = {profile->team_store, exchange->place.origin, exchange->place.account, notes_format()};
    struct str name;
    str_init(&name, NOTES_FILE_MAX);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        str_addf(&name, "%s\n", parts[i] ? parts[i] : "");
    str_add_n(&name, exchange->text.s, strcspn(exchange->text.s, "\n"));
    (void)snprintf(exchange->memory->of, sizeof exchange->memory->of, "%016" PRIx64, digest_short(name.s, name.len));
    str_clear(&name);
}

/* Without one of this store, scope and file all is exchanged again, which changes nothing. */
static void read_exchange_place(struct exchange *exchange) {
    struct str text;
    char id[TEAM_ID_HEX + 1] = "", of[EXCHANGE_OF_HEX + 1] = "";
    long long sent = 0, change = 0;
    str_init(&text, PLACE_BYTES);
    if (path_read(exchange->path.s, PLACE_BYTES, true, &text, NULL) == ERR_OK &&
        sscanf(text.s, "%16s %lld %lld %64s", of, &sent, &change, id) >= 3 && sent >= 0 && change >= 0 &&
        str_equal(of, exchange->memory->of)) {
        exchange->sent = sent;
        exchange->taken = (struct team_place_of_changes){.change = change, .id = *id ? mem_dup(id) : NULL};
        str_add(&exchange->kept, text.s);
    }
    str_clear(&text);
}

static enum err keep_exchange_place(const struct exchange *exchange, struct error *error) {
    struct str text;
    str_init(&text, PLACE_BYTES);
    str_addf(&text, "%s %lld %lld %s\n", exchange->memory->of, exchange->sent, (long long)exchange->taken.change,
             exchange->taken.id ? exchange->taken.id : "");
    enum err err =
        str_equal(text.s, exchange->kept.s) ? ERR_OK : path_replace(exchange->path.s, text.s, text.len, error);
    str_clear(&text);
    return err;
}

/* ---- sending ---- */

/* Lines of this operator alone: those of colleagues came out of the store. */
static bool is_own_line(const struct exchange *exchange, const char *line, size_t len) {
    struct note note;
    char *copy = mem_dup_n(line, len);
    bool own = note_read(copy, len, &note) && str_equal(note.who, exchange->side->who.s);
    free(copy);
    return own;
}

static enum err send_lines(struct exchange *exchange, struct error *error) {
    struct team_note notes[TEAM_NOTES_MAX];
    const struct notes_place *place = &exchange->place;
    const char *text = exchange->text.s, *end = text + exchange->text.len;
    enum err err = ERR_OK;
    if (exchange->sent > (long long)exchange->text.len)
        exchange->sent = 0; /* the file was removed, and begun anew */
    for (const char *at = text + exchange->sent; at < end && err == ERR_OK;) {
        size_t n = 0;
        for (const char *stop; at < end && n < TEAM_NOTES_MAX && (stop = memchr(at, '\n', (size_t)(end - at)));
             at = stop + 1)
            if (is_own_line(exchange, at, (size_t)(stop - at)))
                notes[n++] = (struct team_note){.line = at, .len = (size_t)(stop - at)};
        err = team_notes_put(exchange->side->team, TEAM_NOTE, place->origin, place->account, notes, n, error);
        if (err == ERR_OK)
            exchange->sent = at - text;
        if (n < TEAM_NOTES_MAX)
            break;
    }
    return err;
}

/* ---- taking in ---- */

/* As a line of the one who wrote it, whatever it says of that itself; harmless on a terminal, or left out. */
static void add_taken_line(const struct team_note *from, struct str *lines) {
    struct str who;
    struct note note;
    char *copy = mem_dup_n(from->line, from->len);
    str_init(&who, NOTE_WHO_MAX);
    str_addf(&who, "%s at %s", from->who, from->host);
    if (note_read(copy, from->len, &note)) {
        note.who = who.s;
        notes_print(&note, lines);
    }
    str_clear(&who);
    free(copy);
}

static enum err take_lines(struct exchange *exchange, struct error *error) {
    const struct notes_place *place = &exchange->place;
    struct team_notes found = {0};
    enum err err = ERR_OK;
    do {
        struct str lines;
        team_notes_clear(&found);
        str_init(&lines, LINES_MAX);
        err = team_notes_since(exchange->side->team, TEAM_NOTE, place->origin, place->account, &exchange->taken, &found,
                               error);
        for (size_t i = 0; i < found.n; i++)
            add_taken_line(&found.items[i], &lines);
        if (err == ERR_OK && lines.len > 0)
            err = notes_file_take(place, lines.s, error);
        if (err == ERR_OK)
            err = keep_exchange_place(exchange, error);
        str_clear(&lines);
    } while (err == ERR_OK && found.more);
    team_notes_clear(&found);
    return err;
}

/* A file that is as it was when all of it was sent is not read again. */
static enum err read_file_of_notes(struct exchange *exchange, bool changed, struct error *error) {
    enum err err = changed ? notes_file_text(&exchange->place, &exchange->text, error) : ERR_OK;
    if (err == ERR_OK && changed)
        name_exchange(exchange);
    if (err == ERR_OK)
        read_exchange_place(exchange);
    return err;
}

/* What the store refuses keeps nobody from what colleagues wrote. */
enum err exchange_notes(struct team_side *side, const char *folder, struct exchange_memory *memory, bool changed,
                        struct error *error) {
    struct exchange exchange = {.side = side, .place = notes_place_of(folder, side->profile), .memory = memory};
    str_init(&exchange.path, PATH_BYTES);
    str_init(&exchange.kept, PLACE_BYTES);
    str_init(&exchange.text, NOTES_FILE_MAX + 1);
    enum err err = team_file_path(folder, "team-notes-", side->profile->name, &exchange.path, error);
    if (err == ERR_OK)
        err = read_file_of_notes(&exchange, changed, error);
    if (err == ERR_OK) {
        err = changed ? send_lines(&exchange, error) : ERR_OK;
        enum err taken = take_lines(&exchange, err == ERR_OK ? error : NULL);
        err = err == ERR_OK ? taken : err;
    }
    free(exchange.taken.id);
    str_clear(&exchange.text);
    str_clear(&exchange.kept);
    str_clear(&exchange.path);
    return err;
}
