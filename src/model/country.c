#include "model/country.h"

#include "base/str.h"
#include "country_table.h"

#include <string.h>

/* What the tables call things, in words. */
static const struct {
    const char *word, *label;
} LABELS[] = {
    {"state", "State"},        {"province", "Province"},   {"prefecture", "Prefecture"}, {"do_si", "Province/city"},
    {"emirate", "Emirate"},    {"area", "Area"},           {"county", "County"},         {"department", "Department"},
    {"oblast", "Oblast"},      {"parish", "Parish"},       {"island", "Island"},         {"district", "District"},
    {"postal", "Postal code"}, {"zip", "ZIP code"},        {"pin", "PIN code"},          {"eircode", "Eircode"},
    {"city", "City"},          {"post_town", "Post town"}, {"suburb", "Suburb"},
};

const struct country *countries(size_t *n) {
    *n = country_table_n;
    return country_table;
}

const struct country *country_find(const char *code) {
    for (size_t i = 0; code && *code && i < country_table_n; i++)
        if (str_same_letters(country_table[i].alpha2, code) || str_same_letters(country_table[i].alpha3, code))
            return &country_table[i];
    return NULL;
}

/* What people call a country besides its name in the table, and the codes that they write for it. */
static const struct {
    const char *word, *alpha2;
} WORDS[] = {
    {"uk", "GB"},
    {"great britain", "GB"},
    {"britain", "GB"},
    {"england", "GB"},
    {"scotland", "GB"},
    {"wales", "GB"},
    {"northern ireland", "GB"},
    {"usa", "US"},
    {"u.s.", "US"},
    {"u.s.a.", "US"},
    {"america", "US"},
    {"united states of america", "US"},
    {"holland", "NL"},
    {"deutschland", "DE"},
    {"espana", "ES"},
    {"osterreich", "AT"},
    {"schweiz", "CH"},
    {"suisse", "CH"},
    {"svizzera", "CH"},
    {"italia", "IT"},
    {"polska", "PL"},
    {"brasil", "BR"},
    {"sverige", "SE"},
    {"norge", "NO"},
    {"danmark", "DK"},
    {"suomi", "FI"},
    {"hellas", "GR"},
    {"eire", "IE"},
    {"czech republic", "CZ"},
    {"ivory coast", "CI"},
    {"cape verde", "CV"},
    {"swaziland", "SZ"},
    {"burma", "MM"},
    {"macedonia", "MK"},
    {"east timor", "TL"},
    {"vatican", "VA"},
    {"emirates", "AE"},
    {"uae", "AE"},
    {"south korea", "KR"},
    {"korea", "KR"},
    {"north korea", "KP"},
    {"russia", "RU"},
    {"turkey", "TR"},
    {"vietnam", "VN"},
    {"laos", "LA"},
    {"syria", "SY"},
    {"iran", "IR"},
    {"bolivia", "BO"},
    {"venezuela", "VE"},
    {"tanzania", "TZ"},
    {"moldova", "MD"},
    {"brunei", "BN"},
    {"taiwan", "TW"},
    {"congo kinshasa", "CD"},
    {"drc", "CD"},
    {"congo brazzaville", "CG"},
    {"macao", "MO"},
    {"macau", "MO"},
    {"hongkong", "HK"},
    {"persia", "IR"},
    {"st lucia", "LC"},
    {"st. lucia", "LC"},
    {"st kitts", "KN"},
    {"st. kitts", "KN"},
    {"st vincent", "VC"},
    {"st. vincent", "VC"},
    {"st helena", "SH"},
    {"st. helena", "SH"},
    {"st martin", "MF"},
    {"st. martin", "MF"},
};

const char *country_word(const struct country *country, size_t n) {
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(WORDS[i].alpha2, country->alpha2) == 0 && n-- == 0)
            return WORDS[i].word;
    return NULL;
}

const struct country *country_named(const char *name) {
    for (size_t i = 0; name && i < sizeof WORDS / sizeof *WORDS; i++)
        if (str_same_letters(WORDS[i].word, name))
            return country_find(WORDS[i].alpha2);
    for (size_t i = 0; name && i < country_table_n; i++)
        if (str_same_letters(country_table[i].name, name))
            return &country_table[i];
    return NULL;
}

bool country_uses(const struct country *country, char field) {
    return !country || strchr(country->used, field);
}

bool country_requires(const struct country *country, char field) {
    return country && strchr(country->required, field);
}

static const char *label(const char *word, const char *otherwise) {
    for (size_t i = 0; word && i < sizeof LABELS / sizeof *LABELS; i++)
        if (strcmp(LABELS[i].word, word) == 0)
            return LABELS[i].label;
    return otherwise;
}

const char *country_area_label(const struct country *country) {
    return label(country ? country->area_label : NULL, "State/province");
}

const char *country_postal_label(const struct country *country) {
    return label(country ? country->postal_label : NULL, "Postal code");
}

const char *country_locality_label(const struct country *country) {
    return label(country ? country->locality_label : NULL, "City");
}

const struct country_area *country_areas(const struct country *country, size_t *n) {
    const struct country_area *first = NULL;
    *n = 0;
    for (size_t i = 0; country && i < country_areas_table_n; i++) {
        if (strcmp(country_areas_table[i].country, country->alpha2) == 0) {
            first = first ? first : &country_areas_table[i];
            (*n)++;
        }
    }
    return first;
}

const struct country_area *country_area_find(const struct country *country, const char *code) {
    size_t n;
    const struct country_area *areas = country_areas(country, &n);
    for (size_t i = 0; code && i < n; i++)
        if (str_same_letters(areas[i].code, code))
            return &areas[i];
    return NULL;
}

const struct country_area *country_area_named(const struct country *country, const char *name) {
    size_t n;
    const struct country_area *areas = country_areas(country, &n);
    for (size_t i = 0; name && i < n; i++)
        if (str_same_letters(areas[i].name, name))
            return &areas[i];
    return NULL;
}
