#include "app/team_desk.h"

void team_begun_clear(struct team_begun *begun) {
    str_clear(&begun->key_path);
}
