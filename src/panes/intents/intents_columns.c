#include "panes/intents/intents.h"

#include "app/notes.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* How a column is drawn. */
enum list_style {
    STYLE_PLAIN, /* as served, in brackets where it is of another kind */
    STYLE_ID,    /* cut at its front, since ids differ at their ends */
    STYLE_CODE,  /* as plain, but never cut: a part of it would look like another code */
    STYLE_MONEY,
    STYLE_CREATED,
    STYLE_STATUS,
    STYLE_DIRECTION,
    STYLE_DECLINE,
    STYLE_MASK,
    STYLE_FLAGS,
    STYLE_HERE, /* made here, not served */
};

/* Priorities: columns that an operator reads first stay longest in a narrow window. 0 is never dropped. */
static const struct column_row {
    const char *title; /* NULL: its name */
    int min, want, most, priority, grow;
    enum list_style style;
} COLUMNS[COLUMN_COUNT] = {
#define LIST_COLUMN(column, title, least, wanted, most, priority, share, draws) \
    [COLUMN_##column] = {title, least, wanted, most, priority, share, STYLE_##draws},
#include "model/fields.def"
};

enum {
    AGE_COLS = 7,
    TIME_COLS = 19,
    OFFSET_COLS = 7, /* ` +02:00` */
    WORD_COLS_MAX = 24,
    VALUE_MAX = 1 << 16,
    NARROW = 100, /* below, a status is the beginning of its word */
    TINY = 60,    /* below, its letter alone */
    STATUS_LETTER = 2,
    STATUS_SHORT = 4,
};

enum query_field_code intents_column_field(int column) {
    return column_info(column)->query;
}

/* Of two masks the list shows the one of the means that its rail uses; the same one is copied, measured and searched
 * for. */
enum intent_field intents_shown_field(const struct intent *intent, int column) {
    if (column != COLUMN_MASK)
        return column_info(column)->field;
    bool card = str_equal(intent->rail.text, "card") || intent->credential.number_mask.state != VALUE_OK;
    return card ? INTENT_FIELD_PAN_MASK : INTENT_FIELD_NUMBER_MASK;
}

static const char *intents_columns_shown_text(const struct intent *intent, int column) {
    enum intent_field field = intents_shown_field(intent, column);
    const char *text = NULL;
    if (field != INTENT_FIELD_COUNT)
        (void)intent_field_text(intent, field, &text);
    return text;
}

static void intents_columns_add_here(const struct shell *shell, const struct intent *intent, int column,
                                     struct str *out) {
    struct columns_here here = {intents_notes(shell), intents_context(shell).zone};
    column_here(&here, intent, column, out);
}

void intents_column_text(const struct shell *shell, const struct intent *intent, int column, struct str *out) {
    const char *text = intents_columns_shown_text(intent, column);
    if (column == COLUMN_FLAGS)
        column_flags(intent, out);
    else if (COLUMNS[column].style == STYLE_HERE)
        intents_columns_add_here(shell, intent, column, out);
    else
        str_add(out, text ? text : "");
}

/* The columns chosen for the view, whether or not the window has room for them. */
size_t intents_chosen_fields(const struct shell *shell, unsigned char out[RECORD_FIELD_COUNT]) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    struct column_set set = intents_view(shell)->columns;
    size_t n = 0;
    if (set.n == 0)
        columns_usual(&set);
    for (int place = 0; place < set.n; place++)
        n = record_fields_of_column(set.items[place], &rule, out, n);
    return n;
}

/* The header's sign of what the rows are sorted by. */
void intents_sorted(struct shell *shell) {
    struct table *table = &intents_of(shell)->table;
    const struct lookup_sort *sort = &intents_view(shell)->sort[0];
    table->sorted = -1;
    for (int i = 0; i < COLUMN_COUNT && sort->field != QUERY_FIELD_COUNT; i++) {
        if (column_info(i)->query == sort->field) {
            table->sorted = i;
            table->direction = sort->descending ? -1 : 1;
        }
    }
}

/* Of the kind that the interface document names. */
static bool is_well_formed(const struct intent *intent, int column) {
    const char *text;
    return column == COLUMN_MASK || intent_field_text(intent, column_info(column)->field, &text) == VALUE_OK;
}

static bool is_archived(const struct intent *intent) {
    return intent->credential.is_archived.state == VALUE_OK && intent->credential.is_archived.on;
}

/* The first of the flags that the column shows; QUERY_FLAG_COUNT: none. */
static enum query_flag flag_of(const struct intent *intent) {
    return intent_has_record(intent->dispute)  ? QUERY_HAS_DISPUTE
           : intent_has_record(intent->refund) ? QUERY_HAS_REFUND
           : is_archived(intent)               ? QUERY_IS_ARCHIVED
           : intent->unknown                   ? QUERY_HAS_UNKNOWN
                                               : QUERY_FLAG_COUNT;
}

static bool flag_value(const struct intent *intent, enum query_field_code *field, struct str *out) {
    enum query_flag flag = flag_of(intent);
    if (flag == QUERY_FLAG_COUNT)
        return false;
    *field = query_flag_info(flag)->field;
    str_add(out, query_flag_info(flag)->name);
    return true;
}

/* The day on show, as the filter understands it: a time without a zone has the day that it names, in every zone. */
static void add_day(const struct shell *shell, const struct value_time *at, struct str *out) {
    enum { DAY_LEN = 10 };
    bool zoned = clock_has_zone(at->text, strlen(at->text)), local = shell_zone(shell) == CLOCK_LOCAL;
    struct str day;
    str_init(&day, 64);
    clock_format(&day, at->ms, zoned && local ? CLOCK_LOCAL : CLOCK_UTC, shell_now(shell));
    if (day.len > DAY_LEN)
        str_delete(&day, DAY_LEN, day.len - DAY_LEN);
    str_add(out, day.s);
    str_clear(&day);
}

bool intents_column_value(const struct shell *shell, const struct intent *intent, int column,
                          enum query_field_code *field, struct str *out) {
    const char *text = intents_columns_shown_text(intent, column);
    *field = column_info(column)->query;
    if (column == COLUMN_FLAGS && !intent->broken)
        return flag_value(intent, field, out);
    if (intent->broken || column_info(column)->query == QUERY_FIELD_COUNT || !text || !*text ||
        !is_well_formed(intent, column))
        return false;
    if (column == COLUMN_CREATED)
        add_day(shell, &intent->created_at, out);
    else
        str_add(out, text);
    return true;
}

static const char *created_title(enum clock_zone zone) {
    static char title[32];
    struct str text;
    str_init(&text, sizeof title - 1);
    str_add(&text, zone == CLOCK_AGE ? "age" : "created ");
    if (zone != CLOCK_AGE)
        str_add(&text, clock_zone_name(zone));
    memcpy(title, text.s, text.len + 1);
    str_clear(&text);
    return title;
}

static void intents_columns_add_amount(const struct shell *shell, const struct intent *intent, int column,
                                       struct str *out) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    if (!column_money(intent, column, &rule, out))
        str_add(out, sign(SIGN_ABSENT));
}

static void intents_columns_add_value(const struct shell *shell, const struct intent *intent, int column,
                                      struct str *out) {
    const char *text = intents_columns_shown_text(intent, column);
    if (COLUMNS[column].style == STYLE_MONEY)
        intents_columns_add_amount(shell, intent, column, out);
    else if (COLUMNS[column].style == STYLE_HERE)
        intents_columns_add_here(shell, intent, column, out);
    else
        str_add(out, text ? text : "");
}

/* Whether row i of the list can be on the screen and is in memory. */
static bool on_show(struct shell *shell, size_t i, struct result_row *row) {
    return i < intents_of(shell)->table.top + (size_t)shell_rows(shell) && intents_at(shell, i, row);
}

/* The width grows with the values on show, and shrinks only when the list is replaced, so that columns do not jump
 * while scrolling. */
static int drawn_width(struct shell *shell, int column) {
    int *widest = &intents_of(shell)->drawn_cols[column], most = COLUMNS[column].most;
    struct str text;
    str_init(&text, VALUE_MAX);
    struct result_row row;
    for (size_t i = intents_of(shell)->table.top; on_show(shell, i, &row); i++) {
        str_reset(&text);
        intents_columns_add_value(shell, row.intent, column, &text);
        int cells = utf8_cells(text.s, text.len);
        *widest = cells > *widest ? cells : *widest;
    }
    str_clear(&text);
    return *widest < most ? *widest : most;
}

static bool ends_differ(const char *a, const char *b, int cells) {
    struct str x, y;
    if (str_equal(a, b))
        return true;
    str_init(&x, VALUE_MAX);
    str_init(&y, VALUE_MAX);
    utf8_last(&x, a, strlen(a), cells);
    utf8_last(&y, b, strlen(b), cells);
    bool differ = !str_equal(x.s, y.s);
    str_clear(&x);
    str_clear(&y);
    return differ;
}

/* Masks are cut at their front (F77); where two have the same end, the column gets room for more. */
static int mask_cols(struct shell *shell, int least) {
    size_t top = intents_of(shell)->table.top;
    struct result_row a, b;
    for (size_t i = top; on_show(shell, i, &a); i++) {
        const char *mask = intents_columns_shown_text(a.intent, COLUMN_MASK);
        for (size_t k = top; k < i && mask && least < WORD_COLS_MAX && intents_at(shell, k, &b); k++) {
            const char *other = intents_columns_shown_text(b.intent, COLUMN_MASK);
            while (other && least < WORD_COLS_MAX && !ends_differ(mask, other, least))
                least++;
        }
    }
    return least;
}

/* Widens columns to their widest value on show where there is room; in any case those that are never cut, since a part
 * of an amount looks like an amount, and a part of a code like another currency. */
static void intents_columns_widen(struct shell *shell) {
    for (int i = 0; i < COLUMN_COUNT; i++) {
        struct table_column *column = &intents_of(shell)->columns[i];
        bool whole = COLUMNS[i].style == STYLE_MONEY || COLUMNS[i].style == STYLE_CODE;
        int cells = COLUMNS[i].most > 0 ? drawn_width(shell, i) : 0;
        column->min = whole && cells > column->min ? cells : column->min;
        column->want = cells > column->want ? cells : column->want;
    }
    struct table_column *mask = &intents_of(shell)->columns[COLUMN_MASK];
    if (mask->want > mask->min)
        mask->min = mask_cols(shell, mask->min);
}

static bool starts_alike(const char *a, const char *b) {
    int used;
    size_t x = utf8_cut(a, strlen(a), STATUS_SHORT, &used), y = utf8_cut(b, strlen(b), STATUS_SHORT, &used);
    return x == y && memcmp(a, b, x) == 0;
}

/* A status that the interface does not name, in so little room: it would look like another. */
static bool is_taken_for_another(struct shell *shell, const char *text, int cols) {
    struct result_row row;
    bool taken = false;
    for (enum intent_status status = 0; cols == STATUS_SHORT && status < INTENT_STATUS_COUNT; status++)
        taken = taken || starts_alike(text, intent_status_name(status));
    for (size_t i = intents_of(shell)->table.top; !taken && on_show(shell, i, &row); i++) {
        const char *other = row.intent->status.text;
        bool unknown = other && intent_status_of(other) == INTENT_STATUS_UNKNOWN && !str_equal(text, other);
        taken = unknown && (cols == STATUS_LETTER || starts_alike(text, other));
    }
    return taken;
}

/* Little is enough as long as each status looks like no other. */
static int status_cols(struct shell *shell) {
    enum { WORD_MAX = 14 };
    int least = shell_cols(shell) < TINY ? STATUS_LETTER : STATUS_SHORT;
    int *widest = &intents_of(shell)->drawn_cols[COLUMN_STATUS];
    struct result_row row;
    for (size_t i = intents_of(shell)->table.top; on_show(shell, i, &row); i++) {
        const char *text = row.intent->status.text;
        if (!text || intent_status_of(text) != INTENT_STATUS_UNKNOWN || !is_taken_for_another(shell, text, least))
            continue;
        int cells = STATUS_LETTER + utf8_cells(text, strlen(text));
        *widest = cells > *widest ? cells : *widest;
    }
    return *widest < least ? least : *widest < WORD_MAX ? *widest : WORD_MAX;
}

static int time_cols(enum clock_zone zone) {
    return zone == CLOCK_AGE ? AGE_COLS : zone == CLOCK_LOCAL ? TIME_COLS + OFFSET_COLS : TIME_COLS;
}

/* A time without a zone is shown as received, behind its mark, and is one character wider than formatted times. As for
 * other columns, the width does not jump while scrolling. */
static int created_cols(struct shell *shell) {
    enum { RECEIVED_MOST = 25 };
    int *widest = &intents_of(shell)->drawn_cols[COLUMN_CREATED], cols = time_cols(shell_zone(shell));
    struct result_row row;
    for (size_t i = intents_of(shell)->table.top; shell_zone(shell) != CLOCK_AGE && on_show(shell, i, &row); i++) {
        const struct value_time *at = &row.intent->created_at;
        if (at->state == VALUE_OK && at->text && !clock_has_zone(at->text, strlen(at->text))) {
            int pane = 1 + utf8_cells(at->text, strlen(at->text));
            pane = pane < RECEIVED_MOST ? pane : RECEIVED_MOST;
            *widest = pane > *widest ? pane : *widest;
        }
    }
    return shell_zone(shell) != CLOCK_AGE && *widest > cols ? *widest : cols;
}

void intents_columns(struct shell *shell) {
    struct table_column *columns = intents_of(shell)->columns;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const struct column_row *row = &COLUMNS[i];
        columns[i] = (struct table_column){.title = row->title ? row->title : column_info(i)->name,
                                           .min = row->min,
                                           .want = row->want,
                                           .priority = row->priority,
                                           .right = row->style == STYLE_MONEY,
                                           .grow = row->grow};
    }
    intents_columns_widen(shell);
    columns[COLUMN_CREATED].title = created_title(shell_zone(shell));
    columns[COLUMN_CREATED].min = columns[COLUMN_CREATED].want = created_cols(shell);
    if (shell_cols(shell) < NARROW) {
        columns[COLUMN_STATUS].title = shell_cols(shell) < TINY ? "st" : "stat";
        columns[COLUMN_STATUS].min = columns[COLUMN_STATUS].want = status_cols(shell);
        columns[COLUMN_BANK].min -= STATUS_SHORT - STATUS_LETTER; /* else the flags would give way */
    }
    columns_order(shell);
}

static void cell_created(const struct shell *shell, const struct intent *intent, struct table_cell *out) {
    const struct value_time *created = &intent->created_at;
    if (created->state == VALUE_OK) {
        clock_format_served(out->text, created->text, created->ms, shell_zone(shell), shell_now(shell));
        if (created->text && !clock_has_zone(created->text, strlen(created->text)))
            out->role = ROLE_UNKNOWN;
    } else if (created->text) {
        str_add(out->text, created->text);
        out->role = ROLE_UNKNOWN;
    }
}

enum role intents_status_role(const char *text) {
    static const enum role ROLES[] = {
        [INTENT_CREATED] = ROLE_STATUS_CREATED,   [INTENT_APPROVED] = ROLE_STATUS_APPROVED,
        [INTENT_DECLINED] = ROLE_STATUS_DECLINED, [INTENT_PENDING] = ROLE_STATUS_PENDING,
        [INTENT_CANCELED] = ROLE_STATUS_CANCELED, [INTENT_STATUS_UNKNOWN] = ROLE_UNKNOWN};
    return ROLES[intent_status_of(text)];
}

static void cell_status(const struct intents *intents, const struct intent *intent, struct table_cell *out) {
    bool known = intent->status.state == VALUE_OK;
    enum intent_status status = known ? intent_status_of(intent->status.text) : INTENT_STATUS_UNKNOWN;
    out->role = known ? intents_status_role(intent->status.text) : ROLE_UNKNOWN;
    int width = intents->table.widths[COLUMN_STATUS];
    if (!intent->status.text && width <= STATUS_SHORT) {
        str_add(out->text, sign(SIGN_ABSENT));
    } else if (width == STATUS_SHORT) {
        int used;
        str_add_n(out->text, intent->status.text,
                  utf8_cut(intent->status.text, strlen(intent->status.text), STATUS_SHORT, &used));
    } else {
        str_add_char(out->text, intent_status_letter(status));
        if (width > STATUS_SHORT)
            str_addf(out->text, " %s", intent->status.text ? intent->status.text : sign(SIGN_ABSENT));
    }
}

static void cell_direction(const struct intent *intent, struct table_cell *out) {
    const char *text = intent->direction.text;
    if (str_equal(text, "cash_in")) {
        text = sign(SIGN_IN);
        out->role = ROLE_AMOUNT_IN;
    } else if (str_equal(text, "cash_out")) {
        text = sign(SIGN_OUT);
        out->role = ROLE_AMOUNT_OUT;
    }
    str_add(out->text, text ? text : sign(SIGN_ABSENT));
}

static void cell_amount(const struct shell *shell, const struct intent *intent, int column, struct table_cell *out) {
    const struct value_number *number = intent_field_number(intent, column_info(column)->field);
    const struct money_rule rule = profile_money(shell_profile(shell));
    intents_columns_add_amount(shell, intent, column, out->text);
    if (number->state == VALUE_ODD ||
        (number->state == VALUE_OK &&
         money_stays_raw(&rule, number->currency ? number->currency : intent->currency.text)))
        out->role = ROLE_UNKNOWN;
    else if (!number->text)
        out->role = ROLE_DIM;
    else if (str_equal(intent->direction.text, "cash_out"))
        out->role = ROLE_AMOUNT_OUT;
}

static void cell_id(const struct intent *intent, int column, struct table_cell *out) {
    const char *text = intents_columns_shown_text(intent, column);
    str_add(out->text, text ? text : sign(SIGN_ABSENT));
}

static void intents_columns_add_flag(struct str *out, bool on, enum sign code) {
    str_add(out, on ? sign(code) : " ");
}

static void cell_flags(const struct shell *shell, const struct intent *intent, struct table_cell *out) {
    intents_columns_add_flag(out->text, finding_of_intent(intent, shell_now(shell)) != 0, SIGN_FINDING);
    intents_columns_add_flag(out->text, intent_has_record(intent->dispute), SIGN_DISPUTE);
    intents_columns_add_flag(out->text, intent_has_record(intent->refund), SIGN_REFUND);
    intents_columns_add_flag(out->text, is_archived(intent), SIGN_ARCHIVED);
    intents_columns_add_flag(out->text, intent->unknown > 0, SIGN_UNKNOWN);
    if (intent_has_record(intent->dispute))
        out->role = ROLE_FLAG_DISPUTE;
    else if (intent_has_record(intent->refund))
        out->role = ROLE_FLAG_REFUND;
}

static void cell_plain(const struct intent *intent, enum intent_field field, struct table_cell *out) {
    const char *text;
    enum value_state state = intent_field_text(intent, field, &text);
    if (state == VALUE_ODD) {
        str_addf(out->text, "%s%s%s", sign(SIGN_ODD_FROM), text, sign(SIGN_ODD_TO));
        out->role = ROLE_UNKNOWN;
    } else if (text) {
        str_add(out->text, text);
    } else {
        str_add(out->text, sign(SIGN_ABSENT));
        out->role = ROLE_DIM;
    }
}

/* An intent that was not declined shows no reason at all, so that the eye finds those that have one. */
static void cell_decline(const struct intent *intent, struct table_cell *out) {
    if (intent->decline_category.text || intent_status_of(intent->status.text) == INTENT_DECLINED)
        cell_plain(intent, INTENT_FIELD_DECLINE_CATEGORY, out);
}

static void cell_broken(const struct intent *intent, int column, struct table_cell *out) {
    out->role = ROLE_ERROR;
    if (column == COLUMN_CREATED)
        str_add(out->text, "broken row");
    else if (column == COLUMN_BANK)
        str_add(out->text, intent->broken);
}

/* Masks differ in their last digits, which a narrow column keeps. */
static void cell_mask(const struct intents *intents, const struct intent *intent, struct table_cell *out) {
    int width = intents->table.widths[COLUMN_MASK];
    cell_plain(intent, intents_shown_field(intent, COLUMN_MASK), out);
    if (width > 0 && utf8_cells(out->text->s, out->text->len) > width) {
        char *whole = mem_dup_n(out->text->s, out->text->len);
        str_reset(out->text);
        utf8_last(out->text, whole, strlen(whole), width);
        free(whole);
    }
}

uint64_t intents_column_changes(int column) {
    if (COLUMNS[column].style == STYLE_HERE)
        return 0;
    if (column == COLUMN_FLAGS) {
        return INTENT_CHANGE_BIT(INTENT_CHANGE_DISPUTE) | INTENT_CHANGE_BIT(INTENT_CHANGE_REFUND) |
               INTENT_CHANGE_BIT(INTENT_FIELD_IS_ARCHIVED);
    }
    if (column == COLUMN_MASK)
        return INTENT_CHANGE_BIT(INTENT_FIELD_PAN_MASK) | INTENT_CHANGE_BIT(INTENT_FIELD_NUMBER_MASK);
    return INTENT_CHANGE_BIT(column_info(column)->field);
}

static void cell_of(const struct shell *shell, const struct intent *intent, int column, struct table_cell *out) {
    const struct intents *intents = intents_of(shell);
    switch (COLUMNS[column].style) {
    case STYLE_PLAIN:
    case STYLE_CODE:
        cell_plain(intent, column_info(column)->field, out);
        break;
    case STYLE_ID:
        cell_id(intent, column, out);
        break;
    case STYLE_MONEY:
        cell_amount(shell, intent, column, out);
        break;
    case STYLE_CREATED:
        cell_created(shell, intent, out);
        break;
    case STYLE_STATUS:
        cell_status(intents, intent, out);
        break;
    case STYLE_DIRECTION:
        cell_direction(intent, out);
        break;
    case STYLE_DECLINE:
        cell_decline(intent, out);
        break;
    case STYLE_MASK:
        cell_mask(intents, intent, out);
        break;
    case STYLE_FLAGS:
        cell_flags(shell, intent, out);
        break;
    case STYLE_HERE:
        intents_columns_add_here(shell, intent, column, out->text);
        break;
    }
}

bool intents_column_is_word(int column) {
    enum list_style style = COLUMNS[column].style;
    return style == STYLE_PLAIN || style == STYLE_CODE || style == STYLE_STATUS || style == STYLE_DIRECTION ||
           style == STYLE_DECLINE || style == STYLE_FLAGS;
}

void intents_column_drawn(const struct shell *shell, const struct intent *intent, int column, struct str *out) {
    struct table_cell cell = {out, ROLE_TEXT};
    if (COLUMNS[column].style == STYLE_STATUS)
        cell_plain(intent, INTENT_FIELD_STATUS, &cell);
    else
        cell_of(shell, intent, column, &cell);
}

/* Two values that differ never look the same; identifiers differ at their ends and often share their beginnings. What
 * is never cut has room in columns that fit, and masks are cut at their front. */
static void fit_cell(struct labels *labels, int column, int width, struct table_cell *out) {
    enum list_style style = COLUMNS[column].style;
    bool number = style == STYLE_MONEY || style == STYLE_FLAGS;
    bool fits = utf8_cells(out->text->s, out->text->len) <= width && !strstr(out->text->s, sign(SIGN_CUT));
    if (fits || number || style == STYLE_MASK || width < 1)
        return;
    struct str whole = *out->text;
    str_init(out->text, VALUE_MAX);
    labels_fit(labels, &(struct label_value){whole.s, whole.len, sign(SIGN_CUT), style == STYLE_ID}, width, out->text);
    str_clear(&whole);
}

/* True once: short names were given before a value was drawn that looks like one of them. */
bool intents_renamed(struct intents *intents) {
    bool again = false;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        again = again || intents->labels[i].again;
        intents->labels[i].again = false;
    }
    return again;
}

void intents_cell(void *context, size_t row, int column, struct table_cell *out) {
    struct shell *shell = context;
    struct result_row at;
    if (!intents_at(shell, row, &at)) {
        str_add(out->text, sign(SIGN_CUT));
        out->role = ROLE_DIM;
    } else if (at.intent->broken) {
        cell_broken(at.intent, column, out);
    } else {
        cell_of(shell, at.intent, column, out);
        fit_cell(&intents_of(shell)->labels[column], column, intents_of(shell)->table.widths[column], out);
        out->role = at.changed & intents_column_changes(column) ? ROLE_CHANGED : out->role;
    }
}

void intents_gutter(void *context, size_t row, struct table_gutter *out) {
    const struct shell *shell = context;
    const struct browse *browse = intents_browse(shell);
    const struct view *view = intents_view(shell);
    struct result_row at;
    if (!intents_at(shell, row, &at))
        return;
    const struct result_row *item = &at;
    size_t first = item->page < browse->pages.n ? browse->pages.items[item->page].first : 0;
    if (view_is_marked(view, item->intent->id.text)) {
        out->mark = sign(SIGN_MARK);
        out->mark_role = ROLE_MARK;
    }
    if (item->is_new) {
        out->sign = sign(SIGN_NEW);
        out->sign_role = ROLE_NEW;
    } else if (item->gone) {
        out->sign = sign(SIGN_GONE);
        out->sign_role = ROLE_GONE;
    } else if (item->changed) {
        out->sign = sign(SIGN_CHANGED);
        out->sign_role = ROLE_CHANGED;
    } else if (item->page != SIZE_MAX && row == first && item->page > 0) {
        out->sign = sign(SIGN_PAGE);
        out->sign_role = ROLE_DIM;
    }
    if (item->gone)
        out->row_role = ROLE_GONE;
    else if (browse->replacing && result_is_as_read(view))
        out->row_role = ROLE_STALE;
}
