#include "ui/role.h"

#include <string.h>

static const struct {
    const char *name;
    char letter;
} roles[ROLE_COUNT] = {
#define X(code, name, letter) {name, letter},
    ROLE_TABLE(X)
#undef X
};

const char *role_name(enum role role) {
    return (unsigned)role < ROLE_COUNT ? roles[role].name : "";
}

char role_letter(enum role role) {
    return (unsigned)role < ROLE_COUNT ? roles[role].letter : ' ';
}

int role_find(const char *name) {
    for (int i = 0; i < ROLE_COUNT; i++)
        if (strcmp(roles[i].name, name) == 0)
            return i;
    return -1;
}
