#ifndef WIRE_PAGE_H
#define WIRE_PAGE_H
/* JSON to model. A string-aware slicer cuts a listing into its skeleton and raw elements; each element is decoded on
 * its own, so that one fault costs one row. No jansson type leaves this layer. Any thread; nothing global. */

#include "model/page.h"
#include "model/tree.h"

/* Where the parts of a listing are: dotted paths, "" for the top level itself. NULL or "" for has_more: there is no
 * such field. Where data is "", a bare array at the top level is read. */
struct wire_shape {
    const char *data, *next, *has_more;
};

enum {
    WIRE_ROWS_MAX = 10000,
    WIRE_DEPTH_MAX = 64,
    WIRE_STRING_MAX = 64 << 10, /* bytes of one string shown; longer ones are cut with a mark, raw stays whole */
    WIRE_CURSOR_MAX = 64 << 10,
};

/* ERR_UNEXPECTED: not a listing (place and our own wording, never document text); ERR_LIMIT names the cap. */
enum err wire_page(const char *body, size_t len, const struct wire_shape *shape, struct page *out,
                   struct error *error) MUST_CHECK;

/* Whether it is a whole URL, or a link with a query, from the root or relative, and not an opaque cursor. */
bool wire_is_link(const char *text);

/* Copies raw. Never fails: a faulty row becomes an intent with `broken` set. */
struct intent *wire_intent(const char *raw, size_t len);

/* The same of a row that wire_intent found sound before, where only some fields are looked at (INTENT_BIT), and the raw
 * text: the others may be absent. Much faster where these stand there plainly, and never anything else. */
struct intent *wire_intent_some(const char *raw, size_t len, uint64_t fields);

/* Rows for display; text that is not valid JSON gives one row with the reason. Repeated names and unreadable text are
 * shown. */
void wire_tree(const char *raw, size_t len, struct tree *out);
/* The same of the member at a dotted path of raw; no rows where it is absent or null. */
void wire_tree_at(const char *raw, size_t len, const char *path, struct tree *out);
/* Appends the string member at a dotted path byte for byte as served; nothing for a terminal. False: there is none. */
bool wire_string_at(const char *raw, size_t len, const char *path, struct str *out);

/* Whitespace outside strings removed, every other byte as served: one line. `escape_controls`: DEL, C1 and format
 * characters become \u escapes (the same JSON value), for terminals. Input must be valid JSON text, else it is copied
 * sanitised. */
void wire_compact(struct str *out, const char *raw, size_t len, bool escape_controls);
/* An intent as one JSON value on one line: as wire_compact; a broken row, which may be no JSON, as an object that has
 * its id where it is known, `broken` with the reason and `raw`, the bytes served as a string (those that are no UTF-8
 * are U+FFFD). Always valid JSON. */
void wire_intent_line(struct str *out, const struct intent *intent, bool escape_controls);
/* Indented by two, one member a line; numbers and strings byte for byte; sanitised for display by escapes. */
void wire_pretty(struct str *out, const char *raw, size_t len);

#endif
