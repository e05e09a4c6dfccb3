#include "gen.h"
#include "json_writer.h"
#include "words.h"

#include "base/clock.h"

#include <string.h>

/* What one intent's fields are drawn from: its own stream of bits, its user's and its credential's. */
struct draw {
    const struct gen *gen;
    const struct gen_life *life;
    uint64_t own, user, credential;
    const struct words_currency *currency;
    bool outward;
    int64_t amount;
    char id[GEN_ID_LEN + 1], account_id[GEN_ID_LEN + 1];
};

enum { USER_SALT = 0x75736572, CREDENTIAL_SALT = 0x63726564, ID_SALT = 0x69646964, FIELD_SALT = 0x66696C64 };

static uint32_t render_pick(uint64_t *bits, uint32_t n) {
    *bits = gen_mix(*bits, n);
    return (uint32_t)(((*bits >> 32) * n) >> 32);
}

/* Version 4 layout, so that it looks like what services use. */
static void render_uuid(uint64_t a, uint64_t b, char out[GEN_ID_LEN + 1]) {
    static const char hex[] = "0123456789abcdef";
    a = (a & ~(uint64_t)0xF000) | 0x4000;
    b = (b & 0x3FFFFFFFFFFFFFFF) | 0x8000000000000000;
    int at = 0;
    for (int i = 0; i < 32; i++) {
        if (i == 8 || i == 12 || i == 16 || i == 20)
            out[at++] = '-';
        uint64_t half = i < 16 ? a : b;
        out[at++] = hex[(half >> (60 - 4 * (i % 16))) & 15];
    }
    out[at] = '\0';
}

static void uuid_of(uint64_t bits, char out[GEN_ID_LEN + 1]) {
    render_uuid(gen_mix(bits, 1), gen_mix(bits, 2), out);
}

void gen_id(const struct gen *gen, int64_t place, char out[GEN_ID_LEN + 1]) {
    uuid_of(gen_mix(gen->seed ^ ID_SALT, (uint64_t)place), out);
}

static const struct words_currency *draw_currency(uint64_t *bits) {
    uint32_t left = render_pick(bits, 1000);
    for (size_t i = 0; i + 1 < words_currency_count; i++) {
        if (left < (uint32_t)words_currencies[i].weight)
            return &words_currencies[i];
        left -= (uint32_t)words_currencies[i].weight;
    }
    return &words_currencies[words_currency_count - 1];
}

/* Mostly small sums, some large; a few negative (corrections) and, unless plain, a few beyond 2^53. */
static int64_t draw_amount(uint64_t *bits, bool plain) {
    uint32_t kind = render_pick(bits, 1000);
    int64_t amount = 100 + (int64_t)render_pick(bits, 9900);
    amount *= kind < 600 ? 1 : kind < 950 ? 1 + render_pick(bits, 20) : 1 + render_pick(bits, 4000);
    if (!plain && kind >= 990 && render_pick(bits, 4) == 0)
        amount = INT64_C(9007199254740993) + (int64_t)(gen_mix(*bits, 7) >> 2) + 2 * amount;
    return render_pick(bits, 100) < 2 ? -amount : amount;
}

static void draw_init(struct draw *draw, const struct gen *gen, int64_t place, const struct gen_life *life) {
    memset(draw, 0, sizeof *draw);
    draw->gen = gen;
    draw->life = life;
    draw->own = gen_mix(gen->seed ^ FIELD_SALT, (uint64_t)place);
    /* The square of a uniform number: some users pay often, most now and then. */
    uint32_t users = (uint32_t)(gen->count / 6 + 5);
    uint64_t first = render_pick(&draw->own, users);
    uint64_t user = first * render_pick(&draw->own, users) / users;
    draw->user = gen_mix(gen->seed ^ USER_SALT, user);
    uint64_t home = draw->user;
    draw->credential = gen_mix(draw->user ^ CREDENTIAL_SALT, render_pick(&draw->own, 1 + render_pick(&home, 3)));
    draw->currency = draw_currency(render_pick(&draw->own, 20) == 0 ? &draw->own : &home);
    draw->outward = render_pick(&draw->own, 100) < 14;
    draw->amount = draw_amount(&draw->own, gen->plain);
    gen_id(gen, place, draw->id);
    uuid_of(gen_mix(draw->user, (uint64_t)(draw->currency - words_currencies) + 100), draw->account_id);
}

/* Digits by hand here: a listing is mostly ids, times and numbers, and printf took half of its time. */
static char *render_digits(char *to, int n, int value) {
    for (int i = n - 1; i >= 0; i--) {
        to[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return to + n;
}

static char *day_digits(char *to, const struct civil *at) {
    to = render_digits(to, 4, at->year);
    *to++ = '-';
    to = render_digits(to, 2, at->month);
    *to++ = '-';
    return render_digits(to, 2, at->day);
}

static void put_time(struct str *out, const char *name, int64_t ms) {
    struct civil at;
    char text[32];
    clock_civil(ms, &at);
    char *to = day_digits(text, &at);
    *to++ = 'T';
    to = render_digits(to, 2, at.hour);
    *to++ = ':';
    to = render_digits(to, 2, at.minute);
    *to++ = ':';
    to = render_digits(to, 2, at.second);
    *to++ = '.';
    to = render_digits(to, 3, at.ms);
    *to++ = 'Z';
    json_write_string_n(out, name, text, (size_t)(to - text));
}

static void put_date(struct str *out, const char *name, int64_t ms) {
    struct civil at;
    char text[16];
    clock_civil(ms, &at);
    json_write_string_n(out, name, text, (size_t)(day_digits(text, &at) - text));
}

static void put_digits(struct str *out, const char *name, uint64_t *bits, int n) {
    char text[16];
    json_write_string_n(out, name, text, (size_t)(render_digits(text, n, (int)render_pick(bits, 1000000000)) - text));
}

static const char *direction(const struct draw *draw) {
    return draw->outward ? "cash_out" : "cash_in";
}

/* Generated times are never after the start, unless the intent itself is. */
static int64_t not_later(const struct draw *draw, int64_t at) {
    int64_t limit = draw->gen->epoch > draw->life->created_at ? draw->gen->epoch : draw->life->created_at + 1000;
    return at < limit ? at : limit;
}

static void render_put_transaction(struct draw *draw, int index, struct str *out) {
    static const char *const payments[] = {"pending", "settled", "reversed", "failed"};
    static const char *const kinds[GEN_TRANSACTIONS_MAX] = {"intent", "fee", "adjustment"};
    int64_t amount = index == 0 ? draw->amount : index == 1 ? draw->amount / 40 : draw->amount / 10;
    int64_t at = draw->life->created_at + 100 + (int64_t)render_pick(&draw->own, 800) + index * INT64_C(7200000);
    at = not_later(draw, at);
    char id[GEN_ID_LEN + 1];
    uuid_of(draw->own ^ (uint64_t)index, id);
    json_write_open(out, NULL, '{');
    json_write_string(out, "id", id);
    json_write_int(out, "amount", amount);
    json_write_string(out, "direction", index == 1 ? "cash_out" : direction(draw));
    json_write_string(out, "currency", draw->currency->code);
    json_write_string(out, "status", payments[draw->life->payment]);
    json_write_string(out, "type", kinds[index]);
    json_write_string(out, "source_id", draw->id);
    json_write_string(out, "account_id", draw->account_id);
    put_time(out, "created_at", at);
    put_date(out, "date", at);
    json_write_close(out, '}');
}

static int64_t days_later(const struct draw *draw, int64_t days, uint64_t bits) {
    return not_later(draw, draw->life->created_at + days * INT64_C(86400000) + (int64_t)render_pick(&bits, 86400000));
}

static void put_dispute(struct draw *draw, struct str *out) {
    static const char *const states[] = {"", "open", "under_review", "won", "lost"};
    if (draw->life->dispute == GEN_DISPUTE_NONE) {
        json_write_null(out, "dispute");
        return;
    }
    uint64_t bits = gen_mix(draw->own, 11);
    int64_t at = draw->life->dispute_at > 0 ? draw->life->dispute_at : days_later(draw, 9, bits);
    char id[GEN_ID_LEN + 1];
    uuid_of(bits, id);
    json_write_open(out, "dispute", '{');
    json_write_string(out, "id", id);
    json_write_string(out, "status", states[draw->life->dispute]);
    json_write_string(out, "reason", words_disputes[render_pick(&bits, (uint32_t)words_dispute_count)]);
    json_write_int(out, "amount", draw->amount);
    json_write_string(out, "currency", draw->currency->code);
    put_time(out, "created_at", at);
    json_write_open(out, "evidence", '{');
    json_write_bool(out, "required", draw->life->dispute == GEN_DISPUTE_OPEN);
    put_time(out, "due_at", at + INT64_C(864000000));
    json_write_close(out, '}');
    json_write_close(out, '}');
}

static void put_refund(struct draw *draw, struct str *out) {
    static const char *const states[] = {"", "pending", "succeeded", "failed"};
    if (draw->life->refund == GEN_REFUND_NONE) {
        json_write_null(out, "refund");
        return;
    }
    uint64_t bits = gen_mix(draw->own, 13);
    int64_t at = draw->life->refund_at > 0 ? draw->life->refund_at : days_later(draw, 2, bits);
    char id[GEN_ID_LEN + 1];
    uuid_of(bits, id);
    json_write_open(out, "refund", '{');
    json_write_string(out, "id", id);
    json_write_string(out, "status", states[draw->life->refund]);
    json_write_string(out, "reason", words_refunds[render_pick(&bits, (uint32_t)words_refund_count)]);
    json_write_int(out, "amount", render_pick(&bits, 3) == 0 ? draw->amount / 2 : draw->amount);
    json_write_string(out, "currency", draw->currency->code);
    put_time(out, "created_at", at);
    json_write_close(out, '}');
}

static void put_credential(const struct draw *draw, struct str *out) {
    uint64_t bits = draw->credential;
    char id[GEN_ID_LEN + 1];
    uuid_of(bits, id);
    json_write_open(out, "payment_credential", '{');
    json_write_string(out, "id", id);
    json_write_string(out, "bank_name", words_banks[render_pick(&bits, (uint32_t)words_bank_count)]);
    json_write_bool(out, "is_archived", render_pick(&bits, 25) == 0);
    json_write_open(out, "account", '{');
    put_digits(out, "number_mask", &bits, 4);
    put_digits(out, "routing", &bits, 9);
    json_write_close(out, '}');
    json_write_open(out, "card", '{');
    put_digits(out, "primary_account_number_mask", &bits, 4);
    json_write_open(out, "expiration", '"');
    uint32_t year = 2025 + render_pick(&bits, 6);
    str_addf(out, "%u-%02u-01\"", year, 1 + render_pick(&bits, 12));
    json_write_string(out, "brand", words_brands[render_pick(&bits, (uint32_t)words_brand_count)]);
    json_write_close(out, '}');
    json_write_close(out, '}');
}

static void put_account(const struct draw *draw, struct str *out) {
    uint64_t bits = gen_mix(draw->user, 17);
    json_write_open(out, "account", '{');
    json_write_string(out, "id", draw->account_id);
    json_write_string(out, "type", "settlement");
    json_write_open(out, "name", '"');
    str_addf(out, "Settlement %s %04u\"", draw->currency->code, render_pick(&bits, 10000));
    put_time(out, "created_at", draw->gen->epoch - INT64_C(86400000) * (366 + (int64_t)render_pick(&bits, 1000)));
    json_write_close(out, '}');
}

static void put_decline(struct draw *draw, struct str *out) {
    uint32_t index = render_pick(&draw->own, (uint32_t)words_decline_count);
    json_write_string(out, "decline_category", draw->life->status == GEN_declined ? words_declines[index] : NULL);
}

static void put_head(struct draw *draw, struct str *out) {
    char user_id[GEN_ID_LEN + 1];
    uuid_of(draw->user, user_id);
    json_write_string(out, "id", draw->id);
    put_time(out, "created_at", draw->life->created_at);
    json_write_string(out, "direction", direction(draw));
    json_write_string(out, "user_id", user_id);
    json_write_int(out, "amount", draw->amount);
    json_write_string(out, "currency", draw->currency->code);
    uint32_t cover = render_pick(&draw->own, 4);
    json_write_int(out, "guarantee_amount", cover == 0 ? 0 : cover == 1 ? draw->amount / 10 * 9 : draw->amount);
    json_write_string(out, "status", gen_status_name(draw->life->status));
    put_decline(draw, out);
}

void gen_render(const struct gen *gen, int64_t place, const struct gen_life *life, struct str *out) {
    struct draw draw;
    draw_init(&draw, gen, place, life);
    enum gen_type type = gen_type(gen, place);
    uint32_t rail = render_pick(&draw.own, 9);
    json_write_open(out, NULL, '{');
    put_head(&draw, out);
    json_write_open(out, "transactions", '[');
    for (int i = 0; i < life->transactions && i < GEN_TRANSACTIONS_MAX; i++)
        render_put_transaction(&draw, i, out);
    json_write_close(out, ']');
    put_dispute(&draw, out);
    put_refund(&draw, out);
    put_credential(&draw, out);
    json_write_string(out, "rail", type == GEN_card_only || rail < 3 ? "card" : draw.currency->rails[rail % 4]);
    put_account(&draw, out);
    json_write_string(out, "type", gen_type_name(type));
    json_write_close(out, '}');
}
