#include "base/str.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAP_MIN = 32, BRIEF = 128 };

/* What an empty string points to. Never written: cap 0 says so. */
static char empty[1];

void str_init(struct str *str, size_t max) {
    *str = (struct str){.s = empty, .max = max < PTRDIFF_MAX ? max : PTRDIFF_MAX - 1};
}

void str_clear(struct str *str) {
    if (str->cap)
        free(str->s);
    str_init(str, str->max);
}

void str_reset(struct str *str) {
    if (str->cap)
        str->s[0] = '\0';
    else
        str->s = empty;
    str->len = 0;
    str->truncated = false;
}

/* Makes room for len more bytes, or as many as fit; returns how many. */
static size_t str_reserve(struct str *str, size_t len) {
    if (!str->s)
        str->s = empty;
    if (len > str->max - str->len) {
        len = str->max - str->len;
        str->truncated = true;
    }
    size_t need = str->len + len + 1;
    if (len == 0 || need <= str->cap)
        return len;
    size_t cap = str->cap < CAP_MIN / 2 ? CAP_MIN : str->cap * 2;
    if (cap > str->max + 1)
        cap = str->max + 1;
    if (cap < need)
        cap = need;
    str->s = mem_resize(str->cap ? str->s : NULL, cap, 1);
    str->cap = cap;
    return len;
}

void str_add_n(struct str *str, const char *bytes, size_t len) {
    len = str_reserve(str, len);
    if (len == 0)
        return;
    memcpy(str->s + str->len, bytes, len);
    str->len += len;
    str->s[str->len] = '\0';
}

void str_add(struct str *str, const char *text) {
    str_add_n(str, text, strlen(text));
}

void str_add_char(struct str *str, char c) {
    str_add_n(str, &c, 1);
}

void str_add_repeat(struct str *str, char c, size_t times) {
    times = str_reserve(str, times);
    if (times == 0)
        return;
    memset(str->s + str->len, c, times);
    str->len += times;
    str->s[str->len] = '\0';
}

void str_vaddf(struct str *str, const char *format, va_list args) {
    va_list measured;
    va_copy(measured, args);
    char brief[BRIEF]; /* most are, and need not be written twice */
    /* The analyser loses sight of va_copy where it reads several files in one run. */
    int len = vsnprintf(brief, sizeof brief, format, measured); // NOLINT(clang-analyzer-valist.Uninitialized)
    va_end(measured);
    if (len < 0)
        str->truncated = true;
    if (len > 0 && len < BRIEF) {
        str_add_n(str, brief, (size_t)len);
        return;
    }
    size_t room = len > 0 ? str_reserve(str, (size_t)len) : 0;
    if (room == 0)
        return;
    (void)vsnprintf(str->s + str->len, room + 1, format, args);
    str->len += room;
}

void str_addf(struct str *str, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(str, format, args);
    va_end(args);
}

void str_insert(struct str *str, size_t at, const char *bytes, size_t len) {
    if (at > str->len)
        at = str->len;
    len = str_reserve(str, len);
    if (len == 0)
        return;
    memmove(str->s + at + len, str->s + at, str->len - at + 1);
    memcpy(str->s + at, bytes, len);
    str->len += len;
    str->s[str->len] = '\0';
}

void str_delete(struct str *str, size_t at, size_t len) {
    if (at >= str->len || len == 0)
        return;
    if (len > str->len - at)
        len = str->len - at;
    memmove(str->s + at, str->s + at + len, str->len - at - len + 1);
    str->len -= len;
}

char *str_take(struct str *str) {
    char *text = str->cap ? str->s : mem_dup("");
    str_init(str, str->max);
    return text;
}

bool str_equal(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

int str_order(const char *a, const char *b) {
    return a && b ? strcmp(a, b) : (a == NULL) - (b == NULL);
}

bool str_same_letters(const char *a, const char *b) {
    if (!a || !b)
        return a == b;
    return ascii_compare(a, b) == 0;
}

bool str_starts(const char *text, const char *prefix) {
    return text && prefix && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Counts downwards, as the negative side is the longer one. */
bool str_to_int64(const char *text, size_t len, long long *out) {
    bool minus = len > 0 && text[0] == '-';
    size_t at = minus ? 1 : 0;
    long long value = 0;
    if (at == len)
        return false;
    for (; at < len; at++) {
        if (text[at] < '0' || text[at] > '9')
            return false;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, text[at] - '0', &value))
            return false;
    }
    if (!minus && value == LLONG_MIN)
        return false;
    *out = minus ? value : -value;
    return true;
}
