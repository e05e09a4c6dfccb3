#ifndef BASE_UTF8_H
#define BASE_UTF8_H
/* Text on its way to people. One sanitiser, at the decoding boundary and before every output outside curses; one
 * width function, which measures with libc's wcwidth as ncurses does; graphemes and folding by utf8proc.
 * All lengths are bytes, all widths are terminal cells. */

#include "base/str.h"

#include <stdint.h>

enum {
    UTF8_REPLACEMENT = 0xFFFD,
    UTF8_MARKS_MAX = 8, /* combining marks kept on one base */
};

/* Decodes one code point of s[0..len), len > 0; returns the bytes taken. Malformed bytes give UTF8_REPLACEMENT once per
 * maximal subpart (The Unicode Standard, 3.9). */
size_t utf8_decode(const char *s, size_t len, int32_t *cp);
size_t utf8_encode(int32_t cp, char out[4]);
bool utf8_is_valid(const char *s, size_t len);
size_t utf8_count(const char *s, size_t len); /* code points */

/* Appends s to out so that nothing in it can act on a terminal: C0, DEL, C1, every format character (category Cf),
 * line and paragraph separators, tags, surrogates and unassigned-as-control become a visible token `<1B>`, `<202E>`
 * (upper-case hex, at least two digits); a malformed sequence becomes U+FFFD; marks beyond UTF8_MARKS_MAX on one base
 * are dropped and shown as one `<...>`. Newlines too: the result is one line. Letters of any script stay. A mark with
 * no base before it (it would join the cell left of the field) and a variation selector that asks for another width
 * than wcwidth's become tokens as well. Where out is full it ends at a whole code point or token. */
void utf8_sanitise(struct str *out, const char *s, size_t len);
bool utf8_is_clean(const char *s, size_t len); /* utf8_sanitise would copy it unchanged */

/* Same, for what is read before it is confirmed: where the locale is not UTF-8 a terminal shows `?` for all beyond
 * ASCII, and so each such character is a token too. */
void utf8_reveal(struct str *out, const char *s, size_t len);

/* Same, for text with lines: '\n' stays, "\r\n" counts as '\n'. */
void utf8_sanitise_lines(struct str *out, const char *s, size_t len);

/* Sanitised text for a terminal that is not UTF-8: every non-ASCII code point becomes '?' per cell. */
void utf8_to_ascii(struct str *out, const char *s, size_t len);

/* Whether the locale of LC_CTYPE is UTF-8; setlocale must have been called. */
bool utf8_locale(void);
const char *utf8_charset(void); /* name of that locale's encoding */

/* Some terminals put a row with letters from right to left in another order, and with them the amount that stands
 * behind. Marks of ours (U+200E, no cell wide; the sanitiser lets none of served text pass) fence such text off: before
 * a number, a second blank or one of our separators behind it, and at its end. */
struct utf8_order {
    bool right; /* letters from right to left stand before, and nothing has ended them */
    bool blank;
};
/* Whether a mark is due before cp; at the end one is where order->right still holds. */
bool utf8_order_step(struct utf8_order *order, int32_t cp);
/* Appends clean lines with such marks, one at the beginning of a line that needs any. */
void utf8_fence_lines(struct str *out, const char *s, size_t len);

/* Cells of clean text. */
int utf8_cells(const char *s, size_t len);
/* Whether terminals may take another number of cells for this grapheme than wcwidth says: those that count whole
 * clusters (emoji of several code points, conjuncts, flags), and those with an older or newer table of widths. */
bool utf8_is_doubtful(const char *s, size_t len);
/* The longest prefix of whole graphemes within `cells`; *used gets its cells. */
size_t utf8_cut(const char *s, size_t len, int cells, int *used);
/* Appends exactly `cells` cells: cut with `ellipsis` (may be "") where too long, else padded with spaces. */
void utf8_fit(struct str *out, const char *s, size_t len, int cells, bool right, const char *ellipsis);
/* Appends at most `cells` cells, the end of the text where it is too long: ids tell apart by their ends. */
void utf8_tail(struct str *out, const char *s, size_t len, int cells, const char *ellipsis);
/* The same without a sign: of a mask every cell at the end counts. */
void utf8_last(struct str *out, const char *s, size_t len, int cells);
/* The same with both ends kept, half and half: paths tell apart by where they begin and by the name at their end. */
void utf8_ends(struct str *out, const char *s, size_t len, int cells, const char *ellipsis);

/* What looks like a blank or like nothing: White_Space, Default_Ignorable_Code_Point (The Unicode Standard, PropList
 * and DerivedCoreProperties), the fillers of Hangul and the blank of Braille. The one table of them. */
bool utf8_is_blank(int32_t cp);
/* Of those, what takes no room: it joins, hides or directs, and folds to nothing instead of a space. */
bool utf8_is_invisible(int32_t cp);
/* Byte offset of the first character that is none of them, len where all are; and of the end of the last one, 0. */
size_t utf8_trim_start(const char *s, size_t len);
size_t utf8_trim_end(const char *s, size_t len);
/* Appends s for comparing: runs of blanks as one space, none at the ends, invisible characters gone. */
void utf8_squeeze(struct str *out, const char *s, size_t len);

/* Grapheme boundaries (Unicode TR29, extended): byte offset after the one at `at`, before the one ending at `at`. */
size_t utf8_next(const char *s, size_t len, size_t at);
size_t utf8_prev(const char *s, size_t len, size_t at);

/* NFC, for comparing; and the search form: NFKD, case folded, marks and joiners removed. Both append; invalid input is
 * replaced. */
void utf8_nfc(struct str *out, const char *s, size_t len);
void utf8_fold(struct str *out, const char *s, size_t len);
bool utf8_has_joiner_token(const char *s, size_t len); /* `<200C>` or `<200D>`, which the search form has not */

#endif
