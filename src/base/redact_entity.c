#include "redact_entity.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <string.h>

/* Of no letter with an accent; in small letters, as case is not compared. */
static const struct {
    char name[ENTITY_NAME_MAX + 1];
    int32_t cp;
} names[] = {
    {"amp", '&'},      {"lt", '<'},      {"gt", '>'},       {"quot", '"'},     {"apos", '\''},    {"plus", '+'},
    {"commat", '@'},   {"period", '.'},  {"comma", ','},    {"hyphen", '-'},   {"dash", '-'},     {"lowbar", '_'},
    {"sol", '/'},      {"bsol", '\\'},   {"colon", ':'},    {"semi", ';'},     {"num", '#'},      {"percnt", '%'},
    {"lpar", '('},     {"rpar", ')'},    {"lsqb", '['},     {"rsqb", ']'},     {"lbrack", '['},   {"rbrack", ']'},
    {"excl", '!'},     {"quest", '?'},   {"equals", '='},   {"ast", '*'},      {"dollar", '$'},   {"tab", '\t'},
    {"newline", '\n'}, {"ndash", '-'},   {"mdash", '-'},    {"lsquo", '\''},   {"rsquo", '\''},   {"ldquo", '"'},
    {"rdquo", '"'},    {"nbsp", ' '},    {"ensp", ' '},     {"emsp", ' '},     {"thinsp", ' '},   {"iexcl", 0xA1},
    {"cent", 0xA2},    {"pound", 0xA3},  {"curren", 0xA4},  {"yen", 0xA5},     {"brvbar", 0xA6},  {"sect", 0xA7},
    {"uml", 0xA8},     {"copy", 0xA9},   {"ordf", 0xAA},    {"laquo", 0xAB},   {"not", 0xAC},     {"shy", 0xAD},
    {"reg", 0xAE},     {"macr", 0xAF},   {"deg", 0xB0},     {"plusmn", 0xB1},  {"sup2", 0xB2},    {"sup3", 0xB3},
    {"acute", 0xB4},   {"micro", 0xB5},  {"para", 0xB6},    {"middot", 0xB7},  {"cedil", 0xB8},   {"sup1", 0xB9},
    {"ordm", 0xBA},    {"raquo", 0xBB},  {"frac14", 0xBC},  {"frac12", 0xBD},  {"frac34", 0xBE},  {"iquest", 0xBF},
    {"times", 0xD7},   {"divide", 0xF7}, {"aelig", 0xE6},   {"eth", 0xF0},     {"oslash", 0xF8},  {"thorn", 0xFE},
    {"szlig", 0xDF},   {"oelig", 0x153}, {"lstrok", 0x142}, {"dstrok", 0x111}, {"inodot", 0x131}, {"imath", 0x131},
    {"zwnj", 0x200C},  {"zwj", 0x200D},
};

/* a-z with one of these behind it: auml, ccaron. */
static const char *const accents[] = {"grave", "acute", "circ",  "tilde", "uml", "ring", "cedil",
                                      "caron", "breve", "dblac", "ogon",  "dot", "macr"};

static bool redact_entity_is(const char *name, size_t len, const char *of) {
    return strlen(of) == len && ascii_compare_n(name, of, len) == 0;
}

bool entity_find(const char *name, size_t len, int32_t *cp) {
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (redact_entity_is(name, len, names[i].name)) {
            *cp = names[i].cp;
            return true;
        }
    for (size_t i = 0; i < COUNT_OF(accents); i++)
        if (len > 1 && redact_entity_is(name + 1, len - 1, accents[i])) {
            *cp = (unsigned char)*name;
            return true;
        }
    return false;
}
