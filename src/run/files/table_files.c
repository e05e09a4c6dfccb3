#include "table_files.h"

#include "store/table_file.h"

const struct table_files table_files = {
    .begin = table_file_begin, .add = table_file_add, .end = table_file_end, .drop = table_file_drop};
