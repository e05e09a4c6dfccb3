#include "transfer.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/proxy.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { CONNECT_TIMEOUT_S = 10, TOTAL_TIMEOUT_S = 60, LOW_SPEED_S = 20, BUFFER_BYTES = 64 * 1024, HEADER_MAX = 16384 };
enum { NO_LIMIT_S = 7 * 24 * 3600, SECOND_MS = 1000 };

struct fixed_option {
    CURLoption option;
    long value;
};

/* Set for every transfer, defaults included where one of the program's promises depends on them. */
static const struct fixed_option common_options[] = {
    {CURLOPT_NOSIGNAL, 1},
    {CURLOPT_QUICK_EXIT, 1},
    {CURLOPT_NETRC, CURL_NETRC_IGNORED},
    {CURLOPT_FOLLOWLOCATION, 0},
    {CURLOPT_DISALLOW_USERNAME_IN_URL, 1},
    {CURLOPT_PATH_AS_IS, 1},
    {CURLOPT_SSL_VERIFYPEER, 1},
    {CURLOPT_SSL_VERIFYHOST, 2},
    {CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2},
    {CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2},
    {CURLOPT_HTTP09_ALLOWED, 0},
    {CURLOPT_SUPPRESS_CONNECT_HEADERS, 1},
    {CURLOPT_HEADEROPT, CURLHEADER_SEPARATE},
    /* libcurl's own limits also count the time in which this program is stopped (Ctrl-Z), and are checked before
     * arrived data is read: an answer that is there would be thrown away. net counts instead. */
    {CURLOPT_TIMEOUT, 0},
    {CURLOPT_CONNECTTIMEOUT, NO_LIMIT_S},
    {CURLOPT_BUFFERSIZE, BUFFER_BYTES},
    {CURLOPT_NOPROGRESS, 1},
};

/* A write: nothing that libcurl could repeat by itself. */
static const struct fixed_option write_options[] = {
    {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1},
    {CURLOPT_FRESH_CONNECT, 1},
    {CURLOPT_FORBID_REUSE, 1},
};

static const struct fixed_option read_options[] = {
    {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS},
};

static bool set_all(CURL *easy, const struct fixed_option *options, size_t n) {
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = curl_easy_setopt(easy, options[i].option, options[i].value) == CURLE_OK && ok;
    return ok;
}

static bool transfer_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

static bool transfer_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

static bool is_write(const struct request *request) {
    return request->write || (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0);
}

static bool is_token(const char *text) {
    static const char marks[] = "!#$%&'*+-.^_`|~";
    for (const char *c = text; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!letter && !strchr(marks, *c))
            return false;
    }
    return *text;
}

static bool is_field_value(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\t') || text[i] == 0x7f)
            return false;
    return true;
}

/* Only net sets headers with credentials or framing: one from a setting could bypass its rules. */
static bool is_reserved(const char *name) {
    static const char *const reserved[] = {"Authorization",  "Proxy-Authorization", "Cookie",     "Host",
                                           "Content-Length", "Transfer-Encoding",   "Connection", "Expect",
                                           "Accept-Encoding"};
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        if (ascii_compare(name, reserved[i]) == 0)
            return true;
    return false;
}

static enum err check_headers(const struct headers *headers, struct error *error) {
    for (size_t i = 0; i < headers->n; i++) {
        const struct header *header = &headers->items[i];
        if (!is_token(header->name) || !is_field_value(header->value, strlen(header->value)))
            return error_set(error, ERR_INVALID, "not sent: the header %s is not valid", header->name);
        if (is_reserved(header->name))
            return error_set(error, ERR_INVALID, "not sent: the header %s is not open to settings", header->name);
    }
    return ERR_OK;
}

static enum err check_bearer(const struct secret *bearer, struct error *error) {
    if (!bearer)
        return ERR_OK;
    const char *text = secret_text(bearer);
    size_t len = secret_len(bearer);
    if (len == 0 || strlen(text) != len || strpbrk(text, " \t") || !is_field_value(text, len))
        return error_set(error, ERR_INVALID, "not sent: the token is empty or holds a blank or a control character");
    return ERR_OK;
}

/* Decides whether a request may go to this place at all, before any name is looked up. */
static enum err transfer_check_place(const struct transfer *transfer, struct error *error) {
    const struct request *request = &transfer->request;
    const struct url *url = &transfer->url;
    bool plain = str_equal(url->scheme, "http");
    if (!plain && !str_equal(url->scheme, "https"))
        return error_set(error, ERR_INVALID, "not sent: %s is neither https nor http", url->scheme);
    if (plain && !url_is_loopback(url))
        return error_set(error, ERR_INVALID, "not sent: plain http goes to this machine only, not to %s", url->host);
    if (url->user)
        return error_set(error, ERR_INVALID, "not sent: credentials do not belong into a URL");
    if ((request->bearer || request->origin) && !str_equal(request->origin, url->origin))
        return error_set(error, ERR_INVALID, "not sent: %s is not where the token belongs (%s)", url->origin,
                         request->origin ? request->origin : "nowhere");
    return ERR_OK;
}

static enum err transfer_check(struct transfer *transfer, bool read_only, struct error *error) {
    const struct request *request = &transfer->request;
    if (read_only && is_write(request))
        return error_set(error, ERR_READ_ONLY, "not sent: this profile is read-only");
    if (!request->url)
        return error_set(error, ERR_INVALID, "not sent: no URL");
    enum err err = url_parse(request->url, &transfer->url, error);
    if (err == ERR_OK)
        err = transfer_check_place(transfer, error);
    if (err == ERR_OK)
        err = check_headers(&request->headers, error);
    if (err == ERR_OK)
        err = check_bearer(request->bearer, error);
    return err;
}

/* The last call of curl before the first byte of the request. A write that comes here a second time is stopped: it
 * would be sent twice. */
static int before_first_byte(void *context, char *peer, char *local, int peer_port, int local_port) {
    struct transfer *transfer = context;
    (void)peer;
    (void)local;
    (void)peer_port;
    (void)local_port;
    if (transfer->reply.sent && is_write(&transfer->request))
        return CURL_PREREQFUNC_ABORT;
    transfer->reply.sent = true;
    return CURL_PREREQFUNC_OK;
}

static bool set_callbacks(struct transfer *transfer) {
    CURL *easy = transfer->easy;
    return curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->curl_text) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_first_byte) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, answer_header) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, answer_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer) == CURLE_OK;
}

static long transfer_or_default(int given, int otherwise) {
    return given > 0 ? given : otherwise;
}

static int64_t transfer_moved(const struct transfer *transfer) {
    curl_off_t down = 0, up = 0;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_SIZE_DOWNLOAD_T, &down);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_SIZE_UPLOAD_T, &up);
    return (int64_t)down + (int64_t)up + (int64_t)transfer->header_bytes;
}

/* Under a byte a second, for so long. */
static bool is_slow(struct transfer *transfer, int64_t limit_ms, int64_t ms) {
    int64_t bytes = transfer_moved(transfer);
    transfer->slow_ms += ms;
    if ((bytes - transfer->slow_from) * SECOND_MS >= transfer->slow_ms) {
        transfer->slow_from = bytes;
        transfer->slow_ms = 0;
    }
    return transfer->slow_ms >= limit_ms;
}

bool transfer_ran(struct transfer *transfer, const struct net_options *options, int64_t ms) {
    int64_t connect = SECOND_MS * transfer_or_default(options->connect_timeout_s, CONNECT_TIMEOUT_S);
    int64_t total = SECOND_MS * transfer_or_default(options->total_timeout_s, TOTAL_TIMEOUT_S);
    int64_t slow = SECOND_MS * transfer_or_default(options->low_speed_s, LOW_SPEED_S);
    transfer->ran_ms += ms;
    return transfer->ran_ms >= total || (!transfer->reply.sent && transfer->ran_ms >= connect) ||
           is_slow(transfer, slow, ms);
}

static bool set_place(struct transfer *transfer) {
    CURL *easy = transfer->easy;
    const struct request *request = &transfer->request;
    transfer->proxy = proxy_choose(&transfer->url);
    bool ok =
        transfer_set_text(easy, CURLOPT_URL, request->url) &&
        transfer_set_text(easy, CURLOPT_PROTOCOLS_STR, str_equal(transfer->url.scheme, "https") ? "https" : "http") &&
        transfer_set_text(easy, CURLOPT_PROXY, transfer->proxy) && transfer_set_text(easy, CURLOPT_NOPROXY, "");
    if (ok && request->ca_file && *request->ca_file)
        ok = transfer_set_text(easy, CURLOPT_CAINFO, request->ca_file) && transfer_set_text(easy, CURLOPT_CAPATH, NULL);
    return ok;
}

/* The body is not copied: it lives as long as the transfer. */
static bool transfer_set_body(struct transfer *transfer) {
    const struct request *request = &transfer->request;
    CURL *easy = transfer->easy;
    if (strcmp(request->method, "HEAD") == 0)
        return transfer_set_long(easy, CURLOPT_NOBODY, 1);
    if (strcmp(request->method, "GET") == 0 && !request->body)
        return transfer_set_long(easy, CURLOPT_HTTPGET, 1);
    return transfer_set_long(easy, CURLOPT_POST, 1) &&
           transfer_set_text(easy, CURLOPT_CUSTOMREQUEST, request->method) &&
           curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_len) == CURLE_OK &&
           transfer_set_text(easy, CURLOPT_POSTFIELDS, request->body ? request->body : "");
}

static bool transfer_add_line(struct transfer *transfer, const char *line) {
    struct curl_slist *longer = curl_slist_append(transfer->header_list, line);
    if (longer)
        transfer->header_list = longer;
    return longer;
}

/* A header without a value is written with a semicolon, or libcurl would leave it out. */
static bool add_given(struct transfer *transfer) {
    const struct headers *headers = &transfer->request.headers;
    bool ok = true;
    for (size_t i = 0; i < headers->n && ok; i++) {
        const struct header *header = &headers->items[i];
        struct str line;
        str_init(&line, HEADER_MAX);
        str_addf(&line, *header->value ? "%s: %s" : "%s;%s", header->name, header->value);
        ok = !line.truncated && transfer_add_line(transfer, line.s);
        str_clear(&line);
    }
    return ok;
}

static bool add_bearer(struct transfer *transfer) {
    static const char prefix[] = "Authorization: Bearer ";
    const struct secret *bearer = transfer->request.bearer;
    if (!bearer)
        return true;
    size_t len = secret_len(bearer), size = sizeof prefix + len;
    char *line = mem_new(size);
    memcpy(line, prefix, sizeof prefix - 1);
    memcpy(line + sizeof prefix - 1, secret_text(bearer), len);
    bool ok = transfer_add_line(transfer, line);
    secret_wipe(line, size);
    free(line);
    return ok;
}

static bool set_headers(struct transfer *transfer, const struct net_options *options) {
    CURL *easy = transfer->easy;
    const char *agent = options->user_agent ? options->user_agent : "bursar/" BURSAR_VERSION;
    bool typed = headers_find(&transfer->request.headers, "Content-Type");
    /* libcurl would add the type of a form, and would wait for a "continue" before a long body. */
    return add_given(transfer) && (typed || transfer_add_line(transfer, "Content-Type:")) &&
           transfer_add_line(transfer, "Expect:") && add_bearer(transfer) &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->header_list) == CURLE_OK &&
           transfer_set_text(easy, CURLOPT_USERAGENT, agent) &&
           transfer_set_text(easy, CURLOPT_ACCEPT_ENCODING, is_write(&transfer->request) ? "identity" : "gzip");
}

static enum err transfer_set_up(struct transfer *transfer, const struct net_options *options, struct error *error) {
    bool write = is_write(&transfer->request);
    bool ok = set_all(transfer->easy, common_options, COUNT_OF(common_options)) &&
              (write ? set_all(transfer->easy, write_options, COUNT_OF(write_options))
                     : set_all(transfer->easy, read_options, COUNT_OF(read_options))) &&
              set_callbacks(transfer) && set_place(transfer) && transfer_set_body(transfer) &&
              set_headers(transfer, options);
    return ok ? ERR_OK : error_set(error, ERR_SYSTEM, "not sent: libcurl of this machine refuses a needed setting");
}

struct transfer *transfer_new(uint64_t ticket, struct request *request, const struct net_options *options) {
    struct transfer *transfer = mem_new(sizeof *transfer);
    transfer->ticket = ticket;
    transfer->request = *request;
    request_init(request);
    transfer->proxy = "";
    reply_init(&transfer->reply);
    str_init(&transfer->body, REPLY_BODY_MAX);
    if (transfer_check(transfer, options->read_only, &transfer->reply.failure) != ERR_OK)
        return transfer;
    transfer->easy = curl_easy_init();
    if (!transfer->easy)
        mem_fatal("out of memory");
    if (transfer_set_up(transfer, options, &transfer->reply.failure) != ERR_OK) {
        curl_easy_cleanup(transfer->easy);
        transfer->easy = NULL;
    }
    return transfer;
}

static void free_headers(struct transfer *transfer) {
    for (struct curl_slist *line = transfer->header_list; line; line = line->next)
        secret_wipe(line->data, strlen(line->data));
    curl_slist_free_all(transfer->header_list);
    transfer->header_list = NULL;
}

void transfer_free(struct transfer *transfer) {
    if (!transfer)
        return;
    curl_easy_cleanup(transfer->easy);
    free_headers(transfer);
    request_clear(&transfer->request);
    url_clear(&transfer->url);
    str_clear(&transfer->body);
    reply_clear(&transfer->reply);
    free(transfer);
}
