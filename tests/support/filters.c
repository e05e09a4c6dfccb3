#include "support/filters.h"

#include "base/mem.h"
#include "query/field.h"
#include "support/finding_rows.h"

#include <string.h>

enum { DEPTH_MAX = 3, CHANCES = 100 };

static const struct {
    const char *name;
    enum query_type type;
    unsigned operators;
} FIELDS[] = {
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) {name, QUERY_##type, QUERY_OPS_##ops},
#include "model/fields.def"
};

static const char *const OPERATORS[] = {
#define X(code, text, help) text,
    QUERY_OP_TABLE(X)
#undef X
};

static const struct {
    const char *field, *name;
} FLAGS[] = {{"has", "dispute"},    {"has", "refund"},  {"has", "decline"}, {"has", "transactions"},
             {"has", "credential"}, {"has", "unknown"}, {"is", "new"},      {"is", "changed"},
             {"is", "stale"},       {"is", "archived"}, {"has", "finding"}};

static const char *const FINDINGS[] = {
#define NAME(X, code, name, flag, judged, hint) name,
    FINDING_TABLE(NAME, )
#undef NAME
};

static const char *const WORDS[] = {"approved",   "pending",      "declined",
                                    "created",    "canceled",     "settled",
                                    "primary",    "card_only",    "cash_in",
                                    "cash_out",   "card",         "ach",
                                    "wire",       "USD",          "EUR",
                                    "JPY",        "INR",          "USDC",
                                    "usd",        "visa",         "amex",
                                    "settlement", "intent",       "none",
                                    "fraud",      "app*",         "c*",
                                    "card*",      "APPROVED",     "Pending",
                                    "reversed",   "weird status", "\"card_only\"",
                                    "\"\"",       "U*",           "insufficient_funds",
                                    "in",         "out",          "OUT",
                                    "i*"};

static const char *const TEXTS[] = {"saltmarsh",
                                    "SALT",
                                    "lodzki",
                                    "ŁÓDZKI",
                                    "penasc",
                                    "Peñascal",
                                    "Pen\xCC\x83",
                                    "青松",
                                    "ბანკი",
                                    "strasse",
                                    "Straße",
                                    "istanbul",
                                    "İstanbul",
                                    "банк",
                                    "\"Saltmarsh Bank\"",
                                    "“Saltmarsh Bank”",
                                    "\"a \\\"b\\\"\"",
                                    "bank",
                                    "settlement",
                                    "USD",
                                    "e",
                                    "zoe",
                                    "\xE2\x80\x8Dx",
                                    "ශ්‍රී",
                                    "0042",
                                    "7",
                                    "=1",
                                    "100%",
                                    "\"(x) | -y\"",
                                    "\"  \"",
                                    "مصرف"};

static const char *const NUMBERS[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "100",
                                      "5000",
                                      "5412",
                                      "8,462",
                                      "12,345.67",
                                      "50.00",
                                      "54.12",
                                      "0.5",
                                      "-50.00",
                                      "100.5",
                                      "100000",
                                      "9007199254740993",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "92233720368547758.07"};

static const char *const TIMES[] = {"2026-06-01",
                                    "2026-06-15",
                                    "2026-05",
                                    "2026",
                                    "2025",
                                    "2024-02-29",
                                    "2031",
                                    "2026-06-15T12:00Z",
                                    "2026-06-15T12:00:00.000Z",
                                    "2026-06-01T10:00+02:00",
                                    "today",
                                    "yesterday",
                                    "tuesday",
                                    "1970",
                                    "2029-08-01",
                                    "2030-01",
                                    "1969-12-31",
                                    "9999"};

uint64_t filters_random(struct filters *filters, uint64_t below) {
    uint64_t x = filters->state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (x ^ (x >> 31)) % below;
}

static bool chance(struct filters *f, uint64_t percent) {
    return filters_random(f, CHANCES) < percent;
}

#define PICK(f, items) ((items)[filters_random(f, COUNT_OF(items))])

/* Whole, its beginning, its end, in capitals, quoted. */
static void add_id(struct filters *f, struct str *out) {
    const char *id = f->n_ids ? f->ids[filters_random(f, f->n_ids)] : "a";
    size_t len = strlen(id), n = 1 + filters_random(f, len);
    switch (filters_random(f, 6)) {
    case 0:
        str_add(out, id);
        break;
    case 1:
        str_addf(out, "…%s", id + len - n);
        break;
    case 2:
        for (size_t i = 0; i < n; i++)
            str_add_char(out, id[i] >= 'a' && id[i] <= 'z' ? (char)(id[i] - 'a' + 'A') : id[i]);
        break;
    case 3:
        str_addf(out, "\"%.*s\"", (int)n, id);
        break;
    default:
        str_add_n(out, id, n < 3 ? n : 1 + n % 3);
    }
}

static void add_range(struct filters *f, const char *const *items, size_t n, struct str *out) {
    uint64_t low = filters_random(f, n), high = filters_random(f, n);
    str_addf(out, "%s..%s", chance(f, 25) ? "" : items[low], chance(f, 25) ? "" : items[high]);
}

static void add_value(struct filters *f, enum query_type type, bool ranges, struct str *out) {
    switch (type) {
    case QUERY_NUMBER:
        if (ranges && chance(f, 40))
            add_range(f, NUMBERS, COUNT_OF(NUMBERS), out);
        else if (chance(f, 30))
            str_addf(out, "%d", (int)filters_random(f, 200000));
        else
            str_add(out, PICK(f, NUMBERS));
        break;
    case QUERY_TIME:
        if (ranges && chance(f, 40))
            add_range(f, TIMES, COUNT_OF(TIMES), out);
        else if (!ranges && chance(f, 20))
            str_addf(out, "-%dd", (int)filters_random(f, 900));
        else
            str_add(out, PICK(f, TIMES));
        break;
    case QUERY_SPAN:
        if (ranges && chance(f, 40))
            str_addf(out, "%d%s..%dd", (int)filters_random(f, 50), chance(f, 50) ? "h" : "m",
                     3 + (int)filters_random(f, 400));
        else
            str_addf(out, "%d%c", (int)filters_random(f, 400), "mhd"[filters_random(f, 3)]);
        break;
    case QUERY_ID:
        add_id(f, out);
        break;
    case QUERY_TEXT:
        if (chance(f, 30))
            str_addf(out, "%02d", (int)filters_random(f, 100));
        else
            str_add(out, PICK(f, TEXTS));
        break;
    default:
        str_add(out, PICK(f, WORDS));
    }
}

static void add_operator(struct filters *f, const char *op, struct str *out) {
    static const char *const signs[][2] = {{"!=", "≠"}, {">=", "≥"}, {"<=", "≤"}};
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (strcmp(op, signs[i][0]) == 0 && chance(f, 20))
            op = signs[i][1];
    str_add(out, op);
}

static void add_finding(struct filters *f, struct str *out) {
    static const char *const operators[] = {":", "=", "!="};
    str_addf(out, "finding%s%s", PICK(f, operators), PICK(f, FINDINGS));
    if (chance(f, 30))
        str_addf(out, ",%s", PICK(f, FINDINGS));
}

static void add_term(struct filters *f, struct str *out) {
    if (chance(f, 8)) {
        add_finding(f, out);
        return;
    }
    size_t field = filters_random(f, COUNT_OF(FIELDS) + 3);
    if (field >= COUNT_OF(FIELDS)) { /* a free word */
        str_add(out, chance(f, 20) ? PICK(f, WORDS) : PICK(f, TEXTS));
        return;
    }
    if (FIELDS[field].type == QUERY_FLAG) {
        size_t flag = filters_random(f, COUNT_OF(FLAGS));
        str_addf(out, "%s:%s", FLAGS[flag].field, FLAGS[flag].name);
        return;
    }
    size_t op;
    do
        op = filters_random(f, COUNT_OF(OPERATORS));
    while (!(FIELDS[field].operators & 1U << op) && !chance(f, 1));
    bool single = op >= QUERY_OP_LT;
    str_add(out, FIELDS[field].name);
    add_operator(f, OPERATORS[op], out);
    for (size_t n = single || chance(f, 70) ? 1 : 2 + filters_random(f, 2); n > 0; n--) {
        add_value(f, FIELDS[field].type, !single, out);
        str_add(out, n > 1 ? "," : "");
    }
}

static void add_any(struct filters *f, int depth, struct str *out) {
    for (size_t ors = chance(f, 25) ? 2 : 1; ors > 0; ors--) {
        for (size_t n = depth == 0 && chance(f, 35) ? 1 : 1 + filters_random(f, 3); n > 0; n--) {
            str_add(out, chance(f, 20) ? "-" : "");
            if (depth < DEPTH_MAX && chance(f, 15)) {
                str_add_char(out, '(');
                add_any(f, depth + 1, out);
                str_add_char(out, ')');
            } else if (depth == 0 && chance(f, 15)) { /* what the service is asked for */
                static const char *const served[] = {"status:pending",  "status:approved,declined", "type:primary",
                                                     "status:reversed", "status=Approved",          "type:card_only"};
                str_add(out, PICK(f, served));
            } else {
                add_term(f, out);
            }
            str_add(out, n > 1 ? " " : "");
        }
        str_add(out, ors > 1 ? " | " : "");
    }
}

void filters_next(struct filters *filters, struct str *out) {
    str_reset(out);
    add_any(filters, 0, out);
}

#define CREDENTIAL(name, mask) \
    "\"payment_credential\":{\"id\":\"crd_1\",\"bank_name\":\"" name "\",\"account\":{\"number_mask\":\"" mask "\"}}"
#define TX(id, amount) "{\"id\":\"" id "\",\"amount\":" amount ",\"currency\":\"USD\",\"status\":\"settled\"}"

/* '!' before a whole row. */
static const char *const ROWS[] = {
    "{\"amount\":9223372036854775807,\"guarantee_amount\":-9223372036854775808}",
    "!{\"id\":\"odd-huge\",\"created_at\":\"2026-06-01T10:00:00.000Z\",\"amount\":99999999999999999999999,"
    "\"currency\":\"USD\",\"status\":\"approved\",\"guarantee_amount\":12}",
    "!{\"id\":\"odd-exponent\",\"created_at\":\"2026-06-01T10:00:00.001Z\",\"amount\":1.5e3,\"currency\":\"EUR\","
    "\"status\":\"pending\"}",
    "!{\"id\":\"odd-real\",\"created_at\":\"2026-06-01T10:00:00.002Z\",\"amount\":5000.10,\"currency\":null}",
    "!{\"id\":\"odd-deep\",\"created_at\":\"2026-06-01T10:00:00.003Z\",\"amount\":-0,\"transactions\":[{\"amount\":"
    "1e400}"
    ",null,7,\"x\"],\"status\":\"declined\"}",
    "!{\"created_at\":\"2026-06-01T10:00:00.000Z\",\"amount\":5000,\"status\":\"approved\",\"type\":\"primary\"}",
    "!{\"id\":null,\"created_at\":\"2026-06-01T10:00:00.000Z\",\"amount\":5000,\"status\":\"approved\"}",
    "!{\"id\":\"\",\"created_at\":\"2026-06-01T10:00:00.000Z\",\"amount\":5000,\"status\":\"pending\"}",
    "!{\"id\":7,\"created_at\":\"2026-06-01T10:00:00.000Z\",\"amount\":5000,\"status\":\"pending\"}",
    "{\"id\":\"odd-twice\",\"amount\":1,\"status\":\"pending\"}",
    "{\"id\":\"odd-twice\",\"amount\":2,\"status\":\"approved\"}",
    "{\"id\":\"odd-twin\",\"amount\":3}",
    "{\"id\":\"odd-\xE2\x80\x8Ftwin\",\"amount\":4}",
    "{\"id\":\"odd-far\",\"created_at\":\"2031-01-01T00:00:00.000Z\"}",
    "{\"id\":\"odd-past\",\"created_at\":\"1969-12-31T23:59:59.999Z\"}",
    "{\"id\":\"odd-end\",\"created_at\":\"9999-12-31T23:59:59.999Z\"}",
    "{\"id\":\"odd-zoneless\",\"created_at\":\"2026-06-15T12:00:00\"}",
    "{\"id\":\"odd-day\",\"created_at\":\"2026-06-15\"}",
    "{\"id\":\"odd-offset\",\"created_at\":\"2026-06-15T01:30:00+05:30\"}",
    "{\"id\":\"odd-words\",\"created_at\":\"soon\"}",
    "{\"id\":\"odd-never\",\"created_at\":null}",
    "{\"id\":\"odd-seconds\",\"created_at\":1781524800}",
    "{\"status\":\"reversed\",\"type\":\"weird\",\"rail\":\"pigeon\"}",
    "{\"status\":\"Approved\",\"type\":\"PRIMARY\"}",
    "{\"status\":\"pending \",\"currency\":\" USD\"}",
    "{\"status\":null,\"type\":null,\"currency\":null}",
    "{\"status\":7,\"type\":[],\"currency\":{}}",
    "{\"status\":\"\",\"type\":\"\",\"currency\":\"\"}",
    "{\"status\":\"weird status\"}",
    "{\"currency\":\"USDC\",\"amount\":5412000000}",
    "{\"currency\":\"usd\",\"amount\":5412}",
    "{\"currency\":\"XAU\",\"amount\":5412}",
    "{\"currency\":\"KWD\",\"amount\":54120}",
    "{\"currency\":\"JPY\",\"amount\":54}",
    "{\"amount\":{\"value\":5412,\"currency\":\"EUR\"},\"currency\":\"USD\"}",
    "{\"amount\":{\"value\":5000,\"currency\":\"JPY\"},\"currency\":null}",
    "{\"amount\":\"5412\"}",
    "{\"amount\":null,\"guarantee_amount\":{\"value\":1,\"currency\":\"EUR\"}}",
    "{\"dispute\":\"open\",\"refund\":[]}",
    "{\"dispute\":false,\"refund\":{}}",
    "{\"refund\":{\"amount\":5,\"currency\":\"USD\"},\"dispute\":[1]}",
    "{" CREDENTIAL("Łódzki Bank", "**** 0042") "}",
    "{" CREDENTIAL("Straße İstanbul", "****4207") "}",
    "{" CREDENTIAL("a \\\"b\\\" =1", "42") "}",
    "{" CREDENTIAL("මහ ශ්\xE2\x80\x8Dරී \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9", "") "}",
    "{" CREDENTIAL("مصرف \xE2\x80\xAEx\xE2\x80\xAC y", "\xD9\xA0\xD9\xA0\xD9\xA4\xD9\xA2") "}",
    "{" CREDENTIAL("Pen\xCC\x83"
                   "ascal \\u001b[2J",
                   "**42") "}",
    "{\"payment_credential\":null,\"account\":null}",
    "{\"payment_credential\":\"x\",\"account\":[]}",
    "{\"payment_credential\":{\"id\":\"crd_2\",\"is_archived\":true,\"card\":{\"expiration\":\"soon\",\"brand\":7}}}",
    "{\"transactions\":[" TX("tx_a", "5") "," TX("tx_b", "5000") "]}",
    "!{\"id\":\"odd-tx\",\"created_at\":\"2026-06-02T10:00:00.000Z\",\"transactions\":[" TX(
        "tx_a", "99999999999999999999") "," TX("", "\"5\"") "]}",
    "{\"transactions\":{\"id\":\"x\"},\"decline_category\":7}",
    "{\"transactions\":null,\"decline_category\":\"\"}",
    "{\"new_field\":{\"deep\":[1,2,3]},\"zoe\":\"zoë\"}",
};

const char *odd_row(size_t i, bool *whole) {
    if (i >= COUNT_OF(ROWS)) {
        *whole = true;
        return i - COUNT_OF(ROWS) < COUNT_OF(FINDING_ROWS) ? FINDING_ROWS[i - COUNT_OF(ROWS)] : NULL;
    }
    *whole = ROWS[i][0] == '!';
    return ROWS[i] + *whole;
}
