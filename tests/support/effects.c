#include "support/effects.h"

const struct effect *effects_last(const struct effects *effects, enum effect_kind kind) {
    for (size_t i = effects->n; i > 0; i--)
        if (effects->items[i - 1].kind == kind)
            return &effects->items[i - 1];
    return NULL;
}

size_t effects_count(const struct effects *effects, enum effect_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < effects->n; i++)
        n += effects->items[i].kind == kind;
    return n;
}
