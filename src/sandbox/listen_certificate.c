#include "base/clock.h"
#include "base/path.h"
#include "listen.h"

#include "base/secret.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <unistd.h>

enum { PEM_MAX = 1 << 16, PATH_BYTES = 4096, DAYS = 365, DAY_S = 86400, SPARE_DAYS = 7, SERIAL_BYTES = 16 };

struct pair {
    gnutls_x509_crt_t certificate;
    gnutls_x509_privkey_t key;
};

static enum err listen_certificate_failed(int code, struct error *error) {
    return error_set(error, ERR_SYSTEM, "the certificate could not be made: %s", gnutls_strerror(code));
}

static void pair_clear(struct pair *pair) {
    if (pair->certificate)
        gnutls_x509_crt_deinit(pair->certificate);
    if (pair->key)
        gnutls_x509_privkey_deinit(pair->key);
    *pair = (struct pair){0};
}

/* ---- making ---- */

static int set_life(gnutls_x509_crt_t certificate, const char *name) {
    unsigned char serial[SERIAL_BYTES];
    time_t now = (time_t)(clock_now() / 1000);
    secret_random(serial, sizeof serial);
    serial[0] = (unsigned char)((serial[0] & 0x7F) | 1); /* positive, and no leading zero */
    int code = gnutls_x509_crt_set_version(certificate, 3);
    code = code < 0 ? code : gnutls_x509_crt_set_serial(certificate, serial, sizeof serial);
    code = code < 0 ? code : gnutls_x509_crt_set_activation_time(certificate, now - DAY_S);
    code = code < 0 ? code : gnutls_x509_crt_set_expiration_time(certificate, now + (time_t)DAYS * DAY_S);
    return code < 0 ? code : gnutls_x509_crt_set_dn(certificate, name, NULL);
}

static int listen_certificate_make(struct pair *out, const char *name) {
    int code = gnutls_x509_privkey_init(&out->key);
    unsigned curve = GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
    code = code < 0 ? code : gnutls_x509_privkey_generate(out->key, GNUTLS_PK_ECDSA, curve, 0);
    code = code < 0 ? code : gnutls_x509_crt_init(&out->certificate);
    code = code < 0 ? code : set_life(out->certificate, name);
    return code < 0 ? code : gnutls_x509_crt_set_key(out->certificate, out->key);
}

static int set_identifiers(const struct pair *pair, const struct pair *issuer) {
    unsigned char id[64];
    size_t len = sizeof id;
    int code = gnutls_x509_crt_get_key_id(pair->certificate, 0, id, &len);
    code = code < 0 ? code : gnutls_x509_crt_set_subject_key_id(pair->certificate, id, len);
    len = sizeof id;
    code = code < 0 ? code : gnutls_x509_crt_get_key_id(issuer->certificate, 0, id, &len);
    return code < 0 ? code : gnutls_x509_crt_set_authority_key_id(pair->certificate, id, len);
}

static int make_root(struct pair *out) {
    int code = listen_certificate_make(out, "CN=bursar-sandbox listener root");
    code = code < 0 ? code : gnutls_x509_crt_set_basic_constraints(out->certificate, 1, 0);
    code = code < 0 ? code : gnutls_x509_crt_set_key_usage(out->certificate, GNUTLS_KEY_KEY_CERT_SIGN);
    code = code < 0 ? code : set_identifiers(out, out);
    return code < 0 ? code : gnutls_x509_crt_sign2(out->certificate, out->certificate, out->key, GNUTLS_DIG_SHA256, 0);
}

static int set_names(gnutls_x509_crt_t certificate) {
    static const unsigned char four[4] = {127, 0, 0, 1};
    static const unsigned char six[16] = {[15] = 1};
    int code = gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_DNSNAME, "localhost", 9, GNUTLS_FSAN_SET);
    code = code < 0 ? code
                    : gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_IPADDRESS, four, sizeof four,
                                                           GNUTLS_FSAN_APPEND);
    return code < 0 ? code
                    : gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_IPADDRESS, six, sizeof six,
                                                           GNUTLS_FSAN_APPEND);
}

static int make_leaf(struct pair *out, const struct pair *root) {
    int code = listen_certificate_make(out, "CN=localhost");
    code = code < 0 ? code : set_names(out->certificate);
    code = code < 0 ? code : gnutls_x509_crt_set_basic_constraints(out->certificate, 0, -1);
    code = code < 0 ? code : gnutls_x509_crt_set_key_usage(out->certificate, GNUTLS_KEY_DIGITAL_SIGNATURE);
    code = code < 0 ? code : gnutls_x509_crt_set_key_purpose_oid(out->certificate, GNUTLS_KP_TLS_WWW_SERVER, 0);
    code = code < 0 ? code : set_identifiers(out, root);
    return code < 0 ? code
                    : gnutls_x509_crt_sign2(out->certificate, root->certificate, root->key, GNUTLS_DIG_SHA256, 0);
}

/* ---- files ---- */

static void path_of(const char *folder, const char *name, struct str *out) {
    str_init(out, PATH_BYTES);
    str_addf(out, "%s/%s", folder, name);
}

static enum err listen_certificate_save(const char *folder, const char *name, const gnutls_datum_t *pem,
                                        struct error *error) {
    struct str path;
    path_of(folder, name, &path);
    enum err err = path_replace(path.s, (const char *)pem->data, pem->size, error);
    str_clear(&path);
    return err;
}

static enum err save_certificate(const char *folder, const char *name, gnutls_x509_crt_t certificate,
                                 struct error *error) {
    gnutls_datum_t pem = {0};
    int code = gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &pem);
    enum err err =
        code < 0 ? listen_certificate_failed(code, error) : listen_certificate_save(folder, name, &pem, error);
    gnutls_free(pem.data);
    return err;
}

static enum err save_key(const char *folder, gnutls_x509_privkey_t key, struct error *error) {
    gnutls_datum_t pem = {0};
    int code = gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN, &pem);
    enum err err =
        code < 0 ? listen_certificate_failed(code, error) : listen_certificate_save(folder, "server.key", &pem, error);
    if (pem.data)
        secret_wipe(pem.data, pem.size);
    gnutls_free(pem.data);
    return err;
}

/* The root's key is not stored, so that nobody can sign with it afterwards. */
static enum err make_all(const char *folder, struct error *error) {
    struct pair root = {0};
    struct pair leaf = {0};
    int code = make_root(&root);
    code = code < 0 ? code : make_leaf(&leaf, &root);
    enum err err = code < 0 ? listen_certificate_failed(code, error) : save_key(folder, leaf.key, error);
    if (err == ERR_OK)
        err = save_certificate(folder, "server.pem", leaf.certificate, error);
    if (err == ERR_OK)
        err = save_certificate(folder, "ca.pem", root.certificate, error);
    pair_clear(&root);
    pair_clear(&leaf);
    return err;
}

static enum err listen_certificate_load(const char *folder, const char *name, struct str *out, struct error *error) {
    struct str path;
    path_of(folder, name, &path);
    str_reset(out);
    enum err err = path_read(path.s, PEM_MAX, true, out, error);
    str_clear(&path);
    return err;
}

static bool is_fresh(const struct str *pem) {
    const gnutls_datum_t text = {.data = (unsigned char *)pem->s, .size = (unsigned)pem->len};
    gnutls_x509_crt_t certificate = NULL;
    if (gnutls_x509_crt_init(&certificate) < 0)
        return false;
    time_t now = (time_t)(clock_now() / 1000);
    bool fresh = gnutls_x509_crt_import(certificate, &text, GNUTLS_X509_FMT_PEM) >= 0 &&
                 gnutls_x509_crt_get_expiration_time(certificate) > now + (time_t)SPARE_DAYS * DAY_S;
    gnutls_x509_crt_deinit(certificate);
    return fresh;
}

static bool is_there(const char *folder, struct str *certificate, struct str *key) {
    struct str root;
    str_init(&root, PEM_MAX);
    bool there = listen_certificate_load(folder, "ca.pem", &root, NULL) == ERR_OK &&
                 listen_certificate_load(folder, "server.pem", certificate, NULL) == ERR_OK &&
                 listen_certificate_load(folder, "server.key", key, NULL) == ERR_OK && is_fresh(certificate);
    str_clear(&root);
    return there;
}

enum err listen_certificate(const char *folder, struct str *certificate, struct str *key, struct error *error) {
    enum err err = path_make_private(folder, error);
    if (err != ERR_OK || is_there(folder, certificate, key))
        return err;
    err = make_all(folder, error);
    if (err == ERR_OK)
        err = listen_certificate_load(folder, "server.pem", certificate, error);
    return err != ERR_OK ? err : listen_certificate_load(folder, "server.key", key, error);
}
