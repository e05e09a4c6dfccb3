#include "app/inspect.h"

#include "api/inspect.h"

void inspect_tree(const struct intent *intent, const char *path, struct tree *out) {
    api_inspect_tree(intent, path, out);
}

void inspect_json(const struct intent *intent, struct str *out) {
    api_inspect_pretty(intent, out);
}

bool inspect_served(const struct intent *intent, const char *path, struct str *out) {
    return api_inspect_served(intent, path, out);
}
