/* Makes the zstd dictionary of the cache from invented intents; never run on a customer's data. Not part of the build:
 * a dictionary is made once, numbered, and kept for ever, because rows packed with it need it.
 *
 *   cc -std=c17 -D_GNU_SOURCE -Iinclude -o make src/store/dictionary/make.c \
 *      build/release/lib/model.a build/release/lib/base.a -lzstd -lutf8proc -lsodium -lcurl
 *   ./make 1 src/store/dictionary/1.bin
 */
#include "base/clock.h"
#include "base/mem.h"
#include "model/cells.h"

#define ZDICT_STATIC_LINKING_ONLY
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zdict.h>

enum { SAMPLES = 6000, DICTIONARY_BYTES = 16384, TEXT_MAX = 1 << 16 };

static uint64_t state = 20261128;

static uint32_t make_below(uint32_t n) {
    state += 0x9E3779B97F4A7C15ULL;
    uint64_t z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (uint32_t)((z >> 32) * n >> 32);
}

#define PICK(list) list[make_below((uint32_t)COUNT_OF(list))]

static const char *const STATUSES[] = {"approved", "approved", "approved", "created",
                                       "declined", "pending",  "canceled"};
static const char *const DECLINES[] = {"insufficient_funds", "risk",          "invalid_account",
                                       "do_not_honor",       "expired_card",  "limit_exceeded",
                                       "fraud_suspected",    "network_error", "account_closed"};
static const char *const BRANDS[] = {"visa", "mastercard", "amex", "discover", "unionpay"};
static const char *const CURRENCIES[] = {"USD", "USD", "USD", "EUR", "GBP", "CAD", "MXN", "BRL", "JPY", "KWD"};
static const char *const STATES[] = {"settled", "settled", "settled", "pending", "reversed", "failed"};
static const char *const RAILS[] = {"card", "card", "ach", "rtp", "wire"};
static const char *const KINDS[] = {"intent", "fee", "refund"};
static const char *const ADJECTIVES[] = {"First", "Northern", "United", "Lakeside", "Harbour", "Old Mill", "Meridian"};
static const char *const NOUNS[] = {"Bank",          "Savings Bank",       "Credit Union",  "Trust", "Bank of Example",
                                    "Caixa Exemplo", "Sparkasse Beispiel", "Banque Exemple"};

static void make_uuid(char out[37]) {
    static const char form[] = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
    for (size_t i = 0; i < sizeof form; i++)
        out[i] = form[i] == 'x' ? "0123456789abcdef"[make_below(16)] : form[i];
}

static void make_digits(char *out, int n) {
    for (int i = 0; i < n; i++)
        out[i] = (char)('0' + make_below(10));
    out[n] = '\0';
}

static struct value_text make_text(struct intent *intent, const char *s) {
    return (struct value_text){.state = VALUE_OK, .text = arena_dup_n(&intent->arena, s, strlen(s))};
}

static struct value_text id(struct intent *intent) {
    char buffer[37] = "";
    make_uuid(buffer);
    return make_text(intent, buffer);
}

static struct value_text number_text(struct intent *intent, int n) {
    char buffer[16];
    make_digits(buffer, n);
    return make_text(intent, buffer);
}

static struct value_number make_number(int64_t n) {
    return (struct value_number){.state = VALUE_OK, .number = n, .text = NULL};
}

static struct value_time instant(struct intent *intent, int64_t ms) {
    struct str iso;
    str_init(&iso, 64);
    clock_format_iso(&iso, ms);
    struct value_time time = {VALUE_OK, ms, make_text(intent, iso.s).text};
    str_clear(&iso);
    return time;
}

static void fill_transactions(struct intent *in) {
    in->n_transactions = 1 + make_below(3);
    in->transactions_state = VALUE_OK;
    in->transactions = arena_new(&in->arena, in->n_transactions * sizeof *in->transactions);
    for (size_t i = 0; i < in->n_transactions; i++) {
        struct transaction *t = &in->transactions[i];
        t->id = id(in);
        t->amount = make_number(in->amount.number / (int64_t)(i + 1));
        t->direction = in->direction;
        t->currency = in->currency;
        t->status = make_text(in, PICK(STATES));
        t->type = make_text(in, KINDS[i % COUNT_OF(KINDS)]);
        t->source_id = in->id;
        t->account_id = in->account.id;
        t->created_at = instant(in, in->created_at.ms + 1000 + make_below(3600000));
        t->date = (struct value_text){.state = VALUE_OK, .text = arena_dup_n(&in->arena, t->created_at.text, 10)};
    }
}

static void make_fill(struct intent *in) {
    char buffer[96];
    in->account.id = id(in);
    in->account.type = make_text(in, "settlement");
    snprintf(buffer, sizeof buffer, "Settlement account %u", make_below(50000));
    in->account.name = make_text(in, buffer);
    in->account.created_at = instant(in, 1672531200000 + (int64_t)make_below(50000) * 60000);
    in->id = id(in);
    in->created_at = instant(in, 1735689600000 + (int64_t)make_below(2000000000) * 40);
    in->direction = make_text(in, make_below(100) < 85 ? "cash_in" : "cash_out");
    in->user_id = id(in);
    in->amount = make_number((100 + (int64_t)make_below(9900)) * (1 + make_below(100) * make_below(2)));
    in->currency = make_text(in, PICK(CURRENCIES));
    in->guarantee_amount = make_number(make_below(3) ? in->amount.number : in->amount.number * 9 / 10);
    in->status = make_text(in, PICK(STATUSES));
    if (strcmp(in->status.text, "declined") == 0)
        in->decline_category = make_text(in, PICK(DECLINES));
    fill_transactions(in);
    in->credential.state = VALUE_OK;
    in->credential.id = id(in);
    snprintf(buffer, sizeof buffer, "%s %s", PICK(ADJECTIVES), PICK(NOUNS));
    in->credential.bank_name = make_text(in, buffer);
    in->credential.is_archived = (struct value_flag){VALUE_OK, make_below(20) == 0, NULL};
    in->credential.number_mask = number_text(in, 4);
    in->credential.routing = number_text(in, 9);
    in->credential.pan_mask = number_text(in, 4);
    snprintf(buffer, sizeof buffer, "20%02u-%02u-01", 26 + make_below(6), 1 + make_below(12));
    in->credential.expiration = make_text(in, buffer);
    in->credential.brand = make_text(in, PICK(BRANDS));
    in->rail = make_text(in, PICK(RAILS));
    in->type = make_text(in, make_below(100) < 75 ? "primary" : "card_only");
}

static void make_add_transactions(struct str *out, const struct intent *in) {
    for (size_t i = 0; i < in->n_transactions; i++) {
        const struct transaction *t = &in->transactions[i];
        str_addf(out, "%s{\"id\":\"%s\",\"amount\":%lld,\"direction\":\"%s\",\"currency\":\"%s\",\"status\":\"%s\",",
                 i ? "," : "", t->id.text, (long long)t->amount.number, t->direction.text, t->currency.text,
                 t->status.text);
        str_addf(out,
                 "\"type\":\"%s\",\"source_id\":\"%s\",\"account_id\":\"%s\",\"created_at\":\"%s\",\"date\":\"%s\"}",
                 t->type.text, t->source_id.text, t->account_id.text, t->created_at.text, t->date.text);
    }
}

static void make_add_record(struct str *out, const char *name, const char *status, const struct intent *in) {
    if (make_below(100) < 95) {
        str_addf(out, "\"%s\":null,", name);
        return;
    }
    char record[37];
    make_uuid(record);
    str_addf(out, "\"%s\":{\"id\":\"%s\",\"status\":\"%s\",\"amount\":%lld,\"created_at\":\"%s\"},", name, record,
             status, (long long)in->amount.number, in->created_at.text);
}

static void make_print(struct str *out, const struct intent *in) {
    str_addf(out, "{\"id\":\"%s\",\"created_at\":\"%s\",\"direction\":\"%s\",\"user_id\":\"%s\",\"amount\":%lld,",
             in->id.text, in->created_at.text, in->direction.text, in->user_id.text, (long long)in->amount.number);
    str_addf(out,
             "\"currency\":\"%s\",\"guarantee_amount\":%lld,\"status\":\"%s\",\"decline_category\":", in->currency.text,
             (long long)in->guarantee_amount.number, in->status.text);
    str_addf(out, in->decline_category.text ? "\"%s\",\"transactions\":[" : "null,\"transactions\":[",
             in->decline_category.text);
    make_add_transactions(out, in);
    str_add(out, "],");
    make_add_record(out, "dispute", "open", in);
    make_add_record(out, "refund", "succeeded", in);
    const struct credential *c = &in->credential;
    str_addf(out,
             "\"payment_credential\":{\"id\":\"%s\",\"bank_name\":\"%s\",\"is_archived\":%s,\"account\":", c->id.text,
             c->bank_name.text, c->is_archived.on ? "true" : "false");
    str_addf(out, "{\"number_mask\":\"%s\",\"routing\":\"%s\"},\"card\":{\"primary_account_number_mask\":\"%s\",",
             c->number_mask.text, c->routing.text, c->pan_mask.text);
    str_addf(out, "\"expiration\":\"%s\",\"brand\":\"%s\"}},\"rail\":\"%s\",\"account\":{\"id\":\"%s\",",
             c->expiration.text, c->brand.text, in->rail.text, in->account.id.text);
    str_addf(out, "\"type\":\"%s\",\"name\":\"%s\",\"created_at\":\"%s\"},\"type\":\"%s\"}", in->account.type.text,
             in->account.name.text, in->account.created_at.text, in->type.text);
}

/* A sample is what the store packs: cells, then raw. */
static void make_sample(struct str *out) {
    struct intent *in = intent_new();
    make_fill(in);
    cells_pack(in, out);
    make_print(out, in);
    intent_free(in);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: make NUMBER FILE\n");
        return 2;
    }
    struct str all;
    str_init(&all, (size_t)SAMPLES * TEXT_MAX);
    static size_t sizes[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        size_t before = all.len;
        make_sample(&all);
        sizes[i] = all.len - before;
    }
    static char dictionary[DICTIONARY_BYTES];
    ZDICT_fastCover_params_t params = {.k = 200, .d = 8, .steps = 8, .zParams.compressionLevel = 1};
    params.zParams.dictID = (unsigned)strtoul(argv[1], NULL, 10);
    size_t len = ZDICT_optimizeTrainFromBuffer_fastCover(dictionary, sizeof dictionary, all.s, sizes, SAMPLES, &params);
    str_clear(&all);
    if (ZDICT_isError(len)) {
        fprintf(stderr, "%s\n", ZDICT_getErrorName(len));
        return 1;
    }
    FILE *file = fopen(argv[2], "wbx");
    bool ok = file && fwrite(dictionary, 1, len, file) == len;
    ok = file && fclose(file) == 0 && ok;
    return ok ? 0 : 1;
}
