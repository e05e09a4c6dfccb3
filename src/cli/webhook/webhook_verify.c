#include "webhook.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/output.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { BODY_MAX = 16 << 20, TEXT_MAX = 64 << 10 };

/* "Name: value"; without a name it is the signature itself. The value of base64 may end in '=' but holds no colon. */
static void webhook_verify_add_header(const char *text, struct headers *out) {
    const char *colon = strchr(text, ':');
    if (!colon) {
        headers_add(out, "", text);
        return;
    }
    char *name = mem_dup_n(text, (size_t)(colon - text));
    colon++;
    headers_add(out, name, colon + strspn(colon, " \t"));
    free(name);
}

static void tell_json(const struct webhook_verdict *verdict, struct str *out) {
    bool known = verdict->result <= WEBHOOK_SLIP;
    str_add_char(out, '{');
    wire_add_member(out, "result", webhook_result_name(verdict->result));
    str_add_char(out, ',');
    wire_add_member(out, "scheme", known ? webhook_scheme_name(verdict->scheme) : NULL);
    str_add_char(out, ',');
    wire_add_member(out, "secret_slip", verdict->secret_slip);
    str_add_char(out, ',');
    wire_add_member(out, "body_slip", verdict->body_slip);
    str_addf(out, ",\"seconds_off\":%lld}\n", (long long)verdict->off_s);
}

static enum err webhook_verify_report(struct cli *cli, const struct webhook_verdict *verdict, struct error *error) {
    struct str text;
    str_init(&text, TEXT_MAX);
    if (cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON)
        tell_json(verdict, &text);
    else
        webhook_verdict_tell(verdict, &text);
    enum err err = output_whole(cli->out, &text, ERR_OK, error);
    if (err == ERR_OK && verdict->result != WEBHOOK_VERIFIED)
        err = error_set(error, ERR_CHECK_FAILED, "the signature does not verify as it is");
    return err;
}

enum err cli_webhook_verify(struct cli *cli, struct error *error) {
    const struct args *args = &cli->args;
    struct headers headers = {0};
    struct str body, secret;
    if (!args->body || args->n_headers == 0 || !args->secret_file)
        return error_set(error, ERR_USAGE, "webhook verify needs --body FILE, --header HEADER and --secret-file FILE");
    str_init(&body, BODY_MAX);
    str_init(&secret, WEBHOOK_SECRET_MAX + 16);
    for (size_t i = 0; i < args->n_headers; i++)
        webhook_verify_add_header(args->headers[i], &headers);
    enum err err = path_read(args->body, BODY_MAX, false, &body, error);
    if (err == ERR_OK)
        err = webhook_read_secret(cli, &secret, error);
    if (err == ERR_OK) {
        const struct webhook_received received = {&headers, body.s, body.len};
        struct webhook_verdict verdict;
        webhook_explain(secret.s, secret.len, &received, clock_now(), &verdict);
        err = webhook_verify_report(cli, &verdict, error);
    }
    headers_clear(&headers);
    str_clear(&body);
    secret_clear_str(&secret);
    return err;
}
