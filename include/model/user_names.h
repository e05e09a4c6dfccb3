#ifndef MODEL_USER_NAMES_H
#define MODEL_USER_NAMES_H
/* What people and services call the fields of a user beside their paths: headings of tables, places of errors. */

#include "model/user.h"

/* One text a field, of USER_FIELD_COUNT: lower-case letters and digits only, with a blank between two names; each is of
 * one field only. */
const char *const *user_usual_names(void);

#endif
