#include "ui/fuzzy.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

enum {
    WORD_MAX = 64,
    FOLDED_MAX = 1024,
    FITS_START = 100, /* the name begins so */
    FITS_WORD = 80,   /* one of its words does */
    FITS_INITIALS = 70,
    FITS_PART = 60,
    FITS_OTHER = 40, /* another word for it */
    FITS_TEXT = 30,
    FITS_LETTERS = 10,
};

static bool is_word_start(const char *name, size_t at) {
    return at == 0 || !ascii_is_word((unsigned char)name[at - 1]);
}

/* The letters in order, each beside the one before or at the start of a word: "ss" and "sosec" for sort-second. */
static bool has_initials(const char *name, const char *word) {
    size_t at = 0;
    bool beside = false;
    for (; *word && name[at]; at++) {
        bool here = name[at] == *word && (beside || is_word_start(name, at));
        word += here;
        beside = here;
    }
    return *word == '\0';
}

static bool has_letters(const char *name, const char *word) {
    for (; *word && *name; name++)
        word += *name == *word;
    return *word == '\0';
}

static bool fuzzy_has_word(const char *text, const char *word) {
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if (is_word_start(text, (size_t)(at - text)))
            return true;
    return false;
}

static int score_name(const char *name, const char *word) {
    const char *found = strstr(name, word);
    if (found == name)
        return FITS_START;
    if (fuzzy_has_word(name, word))
        return FITS_WORD;
    return has_initials(name, word) ? FITS_INITIALS : found ? FITS_PART : has_letters(name, word) ? FITS_LETTERS : 0;
}

/* Folded. */
struct fuzzy_texts {
    struct str name, text, words;
};

static int score_word(const struct fuzzy_texts *of, const char *word) {
    int score = score_name(of->name.s, word);
    if (score < FITS_OTHER && fuzzy_has_word(of->words.s, word))
        return FITS_OTHER;
    return score < FITS_TEXT && fuzzy_has_word(of->text.s, word) ? FITS_TEXT : score;
}

static void fuzzy_fold(struct str *out, const char *text) {
    str_init(out, FOLDED_MAX);
    if (text)
        utf8_fold(out, text, strlen(text));
}

int fuzzy_score(const char *name, const char *text, const char *words, const char *needle) {
    struct fuzzy_texts of;
    int sum = 1;
    fuzzy_fold(&of.name, name);
    fuzzy_fold(&of.text, text);
    fuzzy_fold(&of.words, words);
    for (needle += strspn(needle, " "); *needle && sum > 0; needle += strspn(needle, " ")) {
        char word[WORD_MAX];
        size_t len = strcspn(needle, " "), kept = len < WORD_MAX ? len : WORD_MAX - 1;
        memcpy(word, needle, kept);
        word[kept] = '\0';
        int score = score_word(&of, word);
        sum = score > 0 ? sum + score : 0;
        needle += len;
    }
    str_clear(&of.name);
    str_clear(&of.text);
    str_clear(&of.words);
    return sum;
}
