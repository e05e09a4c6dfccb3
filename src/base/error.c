#include "base/error.h"

#include "base/secret.h"
#include "base/str.h"
#include "base/utf8.h"

#include <string.h>

/* The formatted text is kept whole until it is redacted: a cut in the middle of a secret would hide it from the search.
 */
enum { RAW_MAX = 64 * 1024 };

static const struct {
    const char *name, *sentence;
    int exit_status;
} table[ERR_COUNT] = {
#define X(code, name, sentence, exit) {name, sentence, exit},
    ERR_TABLE(X)
#undef X
};

static enum err error_known(enum err err) {
    return (unsigned)err < ERR_COUNT ? err : ERR_SYSTEM;
}

const char *err_name(enum err err) {
    return table[error_known(err)].name;
}

const char *err_sentence(enum err err) {
    return table[error_known(err)].sentence;
}

int err_exit(enum err err) {
    return table[error_known(err)].exit_status;
}

void error_clear(struct error *error) {
    if (!error)
        return;
    error->code = ERR_OK;
    error->text[0] = '\0';
}

/* raw is consumed. Redaction comes first: the sanitiser would change a secret and so hide it. */
static void error_set_text(struct error *error, struct str *raw) {
    struct str clean;
    str_init(&clean, ERROR_TEXT_MAX - 1);
    secret_redact(raw);
    utf8_sanitise(&clean, raw->s, raw->len);
    memcpy(error->text, clean.s, clean.len + 1);
    str_clear(&clean);
    str_clear(raw);
}

enum err error_vset(struct error *error, enum err err, const char *format, va_list args) {
    if (!error || error->code != ERR_OK || err == ERR_OK)
        return err;
    struct str raw;
    str_init(&raw, RAW_MAX);
    str_vaddf(&raw, format, args);
    error->code = err;
    error_set_text(error, &raw);
    return err;
}

enum err error_set(struct error *error, enum err err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    error_vset(error, err, format, args);
    va_end(args);
    return err;
}

void error_prefix(struct error *error, const char *context) {
    if (!error || error->code == ERR_OK)
        return;
    struct str raw;
    str_init(&raw, RAW_MAX);
    str_add(&raw, context);
    str_add(&raw, ": ");
    str_add(&raw, error->text);
    error_set_text(error, &raw);
}
