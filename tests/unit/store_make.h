#ifndef STORE_MAKE_H
#define STORE_MAKE_H
/* Invented intents and pages for the tests of the store. */

#include "base/clock.h"
#include "model/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline void must(enum err err, const struct error *error) {
    if (err != ERR_OK)
        fail_msg("%s", error->text);
}

struct made {
    const char *id, *status;
    int64_t created_ms, amount;
    const char *tail; /* more members for raw, each with a comma in front; NULL: none */
};

static inline struct value_text made_text(struct intent *intent, const char *text) {
    return (struct value_text){.state = VALUE_OK, .text = arena_dup_n(&intent->arena, text, strlen(text))};
}

static inline struct intent *make_intent(const struct made *made) {
    struct intent *intent = intent_new();
    struct str iso, raw;
    str_init(&iso, 64);
    str_init(&raw, 1 << 20);
    clock_format_iso(&iso, made->created_ms);
    intent->id = made_text(intent, made->id);
    intent->status = made_text(intent, made->status);
    intent->currency = made_text(intent, "EUR");
    intent->created_at = (struct value_time){VALUE_OK, made->created_ms, made_text(intent, iso.s).text};
    intent->amount = (struct value_number){.state = VALUE_OK, .number = made->amount, .text = "0"};
    str_addf(&raw, "{\"id\":\"%s\", \"created_at\":\"%s\",\"status\":\"%s\",\"amount\":%lld,\"currency\":\"EUR\"%s}",
             made->id, iso.s, made->status, (long long)made->amount, made->tail ? made->tail : "");
    intent->raw_len = raw.len;
    intent->raw = str_take(&raw);
    str_clear(&iso);
    return intent;
}

static inline struct intent *make_broken(const char *raw) {
    struct intent *intent = intent_new();
    intent->raw = mem_dup(raw);
    intent->raw_len = strlen(raw);
    intent->broken = "not an object";
    return intent;
}

enum { MADE_DAY = 86400000, MADE_STEP = 60000 };
static const int64_t MADE_NEWEST = 1781524800000; /* 2026-06-15T12:00:00Z */

/* Intents number first to first + n - 1, newest first, a minute apart: `pay_<number>`. */
static inline void make_page(struct page *page, int first, int n, const char *next) {
    static const char *const statuses[] = {"approved", "created", "declined", "pending", "canceled"};
    page_init(page);
    for (int i = first; i < first + n; i++) {
        char id[32];
        snprintf(id, sizeof id, "pay_%06d", i);
        *vec_add(page) = make_intent(&(struct made){.id = id,
                                                    .status = statuses[i % 5],
                                                    .created_ms = MADE_NEWEST - (int64_t)i * MADE_STEP,
                                                    .amount = 100 + i});
    }
    page->next = next ? mem_dup(next) : NULL;
}

#endif
