/* Intents for a team's store as lines of COPY: as many as are asked for, out of the sandbox's seed, sealed with the key
 * of a file. `team ROWS SCOPE KEYFILE [FIRST]` on standard output, columns in the order of TEAM_INTENT_COLUMNS; `team
 * --scope KEYFILE ORIGIN` prints the scope of an origin without an account. */

#include "sandbox/gen.h"
#include "team/columns.h"
#include "team/own.h"
#include "wire/page.h"

#include "base/digest.h"
#include "base/mem.h"
#include "team/intents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_MAX = 1 << 20, SEED = 7 };

static void add_text(struct str *out, const struct cells_slice *text) {
    str_add_char(out, '\t');
    if (!text->s)
        str_add(out, "\\N");
    for (size_t i = 0; text->s && i < text->len; i++) {
        if (strchr("\t\n\r\\", text->s[i]))
            str_add_char(out, '\\');
        str_add_char(out, text->s[i]);
    }
}

static void add_number(struct str *out, bool there, int64_t number) {
    if (there)
        str_addf(out, "\t%lld", (long long)number);
    else
        str_add(out, "\t\\N");
}

static void add_row(struct str *out, struct team *team, const char *scope, int64_t change, const struct str *json,
                    const struct cells *cells, struct str *sealed) {
    bool dated = cells->flags & CELLS_CREATED_OK;
    str_addf(out, "%s\t%lld", scope, (long long)(dated ? cells->created_ms : TEAM_UNDATED));
    add_text(out, &cells->text[CELLS_ID]);
    add_number(out, true, change);
    add_number(out, true, cells->created_ms);
    for (size_t i = 0; i < TEAM_WORDS; i++)
        add_text(out, &cells->text[TEAM_WORD_COLUMNS[i].text]);
    add_number(out, cells->flags & CELLS_AMOUNT_OK, cells->amount);
    add_number(out, cells->flags & CELLS_GUARANTEE_OK, cells->guarantee);
    for (size_t i = 0; i < TEAM_IDS; i++)
        add_text(out, &cells->text[TEAM_ID_COLUMNS[i].text]);
    add_number(out, true, cells->flags);
    str_reset(sealed);
    team_seal_intent(team, json->s, json->len, sealed);
    str_add(out, "\t\\\\x");
    digest_hex(out, sealed->s, sealed->len);
    str_add_char(out, '\n');
}

int main(int argc, char *argv[]) {
    struct error error = {0};
    if (argc < 4 || secret_init(&error) != ERR_OK) {
        fprintf(stderr, "usage: team ROWS SCOPE KEYFILE [FIRST]\n");
        return 2;
    }
    bool names = strcmp(argv[1], "--scope") == 0; /* KEYFILE and origin follow */
    int64_t rows = atoll(argv[1]), first = argc > 4 ? atoll(argv[4]) : 0;
    struct gen gen = {.seed = SEED, .count = GEN_COUNT_MAX, .epoch = INT64_C(1795860000000), .plain = true};
    struct team *team = team_new(
        &(struct team_place){.store = "", .key_file = names ? argv[2] : argv[3], .console = "", .who = "", .host = ""});
    if (team_key_use(team, &error) != ERR_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (names) {
        printf("%lld\n", (long long)team_scope(team, argv[3], ""));
        return 0;
    }
    struct str json, blob, line, sealed;
    str_init(&json, JSON_MAX);
    str_init(&blob, JSON_MAX);
    str_init(&line, JSON_MAX);
    str_init(&sealed, JSON_MAX);
    for (int64_t i = first; i < first + rows; i++) {
        struct gen_life life;
        struct cells cells;
        gen_life(&gen, -i, &life);
        str_reset(&json);
        gen_render(&gen, -i, &life, &json);
        struct intent *intent = wire_intent(json.s, json.len);
        str_reset(&blob);
        cells_pack(intent, &blob);
        str_reset(&line);
        if (cells_read(blob.s, blob.len, &cells))
            add_row(&line, team, argv[2], i + 1, &json, &cells, &sealed);
        if (fwrite(line.s, 1, line.len, stdout) != line.len)
            return 1;
        intent_free(intent);
    }
    team_free(team);
    return fflush(stdout) == 0 ? 0 : 1;
}
