#ifndef SUPPORT_TLS_H
#define SUPPORT_TLS_H
/* Certificates and TLS servers made per run, on loopback, with the openssl and nginx programs. One thread. */

#include "support/proc.h"

struct certs {
    char *folder; /* holds root.crt, other.crt, inter.crt and NAME.pem, NAME.key of each leaf */
    char *root;   /* path of the trusted root's certificate */
};

enum certs_issuer {
    CERTS_ROOT,         /* the leaf alone */
    CERTS_INTERMEDIATE, /* leaf and intermediate */
    CERTS_INTERMEDIATE_LEFT_OUT,
    CERTS_OTHER_ROOT, /* leaf and a root that nobody trusts */
    CERTS_SELF
};

struct certs_leaf {
    const char *name; /* of the files */
    const char *san;  /* as openssl writes it: "DNS:localhost,IP:127.0.0.1" */
    enum certs_issuer issuer;
    const char *start, *end; /* YYYYMMDDHHMMSSZ; NULL: a year from yesterday */
};

bool certs_new(struct certs *certs); /* false: the openssl program is not there or refuses */
void certs_free(struct certs *certs);
bool certs_leaf(const struct certs *certs, const struct certs_leaf *leaf);

/* A leaf of each kind: "good" for the names in `good`, "name" for those in `elsewhere`, and for localhost "expired"
 * (2020-01-01 to 2021-02-03 04:05:06), "future", "self", "foreign" and "short", which lacks its intermediate. false: as
 * certs_new. */
bool certs_new_faulty(struct certs *certs, const char *good, const char *elsewhere);

struct tls_server {
    struct proc proc;
    int port;
};
/* openssl s_server with the named leaf; `args` (NULL-ended, may be NULL) come after: "-www", "-tls1_1" ... */
bool tls_server_start(struct tls_server *server, const struct certs *certs, const char *leaf, const char *const args[]);
void tls_server_stop(struct tls_server *server);

/* nginx with one TLS server: `listen` is what follows the address ("ssl http2"), `locations` its server block. */
struct nginx {
    struct proc proc;
    char *folder;
    int port;
};
bool nginx_is_there(void);
bool nginx_start(struct nginx *nginx, const struct certs *certs, const char *leaf, const char *listen,
                 const char *locations);
void nginx_stop(struct nginx *nginx);

#endif
