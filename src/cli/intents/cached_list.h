#ifndef CLI_CACHED_LIST_H
#define CLI_CACHED_LIST_H
/* Questions of the command line to the column index, over the cache: rows newest first as they are read, or one answer
 * over all of it and then its rows in portions. Private to the layer. */

#include "cli/cli.h"
#include "cli/output.h"

#include "app/lookup.h"

/* ERR_USAGE with the place; *out NULL for no text. */
enum err cli_filter(struct cli *cli, const char *text, struct query **out, struct error *error) MUST_CHECK;
/* The same of events that came here. */
enum err cli_filter_events(struct cli *cli, const char *text, struct query **out, struct error *error) MUST_CHECK;
/* FILTER with --status and --type as terms beside it. */
enum err cli_list_filter(struct cli *cli, struct query **out, struct error *error) MUST_CHECK;
/* Under amount_unit an integer of the filter is not what the table shows: says how it is read. */
void cli_say_integers(const struct cli *cli, const struct query *query);
struct query_context cli_context(const struct cli *cli, int64_t now);

/* A row of a walk as filters look at it; false: it has no cells. */
bool cli_row_of(const struct intent *intent, int64_t confirmed, struct str *blob, struct cells *cells,
                struct query_row *out);

/* Whether a row with this id was printed before: a row whose created_at changed is in the cache twice until the index
 * has met both. */
struct idset;
bool cli_was_met(struct idset *met, const struct intent *intent);

/* Called for each row; false ends the reading. intent NULL: the row was dropped since the answer. */
typedef bool lookup_row_fn(void *context, const struct lookup_row *row);
struct lookup_ask {
    struct lookup *lookup; /* taken */
    size_t limit;          /* rows handed out; 0: none */
    uint64_t fields;       /* of rows: as in struct list_ask */
    lookup_row_fn *row;
    void *context;
    struct lookup_result *answer; /* out: the caller's */
};
/* ERR_STORE where there is no cache; ERR_INCOMPLETE where a signal came. */
enum err cli_cached_list(struct cli *cli, struct lookup_ask *ask, struct error *error) MUST_CHECK;

/* `over 1,204 cached intents` on standard error, with the number of hits in front, and how far they reach. */
void cli_say_lookup(const struct cli *cli, size_t hits, const struct lookup_result *answer);
/* On standard error, where rows are in an order that compares amounts of several currencies. */
void cli_say_order(const struct cli *cli, const struct lookup_sort sort[LOOKUP_SORTS],
                   const struct lookup_total *totals, size_t n_totals);
/* ERR_INCOMPLETE where the cache was damaged while it was read: what there is was printed. */
enum err cli_check_damage(const struct coverage *coverage, size_t damaged, struct error *error) MUST_CHECK;

/* What --sort names; NULL leaves sort as it is. */
enum err cli_take_sort(const char *text, struct lookup_sort *sort, struct error *error) MUST_CHECK;

/* Prints what the cache has to tell. A token other than the one it was written with is taken for the same account only
 * where somebody says so: at a terminal the operator is asked, else --same-account says it. */
enum cli_cache {
    CLI_CACHE_READY,
    CLI_CACHE_ASKED, /* READY or OFF follows */
    CLI_CACHE_OFF,   /* there is none, or it is not used */
};
enum cli_cache cli_cache_state(struct cli *cli, const struct event *event, struct effects *effects);
/* Whether the cache was opened for the newest token. An opening can be answered long after the token was renewed. */
bool cli_cache_is_settled(const struct cli *cli);
/* ERR_STORE where the cache was not used because its account is not known to be the same. */
enum err cli_check_account(const struct cli *cli, struct error *error) MUST_CHECK;

/* What --format and --columns ask for. */
enum err cli_output_options(const struct cli *cli, struct output_options *out, struct error *error) MUST_CHECK;

/* --verbose: a request that has ended. */
void cli_say_request(const struct cli *cli, const struct request_seen *seen);
/* On standard error: what the record may have that is worth a look. */
void cli_say_findings(struct cli *cli, const struct intent *intent);

/* What the rows are, for a file that tells it with them: before output_end. */
void cli_output_about(const struct cli *cli, struct output *output, const struct coverage *coverage);
/* On standard error, after it: where the rows are, and of how many they were drawn. */
void cli_say_output(const struct cli *cli, const struct output *output);

enum err cli_list_cached(struct cli *cli, struct error *error) MUST_CHECK;

/* The same of the team's store: rows newest first, and an answer with totals, values and coverage. No sorts. */
enum err cli_team_list(struct cli *cli, struct lookup_ask *ask, struct error *error) MUST_CHECK;
void cli_say_team(const struct cli *cli, size_t printed, const struct lookup_result *answer);
enum err cli_list_team(struct cli *cli, struct error *error) MUST_CHECK;

#endif
