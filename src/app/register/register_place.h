#ifndef APP_REGISTER_PLACE_H
#define APP_REGISTER_PLACE_H
/* The field of a user that the service means in an error. */

/* An enum user_field, or -1; place may be NULL. */
int register_field_at(const char *place);

#endif
