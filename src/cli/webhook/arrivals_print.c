#include "arrivals_print.h"

#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/arrival.h"
#include "wire/user.h"

enum { TEXT_MAX = 64 << 10 };

static const char *arrivals_print_dash(const char *text) {
    return text ? text : "-";
}

void arrivals_print_head(struct str *out) {
    str_addf(out, "%-19s  %6s  %-12s  %-16s  %-9s  %s\n", "received (UTC)", "n", "check", "kind", "status", "intent");
}

/* What stands behind the columns. */
static void arrivals_print_remarks(const struct arrival *arrival, int64_t now, struct str *out) {
    struct str held;
    str_init(&held, TEXT_MAX);
    arrival_tell_held(arrival, now, &held);
    if (arrival->again > 0)
        str_addf(out, "again (came as %lld)", (long long)arrival->again);
    if (held.len > 0)
        str_addf(out, "%s%s", arrival->again > 0 ? "; " : "", held.s);
    if (!arrival->readable && arrival->body_len > 0)
        str_addf(out, "%snot JSON", held.len > 0 || arrival->again > 0 ? "; " : "");
    str_clear(&held);
}

/* The intent, and what is said of it. */
static void arrivals_print_end(const struct arrival *arrival, int64_t now, struct str *out) {
    struct str remarks;
    str_init(&remarks, TEXT_MAX);
    arrivals_print_remarks(arrival, now, &remarks);
    str_add(out, arrivals_print_dash(arrival->intent));
    if (remarks.len > 0)
        str_addf(out, "  %s", remarks.s);
    str_clear(&remarks);
}

void arrivals_print_row(const struct arrival *arrival, int64_t now, int columns, struct str *out) {
    struct str row, end;
    str_init(&row, TEXT_MAX);
    str_init(&end, TEXT_MAX);
    clock_format(&row, arrival->at, CLOCK_UTC, arrival->at);
    if (arrival->n > 0)
        str_addf(&row, "  %6lld", (long long)arrival->n);
    else
        str_addf(&row, "  %6s", "-");
    str_addf(&row, "  %-12s  %-16s  %-9s", arrival_word(arrival), arrivals_print_dash(arrival->kind),
             arrivals_print_dash(arrival->status));
    arrivals_print_end(arrival, now, &end);
    bool fits = columns == 0 || utf8_cells(row.s, row.len) + 2 + utf8_cells(end.s, end.len) <= columns;
    str_add_n(out, row.s, row.len);
    if (fits)
        str_addf(out, "  %s\n", end.s);
    else
        str_addf(out, "\n%*s%s\n", ARRIVALS_PRINT_INDENT, "", end.s);
    str_clear(&row);
    str_clear(&end);
}

static void add_held(const struct arrival *arrival, struct str *out) {
    static const char *const HELD[] = {"not-asked", "no-cache", "not-held", "held"};
    struct str as_of;
    str_init(&as_of, ARRIVAL_TEXT_MAX);
    if (arrival->held == ARRIVAL_HELD)
        clock_format_iso(&as_of, arrival->held_as_of);
    str_add_char(out, ',');
    wire_add_member(out, "list", HELD[arrival->held]);
    str_add_char(out, ',');
    wire_add_member(out, "list_status", arrival->held_status);
    str_add_char(out, ',');
    wire_add_member(out, "list_as_of", arrival->held == ARRIVAL_HELD ? as_of.s : NULL);
    if (arrival->later > 0)
        str_addf(out, ",\"later\":%lld", (long long)arrival->later);
    else
        str_add(out, ",\"later\":null");
    str_addf(out, ",\"differs\":%s", arrival_differs(arrival) ? "true" : "false");
    str_clear(&as_of);
}

void arrivals_print_json(const struct arrival *arrival, struct str *out) {
    str_add_char(out, '{');
    wire_arrival_members(arrival, out);
    add_held(arrival, out);
    str_add_char(out, '}');
}

void arrivals_print_csv_head(struct str *out) {
    csv_begin(out);
    csv_add_names(out, "n,received_at,check,kind,id,intent,status,list_status,list_as_of");
    csv_end_row(out);
}

static void add_csv_time(int64_t ms, struct str *out) {
    struct str text;
    str_init(&text, ARRIVAL_TEXT_MAX);
    if (ms != CLOCK_NONE && ms != 0)
        clock_format_iso(&text, ms);
    csv_add_number(out, text.s, text.len);
    csv_end_cell(out);
    str_clear(&text);
}

void arrivals_print_csv(const struct arrival *arrival, struct str *out) {
    const char *cells[] = {arrival_word(arrival), arrival->kind,   arrival->id,
                           arrival->intent,       arrival->status, arrival->held_status};
    csv_add_integer(out, arrival->n);
    add_csv_time(arrival->at, out);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        csv_add_cell(out, cells[i]);
    add_csv_time(arrival->held_as_of, out);
    csv_end_row(out);
}
