#include "cli/cli.h"

#include "base/path.h"
#include "base/secret.h"
#include "base/signals.h"

#include <string.h>
#include <unistd.h>

enum err cli_read_input(const char *path, struct str *out, const char *after, struct error *error) {
    if (strcmp(path, "-") != 0)
        return path_read(path, out->max, false, out, error);
    char bytes[4096];
    ssize_t n;
    while ((n = signals_input(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        str_add_n(out, bytes, (size_t)n);
    secret_wipe(bytes, sizeof bytes);
    if (signals_input_ended())
        return error_set(error, ERR_CANCELLED, "interrupted%s", after);
    return n < 0 ? error_set(error, ERR_FILE, "standard input could not be read%s", after) : ERR_OK;
}
