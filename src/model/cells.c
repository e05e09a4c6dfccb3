#include "model/cells.h"

#include "base/clock.h"
#include "model/finding.h"

#include <string.h>

/* A blob: version byte, then variable-length numbers: flags, created, amount, guarantee (zigzag), the texts (length + 1
 * and bytes; 0: absent), the number of transactions and each of them: six texts, 0 or 1 and the amount. */

static const struct cells_text_info texts[CELLS_TEXT_COUNT] = {
#define SIGHTED true
#define SILENT false
#define CELL(code, field, place, version, sighted) [place] = {INTENT_FIELD_##field, version, sighted},
#include "model/fields.def"
#undef SIGHTED
#undef SILENT
};

/* Checks at compile time that each place is taken once and none is left out. */
#define CELL(code, field, place, version, sighted) | UINT64_C(1) << (place)
_Static_assert((0
#include "model/fields.def"
                ) == (UINT64_C(1) << CELLS_TEXT_COUNT) - 1,
               "the places of the cells in model/fields.def are 0, 1, 2 and so on");

const struct cells_text_info *cells_text_info(enum cells_text text) {
    return &texts[text];
}

int cells_text_of(enum intent_field field) {
    for (int i = 0; i < CELLS_TEXT_COUNT; i++)
        if (texts[i].field == field)
            return i;
    return -1;
}

static void cells_put_number(struct str *out, uint64_t number) {
    char bytes[10];
    size_t n = 0;
    while (number >= 0x80) {
        bytes[n++] = (char)(unsigned char)(number | 0x80);
        number >>= 7;
    }
    bytes[n++] = (char)number;
    str_add_n(out, bytes, n);
}

static void put_signed(struct str *out, int64_t number) {
    cells_put_number(out, ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0));
}

/* A value of another kind is stored as it is shown, so that it can be searched for and counted and, as a currency, has
 * its own group in sums. When such values were left out, 840 and 978 were summed as "no currency". */
static void put_text(struct str *out, const struct value_text *value) {
    if (value->state != VALUE_OK && value->state != VALUE_ODD) {
        cells_put_number(out, 0);
        return;
    }
    size_t len = strlen(value->text);
    cells_put_number(out, (uint64_t)len + 1);
    str_add_n(out, value->text, len);
}

bool cells_is_bare(const struct value_time *time) {
    return time->state == VALUE_OK && time->text && !clock_has_zone(time->text, strlen(time->text));
}

static unsigned flags_of(const struct intent *intent) {
    const struct {
        bool on;
        unsigned flag;
    } facts[] = {
        {intent_has_record(intent->dispute), CELLS_HAS_DISPUTE},
        {intent_has_record(intent->refund), CELLS_HAS_REFUND},
        {intent->credential.state == VALUE_OK, CELLS_HAS_CREDENTIAL},
        {intent->unknown > 0, CELLS_HAS_UNKNOWN},
        {intent->credential.is_archived.state == VALUE_OK && intent->credential.is_archived.on, CELLS_ARCHIVED},
        {intent->amount.state == VALUE_OK, CELLS_AMOUNT_OK},
        {intent_shares_currency(intent), CELLS_GUARANTEE_OK},
        {intent->created_at.state == VALUE_OK, CELLS_CREATED_OK},
        {cells_is_bare(&intent->created_at), CELLS_CREATED_BARE},
    };
    unsigned flags = finding_flags(intent) | CELLS_JUDGED;
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        flags |= facts[i].on ? facts[i].flag : 0;
    return flags;
}

static void cells_put_transaction(struct str *out, const struct transaction *transaction) {
    put_text(out, &transaction->id);
    put_text(out, &transaction->source_id);
    put_text(out, &transaction->status);
    put_text(out, &transaction->type);
    put_text(out, &transaction->date);
    put_text(out, &transaction->currency);
    bool whole = transaction->amount.state == VALUE_OK;
    cells_put_number(out, whole);
    put_signed(out, whole ? transaction->amount.number : 0);
}

static void put_text_of(struct str *out, const struct intent *intent, const struct field_info *field) {
    const struct value_text none = {.state = VALUE_NULL}; /* an id of another kind identifies no row */
    const struct value_text *value = (const void *)((const char *)intent + field->at);
    put_text(out, field->kind == FIELD_IDENTITY && value->state == VALUE_ODD ? &none : value);
}

void cells_pack(const struct intent *intent, struct str *out) {
    unsigned flags = flags_of(intent);
    str_add_char(out, CELLS_VERSION);
    cells_put_number(out, flags);
    put_signed(out, flags & CELLS_CREATED_OK ? intent->created_at.ms : 0);
    put_signed(out, flags & CELLS_AMOUNT_OK ? intent->amount.number : 0);
    put_signed(out, flags & CELLS_GUARANTEE_OK ? intent->guarantee_amount.number : 0);
    for (size_t i = 0; i < CELLS_TEXT_COUNT; i++)
        put_text_of(out, intent, &INTENT_FIELDS[texts[i].field]);
    cells_put_number(out, intent->n_transactions);
    for (size_t i = 0; i < intent->n_transactions; i++)
        cells_put_transaction(out, &intent->transactions[i]);
}

static bool cells_get_number(const unsigned char **at, const unsigned char *end, uint64_t *out) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;
        if (shift == 63 && byte > 1)
            return false;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = number;
            return true;
        }
    }
    return false;
}

static bool get_signed(const unsigned char **at, const unsigned char *end, int64_t *out) {
    uint64_t number;
    if (!cells_get_number(at, end, &number))
        return false;
    *out = (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
    return true;
}

static bool get_text(const unsigned char **at, const unsigned char *end, struct cells_slice *out) {
    uint64_t number;
    *out = (struct cells_slice){0};
    if (!cells_get_number(at, end, &number))
        return false;
    if (number == 0)
        return true;
    if (number - 1 > (uint64_t)(end - *at))
        return false;
    *out = (struct cells_slice){(const char *)*at, (size_t)(number - 1)};
    *at += number - 1;
    return true;
}

/* Each later version has further texts behind those of the one before. */
static bool get_texts(const unsigned char **at, const unsigned char *end, struct cells *out) {
    size_t n = CELLS_TEXT_COUNT;
    while (texts[n - 1].version > out->version)
        out->text[--n] = (struct cells_slice){0};
    for (size_t i = 0; i < n; i++)
        if (!get_text(at, end, &out->text[i]))
            return false;
    return true;
}

bool cells_is_newer(const void *blob, size_t len) {
    return len > 0 && *(const unsigned char *)blob > CELLS_VERSION;
}

bool cells_read(const void *blob, size_t len, struct cells *out) {
    const unsigned char *at = blob, *end = at + len;
    if (len == 0 || *at < CELLS_VERSION_FIRST || *at > CELLS_VERSION)
        return false;
    out->version = *at++;
    uint64_t flags, n;
    if (!cells_get_number(&at, end, &flags) || !get_signed(&at, end, &out->created_ms) ||
        !get_signed(&at, end, &out->amount) || !get_signed(&at, end, &out->guarantee))
        return false;
    out->flags = (unsigned)flags;
    if (!get_texts(&at, end, out))
        return false;
    /* A transaction takes seven bytes at least. */
    if (!cells_get_number(&at, end, &n) || n > (uint64_t)(end - at) / 7)
        return false;
    out->n_transactions = (size_t)n;
    out->transactions = at;
    out->end = end;
    return true;
}

bool cells_transaction_next(const struct cells *cells, const unsigned char **at, struct cells_transaction *out) {
    uint64_t whole;
    out->currency = (struct cells_slice){0};
    if (*at >= cells->end || !get_text(at, cells->end, &out->id) || !get_text(at, cells->end, &out->source) ||
        !get_text(at, cells->end, &out->status) || !get_text(at, cells->end, &out->type) ||
        !get_text(at, cells->end, &out->date) || (cells->version > 1 && !get_text(at, cells->end, &out->currency)) ||
        !cells_get_number(at, cells->end, &whole) || !get_signed(at, cells->end, &out->amount))
        return false;
    out->amount_ok = whole != 0;
    return true;
}
