#ifndef MODEL_COUNTRY_TABLE_H
#define MODEL_COUNTRY_TABLE_H
/* The generated tables behind model/country.h, sorted by country code. */

#include "model/country.h"

extern const struct country country_table[];
extern const size_t country_table_n;
extern const struct country_area country_areas_table[];
extern const size_t country_areas_table_n;

#endif
