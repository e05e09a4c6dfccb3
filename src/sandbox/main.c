#include "base/secret.h"
#include "serve.h"

#include <stdio.h>

static int say(const char *text) {
    return fputs(text, stdout) < 0 || fflush(stdout) != 0 ? err_exit(ERR_FILE) : 0;
}

static int help(void) {
    struct str text;
    str_init(&text, 1 << 16);
    options_help(&text);
    int status = say(text.s);
    str_clear(&text);
    return status;
}

int main(int argc, char **argv) {
    struct options options;
    struct error error = {0};
    int status = 0;
    enum err err = options_read(argc, argv, &options, &error);
    if (err == ERR_OK && options.act == OPTIONS_HELP) {
        status = help();
    } else if (err == ERR_OK && options.act == OPTIONS_VERSION) {
        status = say("bursar-sandbox " BURSAR_VERSION "\n");
    } else if (err == ERR_OK) {
        err = secret_init(&error);
        err = err != ERR_OK ? err : serve_run(&options, &error);
    }
    if (err != ERR_OK) {
        (void)fprintf(stderr, "bursar-sandbox: %s\n", error.text);
        status = err_exit(err);
    }
    options_clear(&options);
    return status;
}
