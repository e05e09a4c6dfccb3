#ifndef APP_TEAM_DESK_H
#define APP_TEAM_DESK_H
/* The team's store, for commands without a screen: one const table of operations, which run fills; a command asks and
 * prints, and sees no database. Each opens what it needs and closes it. Main thread. */

#include "config/profile.h"
#include "model/outcome.h"
#include "model/team_report.h"

struct team_begun {
    struct str key_path;
    bool key_made, there; /* the tables were there already */
};

struct team_desk {
    /* begun: to be cleared whatever this returns. */
    enum err (*init)(const struct profile *profile, struct team_begun *begun, struct error *error);
    enum err (*print_sql)(const struct profile *profile, struct team_begun *begun, struct str *out,
                          struct error *error);
    enum err (*check)(const struct profile *profile, struct team_findings *out, struct error *error);
    enum err (*status)(const struct profile *profile, struct team_status *out, struct error *error);
    enum err (*members)(const struct profile *profile, struct team_members *out, struct error *error);
    /* Also whether the store has every record of this machine. */
    enum err (*verify)(const struct profile *profile, struct team_health *out, struct error *error);
    enum err (*list)(const struct profile *profile, const struct team_list *list, struct outcome_records *out,
                     struct error *error);
    /* The operator's word on an unknown record of anybody; id: its first characters. Appends the record. */
    enum err (*resolve)(const struct profile *profile, const char *id, enum outcome outcome, const char *note,
                        struct outcome_records *out, struct error *error);
    /* Tells the store what this machine knows and it does not. */
    enum err (*tell)(const struct profile *profile, struct error *error);
    /* Appends what colleagues said of records of this machine to their events. */
    enum err (*add_words)(const struct profile *profile, struct outcome_records *records, struct error *error);
};
void team_begun_clear(struct team_begun *begun);

#endif
