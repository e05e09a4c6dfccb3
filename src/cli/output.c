#include "cli/output.h"

#include "output_table.h"

#include "app/record.h"
#include "app/sample.h"
#include "base/out.h"
#include "base/utf8.h"
#include "wire/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The longest escape of a byte, `\u001b`, is six bytes. */
enum { BLOCK_MAX = 64 << 20, ABOUT_MAX = 64 << 10, ESCAPE_FACTOR = 6, SPARE = 64 };

/* What a packed row begins with. Cut: it is larger than can be printed. */
enum { PACKED_WHOLE = 'w', PACKED_BROKEN = 'b', PACKED_CUT = 'c' };

struct output {
    struct output_options options;
    struct table_writer *table;
    struct record_style csv;
    unsigned char fields[RECORD_FIELD_COUNT]; /* of it, where columns are named */
    struct str block, row;                    /* made, not yet written; of one row, packed */
    struct table_file *file;                  /* of SQLITE */
    struct str about;
    struct sample sample;
    bool begun;
    size_t broken; /* rows given that could not be read */
};

static void name_fields(struct output *output) {
    const struct column_set *set = &output->options.columns_named;
    for (int i = 0; i < set->n; i++) {
        output->csv.n_fields =
            record_fields_of_column(set->items[i], &output->options.money, output->fields, output->csv.n_fields);
    }
    output->csv.fields = set->n > 0 ? output->fields : NULL;
}

struct output *output_new(const struct output_options *options) {
    struct output *output = mem_new(sizeof *output);
    output->options = *options;
    str_init(&output->block, BLOCK_MAX);
    str_init(&output->row, BLOCK_MAX);
    str_init(&output->about, ABOUT_MAX);
    sample_init(&output->sample, options->sample, options->seed);
    output->csv = (struct record_style){.format = options->format == OUTPUT_SQLITE ? RECORD_CELLS : RECORD_CSV,
                                        .reader = csv_written_for(),
                                        .ascii = options->terminal && !options->utf8,
                                        .money = options->money,
                                        .here = options->here};
    name_fields(output);
    if (options->format == OUTPUT_TABLE)
        output->table = table_writer_new(options);
    return output;
}

void output_free(struct output *output) {
    if (!output)
        return;
    table_writer_free(output->table);
    if (output->file)
        output->options.tables->drop(output->file);
    str_clear(&output->about);
    sample_clear(&output->sample);
    str_clear(&output->block);
    str_clear(&output->row);
    free(output);
}

static enum err not_written(struct error *error) {
    const char *reason = strerrordesc_np(errno);
    return error_set(error, ERR_FILE, "standard output cannot be written: %s", reason ? reason : "unknown reason");
}

const char *output_list_before(enum output_format format, bool first) {
    return format != OUTPUT_JSON ? "" : first ? "[" : ",\n";
}

const char *output_list_after(enum output_format format) {
    return format == OUTPUT_JSON ? "" : "\n";
}

const char *output_list_end(enum output_format format, bool any) {
    return format != OUTPUT_JSON ? "" : any ? "]\n" : "[]\n";
}

enum err output_text(FILE *out, const char *text, struct error *error) {
    return out_data(out, text, strlen(text)) ? ERR_OK : not_written(error);
}

enum err output_flush(FILE *out, struct error *error) {
    return out_flush(out) ? ERR_OK : not_written(error);
}

enum err output_whole(FILE *out, struct str *text, enum err err, struct error *error) {
    /* A truncated text would look like the whole. */
    if (err == ERR_OK && text->truncated)
        err = error_set(error, ERR_LIMIT, "it is longer than can be printed at once; nothing was printed");
    if (err == ERR_OK)
        err = output_text(out, text->s, error);
    str_clear(text);
    return err == ERR_OK ? output_flush(out, error) : err;
}

static enum err write_cells(struct output *output, struct error *error) {
    enum err err = output->block.truncated
                       ? error_set(error, ERR_LIMIT, "a row is larger than can be written")
                       : output->options.tables->add(output->file, output->block.s, output->block.len, error);
    str_reset(&output->block);
    return err;
}

static enum err write_block(struct output *output, struct error *error) {
    if (output->options.format == OUTPUT_SQLITE)
        return write_cells(output, error);
    const struct output_options *options = &output->options;
    struct str *block = &output->block, plain;
    enum err err = ERR_OK;
    str_init(&plain, BLOCK_MAX);
    if (block->truncated)
        err = error_set(error, ERR_LIMIT, "a row is larger than can be printed");
    if (options->terminal && !options->utf8 && options->format != OUTPUT_CSV) { /* a CSV record ends in CR LF */
        utf8_to_ascii(&plain, block->s, block->len);
        block = &plain;
    }
    if (err == ERR_OK && !out_data(options->out, block->s, block->len))
        err = not_written(error);
    str_clear(&plain);
    str_reset(&output->block);
    return err;
}

/* As served, on one line; for a terminal with escapes where it could act on it, which is the same JSON. */
static void output_add_json(const struct output *output, const struct intent *intent, struct str *out) {
    struct str line;
    str_init(&line, intent->raw_len * ESCAPE_FACTOR + SPARE);
    wire_intent_line(&line, intent, output->options.terminal);
    str_add_n(out, line.s, line.len);
    if (line.truncated)
        out->truncated = true;
    str_clear(&line);
}

enum err output_start(struct output *output, struct error *error) {
    struct str names;
    if (output->options.format != OUTPUT_SQLITE)
        return ERR_OK;
    str_init(&names, BLOCK_MAX);
    record_head(&output->csv, &names);
    enum err err = output->options.tables->begin(output->options.path, names.s, names.len, &output->file, error);
    str_clear(&names);
    return err;
}

void output_about(struct output *output, const char *name, const char *value) {
    struct str text;
    str_init(&text, ABOUT_MAX);
    utf8_sanitise(&text, value, strlen(value));
    str_addf(&output->about, "%s: %s\n", name, text.s);
    str_clear(&text);
}

/* What stands before the first row. */
static void output_begin(struct output *output) {
    if (output->begun)
        return;
    output->begun = true;
    if (output->options.format == OUTPUT_JSON)
        str_add(&output->block, "[");
    if (output->options.format == OUTPUT_CSV)
        record_head(&output->csv, &output->block);
}

void output_pack(const struct output *output, const struct intent *intent, struct str *out) {
    size_t from = out->len;
    str_add_char(out, intent->broken ? PACKED_BROKEN : PACKED_WHOLE);
    if (output->sample.wanted > 0) {
        unsigned char rank[DIGEST_LEN];
        sample_rank(&output->sample, intent, rank);
        str_add_n(out, (const char *)rank, sizeof rank);
    }
    switch (output->options.format) {
    case OUTPUT_TABLE:
        table_writer_pack(output->table, intent, out);
        break;
    case OUTPUT_JSON:
    case OUTPUT_NDJSON:
        output_add_json(output, intent, out);
        break;
    default:
        record_row(&output->csv, intent, false, out);
        break;
    }
    if (out->truncated)
        out->s[from] = PACKED_CUT;
}

/* kind: what the packed row begins with. */
static enum err print_packed(struct output *output, char kind, const char *text, size_t len, struct error *error) {
    bool first = !output->begun;
    output->broken += kind == PACKED_BROKEN;
    output_begin(output);
    if (kind == PACKED_CUT)
        output->block.truncated = true;
    switch (output->options.format) {
    case OUTPUT_TABLE:
        table_writer_add(output->table, text, len, &output->block);
        break;
    case OUTPUT_JSON:
        str_add(&output->block, first ? "\n" : ",\n");
        str_add_n(&output->block, text, len);
        break;
    case OUTPUT_NDJSON:
        str_add_n(&output->block, text, len);
        str_add(&output->block, "\n");
        break;
    default:
        str_add_n(&output->block, text, len);
        break;
    }
    return write_block(output, error);
}

enum err output_packed(struct output *output, const char *row, size_t len, struct error *error) {
    enum { RANK_AT = 1 };
    if (output->sample.wanted == 0)
        return print_packed(output, *row, row + 1, len - 1, error);
    sample_put(&output->sample, (const unsigned char *)row + RANK_AT, row, len);
    return ERR_OK;
}

static enum err print_sample(struct output *output, struct error *error) {
    enum { DRAWN_AT = 1 + DIGEST_LEN };
    enum err err = ERR_OK;
    sample_sort(&output->sample);
    for (size_t i = 0; i < output->sample.n && err == ERR_OK; i++) {
        const struct sample_item *item = &output->sample.items[i];
        err = print_packed(output, *item->row, item->row + DRAWN_AT, item->len - DRAWN_AT, error);
    }
    return err;
}

const struct sample *output_sample(const struct output *output) {
    return output->sample.wanted > 0 ? &output->sample : NULL;
}

enum err output_intent(struct output *output, const struct intent *intent, struct error *error) {
    str_reset(&output->row);
    output_pack(output, intent, &output->row);
    return output_packed(output, output->row.s, output->row.len, error);
}

/* 0: it is made of more than that. */
static uint64_t output_fields_of(unsigned cell) {
    if (cell < INTENT_FIELD_COUNT)
        return UINT64_C(1) << cell;
    switch (cell) {
    case RECORD_AMOUNT_MAJOR:
        return INTENT_BIT(AMOUNT) | INTENT_BIT(CURRENCY);
    case RECORD_GUARANTEE_MAJOR:
        return INTENT_BIT(GUARANTEE_AMOUNT) | INTENT_BIT(CURRENCY);
    default:
        return 0;
    }
}

uint64_t output_fields(const struct output *output) {
    uint64_t fields = INTENT_BIT(ID);
    if (output->options.format == OUTPUT_JSON || output->options.format == OUTPUT_NDJSON)
        return fields;
    if (output->options.format == OUTPUT_TABLE || !output->csv.fields)
        return 0;
    for (size_t i = 0; i < output->csv.n_fields; i++) {
        uint64_t more = output_fields_of(output->fields[i]);
        if (more == 0)
            return 0;
        fields |= more;
    }
    return fields;
}

/* The file gets its name. */
static enum err end_file(struct output *output, struct error *error) {
    struct table_file *file = output->file;
    output->file = NULL;
    return output->options.tables->end(file, output->about.s, error);
}

enum err output_end(struct output *output, struct error *error) {
    enum err drawn = print_sample(output, error);
    if (drawn != ERR_OK)
        return drawn;
    if (output->options.format == OUTPUT_SQLITE)
        return end_file(output, error);
    bool any = output->begun;
    output_begin(output);
    if (output->options.format == OUTPUT_JSON)
        str_add(&output->block, any ? "\n]\n" : "]\n");
    if (output->table)
        table_writer_end(output->table, &output->block);
    enum err err = write_block(output, error);
    return err != ERR_OK ? err : output_flush(output->options.out, error);
}

enum err output_check(const struct output *output, struct error *error) {
    if (output->broken == 0 || output->options.format == OUTPUT_TABLE)
        return ERR_OK;
    bool csv = output->options.format != OUTPUT_JSON && output->options.format != OUTPUT_NDJSON;
    return error_set(error, ERR_INCOMPLETE, "%zu of the rows printed could not be read; %s", output->broken,
                     !csv ? "each stands as an object with `broken` and its text in `raw`"
                     : output->options.columns_named.n == 0
                         ? "the column `broken` says why, --format json has their text"
                         : "their cells are empty, --format json has their text");
}
