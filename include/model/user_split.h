#ifndef MODEL_USER_SPLIT_H
#define MODEL_USER_SPLIT_H
/* Cuts a whole name or a whole address, pasted as one text, into fields. The result is only proposed and shown: names
 * and addresses follow no grammar. No I/O, any thread. */

#include "model/user.h"

/* "First Last", or "Last, First": the last word is the last name. False where there are not two parts. */
bool user_split_name(const char *text, struct user *out);
/* Lines or pieces between commas: street, then city, area and postal code in any order in use, then perhaps the
 * country. False unless a street and a city were found. Every word of the text ends up in some field. alpha3: the
 * country by three letters. */
bool user_split_address(const char *text, bool alpha3, struct user *out);

#endif
