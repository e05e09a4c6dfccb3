#include "base/command.h"
#include "config/profile.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PASSWORD_MAX = 1024 };

/* No message quotes the value. */
static enum err password_of(const struct command_output *output, struct secret **out, struct error *error) {
    size_t len = output->len;
    if (len > 0 && output->bytes[len - 1] == '\n')
        len--;
    if (len > 0 && output->bytes[len - 1] == '\r')
        len--;
    if (len == 0 || len > PASSWORD_MAX || memchr(output->bytes, '\n', len) || memchr(output->bytes, '\0', len))
        return error_set(error, ERR_CONFIG, "team_password_command printed no password of one line");
    *out = secret_new(output->bytes, len);
    return ERR_OK;
}

enum err config_team_password(const struct profile *profile, struct secret **out, struct error *error) {
    *out = NULL;
    if (profile->team_password_command.n == 0)
        return ERR_OK;
    struct command_output *output = mem_new(sizeof *output);
    struct error fault = {0};
    enum err err = command_run(profile->team_password_command.items, COMMAND_TIMEOUT_MS, output, &fault);
    if (err == ERR_OK)
        err = password_of(output, out, error);
    else
        err = error_set(error, ERR_CONFIG, "team_password_command: %s", fault.text);
    secret_wipe(output, sizeof *output);
    free(output);
    return err;
}
