#ifndef WIRE_SCAN_H
#define WIRE_SCAN_H
/* JSON text in one pass, strict by RFC 8259, without recursion: tokens, and above them events of a walk through a
 * value. Faults are named in our own words and never quote the text. What is sound as syntax but not as
 * text (NUL, lone surrogates, invalid UTF-8) is noted, not refused, so that its reader can judge. Borrows the text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_token {
    TOKEN_END,
    TOKEN_BAD,
    TOKEN_OPEN_OBJECT,
    TOKEN_CLOSE_OBJECT,
    TOKEN_OPEN_ARRAY,
    TOKEN_CLOSE_ARRAY,
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_STRING,
    TOKEN_NUMBER,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL
};

struct wire_scan {
    const char *s;
    size_t len, at;
    size_t start;                  /* of the token last read; at is its end */
    const char *fault;             /* with TOKEN_BAD */
    bool plain;                    /* the number last read is an int64 in its usual spelling */
    bool nul, surrogate, bad_utf8; /* met in some string so far */
};

void wire_scan_init(struct wire_scan *scan, const char *s, size_t len); /* steps over a byte-order mark */
enum wire_token wire_scan_next(struct wire_scan *scan);

enum wire_event { WALK_END, WALK_BAD, WALK_KEY, WALK_SCALAR, WALK_OPEN, WALK_CLOSE };

struct wire_walk {
    struct wire_scan scan;
    enum wire_token token; /* of the event: kind of scalar or container */
    size_t start, end;     /* of its text; strings with their quotes */
    int depth;             /* containers open after the event */
    const char *fault;     /* with WALK_BAD; scan.start says where */
    bool limit;            /* the fault is a limit of this program */
    int state;
    uint64_t objects; /* one bit a level: an object */
};

void wire_walk_init(struct wire_walk *walk, const char *s, size_t len);
enum wire_event wire_walk_next(struct wire_walk *walk);
/* After WALK_OPEN: runs to its end. false: damaged on the way. */
bool wire_walk_leave(struct wire_walk *walk);

struct wire_slice {
    const char *s;
    size_t len;
};

/* Raw text of a member by name, at a dotted path ("" is the value itself). false: not there. */
bool wire_find(struct wire_slice value, const char *name, size_t name_len, struct wire_slice *out);
/* The same, but only where the name occurs once, as far as the text can be followed. */
bool wire_find_only(struct wire_slice value, const char *name, struct wire_slice *out);
bool wire_find_path(struct wire_slice value, const char *path, struct wire_slice *out);
/* Raw text of an array's elements, one after another. false: no array; no more. */
bool wire_each_begin(struct wire_walk *walk, struct wire_slice array);
bool wire_each_next(struct wire_walk *walk, struct wire_slice *out);

struct str;
/* Appends what a string token (with its quotes) stands for; a lone surrogate becomes U+FFFD. */
void wire_unescape(struct str *out, const char *token, size_t len);
bool wire_string_is(const char *token, size_t len, const char *name, size_t name_len);

#endif
