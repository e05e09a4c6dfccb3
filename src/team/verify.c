#include "own.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS_MAX = 64 << 10, FAULTS_TOLD = 100, PORTION = 1000, WRITE_SEQ = 2, MARK_SEQ = 3 };

/* Two tables are one chain: rows of both, merged by the number of the entry. */
struct stream {
    enum team_statement statement;
    const char *kind;
    int seq, link, n_values;
    struct team_rows rows;
    int at;
    int64_t after; /* number of the last row that was read */
    bool ended;
};

struct chain {
    struct team *team;
    const char *console;
    struct team_health *health;
    struct stream streams[2];
    int64_t seq;
    char link[TEAM_HEX];
};

static void tell_fault(struct team_health *health, const char *console, const char *format, ...) PRINTF_LIKE(3, 4);
static void tell_fault(struct team_health *health, const char *console, const char *format, ...) {
    va_list args;
    if (health->n_faults++ >= FAULTS_TOLD)
        return;
    str_add(&health->faults, "console ");
    utf8_sanitise(&health->faults, console, strlen(console) < TEAM_ID_SHOWN ? strlen(console) : TEAM_ID_SHOWN);
    str_add(&health->faults, ": ");
    va_start(args, format);
    str_vaddf(&health->faults, format, args);
    va_end(args);
    str_add_char(&health->faults, '\n');
}

static enum err fill_stream(struct chain *chain, struct stream *stream, struct error *error) {
    struct team_values values = {0};
    if (stream->ended || stream->at < stream->rows.n)
        return ERR_OK;
    team_rows_clear(&stream->rows);
    team_value(&values, chain->console);
    team_value_number(&values, stream->after);
    enum err err = team_run(&chain->team->connection, stream->statement, &values, &stream->rows, error);
    stream->at = 0;
    stream->ended = stream->rows.n == 0;
    if (stream->rows.n > 0)
        stream->after = team_number(&stream->rows, stream->rows.n - 1, stream->seq);
    return err;
}

/* The one with the smaller number. */
static struct stream *next_stream(struct chain *chain) {
    struct stream *a = &chain->streams[0], *b = &chain->streams[1];
    if (a->ended || b->ended)
        return !a->ended ? a : !b->ended ? b : NULL;
    return team_number(&a->rows, a->at, a->seq) <= team_number(&b->rows, b->at, b->seq) ? a : b;
}

static void check_entry(struct chain *chain, const struct stream *stream) {
    const char *values[TEAM_PARAMETERS_MAX] = {0};
    struct team_digest link;
    int64_t seq = team_number(&stream->rows, stream->at, stream->seq);
    for (int i = 0; i < stream->n_values; i++)
        values[i] = team_text(&stream->rows, stream->at, i);
    const char *stands = values[stream->link] ? values[stream->link] : "";
    team_chain_link(chain->team, chain->link, stream->kind, values, stream->n_values, stream->link, &link);
    bool follows = seq == chain->seq + 1, same = strcmp(stands, link.hex) == 0;
    if (!follows && seq == chain->seq + 2)
        tell_fault(chain->health, chain->console, "entry %" PRId64 " was removed", chain->seq + 1);
    else if (!follows)
        tell_fault(chain->health, chain->console, "entries %" PRId64 " to %" PRId64 " were removed", chain->seq + 1,
                   seq - 1);
    else if (!same)
        tell_fault(chain->health, chain->console, "entry %" PRId64 " (record %.*s) was altered", seq, TEAM_ID_SHOWN,
                   values[0] ? values[0] : "?");
    chain->health->entries += follows && same;
    chain->seq = seq;
    snprintf(chain->link, sizeof chain->link, "%s", stands);
}

static enum err verify_chain(struct team *team, const char *console, struct team_health *health, struct error *error) {
    struct chain chain = {.team = team,
                          .console = console,
                          .health = health,
                          .streams = {{.statement = TSQL_CHAIN_WRITES,
                                       .kind = "write",
                                       .seq = WRITE_SEQ,
                                       .link = TEAM_WRITE_LINK,
                                       .n_values = TEAM_WRITE_VALUES},
                                      {.statement = TSQL_CHAIN_MARKS,
                                       .kind = "mark",
                                       .seq = MARK_SEQ,
                                       .link = TEAM_MARK_LINK,
                                       .n_values = TEAM_MARK_VALUES}}};
    enum err err = ERR_OK;
    for (;;) {
        for (size_t i = 0; i < COUNT_OF(chain.streams) && err == ERR_OK; i++)
            err = fill_stream(&chain, &chain.streams[i], error);
        struct stream *next = err == ERR_OK ? next_stream(&chain) : NULL;
        if (!next)
            break;
        check_entry(&chain, next);
        next->at++;
    }
    for (size_t i = 0; i < COUNT_OF(chain.streams); i++)
        team_rows_clear(&chain.streams[i].rows);
    health->consoles++;
    return err;
}

struct verify_steps {
    struct team *team;
    struct team_health *health;
};

/* In one look, so that what others add meanwhile does not stand half in it. */
static enum err team_verify_steps(void *context, struct error *error) {
    struct verify_steps *steps = context;
    struct team_rows rows;
    team_health_clear(steps->health);
    str_init(&steps->health->faults, FAULTS_MAX);
    enum err err = team_run(&steps->team->connection, TSQL_CHAINS, NULL, &rows, error);
    for (int i = 0; i < rows.n && err == ERR_OK; i++)
        err = verify_chain(steps->team, team_text(&rows, i, 0), steps->health, error);
    team_rows_clear(&rows);
    return err;
}

enum err team_verify(struct team *team, struct team_health *out, struct error *error) {
    struct verify_steps steps = {team, out};
    *out = (struct team_health){0};
    str_init(&out->faults, FAULTS_MAX);
    enum err err = team_use(team, false, error);
    if (err == ERR_OK)
        err = team_reading(&team->connection, team_verify_steps, &steps, error);
    if (err == ERR_OK && out->n_faults > 0)
        err = error_set(error, ERR_CHECK_FAILED, "%zu fault%s in the team's records", out->n_faults,
                        plural_s(out->n_faults));
    return err;
}
