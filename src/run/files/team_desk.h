#ifndef RUN_TEAM_DESK_H
#define RUN_TEAM_DESK_H
/* The operations of app/team_desk.h over the team's store. */

#include "app/team_desk.h"

extern const struct team_desk team_desk;

#endif
