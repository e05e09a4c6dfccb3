#ifndef MODEL_TEAM_REPORT_H
#define MODEL_TEAM_REPORT_H
/* What is told of a team's store. Text in it is harmless on a terminal. */

#include "base/str.h"

#include <stdint.h>

/* One thing that `team check` looked at. */
struct team_finding {
    const char *name;
    enum team_verdict { TEAM_GOOD, TEAM_NOTICE, TEAM_BAD } verdict;
    char *text; /* what was found, and where it is wanting what to do */
};
struct team_findings {
    struct team_finding *items;
    size_t n, cap;
};
void team_findings_clear(struct team_findings *findings);

/* Which records of the team are asked for: newest first, of all homes (own: of this one too), from `since` on. */
struct team_list {
    int64_t since;
    bool own;
    int outcome; /* -1: any */
    size_t limit;
    size_t look_max; /* after how many records it ends, whether they were wanted or not; 0: none */
};

struct team_members {
    struct team_member {
        char *console, *who, *host;
        int64_t first, last, records;
    } * items;
    size_t n, cap;
};
void team_members_clear(struct team_members *members);

/* Every record's link with the one before it from the same console. */
struct team_health {
    int64_t consoles, entries; /* that are sound */
    struct str faults;         /* lines */
    size_t n_faults;
};
void team_health_clear(struct team_health *health);

struct team_status {
    char *engine, *role;
    int64_t records, open;
};
void team_status_clear(struct team_status *status);

#endif
