#ifndef RUN_TEAM_AWAY_H
#define RUN_TEAM_AWAY_H
/* Writes that were recorded while the team's store was away, a file a profile, a line each: the record's name and its
 * digests under the team's key. Nothing personal. The file goes when all is merged. Several programs may use it. */

#include "base/str.h"

/* On the disk when it returns ERR_OK. folder NULL: the state folder. */
enum err team_away_add(const char *folder, const char *profile, const char *name, const char *prints,
                       struct error *error) MUST_CHECK;
typedef enum err team_away_fn(void *context, const char *name, const char *prints, bool *merged, struct error *error);
/* Hands each over; those that are merged leave the file. */
enum err team_away_each(const char *folder, const char *profile, team_away_fn *merge, void *context,
                        struct error *error) MUST_CHECK;
/* Takes a line back, of a write that was not sent after all. */
enum err team_away_drop(const char *folder, const char *profile, const char *name, struct error *error) MUST_CHECK;

#endif
