#ifndef MODEL_COUNTRY_H
#define MODEL_COUNTRY_H
/* Which address fields a region uses, and how it calls them. Only ever warned from, never blocked:
 * the region table of libaddressinput (June 2025, CC-BY 4.0) and iso-codes 4.15 say what is usual, the service decides.
 * Constant tables. */

#include <stdbool.h>
#include <stddef.h>

struct country {
    const char *alpha2, *alpha3; /* alpha3 "" where there is none */
    const char *name;
    const char *used,
        *required; /* letters: A street, C locality, S area, Z postal code; used: as addresses are written */
    const char *area_label, *postal_label, *locality_label; /* "" where unused */
    const char *postal_example;
    const char *calling; /* digits that phone numbers begin with after the +; shared by several regions: 1, 7, 44 */
};
struct country_area {
    const char *country, *code, *name;
};

const struct country *countries(size_t *n);
const struct country *country_find(const char *code); /* alpha-2 or alpha-3, case ignored; NULL: none */
/* Other words for it ("uk", "holland"), one after the other in small letters; NULL after the last. */
const char *country_word(const struct country *country, size_t n);
/* By such a word or by its name; NULL: none. Only to propose a country, never to choose one. */
const struct country *country_named(const char *name);
bool country_uses(const struct country *country, char field);
bool country_requires(const struct country *country, char field);
/* Labels as shown; a country that is not known (NULL) gets the usual words. */
const char *country_area_label(const struct country *country);
const char *country_postal_label(const struct country *country);
const char *country_locality_label(const struct country *country);
/* Subdivisions to choose from; NULL where the table lists none. */
const struct country_area *country_areas(const struct country *country, size_t *n);
const struct country_area *country_area_find(const struct country *country, const char *code);
const struct country_area *country_area_named(const struct country *country, const char *name); /* its full name */
#define COUNTRY_TABLE_DATE "June 2025" /* of the region table */

#endif
