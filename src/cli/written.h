#ifndef CLI_WRITTEN_H
#define CLI_WRITTEN_H
/* How a write of the command line ends, whatever it wrote. */

#include "cli/cli.h"

#include "app/write.h"

/* "done", "refused", "unknown", "not_sent". */
const char *written_word(const struct write_result *result);
/* Its number as JSON, `"journal":7` or null. */
void written_add_record(struct str *out, const struct write_result *result);
/* Prints how a write ended and returns the status: an unknown outcome first, then a journal that could not take the
 * outcome, then what the service said. printed: the result of the output before. advice: what to do about an unknown
 * outcome. */
enum err written_end(struct cli *cli, const struct write_result *result, enum err printed, const char *advice,
                     struct error *error) MUST_CHECK;

#endif
