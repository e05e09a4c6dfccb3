#include "service.h"

#include "base/clock.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A fixed window, and the header forms by which services tell when to come again. */
struct rate {
    pthread_mutex_t lock;
    int64_t window_end; /* monotonic ms; 0: none open */
    long long used;
};

struct rate *rate_new(void) {
    struct rate *rate = mem_new(sizeof *rate);
    (void)pthread_mutex_init(&rate->lock, NULL);
    return rate;
}

void rate_free(struct rate *rate) {
    if (rate) {
        (void)pthread_mutex_destroy(&rate->lock);
        free(rate);
    }
}

/* RFC 9110 HTTP-date in its three forms. */
static void add_date(struct str *out, int64_t ms, const char *form) {
    static const char *const days[] = {"Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct civil at;
    clock_civil(ms, &at);
    const char *day = days[ms / 86400000 % 7];
    const char *month = months[at.month - 1];
    if (strcmp(form, "rfc850") == 0) {
        str_addf(out, "%s, %02d-%s-%02d %02d:%02d:%02d GMT", day, at.day, month, at.year % 100, at.hour, at.minute,
                 at.second);
    } else if (strcmp(form, "asctime") == 0) {
        str_addf(out, "%.3s %s %2d %02d:%02d:%02d %d", day, month, at.day, at.hour, at.minute, at.second, at.year);
    } else {
        str_addf(out, "%.3s, %02d %s %d %02d:%02d:%02d GMT", day, at.day, month, at.year, at.hour, at.minute,
                 at.second);
    }
}

static void reset_value(struct str *out, const char *style, int64_t wait_ms) {
    int64_t at = clock_now() + wait_ms;
    if (strcmp(style, "reset_seconds") == 0)
        str_addf(out, "%lld", (long long)((wait_ms + 999) / 1000));
    else if (strcmp(style, "reset_epoch") == 0)
        str_addf(out, "%lld", (long long)((at + 999) / 1000));
    else if (strcmp(style, "reset_ms") == 0)
        str_addf(out, "%lld", (long long)at);
    else if (strcmp(style, "reset_iso") == 0)
        clock_format_iso(out, at);
    else
        add_date(out, at, "date");
}

static void put_wait(struct service *service, struct call *call, int64_t wait_ms, bool refused) {
    const char *style = style_text(&service->style, STYLE_RATE_STYLE);
    struct str text;
    str_init(&text, 128);
    if (str_starts(style, "reset_")) {
        reset_value(&text, style, wait_ms);
        call_add(&call->answer_headers, "X-RateLimit-Reset", text.s);
    } else if (strcmp(style, "structured") == 0) {
        long long left = refused ? 0 : style_number(&service->style, STYLE_RATE) - service->rate->used;
        str_addf(&text, "\"default\";r=%lld;t=%lld", left, (long long)((wait_ms + 999) / 1000));
        call_add(&call->answer_headers, "RateLimit", text.s);
    } else if (refused && strcmp(style, "none") != 0) {
        if (strcmp(style, "seconds") == 0)
            str_addf(&text, "%lld", (long long)((wait_ms + 999) / 1000));
        else if (strcmp(style, "decimal") == 0)
            str_addf(&text, "%lld.%03d", (long long)(wait_ms / 1000), (int)(wait_ms % 1000));
        else
            add_date(&text, clock_now() + wait_ms, style);
        call_add(&call->answer_headers, "Retry-After", text.s);
    }
    str_clear(&text);
}

static void put_quota(struct service *service, struct call *call, long long limit) {
    struct str text;
    str_init(&text, 32);
    str_addf(&text, "%lld", limit);
    call_add(&call->answer_headers, "X-RateLimit-Limit", text.s);
    str_reset(&text);
    str_addf(&text, "%lld", limit > service->rate->used ? limit - service->rate->used : 0);
    call_add(&call->answer_headers, "X-RateLimit-Remaining", text.s);
    str_clear(&text);
}

bool rate_allows(struct service *service, struct call *call) {
    long long limit = style_number(&service->style, STYLE_RATE);
    if (limit == 0)
        return true;
    struct rate *rate = service->rate;
    (void)pthread_mutex_lock(&rate->lock);
    int64_t now = clock_mono();
    if (now >= rate->window_end) {
        rate->window_end = now + style_number(&service->style, STYLE_RATE_WINDOW) * 1000;
        rate->used = 0;
    }
    bool ok = rate->used < limit;
    rate->used += ok;
    put_wait(service, call, rate->window_end - now, !ok);
    if (style_is(&service->style, STYLE_RATE_QUOTA, "yes"))
        put_quota(service, call, limit);
    (void)pthread_mutex_unlock(&rate->lock);
    if (!ok)
        service_status(service, call, 429);
    return ok;
}
