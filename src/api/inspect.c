#include "api/inspect.h"

#include "wire/page.h"

void api_inspect_tree(const struct intent *intent, const char *path, struct tree *out) {
    wire_tree_at(intent->raw, intent->raw_len, path, out);
}

void api_inspect_pretty(const struct intent *intent, struct str *out) {
    wire_pretty(out, intent->raw, intent->raw_len);
}

void api_inspect_line(const struct intent *intent, struct str *out) {
    wire_intent_line(out, intent, false);
}

bool api_inspect_served(const struct intent *intent, const char *path, struct str *out) {
    return wire_string_at(intent->raw, intent->raw_len, path, out);
}
