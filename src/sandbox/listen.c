#include "listen.h"

#include "base/out.h"
#include "base/secret.h"
#include "files.h"
#include "net/receiver.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EVENT_MAX = 4 << 20, IDLE_SECONDS = 60, PEM_MAX = 1 << 16 };

static enum err listen_start(const struct listen_options *options, struct listen_book *book, struct receiver **out,
                             struct error *error) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)options->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct receiver_options receiver = {
        .body_max = EVENT_MAX, .idle_s = IDLE_SECONDS, .take = listen_book_take, .context = book};
    struct str certificate;
    struct str key;
    memcpy(&receiver.address, &address, sizeof address);
    str_init(&certificate, PEM_MAX);
    str_init(&key, PEM_MAX);
    enum err err = listen_certificate(options->tls_dir, &certificate, &key, error);
    receiver.certificate = certificate.s;
    receiver.key = key.s;
    if (err == ERR_OK)
        err = receiver_start(&receiver, out, error);
    str_clear(&certificate);
    secret_clear_str(&key);
    return err;
}

static enum err serve(const struct listen_options *options, const struct receiver *receiver, const sigset_t *ends,
                      struct error *error) {
    int port = receiver_port(receiver);
    int got = 0;
    if (options->port_file) {
        enum err err = files_write_port(options->port_file, port, error);
        if (err != ERR_OK)
            return err;
    }
    out_say(stdout, "listening on https://localhost:%d/, to be trusted with %s/ca.pem\n", port, options->tls_dir);
    (void)sigwait(ends, &got);
    if (options->port_file)
        (void)remove(options->port_file);
    return ERR_OK;
}

enum err listen_run(const struct listen_options *options, struct error *error) {
    struct listen_book *book = NULL;
    struct receiver *receiver = NULL;
    sigset_t ends;
    files_block_signals(&ends);
    enum err err = listen_book_open(options, &book, error);
    if (err == ERR_OK)
        err = listen_start(options, book, &receiver, error);
    if (err == ERR_OK)
        err = serve(options, receiver, &ends, error);
    receiver_stop(receiver);
    listen_book_free(book);
    return err;
}
