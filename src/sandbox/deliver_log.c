#include "deliver_log.h"

#include "base/clock.h"
#include "base/mem.h"
#include "json_writer.h"

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
    json_write_open(&line, NULL, '{');
    json_write_int(&line, "n", (long long)log->n + 1);
    json_write_string(&line, "time", time.s);
    json_write_string(&line, "event", attempt->event);
    json_write_string(&line, "kind", attempt->kind);
    json_write_string(&line, "url", attempt->url);
    json_write_int(&line, "attempt", attempt->number);
    json_write_string(&line, "outcome", deliver_outcome_name(attempt->outcome));
    json_write_int(&line, "status", attempt->status);
    json_write_string(&line, "signed", attempt->scheme);
    json_write_string(&line, "why", attempt->why);
    json_write_int(&line, "bytes", (long long)attempt->bytes);
    json_write_int(&line, "ms", attempt->ms);
    json_write_int(&line, "next_ms", attempt->next_ms);
    json_write_close(&line, '}');
    str_add_char(&line, '\n');
    free(log->lines[log->n % DELIVER_LOG_KEPT]);
    log->lines[log->n % DELIVER_LOG_KEPT] = str_take(&line);
    log->n++;
    log->counts[attempt->outcome]++;
    str_clear(&time);
}

void deliver_log_print(const struct deliver_log *log, size_t limit, struct str *out) {
    size_t kept = log->n < DELIVER_LOG_KEPT ? log->n : DELIVER_LOG_KEPT;
    for (size_t i = log->n - (limit < kept ? limit : kept); i < log->n; i++)
        str_add(out, log->lines[i % DELIVER_LOG_KEPT]);
}

void deliver_log_clear(struct deliver_log *log) {
    for (size_t i = 0; i < DELIVER_LOG_KEPT; i++)
        free(log->lines[i]);
    *log = (struct deliver_log){0};
}
