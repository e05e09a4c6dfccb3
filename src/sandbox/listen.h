#ifndef SANDBOX_LISTEN_H
#define SANDBOX_LISTEN_H
/* The receiving end of a webhook, for trying things on one machine: an HTTPS server on loopback with a certificate that
 * it makes itself, which prints each event as it comes with the verdict of every known signature scheme. Main thread.
 */

#include "model/webhook.h"
#include "net/receiver.h"

struct listen_options {
    bool help, quiet;
    long long port;
    const char *tls_dir, *port_file;
    const char *secret_file; /* read anew for each event, so that a new secret holds at once; NULL: none */
    const char *ndjson;      /* NULL: none */
    const char *save;        /* folder for bodies; NULL: none */
    long long fail_every;    /* each n-th request is answered 500; 0: none */
};

/* argv[1] is "listen". ERR_USAGE with what is wrong. */
enum err listen_options_read(int argc, char **argv, struct listen_options *out, struct error *error) MUST_CHECK;
void listen_options_help(struct str *out);
void listen_options_describe(void (*entry)(void *context, const char *name, const char *shape, const char *help),
                             void *context);

/* Runs until a signal ends it. */
enum err listen_run(const struct listen_options *options, struct error *error) MUST_CHECK;

/* A root and a certificate for localhost, 127.0.0.1 and ::1 in the folder (ca.pem, server.pem, server.key), made where
 * they are absent or about to expire. The certificate and key as PEM. */
enum err listen_certificate(const char *folder, struct str *certificate, struct str *key,
                            struct error *error) MUST_CHECK;

/* One event as it came, told and kept. */
struct listen_book;
enum err listen_book_open(const struct listen_options *options, struct listen_book **out,
                          struct error *error) MUST_CHECK;
void listen_book_free(struct listen_book *book);

/* Written and flushed when it returns; gives the status to answer with. One thread at a time. */
int listen_book_take(void *book, const struct received_request *request);

#endif
