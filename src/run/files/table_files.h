#ifndef RUN_TABLE_FILES_H
#define RUN_TABLE_FILES_H
/* The store's database files of rows, for the command line. */

#include "app/table_files.h"

extern const struct table_files table_files;

#endif
