#include "model/team_report.h"

#include <stdlib.h>

void team_findings_clear(struct team_findings *findings) {
    for (size_t i = 0; i < findings->n; i++)
        free(findings->items[i].text);
    free(findings->items);
    *findings = (struct team_findings){0};
}

void team_members_clear(struct team_members *members) {
    for (size_t i = 0; i < members->n; i++) {
        free(members->items[i].console);
        free(members->items[i].who);
        free(members->items[i].host);
    }
    free(members->items);
    *members = (struct team_members){0};
}

void team_health_clear(struct team_health *health) {
    str_clear(&health->faults);
    *health = (struct team_health){0};
}

void team_status_clear(struct team_status *status) {
    free(status->engine);
    free(status->role);
    *status = (struct team_status){0};
}
