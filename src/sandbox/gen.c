#include "gen.h"

#include "base/clock.h"
#include "base/mem.h"

#include <string.h>

enum {
    DAY_MS = 86400000,
    DAYS = 365,
    DAY_UNITS = 1 << 27, /* finer than a millisecond, and ten million days' worth still fit 64 bits */
};

/* How busy each hour of the day is. */
static const int hours[24] = {1, 1, 1, 1, 1, 2, 3, 5, 8, 10, 11, 12, 12, 11, 11, 10, 10, 10, 9, 8, 7, 5, 3, 2};

static const char *const statuses[] = {
#define X(name) #name,
    GEN_STATUSES(X)
#undef X
};
static const char *const types[] = {"primary", "card_only"};

uint64_t gen_mix(uint64_t a, uint64_t b) {
    uint64_t x = a * 0x9E3779B97F4A7C15u + b + 0x632BE59BD9B4E019u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

const char *gen_status_name(enum gen_status status) {
    return statuses[status];
}

bool gen_status_find(const char *name, enum gen_status *out) {
    for (int i = 0; i < GEN_STATUS_COUNT; i++) {
        if (strcmp(name, statuses[i]) == 0) {
            *out = (enum gen_status)i;
            return true;
        }
    }
    return false;
}

const char *gen_type_name(enum gen_type type) {
    return types[type];
}

bool gen_type_find(const char *name, enum gen_type *out) {
    for (int i = 0; i < GEN_TYPE_COUNT; i++) {
        if (strcmp(name, types[i]) == 0) {
            *out = (enum gen_type)i;
            return true;
        }
    }
    return false;
}

/* Status and type share one hash: the low half tells one, the high half the other. */
static uint64_t kind_bits(const struct gen *gen, int64_t place) {
    return gen_mix(gen->seed, (uint64_t)place);
}

enum gen_status gen_status(const struct gen *gen, int64_t place) {
    uint32_t percent = (uint32_t)(((kind_bits(gen, place) & 0xFFFFFFFF) * 100) >> 32);
    return percent < 4    ? GEN_created
           : percent < 74 ? GEN_approved
           : percent < 89 ? GEN_declined
           : percent < 96 ? GEN_pending
                          : GEN_canceled;
}

enum gen_type gen_type(const struct gen *gen, int64_t place) {
    return ((kind_bits(gen, place) >> 32) * 100) >> 32 < 78 ? GEN_primary : GEN_card_only;
}

/* Busy units passed at this moment of the day, out of DAY_UNITS. */
static int64_t units_of(int64_t ms_of_day) {
    int64_t total = 0;
    int64_t before = 0;
    int64_t hour = ms_of_day / 3600000;
    for (int i = 0; i < 24; i++) {
        before += i < hour ? hours[i] : 0;
        total += hours[i];
    }
    int64_t within = (int64_t)hours[hour] * (ms_of_day % 3600000);
    return (before * 3600000 + within) * DAY_UNITS / (total * 3600000);
}

static int64_t ms_of(int64_t units) {
    int64_t total = 0;
    for (int i = 0; i < 24; i++)
        total += hours[i];
    int64_t scaled = units * total; /* in DAY_UNITS per weight */
    int hour = 0;
    while (hour < 23 && scaled >= (int64_t)hours[hour] * DAY_UNITS)
        scaled -= (int64_t)hours[hour++] * DAY_UNITS;
    return hour * 3600000LL + scaled * 3600000 / ((int64_t)hours[hour] * DAY_UNITS);
}

static int64_t gen_floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

int64_t gen_time(const struct gen *gen, int64_t place) {
    if (place >= 0 || gen->count <= 0)
        return gen->epoch;
    const int64_t year = (int64_t)DAYS * DAY_UNITS;
    int64_t jitter = (int64_t)((gen_mix(gen->seed ^ 0x74696D65, (uint64_t)place) >> 33) * (uint64_t)(year >> 16) >> 31);
    int64_t back = (-place * year - (jitter << 16)) / gen->count;
    int64_t epoch_day = gen_floor_div(gen->epoch, DAY_MS);
    int64_t start = epoch_day * DAY_UNITS + units_of(gen->epoch - epoch_day * DAY_MS);
    int64_t day = gen_floor_div(start - back, DAY_UNITS);
    return day * DAY_MS + ms_of(start - back - day * DAY_UNITS);
}

static uint32_t gen_pick(uint64_t *bits, uint32_t n) {
    *bits = gen_mix(*bits, n);
    return (uint32_t)(((*bits >> 32) * n) >> 32);
}

static void approved_life(struct gen_life *life, uint64_t bits) {
    life->transactions = 1 + (gen_pick(&bits, 100) < 22) + (gen_pick(&bits, 100) < 8);
    life->payment = gen_pick(&bits, 100) < 88 ? GEN_PAYMENT_SETTLED : GEN_PAYMENT_PENDING;
    if (life->payment != GEN_PAYMENT_SETTLED)
        return;
    uint32_t after = gen_pick(&bits, 1000);
    if (after < 40) {
        life->refund = (enum gen_refund)(1 + gen_pick(&bits, 3));
    } else if (after < 60) {
        life->dispute = (enum gen_dispute)(1 + gen_pick(&bits, 4));
    } else if (after < 63) {
        life->refund = GEN_REFUND_SUCCEEDED;
        life->dispute = GEN_DISPUTE_WON;
    }
}

void gen_life(const struct gen *gen, int64_t place, struct gen_life *out) {
    memset(out, 0, sizeof *out);
    out->created_at = gen_time(gen, place);
    out->status = gen_status(gen, place);
    uint64_t bits = gen_mix(gen->seed ^ 0x6C696665, (uint64_t)place);
    switch (out->status) {
    case GEN_approved:
        approved_life(out, bits);
        break;
    case GEN_pending:
        out->transactions = (int)gen_pick(&bits, 2);
        break;
    case GEN_canceled:
        out->transactions = gen_pick(&bits, 4) == 0;
        out->payment = GEN_PAYMENT_REVERSED;
        break;
    case GEN_declined:
        out->transactions = gen_pick(&bits, 8) == 0;
        out->payment = GEN_PAYMENT_FAILED;
        break;
    default:
        break;
    }
}
