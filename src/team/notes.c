#include "team/notes.h"
#include "own.h"

#include "base/mem.h"
#include "base/seal.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { SEALED_MAX = 64 << 10, NAME_BYTES = 1024, SINCE_LIMIT = 500 };

/* Columns of NOTES_SINCE. */
enum { AT_CHANGE, AT_ID, AT_CONSOLE, AT_WHO, AT_HOST, AT_STORED, AT_SEALED };

/* own: a console takes in its own rows too, since their order is the store's. */
static const struct {
    const char *name;
    bool own;
} NOTE_KINDS[] = {[TEAM_NOTE] = {"note", false}, [TEAM_VIEW] = {"view", true}};

/* Counted apart from the changes of intents: who takes in the one waits for none of the other. */
static int64_t scope_of_notes(struct team *team, const char *origin, const char *account) {
    return team_scope_of(team, "notes", origin, account);
}

/* ---- sending ---- */

struct notes_steps {
    struct team *team;
    enum team_note_kind kind;
    const char *origin, *account;
    const struct team_note *notes;
    size_t n;
};

static void seal_note(struct team *team, const char *id, const struct team_note *note, struct str *hex) {
    struct str plain, sealed;
    str_init(&plain, SEALED_MAX);
    str_init(&sealed, SEALED_MAX);
    str_add(&plain, id);
    str_add_n(&plain, note->line, note->len);
    seal_make(&sealed, &team->key, plain.s, plain.len);
    digest_hex(hex, sealed.s, sealed.len);
    str_clear(&plain);
    str_clear(&sealed);
}

static enum err add_note_row(struct notes_steps *steps, const struct team_note *note, int64_t scope, int64_t change,
                             struct error *error) {
    struct team *team = steps->team;
    struct team_values values = {0};
    struct team_digest id;
    struct str sealed;
    str_init(&sealed, 2 * SEALED_MAX);
    const char *kind = NOTE_KINDS[steps->kind].name;
    team_digest_of(team, kind, steps->origin, steps->account, "line", note->line, note->len, &id);
    seal_note(team, id.hex, note, &sealed);
    team_value_number(&values, scope);
    team_value(&values, id.hex);
    team_value_number(&values, change);
    team_value(&values, team->place.console);
    team_value(&values, team->place.who);
    team_value(&values, team->place.host);
    team_value(&values, kind);
    team_value(&values, sealed.s);
    enum err err = team_run(&team->connection, TSQL_NOTE_ADD, &values, NULL, error);
    str_clear(&sealed);
    return err;
}

static enum err team_notes_steps(void *context, struct error *error) {
    struct notes_steps *steps = context;
    struct team_values values = {0};
    struct team_rows rows;
    int64_t scope = scope_of_notes(steps->team, steps->origin, steps->account);
    team_value_number(&values, scope);
    enum err err = team_run(&steps->team->connection, TSQL_CHANGE_NEXT, &values, &rows, error);
    int64_t change = err == ERR_OK && rows.n > 0 ? team_number(&rows, 0, 0) : 0;
    team_rows_clear(&rows);
    for (size_t i = 0; i < steps->n && err == ERR_OK; i++)
        err = add_note_row(steps, &steps->notes[i], scope, change, error);
    return err;
}

enum err team_notes_put(struct team *team, enum team_note_kind kind, const char *origin, const char *account,
                        const struct team_note *notes, size_t n, struct error *error) {
    struct notes_steps steps = {team, kind, origin, account, notes, n};
    enum err err = team_use(team, true, error);
    return err == ERR_OK && n > 0 ? team_transaction(&team->connection, team_notes_steps, &steps, error) : err;
}

/* ---- taking in ---- */

static const char *note_cell(struct team_notes *out, const struct team_rows *rows, int row, int column) {
    const char *text = team_clean(&out->arena, rows, row, column);
    return text ? text : "?";
}

/* What is asked for, and how far. */
struct notes_asked {
    enum team_note_kind kind;
    const char *origin, *account;
};

/* Its name says what is in it: one that was moved here from another account or kind has another one. */
static bool is_named_so(struct team *team, const struct notes_asked *asked, const char *id, const char *line,
                        size_t len) {
    struct team_digest digest;
    team_digest_of(team, NOTE_KINDS[asked->kind].name, asked->origin, asked->account, "line", line, len, &digest);
    return str_equal(digest.hex, id);
}

static void take_note_row(struct team *team, const struct notes_asked *asked, const struct team_rows *rows, int row,
                          struct team_notes *out) {
    const char *hex = team_text(rows, row, AT_SEALED), *id = team_text(rows, row, AT_ID);
    struct str sealed, plain;
    bool own = str_equal(team_text(rows, row, AT_CONSOLE), team->place.console);
    if (!hex || !id || (own && !NOTE_KINDS[asked->kind].own))
        return;
    size_t named = strlen(id);
    str_init(&sealed, SEALED_MAX * 2);
    str_init(&plain, SEALED_MAX * 2);
    if (digest_from_hex(&sealed, hex, strlen(hex)) && seal_open(&plain, &team->key, sealed.s, sealed.len) &&
        plain.len > named && memcmp(plain.s, id, named) == 0 &&
        is_named_so(team, asked, id, plain.s + named, plain.len - named))
        *vec_add(out) = (struct team_note){.who = note_cell(out, rows, row, AT_WHO),
                                           .host = note_cell(out, rows, row, AT_HOST),
                                           .line = arena_dup_n(&out->arena, plain.s + named, plain.len - named),
                                           .len = plain.len - named,
                                           .id = arena_dup_n(&out->arena, id, named),
                                           .change = team_number(rows, row, AT_CHANGE),
                                           .stored = team_number(rows, row, AT_STORED)};
    str_clear(&sealed);
    str_clear(&plain);
}

enum err team_notes_since(struct team *team, enum team_note_kind kind, const char *origin, const char *account,
                          struct team_place_of_changes *place, struct team_notes *out, struct error *error) {
    const struct notes_asked asked = {kind, origin, account};
    struct team_values values = {0};
    struct team_rows rows;
    enum err err = team_use(team, true, error);
    if (err != ERR_OK)
        return err;
    team_value_number(&values, scope_of_notes(team, origin, account));
    team_value_number(&values, place->change);
    team_value(&values, place->id ? place->id : "");
    team_value(&values, NOTE_KINDS[kind].name);
    err = team_run(&team->connection, TSQL_NOTES_SINCE, &values, &rows, error);
    for (int row = 0; row < rows.n; row++)
        take_note_row(team, &asked, &rows, row, out);
    out->more = rows.n == SINCE_LIMIT;
    if (rows.n > 0) {
        place->change = team_number(&rows, rows.n - 1, AT_CHANGE);
        free(place->id);
        place->id = mem_dup(team_text(&rows, rows.n - 1, AT_ID));
    }
    team_rows_clear(&rows);
    return err;
}

enum err team_notes_last(struct team *team, const char *origin, const char *account, int64_t *change,
                         struct error *error) {
    enum err err = team_use(team, true, error);
    return err == ERR_OK ? team_change_last(team, scope_of_notes(team, origin, account), change, error) : err;
}

void team_notes_clear(struct team_notes *notes) {
    free(notes->items);
    arena_clear(&notes->arena);
    *notes = (struct team_notes){0};
}
