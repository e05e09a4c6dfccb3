/* Any bytes as CSV: what is read can be written, and reads back as the same cells but for the guard. */
#include "base/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_record(struct str *out, const struct csv_reader *reader) {
    for (size_t i = 0; i < reader->n; i++) {
        size_t len;
        const char *cell = csv_cell(reader, i, &len);
        csv_add_text(out, cell, len);
        csv_end_cell(out);
    }
    csv_end_row(out);
}

static void check_record(const struct csv_reader *reader) {
    struct str out;
    struct csv_reader again;
    bool more;
    str_init(&out, 3 * reader->buffer.len + 16);
    /* The reader skips one, and a cell may start with one. */
    str_add(&out, "\xEF\xBB\xBF");
    write_record(&out, reader);
    csv_reader_init(&again, out.s, out.len);
    if (out.truncated || csv_read(&again, &more, NULL) != ERR_OK || !more || again.n != reader->n ||
        again.at != again.len)
        abort();
    for (size_t i = 0; i < again.n; i++) {
        size_t len, first_len;
        const char *cell = csv_cell(&again, i, &len), *first = csv_cell(reader, i, &first_len);
        size_t guard = len - first_len;
        if (guard > 1 || memcmp(cell + guard, first, first_len) != 0 || (guard == 1 && cell[0] != '\''))
            abort();
        if (len > 0 && strchr("=+-@", cell[0]) && cell[0])
            abort();
    }
    csv_reader_clear(&again);
    str_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct csv_reader reader;
    struct error error = {0};
    bool more = true;
    csv_reader_init(&reader, (const char *)data, size);
    while (csv_read(&reader, &more, &error) == ERR_OK && more)
        check_record(&reader);
    csv_reader_clear(&reader);
    return 0;
}
