#include "base/utf8.h"

#include "utf8_scan.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* What stands before the code point being judged. */
struct base {
    int width;      /* cells of the base, 0: there is none to carry a mark */
    int marks;      /* marks already on it */
    int32_t letter; /* the base itself */
    bool overflow;  /* `<...>` already stands for the marks beyond the limit */
    bool virama;    /* the last mark is a virama: the next consonant may join it, as a joiner asks */
    bool joins;     /* an Arabic letter that joins the next */
};

enum verdict { KEEP, TOKEN, REPLACE, TOO_MANY, DROP };

enum { VIRAMA = 9 }; /* the combining class */

static bool utf8_sanitise_is_plain(char c) {
    return c >= 0x20 && c < 0x7F;
}

static bool is_mark(utf8proc_category_t category, int width) {
    return width == 0 || category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
           category == UTF8PROC_CATEGORY_ME;
}

/* A variation selector that asks for another width than wcwidth gives: terminals that obey it would shift the rest of
 * the row. */
static bool changes_width(int32_t cp, int width) {
    return (cp == 0xFE0F && width == 1) || (cp == 0xFE0E && width == 2);
}

/* A mark without a base would join the cell left of the field, so it is shown as a token too. */
static enum verdict judge_mark(int32_t cp, int width, struct base *base) {
    if (base->width == 0 || (base->marks == 0 && changes_width(cp, base->width)))
        return TOKEN;
    if (base->marks >= UTF8_MARKS_MAX) {
        bool first = !base->overflow;
        base->overflow = true;
        return first ? TOO_MANY : DROP;
    }
    base->marks++;
    if (width > 0)
        base->width = base->width > width ? base->width : width;
    base->virama = utf8proc_get_property(cp)->combining_class == VIRAMA;
    return KEEP;
}

enum { NON_JOINER = 0x200C, JOINER = 0x200D };

static bool utf8_sanitise_is_within(int32_t cp, const int32_t (*ranges)[2], size_t n) {
    bool found = false;
    for (size_t i = 0; i < n && !found; i++)
        found = cp >= ranges[i][0] && cp <= ranges[i][1];
    return found;
}

static bool is_arabic(int32_t cp) {
    static const int32_t LETTERS[][2] = {{0x0620, 0x064A}, {0x066E, 0x066F}, {0x0671, 0x06D3}, {0x06FA, 0x06FC},
                                         {0x06FF, 0x06FF}, {0x0750, 0x077F}, {0x08A0, 0x08B4}};
    return utf8_sanitise_is_within(cp, LETTERS, sizeof LETTERS / sizeof *LETTERS);
}

/* Arabic letters that never join the letter after them: no non-joiner is needed there. */
static bool joins_next(int32_t cp) {
    static const int32_t NEVER[][2] = {
        {0x0621, 0x0625}, {0x0627, 0x0627}, {0x0629, 0x0629}, {0x062F, 0x0632}, {0x0640, 0x0640}, {0x0648, 0x0648},
        {0x0671, 0x0677}, {0x0688, 0x0699}, {0x06C0, 0x06C0}, {0x06C3, 0x06CB}, {0x06CD, 0x06CD}, {0x06CF, 0x06CF},
        {0x06D2, 0x06D3}, {0x0759, 0x075B}, {0x076B, 0x076C}, {0x0771, 0x0771}, {0x0773, 0x0774}, {0x0778, 0x0779},
        {0x08AA, 0x08AC}, {0x08AE, 0x08AE}, {0x08B1, 0x08B2}};
    return is_arabic(cp) && !utf8_sanitise_is_within(cp, NEVER, sizeof NEVER / sizeof *NEVER);
}

static bool is_letter(int32_t cp) {
    return utf8proc_category(cp) == UTF8PROC_CATEGORY_LO;
}

/* A Malayalam letter with virama and joiner is a letter of its own that ends a syllable (chillu), as it was written
 * before Unicode 5.1. */
static bool is_chillu(const struct base *base) {
    enum { KA = 0x0D15, NNA = 0x0D23, NA = 0x0D28, RA = 0x0D30, LA = 0x0D32, LLA = 0x0D33 };
    const int32_t letter = base->letter;
    return base->virama &&
           (letter == KA || letter == NNA || letter == NA || letter == RA || letter == LA || letter == LLA);
}

/* A joiner before the virama keeps a letter whole that would else take the form it has in front of the next one: ra
 * before ya in Bengali and Assamese, ra in Kannada, touching letters in Sinhala. */
static bool keeps_letter(const struct base *base, int32_t virama, const char *rest, size_t len) {
    static const struct {
        int32_t first, last, virama;
    } LETTERS[] = {
        {0x09B0, 0x09B0, 0x09CD}, {0x09F0, 0x09F0, 0x09CD}, {0x0CB0, 0x0CB0, 0x0CCD}, {0x0D9A, 0x0DC6, 0x0DCA}};
    int32_t next = 0;
    size_t taken;
    bool written = false;
    for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS; i++)
        written = written ||
                  (base->letter >= LETTERS[i].first && base->letter <= LETTERS[i].last && virama == LETTERS[i].virama);
    return written && base->marks == 0 && len > 0 && utf8_step(rest, len, &next, &taken) && is_letter(next);
}

/* U+200C and U+200D are spelling after a virama, the latter also before one, and the former also between two Arabic
 * letters that would join. Everywhere else they are invisible, and are shown as tokens. What stands after them is
 * looked at too. */
static bool is_spelling(int32_t cp, const struct base *base, const char *rest, size_t len) {
    int32_t follows = 0;
    size_t taken = 0;
    if (cp != NON_JOINER && cp != JOINER)
        return false;
    if (len == 0 || !utf8_step(rest, len, &follows, &taken))
        return len == 0 && cp == JOINER && is_chillu(base);
    if (cp == JOINER && keeps_letter(base, follows, rest + taken, len - taken))
        return true;
    if (utf8_width(follows) <= 0)
        return false;
    if (cp == JOINER && is_chillu(base) && !is_mark(utf8proc_category(follows), utf8_width(follows)))
        return true;
    if (base->virama)
        return is_letter(follows);
    return cp == NON_JOINER && base->joins && is_arabic(follows) && follows != 0x0621 && follows != 0x0640;
}

static enum verdict utf8_sanitise_judge(int32_t cp, struct base *base) {
    utf8proc_category_t category = utf8proc_category(cp);
    int width = utf8_width(cp);
    if (width < 0 || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
        category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP)
        return TOKEN;
    if (is_mark(category, width))
        return judge_mark(cp, width, base);
    *base = (struct base){.width = width, .letter = cp, .joins = joins_next(cp)};
    return KEEP;
}

/* All or nothing: half a sequence would be malformed. */
static void utf8_sanitise_put(struct str *out, const char *bytes, size_t len) {
    if (out->truncated || len > out->max - out->len)
        out->truncated = true;
    else
        str_add_n(out, bytes, len);
}

static void put_token(struct str *out, int32_t cp) {
    char token[16];
    int n = snprintf(token, sizeof token, "<%02X>", (unsigned)cp);
    utf8_sanitise_put(out, token, (size_t)n);
}

static void utf8_sanitise_put_plain(struct str *out, const char *s, size_t len) {
    size_t room = out->max - out->len;
    if (!out->truncated)
        str_add_n(out, s, len < room ? len : room);
    if (len > room)
        out->truncated = true;
}

static size_t utf8_sanitise_plain_run(const char *s, size_t len) {
    size_t n = 0;
    while (n < len && utf8_sanitise_is_plain(s[n]))
        n++;
    return n;
}

static enum verdict utf8_sanitise_next(const char *s, size_t len, struct base *base, int32_t *cp, size_t *taken) {
    if (utf8_step(s, len, cp, taken)) {
        if (!is_spelling(*cp, base, s + *taken, len - *taken))
            return utf8_sanitise_judge(*cp, base);
        base->virama = base->joins = false;
        return judge_mark(*cp, 0, base);
    }
    *base = (struct base){.width = 1};
    return REPLACE;
}

static void put_verdict(struct str *out, enum verdict verdict, int32_t cp, const char *s, size_t taken) {
    switch (verdict) {
    case KEEP:
        utf8_sanitise_put(out, s, taken);
        break;
    case TOKEN:
        put_token(out, cp);
        break;
    case REPLACE:
        utf8_sanitise_put(out, "\xEF\xBF\xBD", 3);
        break;
    case TOO_MANY:
        utf8_sanitise_put(out, "<...>", 5);
        break;
    case DROP:
        break;
    }
}

static void sanitise(struct str *out, const char *s, size_t len) {
    struct base base = {0};
    int32_t cp;
    for (size_t at = 0, taken; at < len && !out->truncated; at += taken) {
        taken = utf8_sanitise_plain_run(s + at, len - at);
        if (taken > 0) {
            utf8_sanitise_put_plain(out, s + at, taken);
            base = (struct base){.width = 1};
            continue;
        }
        enum verdict verdict = utf8_sanitise_next(s + at, len - at, &base, &cp, &taken);
        put_verdict(out, verdict, cp, s + at, taken);
        if (verdict == TOKEN)
            base = (struct base){.width = 1};
    }
}

void utf8_sanitise(struct str *out, const char *s, size_t len) {
    sanitise(out, s, len);
}

void utf8_reveal(struct str *out, const char *s, size_t len) {
    if (utf8_locale()) {
        sanitise(out, s, len);
        return;
    }
    for (size_t at = 0, taken; at < len && !out->truncated; at += taken) {
        int32_t cp;
        bool valid = utf8_step(s + at, len - at, &cp, &taken);
        if (valid && cp >= 0x20 && cp < 0x7F)
            utf8_sanitise_put(out, s + at, taken);
        else
            put_token(out, cp);
    }
}

bool utf8_is_clean(const char *s, size_t len) {
    struct base base = {0};
    int32_t cp;
    for (size_t at = 0, taken; at < len; at += taken) {
        taken = utf8_sanitise_plain_run(s + at, len - at);
        if (taken > 0)
            base = (struct base){.width = 1};
        else if (utf8_sanitise_next(s + at, len - at, &base, &cp, &taken) != KEEP)
            return false;
    }
    return true;
}

void utf8_sanitise_lines(struct str *out, const char *s, size_t len) {
    while (len > 0 && !out->truncated) {
        const char *end = memchr(s, '\n', len);
        size_t line = end ? (size_t)(end - s) : len;
        size_t used = end ? line + 1 : line;
        if (end && line > 0 && s[line - 1] == '\r')
            line--;
        sanitise(out, s, line);
        if (end)
            utf8_sanitise_put(out, "\n", 1);
        s += used;
        len -= used;
    }
}

/* ASCII forms of what the screens use and people type; any other character only keeps its width. */
static const struct {
    int32_t first, last;
    char c;
} ascii[] = {
    {0x00A0, 0x00A0, ' '}, {0x00B7, 0x00B7, '.'}, {0x00D7, 0x00D7, 'x'}, {0x2010, 0x2015, '-'}, {0x2018, 0x2019, '\''},
    {0x201C, 0x201D, '"'}, {0x2022, 0x2022, '*'}, {0x2026, 0x2026, '~'}, {0x2190, 0x2190, '<'}, {0x2191, 0x2191, '^'},
    {0x2192, 0x2192, '>'}, {0x2193, 0x2193, 'v'}, {0x2194, 0x2194, '-'}, {0x2212, 0x2212, '-'}, {0x2500, 0x2501, '-'},
    {0x2502, 0x2503, '|'}, {0x2504, 0x2505, '-'}, {0x2506, 0x2507, '|'}, {0x2508, 0x2509, '-'}, {0x250A, 0x250B, '|'},
    {0x250C, 0x254B, '+'}, {0x254C, 0x254D, '-'}, {0x254E, 0x254F, '|'}, {0x2550, 0x2550, '-'}, {0x2551, 0x2551, '|'},
    {0x2552, 0x2570, '+'}, {0x2580, 0x2590, '#'}, {0x2591, 0x2591, '.'}, {0x2592, 0x2593, '#'}, {0x25A0, 0x25A0, '#'},
    {0x25B2, 0x25B4, '^'}, {0x25B6, 0x25B8, '>'}, {0x25BC, 0x25BE, 'v'}, {0x25C0, 0x25C2, '<'}, {0x25C6, 0x25C6, '*'},
    {0x25CB, 0x25CB, 'o'}, {0x25CF, 0x25CF, '*'}, {0x2713, 0x2714, '+'}, {0x2717, 0x2718, 'x'},
};

static char near_form(int32_t cp) {
    for (size_t i = 0; i < sizeof ascii / sizeof *ascii; i++)
        if (cp >= ascii[i].first && cp <= ascii[i].last)
            return ascii[i].c;
    return '?';
}

void utf8_to_ascii(struct str *out, const char *s, size_t len) {
    int32_t cp;
    for (size_t at = 0, taken; at < len; at += taken) {
        taken = utf8_sanitise_plain_run(s + at, len - at);
        if (taken > 0) {
            str_add_n(out, s + at, taken);
            continue;
        }
        taken = utf8_decode(s + at, len - at, &cp);
        int width = utf8_width(cp);
        if (cp == '\n')
            str_add_char(out, '\n');
        else
            str_add_repeat(out, near_form(cp), width < 0 ? 1 : (size_t)width);
    }
}
