#include "support/tls.h"

#include "support/http.h"

#include "base/clock.h"
#include "base/mem.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 * 1024, LIVE_MAX = 64 };

static const char openssl_conf[] = "[ca]\ndefault_ca = c\n"
                                   "[c]\ndatabase = index.txt\nnew_certs_dir = .\nrand_serial = yes\n"
                                   "default_md = sha256\npolicy = p\nunique_subject = no\n"
                                   "[p]\ncommonName = supplied\n"
                                   "[req]\ndistinguished_name = dn\nprompt = no\n[dn]\n"
                                   "[v3_ca]\nbasicConstraints = critical,CA:TRUE\nkeyUsage = keyCertSign,cRLSign\n"
                                   "subjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n"
                                   "[v3_leaf]\nbasicConstraints = CA:FALSE\nextendedKeyUsage = serverAuth\n"
                                   "subjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n"
                                   "subjectAltName = ${ENV::SAN}\n";

/* sign NAME KEY EXTENSIONS START END CA-OPTIONS... */
static const char script_head[] =
    "set -e\nexport SAN=${SAN:-DNS:none.test}\n"
    "key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }\n"
    "sign() { n=$1 k=$2 x=$3 s=$4 e=$5; shift 5\n"
    " openssl req -new -config conf -key $k.key -subj \"/CN=Test $n\" -out $n.csr\n"
    " openssl ca -batch -notext -config conf -in $n.csr -out $n.crt -extensions $x -startdate $s -enddate $e \"$@\"; "
    "}\n";

static const char script_roots[] =
    "touch index.txt\nfor k in root other inter leaf; do key $k; done\n"
    "sign root root v3_ca 20200101000000Z 20991231000000Z -selfsign -keyfile root.key\n"
    "sign other other v3_ca 20200101000000Z 20991231000000Z -selfsign -keyfile other.key\n"
    "sign inter inter v3_ca 20200101000000Z 20991231000000Z -cert root.crt -keyfile "
    "root.key\n";

static bool run_script(const struct certs *certs, const char *what) {
    struct str text;
    struct proc proc;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "cd '%s'\n%s%s", certs->folder, script_head, what);
    const char *const argv[] = {"/bin/sh", "-c", text.s, NULL};
    bool ok = proc_run(&proc, argv, NULL, PROC_DEADLINE) == 0;
    (void)proc_end(&proc);
    str_clear(&text);
    return ok;
}

static char *path_in(const char *folder, const char *name) {
    struct str path;
    str_init(&path, TEXT_MAX);
    str_addf(&path, "%s/%s", folder, name);
    return str_take(&path);
}

/* A test that fails leaves by a jump: what it started is ended when its program does. */
static pid_t live[LIVE_MAX];

static void end_live(void) {
    for (size_t i = 0; i < LIVE_MAX; i++)
        if (live[i] > 0)
            (void)kill(live[i], SIGKILL);
}

static void replace_live(pid_t old, pid_t new) {
    static bool registered;
    if (!registered)
        registered = atexit(end_live) == 0;
    for (size_t i = 0; i < LIVE_MAX; i++)
        if (live[i] == old) {
            live[i] = new;
            return;
        }
}

bool certs_new(struct certs *certs) {
    certs->folder = proc_folder_new();
    certs->root = path_in(certs->folder, "root.crt");
    char *conf = path_in(certs->folder, "conf");
    bool ok = proc_write_file(conf, openssl_conf) && run_script(certs, script_roots);
    free(conf);
    return ok;
}

void certs_free(struct certs *certs) {
    proc_folder_remove(certs->folder);
    free(certs->root);
    *certs = (struct certs){0};
}

static void add_time(struct str *out, const char *given, int days) {
    struct civil at;
    clock_civil(clock_now() + (int64_t)days * 86400000, &at);
    if (given)
        str_add(out, given);
    else
        str_addf(out, "%04d%02d%02d%02d%02d%02dZ", at.year, at.month, at.day, at.hour, at.minute, at.second);
}

bool certs_leaf(const struct certs *certs, const struct certs_leaf *leaf) {
    static const struct {
        const char *signer, *chain;
    } issuers[] = {
        [CERTS_ROOT] = {"-cert root.crt -keyfile root.key", ""},
        [CERTS_INTERMEDIATE] = {"-cert inter.crt -keyfile inter.key", "inter.crt"},
        [CERTS_INTERMEDIATE_LEFT_OUT] = {"-cert inter.crt -keyfile inter.key", ""},
        [CERTS_OTHER_ROOT] = {"-cert other.crt -keyfile other.key", "other.crt"},
        [CERTS_SELF] = {"-selfsign -keyfile leaf.key", ""},
    };
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "SAN='%s'\nsign %s leaf v3_leaf ", leaf->san, leaf->name);
    add_time(&text, leaf->start, -1);
    str_add_char(&text, ' ');
    add_time(&text, leaf->end, 365);
    str_addf(&text, " %s\ncat /dev/null %s > %s.chain\ncat %s.crt %s.chain > %s.pem\ncp leaf.key %s.key\n",
             issuers[leaf->issuer].signer, issuers[leaf->issuer].chain, leaf->name, leaf->name, leaf->name, leaf->name,
             leaf->name);
    bool ok = run_script(certs, text.s);
    str_clear(&text);
    return ok;
}

/* s_server names the port that it got, in a line written at once. */
static int accepted_port(struct tls_server *server) {
    static const char words[] = "ACCEPT 127.0.0.1:";
    if (!proc_expect(&server->proc, words, PROC_DEADLINE))
        return 0;
    return (int)strtol(strstr(server->proc.out.s, words) + strlen(words), NULL, 10);
}

static char *leaf_path(const struct certs *certs, const char *leaf, const char *ending) {
    struct str path;
    str_init(&path, TEXT_MAX);
    str_addf(&path, "%s/%s.%s", certs->folder, leaf, ending);
    return str_take(&path);
}

bool tls_server_start(struct tls_server *server, const struct certs *certs, const char *leaf,
                      const char *const args[]) {
    char *cert = leaf_path(certs, leaf, "crt"), *key = leaf_path(certs, leaf, "key");
    char *chain = leaf_path(certs, leaf, "chain"), *issuers = proc_read_file(chain);
    const char *argv[32] = {"/usr/bin/env", "openssl", "s_server", "-accept", "127.0.0.1:0",
                            "-cert",        cert,      "-key",     key};
    size_t n = 9;
    if (issuers && *issuers) {
        argv[n++] = "-cert_chain";
        argv[n++] = chain;
    }
    for (; args && *args && n + 1 < COUNT_OF(argv); args++)
        argv[n++] = *args;
    *server = (struct tls_server){0};
    if (proc_start(&server->proc, argv, NULL)) {
        replace_live(0, server->proc.pid);
        server->port = accepted_port(server);
    }
    free(cert);
    free(key);
    free(chain);
    free(issuers);
    return server->port > 0;
}

void tls_server_stop(struct tls_server *server) {
    replace_live(server->proc.pid, 0);
    (void)proc_end(&server->proc);
    server->port = 0;
}

bool nginx_is_there(void) {
    struct proc proc;
    const char *const argv[] = {"/bin/sh", "-c", "command -v nginx || test -x /usr/sbin/nginx", NULL};
    bool there = proc_run(&proc, argv, NULL, PROC_DEADLINE) == 0;
    (void)proc_end(&proc);
    return there;
}

static bool wait_until_open(int port) {
    int64_t end = clock_mono() + PROC_DEADLINE;
    while (clock_mono() < end) {
        struct http_conn conn;
        if (http_open(&conn, port)) {
            http_close(&conn);
            return true;
        }
        (void)poll(NULL, 0, 5);
    }
    return false;
}

static void add_nginx_conf(const struct nginx *nginx, const struct certs *certs, const char *leaf, const char *listen,
                           struct str *out) {
    str_addf(out,
             "daemon off;\nmaster_process off;\nworker_processes 1;\npid %s/pid;\nerror_log %s/error.log;\n"
             "events {}\nhttp {\naccess_log %s/access.log;\n"
             "client_body_temp_path %s/a;\nproxy_temp_path %s/b;\nfastcgi_temp_path %s/c;\nuwsgi_temp_path %s/d;\n"
             "scgi_temp_path %s/e;\nserver {\n",
             nginx->folder, nginx->folder, nginx->folder, nginx->folder, nginx->folder, nginx->folder, nginx->folder,
             nginx->folder);
    str_addf(out, "listen 127.0.0.1:%d %s;\nssl_certificate %s/%s.pem;\nssl_certificate_key %s/%s.key;\n", nginx->port,
             listen, certs->folder, leaf, certs->folder, leaf);
}

bool nginx_start(struct nginx *nginx, const struct certs *certs, const char *leaf, const char *listen,
                 const char *locations) {
    *nginx = (struct nginx){.folder = proc_folder_new(), .port = http_free_port()};
    char *path = path_in(nginx->folder, "conf");
    struct str conf;
    str_init(&conf, TEXT_MAX);
    add_nginx_conf(nginx, certs, leaf, listen, &conf);
    str_add(&conf, locations);
    str_add(&conf, "\n}\n}\n");
    const char *const argv[] = {"/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/bin", "nginx", "-c", path, NULL};
    bool ok = proc_write_file(path, conf.s) && proc_start(&nginx->proc, argv, NULL);
    if (ok) {
        replace_live(0, nginx->proc.pid);
        ok = wait_until_open(nginx->port);
    }
    str_clear(&conf);
    free(path);
    return ok;
}

void nginx_stop(struct nginx *nginx) {
    replace_live(nginx->proc.pid, 0);
    (void)proc_end(&nginx->proc);
    proc_folder_remove(nginx->folder);
    *nginx = (struct nginx){0};
}

bool certs_new_faulty(struct certs *certs, const char *good, const char *elsewhere) {
    const struct certs_leaf leaves[] = {
        {.name = "good", .san = good, .issuer = CERTS_INTERMEDIATE},
        {.name = "name", .san = elsewhere},
        {.name = "expired", .san = "DNS:localhost", .start = "20200101000000Z", .end = "20210203040506Z"},
        {.name = "future", .san = "DNS:localhost", .start = "20900101000000Z", .end = "20910101000000Z"},
        {.name = "self", .san = "DNS:localhost", .issuer = CERTS_SELF},
        {.name = "foreign", .san = "DNS:localhost", .issuer = CERTS_OTHER_ROOT},
        {.name = "short", .san = "DNS:localhost", .issuer = CERTS_INTERMEDIATE_LEFT_OUT},
    };
    bool ok = certs_new(certs);
    for (size_t i = 0; ok && i < COUNT_OF(leaves); i++)
        ok = certs_leaf(certs, &leaves[i]);
    return ok;
}
