#include "app/match_file.h"

#include "base/mem.h"

#include <stdlib.h>

struct match_file_ask *match_file_ask_new(const char *path, const char *map, struct match *match) {
    struct match_file_ask *ask = mem_new(sizeof *ask);
    *ask = (struct match_file_ask){mem_dup(path), map ? mem_dup(map) : NULL, match};
    return ask;
}

void match_file_ask_free(struct match_file_ask *ask) {
    free(ask->path);
    free(ask->map);
    match_free(ask->match);
    free(ask);
}
PAYLOAD_OWNED(match_file_ask, match_file_ask_free);

struct match_file_answer *match_file_answer_new(struct match *match) {
    struct match_file_answer *answer = mem_new(sizeof *answer);
    answer->match = match;
    return answer;
}

void match_file_answer_free(struct match_file_answer *answer) {
    match_free(answer->match);
    free(answer);
}
PAYLOAD_OWNED(match_file_answer, match_file_answer_free);

uint64_t effects_match_file(struct effects *effects, struct match_file_ask *ask) {
    return effects_ask(effects, EFFECT_MATCH_FILE, payload_of(match_file_ask, ask));
}
