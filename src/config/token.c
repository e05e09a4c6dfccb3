#include "base/command.h"
#include "config/profile.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

/* A file is read into memory that is not moved below this size, so that no copy of a token is left behind. */
enum { TOKEN_MAX = 16 << 10 };

void config_token_source(const struct profile *profile, struct str *out) {
    if (profile->token_command.n > 0)
        str_addf(out, "command %s", profile->token_command.items[0]);
    else if (profile->token_file && profile->token_file[0])
        str_addf(out, "file %s", profile->token_file);
    else if (profile->token_env && profile->token_env[0])
        str_addf(out, "variable %s", profile->token_env);
    else
        str_add(out, "no source");
}

static const char *token_fault(const char *bytes, size_t len) {
    if (len == 0)
        return "is empty";
    if (len > TOKEN_MAX)
        return "is longer than 16 KB";
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n' || c == '\r')
            return "is more than one line";
        if (c == ' ' || c == '\t')
            return "holds a blank";
        if (c < ' ' || c > '~')
            return "holds a control character or one outside ASCII";
    }
    return NULL;
}

/* No message quotes the value. */
static enum err token_make_token(const struct profile *profile, const char *bytes, size_t len, struct secret **out,
                                 struct error *error) {
    if (len > 0 && bytes[len - 1] == '\n')
        len--;
    if (len > 0 && bytes[len - 1] == '\r')
        len--;
    const char *fault = token_fault(bytes, len);
    if (!fault) {
        *out = secret_new(bytes, len);
        return ERR_OK;
    }
    struct str source;
    str_init(&source, 4096);
    config_token_source(profile, &source);
    enum err err = error_set(error, ERR_CONFIG, "the token of profile %s from %s %s", profile->name, source.s, fault);
    str_clear(&source);
    return err;
}

static enum err no_token(const struct profile *profile, const struct error *fault, struct error *error) {
    return error_set(error, ERR_CONFIG, "the token of profile %s: %s", profile->name, fault->text);
}

static enum err from_command(const struct profile *profile, struct secret **out, struct str *said,
                             struct error *error) {
    struct command_output *output = mem_new(sizeof *output);
    struct error fault = {0};
    const struct string_list *names = &profile->token_command_env;
    enum err err =
        command_run_with(profile->token_command.items, names->items, names->n, COMMAND_TIMEOUT_MS, output, &fault);
    if (err == ERR_OK)
        err = token_make_token(profile, output->bytes, output->len, out, error);
    else
        err = error_set(error, ERR_CONFIG,
                        "the token of profile %s: %s. It gets no variables but HOME, PATH and the few that bursar help "
                        "configuration lists; token_command_env = {'NAME'} passes more",
                        profile->name, fault.text);
    if (said)
        str_add(said, output->said);
    secret_wipe(output, sizeof *output);
    free(output);
    return err;
}

/* A secret that a container platform mounts is a link, or readable by all, on purpose. */
static enum err no_file(const struct profile *profile, const struct error *fault, struct error *error) {
    if (strstr(fault->text, "is a link") || strstr(fault->text, "open to other users") ||
        strstr(fault->text, "belongs to another user"))
        return error_set(error, ERR_CONFIG,
                         "the token of profile %s: %s. For a secret that is mounted so: token_command = {'cat', '%s'}",
                         profile->name, fault->text, profile->token_file);
    return no_token(profile, fault, error);
}

enum err config_token_look(const struct profile *profile, struct error *error) {
    struct secret *token = NULL;
    if (profile->token_command.n > 0)
        return command_find_program(profile->token_command.items[0], error);
    if (!profile->token_file || !profile->token_file[0])
        return ERR_OK; /* another shell may set the variable */
    enum err err = config_token(profile, &token, error);
    secret_free(token);
    return err;
}

static enum err from_file(const struct profile *profile, struct secret **out, struct error *error) {
    struct str text;
    str_init(&text, TOKEN_MAX + 2);
    str_add_repeat(&text, ' ', TOKEN_MAX + 2);
    str_reset(&text);
    struct error fault = {0};
    enum err err = path_read(profile->token_file, TOKEN_MAX + 2, true, &text, &fault);
    if (err == ERR_OK)
        err = token_make_token(profile, text.s, text.len, out, error);
    else
        err = no_file(profile, &fault, error);
    secret_clear_str(&text);
    return err;
}

/* Overwritten in place, since /proc shows that memory of this process. */
static enum err from_variable(const struct profile *profile, struct secret **out, struct error *error) {
    char *value = getenv(profile->token_env);
    if (!value)
        return error_set(error, ERR_CONFIG, "the token of profile %s: variable %s is not set", profile->name,
                         profile->token_env);
    enum err err = token_make_token(profile, value, strlen(value), out, error);
    secret_wipe(value, strlen(value));
    (void)unsetenv(profile->token_env);
    return err;
}

enum err config_token(const struct profile *profile, struct secret **out, struct error *error) {
    return config_token_heard(profile, out, NULL, error);
}

enum err config_token_heard(const struct profile *profile, struct secret **out, struct str *said, struct error *error) {
    *out = NULL;
    if (profile->token_command.n > 0)
        return from_command(profile, out, said, error);
    if (profile->token_file && profile->token_file[0])
        return from_file(profile, out, error);
    if (profile->token_env && profile->token_env[0])
        return from_variable(profile, out, error);
    return error_set(error, ERR_CONFIG, "profile %s names no source of its token", profile->name);
}
