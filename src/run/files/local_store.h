#ifndef RUN_LOCAL_STORE_H
#define RUN_LOCAL_STORE_H
/* Implements the operations of app/local_store.h with the store and the disk. */

#include "app/local_store.h"

extern const struct local_store local_store;

#endif
