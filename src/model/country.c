#include "model/country.h"

#include "country_table.h"

#include <string.h>
#include <strings.h>

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
    for (size_t i = 0; code && *code && i < country_table_n; i++) {
        if (strcasecmp(country_table[i].alpha2, code) == 0 || strcasecmp(country_table[i].alpha3, code) == 0) {
            return &country_table[i];
        }
    }
    return NULL;
}

bool country_uses(const struct country *country, char field) {
    return !country || strchr(country->used, field) != NULL;
}

bool country_requires(const struct country *country, char field) {
    return country && strchr(country->required, field) != NULL;
}

static const char *label(const char *word, const char *otherwise) {
    for (size_t i = 0; word && i < sizeof LABELS / sizeof *LABELS; i++) {
        if (strcmp(LABELS[i].word, word) == 0) {
            return LABELS[i].label;
        }
    }
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
    for (size_t i = 0; code && i < n; i++) {
        if (strcasecmp(areas[i].code, code) == 0) {
            return &areas[i];
        }
    }
    return NULL;
}

const struct country_area *country_area_named(const struct country *country, const char *name) {
    size_t n;
    const struct country_area *areas = country_areas(country, &n);
    for (size_t i = 0; name && i < n; i++) {
        if (strcasecmp(areas[i].name, name) == 0) {
            return &areas[i];
        }
    }
    return NULL;
}
