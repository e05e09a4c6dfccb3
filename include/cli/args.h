#ifndef CLI_ARGS_H
#define CLI_ARGS_H
/* The command line as one table of commands and options: parser, --help, `help TOPIC`, completions and the manual's
 * synopsis are made from it. What is listed works. Pure: nothing is read but argv, to which the result points. */

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum color_when { COLOR_AUTO, COLOR_NEVER, COLOR_16, COLOR_256, COLOR_TRUECOLOR };
/* CSV_EXCEL: CSV as a spreadsheet program opens it. SQLITE: a file, of --output. */
enum output_format { OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_NDJSON, OUTPUT_CSV, OUTPUT_CSV_EXCEL, OUTPUT_SQLITE };

enum command_id {
    COMMAND_CONSOLE,
    COMMAND_INTENTS_LIST,
    COMMAND_INTENTS_SHOW,
    COMMAND_INTENTS_STATS,
    COMMAND_INTENTS_MIRROR,
    COMMAND_INTENTS_MATCH,
    COMMAND_INTENTS_NOTE,
    COMMAND_INTENTS_TAG,
    COMMAND_INTENTS_UNTAG,
    COMMAND_NOTES_HAND,
    COMMAND_NOTES_INBOX,
    COMMAND_NOTES_DONE,
    COMMAND_VIEWS_LIST,
    COMMAND_VIEWS_SHARE,
    COMMAND_VIEWS_UNSHARE,
    COMMAND_VIEWS_KEEP,
    COMMAND_ACTIONS_LIST,
    COMMAND_ACTIONS_RUN,
    COMMAND_USERS_CREATE,
    COMMAND_USERS_IMPORT,
    COMMAND_USERS_SHOW,
    COMMAND_USERS_PROPOSALS,
    COMMAND_USERS_RELEASE,
    COMMAND_USERS_WITHDRAW,
    COMMAND_USERS_REFUSE,
    COMMAND_ACTIVITY_LIST,
    COMMAND_ACTIVITY_SHOW,
    COMMAND_ACTIVITY_RESOLVE,
    COMMAND_ACTIVITY_VERIFY,
    COMMAND_ACTIVITY_EXPORT,
    COMMAND_ACTIVITY,
    COMMAND_JOURNAL_PURGE,
    COMMAND_PURGE,
    COMMAND_WEBHOOK_SHOW,
    COMMAND_WEBHOOK_REGISTER,
    COMMAND_WEBHOOK_PROPOSALS,
    COMMAND_WEBHOOK_RELEASE,
    COMMAND_WEBHOOK_WITHDRAW,
    COMMAND_WEBHOOK_REFUSE,
    COMMAND_WEBHOOK_CHECK,
    COMMAND_WEBHOOK_VERIFY,
    COMMAND_WEBHOOK_LISTEN,
    COMMAND_WEBHOOK_EVENTS,
    COMMAND_WEBHOOK_REPLAY,
    COMMAND_CACHE_STATS,
    COMMAND_CACHE_VERIFY,
    COMMAND_CACHE_PURGE,
    COMMAND_TEAM_INIT,
    COMMAND_TEAM_CHECK,
    COMMAND_TEAM_STATUS,
    COMMAND_TEAM_MEMBERS,
    COMMAND_TEAM_VERIFY,
    COMMAND_TEAM_RESOLVE,
    COMMAND_CONFIG_INIT,
    COMMAND_CONFIG_CHECK,
    COMMAND_CONFIG_PATH,
    COMMAND_KEYS_LIST,
    COMMAND_THEME_LIST,
    COMMAND_THEME_SHOW,
    COMMAND_THEME_CHECK,
    COMMAND_COMPLETION,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_COUNT
};

enum option_id {
    OPTION_PROFILE,
    OPTION_CONFIG,
    OPTION_READ_ONLY,
    OPTION_DEMO,
    OPTION_THEME,
    OPTION_COLOR,
    OPTION_TZ,
    OPTION_VERSION,
    OPTION_HELP,
    OPTION_STATUS,
    OPTION_TYPE,
    OPTION_LIMIT,
    OPTION_ALL,
    OPTION_FORMAT,
    OPTION_CACHED,
    OPTION_UNKNOWN,
    OPTION_FILE,
    OPTION_DRY_RUN,
    OPTION_YES,
    OPTION_AGAIN,
    OPTION_REPEAT,
    OPTION_OUTCOME,
    OPTION_NOTE,
    OPTION_TAG,
    OPTION_BEFORE,
    OPTION_DRAFTS,
    OPTION_SESSION,
    OPTION_URL,
    OPTION_SECRET_FILE,
    OPTION_SECRET_FD,
    OPTION_GENERATE_SECRET,
    OPTION_SECRET_OUT,
    OPTION_UNSIGNED,
    OPTION_ALLOW_LOCAL,
    OPTION_CA_FILE,
    OPTION_PROBE,
    OPTION_BODY,
    OPTION_HEADER,
    OPTION_SORT,
    OPTION_COLUMNS,
    OPTION_BY,
    OPTION_OVER,
    OPTION_SUM,
    OPTION_RATE,
    OPTION_RATE_OF,
    OPTION_COMPARE,
    OPTION_FRESH,
    OPTION_CHART,
    OPTION_MAP,
    OPTION_RESUME,
    OPTION_SKIP_UNKNOWN,
    OPTION_REFUSED,
    OPTION_MAX_FAILURES,
    OPTION_PACE,
    OPTION_SAME_ACCOUNT,
    OPTION_VERBOSE,
    OPTION_CSV_GUARD,
    OPTION_WALKS,
    OPTION_FROM_START,
    OPTION_QUIET,
    OPTION_ON,
    OPTION_DECIMAL,
    OPTION_AMOUNTS,
    OPTION_DAYS,
    OPTION_CURRENCY,
    OPTION_USER,
    OPTION_NOTES,
    OPTION_OUTPUT,
    OPTION_SAMPLE,
    OPTION_SEED,
    OPTION_FOLLOW,
    OPTION_CHANGES,
    OPTION_SINCE_LAST,
    OPTION_LISTEN,
    OPTION_FORWARD_TO,
    OPTION_TO,
    OPTION_INTENT,
    OPTION_INTENTS,
    OPTION_KIND,
    OPTION_CHECK,
    OPTION_DIFFERS,
    OPTION_EVENTS,
    OPTION_CERTIFICATE,
    OPTION_CERTIFICATE_KEY,
    OPTION_PRINT_SQL,
    OPTION_TEAM,
    OPTION_SINCE,
    OPTION_REASON,
    OPTION_TEXT,
    OPTION_COUNT
};

enum { ARGS_OPERANDS_MAX = 256, ARGS_STATUSES_MAX = 32, ARGS_HEADERS_MAX = 16 };

/* Everything asked for. Text is borrowed from argv; options that were not given are zero. */
struct args {
    enum command_id command;
    const char *profile, *config, *theme, *tz;
    bool read_only, demo;
    enum color_when color;
    const char *statuses[ARGS_STATUSES_MAX];
    size_t n_statuses;
    const char *type, *sort, *by, *over, *columns;
    const char *sum, *rate, *rate_of, *compare; /* of counts; NULL: not given */
    bool chart, fresh;
    long long limit; /* 0: not given */
    bool all;
    bool cached;       /* from the cache: no token, no network */
    bool same_account; /* the cache may be used although it was written under another token */
    bool verbose, quiet;
    long long walks; /* 0: not given */
    bool from_start;
    enum guard_when { GUARD_ON, GUARD_OFF } csv_guard;
    bool unknown; /* asks for the unknown fields that were seen */
    const char *file, *outcome, *note, *before;
    const char *yes;  /* "": without a word; NULL: not given */
    long long repeat; /* 0: not given */
    bool tag;         /* the tag is read from standard input */
    bool dry_run, again, drafts, session, notes;
    bool user; /* the id is a user's */
    const char *map;
    const char *on, *currency, *decimal, *amounts, *days; /* how a table is matched and read; NULL: not said */
    bool resume, skip_unknown, refused;
    long long max_failures; /* 0: not given */
    const char *pace;
    const char *url, *secret_file, *secret_out, *ca_file, *body;
    const char *generate; /* format of a new secret, or ""; NULL: no new secret is asked for */
    const char *secret_fd;
    bool unsigned_word, allow_local, probe;
    const char *headers[ARGS_HEADERS_MAX];
    size_t n_headers;
    enum output_format format;
    const char *output;     /* NULL: standard output */
    long long sample, seed; /* 0: not given */
    const char *follow, *since_last;
    bool changes;
    const char *certificate, *certificate_key;
    const char *listen, *forward_to,
        *to; /* of events of the service, and to whom an intent is handed; NULL: not given */
    const char *intent, *intents, *kind, *check;
    bool differs, events;
    bool print_sql, team;
    const char *since, *reason, *text;
    const char *operands[ARGS_OPERANDS_MAX];
    size_t n_operands;
};

/* ERR_USAGE names the word that was not understood, and the nearest known one. --help gives COMMAND_HELP with the
 * command's words as operands, --version gives COMMAND_VERSION. */
enum err args_parse(int argc, char *const argv[], struct args *out, struct error *error) MUST_CHECK;

/* What completions offer for a value or an operand. */
enum value_kind { VALUE_NONE, VALUE_WORDS, VALUE_FILE, VALUE_PROFILE, VALUE_THEME, VALUE_FREE };

/* How an option's value is kept in struct args. */
enum option_keep {
    OPTION_KEEPS_NOTHING,
    OPTION_KEEPS_FLAG,     /* bool */
    OPTION_KEEPS_TEXT,     /* const char * */
    OPTION_KEEPS_OPTIONAL, /* the same, "" without a value */
    OPTION_KEEPS_WORD,     /* the same, one of `words` */
    OPTION_KEEPS_CHOICE,   /* an enum: its place among `words` */
    OPTION_KEEPS_NUMBER,   /* long long above 0 */
    OPTION_KEEPS_STATUS,   /* one more of statuses */
    OPTION_KEEPS_HEADER,   /* one more of headers */
};

/* Everything about an option: its row is what the parser stores, what help and manual say, and what completions offer.
 */
struct option {
    const char *name;     /* without "--" */
    const char *value;    /* name of its value in help; NULL: a flag */
    const char *words;    /* of VALUE_WORDS, separated by blanks */
    const char *optional; /* name of a value that may follow after =; NULL: none */
    const char *help;
    enum value_kind kind;
    bool global, repeats;
    enum option_keep keep;
    size_t place; /* in struct args, of those that have one */
};

typedef unsigned __int128 option_set; /* a bit for each option */

struct cli;
typedef enum err command_fn(struct cli *cli, struct error *error);

struct command {
    command_fn *run;      /* NULL: the console */
    const char *words;    /* "intents list"; "" opens the console */
    const char *operands; /* as in help: "SHELL", "[TOPIC]"; NULL: none */
    size_t operands_min, operands_max;
    enum value_kind kind; /* of the operands */
    const char *choices;  /* of VALUE_WORDS */
    option_set options;   /* beside the global ones */
    bool profile;         /* runs with a profile and its token */
    bool cached;          /* over the loop, without its token: the cache alone */
    bool offline;         /* with a profile, without its token and the network */
    bool changes;         /* its outcome is told before a pipe that nobody reads */
    bool kept;            /* over what is kept in the operator's folders: not with --demo */
    bool bare;            /* with an operand, where no profile is named or configured, it runs without one */
    bool named;           /* without a profile of its own: that of the record it is about, where it is configured */
    const char *help;     /* one line */
    const char *text;     /* paragraphs for `help`, separated by newlines; NULL: none */
    /* What the text ends with where that is made from a table, and how it goes on; NULL: it is all. */
    void (*names)(struct str *out);
    const char *text_after;
};

const struct command *command_of(enum command_id id);
const struct option *option_of(enum option_id id);
bool command_takes(const struct command *command, enum option_id id);
/* Command whose words are the first of the operands, or -1; *used gets their number. */
int command_find(const char *const *words, size_t n, size_t *used);
/* The index-th of blank-separated words; NULL past the last. *len gets its length. */
const char *word_at(const char *words, size_t index, size_t *len);

#endif
