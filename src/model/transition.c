#include "model/transition.h"

enum { STATE_OTHER = INTENT_STATUS_COUNT, STATE_NONE };

static unsigned transition_state_of(const char *status) {
    return !status ? STATE_NONE : intent_status_of(status); /* one that is not known is the other */
}

unsigned transition_of(const char *before, const char *after) {
    return transition_state_of(before) * TRANSITION_STATES + transition_state_of(after);
}

unsigned transition_before(unsigned transition) {
    return transition / TRANSITION_STATES;
}

unsigned transition_after(unsigned transition) {
    return transition % TRANSITION_STATES;
}

const char *transition_state_name(unsigned state) {
    return state == STATE_NONE    ? "none"
           : state == STATE_OTHER ? "other"
                                  : intent_status_name((enum intent_status)state);
}

/* INTENT_STATUS_TABLE cannot be expanded within itself: what can come after is written out. */
const char *transition_name(unsigned transition) {
    static const char *const NAMES[TRANSITION_STATES][TRANSITION_STATES] = {
#define TO(before)                                                                  \
    {before "-created",  before "-approved", before "-declined", before "-pending", \
     before "-canceled", before "-other",    before "-none"}
#define X(code, name, letter) [INTENT_##code] = TO(name),
        INTENT_STATUS_TABLE(X)
#undef X
            [STATE_OTHER] = TO("other"),
        [STATE_NONE] = TO("none"),
#undef TO
    };
    return NAMES[transition_before(transition)][transition_after(transition)];
}
