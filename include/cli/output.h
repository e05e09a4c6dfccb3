#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H
/* Rows of intents on standard output: table, JSON, NDJSON, CSV. Streams: memory does not grow with the rows. A failed
 * write is ERR_FILE at once, so that a walk can stop; SIGPIPE must be ignored. */

#include "app/columns.h"
#include "app/table_files.h"
#include "cli/args.h"

#include "base/str.h"
#include "model/intent.h"
#include "model/notes.h"

#include <stdio.h>

struct output;
struct sample;

struct output_options {
    enum output_format format;
    FILE *out;
    bool terminal; /* cut tables to columns, escape what could act on it */
    bool utf8;
    int columns;                     /* 0: not known */
    struct column_set columns_named; /* of table and CSV; n 0: the usual ones */
    struct money_rule money;
    struct columns_here here;         /* times of tables are in its zone */
    const struct table_files *tables; /* of SQLITE, */
    const char *path;                 /* and its file */
    size_t sample;                    /* so many are drawn of all, by the seed; 0: all are written */
    uint64_t seed;
};

/* Nothing is written before output_start. */
struct output *output_new(const struct output_options *options);
void output_free(struct output *output);
/* Makes the file where there is one, so that what cannot be written is known before anything is read. */
enum err output_start(struct output *output, struct error *error) MUST_CHECK;
/* A line `name: value` beside the rows, where the format has a place for it: before output_end. */
void output_about(struct output *output, const char *name, const char *value);
enum err output_intent(struct output *output, const struct intent *intent, struct error *error) MUST_CHECK;
/* The same in two steps, so that a row can be kept until its turn has come: what it is made to, which does not depend
 * on the rows before it, and that written. */
void output_pack(const struct output *output, const struct intent *intent, struct str *out);
enum err output_packed(struct output *output, const char *row, size_t len, struct error *error) MUST_CHECK;
/* The fields that are looked at, beside the raw text; 0: all. */
uint64_t output_fields(const struct output *output);
/* Writes the rest: what was held back, and the end of an array; also where there was no row. */
enum err output_end(struct output *output, struct error *error) MUST_CHECK;

/* What was drawn and from how many; NULL: all are written. */
const struct sample *output_sample(const struct output *output);

/* Called after output_end: ERR_INCOMPLETE where rows that could not be read went into a format for programs. */
enum err output_check(const struct output *output, struct error *error) MUST_CHECK;

/* A list of JSON values, or of lines in NDJSON: what stands before one and after it, and at the end; "" where nothing
 * does. */
const char *output_list_before(enum output_format format, bool first);
const char *output_list_after(enum output_format format);
const char *output_list_end(enum output_format format, bool any);

/* Writes text of this program to a stream, and checks that all of it arrived. */
enum err output_text(FILE *out, const char *text, struct error *error) MUST_CHECK;
enum err output_flush(FILE *out, struct error *error) MUST_CHECK;
/* Writes a whole text and checks it, unless err already says that something failed; takes the text in any case, and
 * returns the first failure. */
enum err output_whole(FILE *out, struct str *text, enum err err, struct error *error) MUST_CHECK;

#endif
