#include "base/out.h"
#include "base/secret.h"
#include "base/start.h"
#include "listen.h"
#include "serve.h"

#include <stdio.h>
#include <string.h>

static int sandbox_main_say(const char *text) {
    return out_data(stdout, text, strlen(text)) && out_flush(stdout) ? 0 : err_exit(ERR_FILE);
}

static int help(void (*add)(struct str *out)) {
    struct str text;
    str_init(&text, 1 << 16);
    add(&text);
    int status = sandbox_main_say(text.s);
    str_clear(&text);
    return status;
}

static int sandbox_main_end(enum err err, const struct error *error) {
    if (err != ERR_OK)
        out_say(stderr, "bursar-sandbox: %s\n", error->text);
    return err_exit(err);
}

static int run_listen(int argc, char **argv) {
    struct listen_options options;
    struct error error = {0};
    enum err err = listen_options_read(argc, argv, &options, &error);
    if (err == ERR_OK && options.help)
        return help(listen_options_help);
    if (err == ERR_OK)
        err = secret_init(&error);
    return sandbox_main_end(err != ERR_OK ? err : listen_run(&options, &error), &error);
}

static int run_serve(int argc, char **argv) {
    struct options options;
    struct error error = {0};
    int status = 0;
    enum err err = options_read(argc, argv, &options, &error);
    if (err == ERR_OK && options.act == OPTIONS_HELP) {
        status = help(options_help);
    } else if (err == ERR_OK && options.act == OPTIONS_VERSION) {
        status = sandbox_main_say("bursar-sandbox " BURSAR_VERSION "\n");
    } else {
        err = err != ERR_OK ? err : secret_init(&error);
        status = sandbox_main_end(err != ERR_OK ? err : serve_run(&options, &error), &error);
    }
    options_clear(&options);
    return status;
}

int main(int argc, char **argv) {
    start_process(NULL);
    return argc > 1 && strcmp(argv[1], "listen") == 0 ? run_listen(argc, argv) : run_serve(argc, argv);
}
