#ifndef APP_REGISTER_PLACE_H
#define APP_REGISTER_PLACE_H
/* Which field of a user the place in an error of the service is. */

/* An enum user_field, or -1; place may be NULL. */
int register_field_at(const char *place);

#endif
