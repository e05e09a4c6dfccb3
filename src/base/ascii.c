#include "base/ascii.h"

#include <stdint.h>
#include <string.h>

char ascii_lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

char ascii_upper(char c) {
    return (char)(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
}

bool ascii_is_upper(int c) {
    return c >= 'A' && c <= 'Z';
}

bool ascii_is_letter(int c) {
    return ascii_is_upper(c) || (c >= 'a' && c <= 'z');
}

bool ascii_is_digit(int c) {
    return c >= '0' && c <= '9';
}

bool ascii_is_word(int c) {
    return ascii_is_letter(c) || ascii_is_digit(c);
}

bool ascii_is_blank(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t ascii_digits(const char *text) {
    size_t n = 0;
    while (ascii_is_digit((unsigned char)text[n]))
        n++;
    return n;
}

int ascii_compare_n(const char *a, const char *b, size_t len) {
    for (size_t i = 0; i < len; i++) {
        int difference = (unsigned char)ascii_lower(a[i]) - (unsigned char)ascii_lower(b[i]);
        if (difference != 0 || a[i] == '\0')
            return difference;
    }
    return 0;
}

int ascii_compare(const char *a, const char *b) {
    return ascii_compare_n(a, b, SIZE_MAX);
}

const char *ascii_find(const char *text, const char *part) {
    for (size_t len = strlen(part);; text++) {
        if (ascii_compare_n(text, part, len) == 0)
            return text;
        if (*text == '\0')
            return NULL;
    }
}
