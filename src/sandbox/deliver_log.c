#include "deliver_log.h"

#include "base/clock.h"
#include "base/mem.h"
#include "jout.h"

#include <stdlib.h>

enum { LINE_BYTES_MAX = 1 << 20 };

const char *deliver_outcome_name(enum deliver_outcome outcome) {
    static const char *const names[] = {"delivered", "failed", "given_up", "not_delivered"};
    return names[outcome];
}

void deliver_log_add(struct deliver_log *log, const struct deliver_attempt *attempt) {
    struct str line;
    struct str time;
    str_init(&line, LINE_BYTES_MAX);
    str_init(&time, 64);
    clock_format_iso(&time, clock_now());
    jout_open(&line, NULL, '{');
    jout_int(&line, "n", (long long)log->n + 1);
    jout_string(&line, "time", time.s);
    jout_string(&line, "event", attempt->event);
    jout_string(&line, "kind", attempt->kind);
    jout_string(&line, "url", attempt->url);
    jout_int(&line, "attempt", attempt->number);
    jout_string(&line, "outcome", deliver_outcome_name(attempt->outcome));
    jout_int(&line, "status", attempt->status);
    jout_string(&line, "signed", attempt->scheme);
    jout_string(&line, "why", attempt->why);
    jout_int(&line, "bytes", (long long)attempt->bytes);
    jout_int(&line, "ms", attempt->ms);
    jout_int(&line, "next_ms", attempt->next_ms);
    jout_close(&line, '}');
    str_add_char(&line, '\n');
    free(log->lines[log->n % DELIVER_LOG_KEPT]);
    log->lines[log->n % DELIVER_LOG_KEPT] = str_take(&line);
    log->n++;
    log->counts[attempt->outcome]++;
    str_clear(&time);
}

void deliver_log_print(const struct deliver_log *log, size_t limit, struct str *out) {
    size_t kept = log->n < DELIVER_LOG_KEPT ? log->n : DELIVER_LOG_KEPT;
    for (size_t i = log->n - (limit < kept ? limit : kept); i < log->n; i++) {
        str_add(out, log->lines[i % DELIVER_LOG_KEPT]);
    }
}

void deliver_log_clear(struct deliver_log *log) {
    for (size_t i = 0; i < DELIVER_LOG_KEPT; i++) {
        free(log->lines[i]);
    }
    *log = (struct deliver_log){0};
}
