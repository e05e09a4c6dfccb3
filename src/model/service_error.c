#include "model/service_error.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char ID_MARK[] = "request id ";

void service_error_init(struct service_error *error) {
    *error = (struct service_error){0};
}

void service_error_clear(struct service_error *error) {
    for (size_t i = 0; i < error->n; i++) {
        free(error->items[i].place);
        free(error->items[i].text);
    }
    free(error->items);
    free(error->text);
    free(error->code);
    free(error->request_id);
    service_error_init(error);
}

static void line_item(struct str *out, const struct service_error_place *item, bool first, bool alone) {
    if (!alone)
        str_add(out, first && item->place ? " " : "; ");
    if (item->place)
        str_addf(out, item->text ? "at %s: " : "at %s", item->place);
    if (item->text)
        str_add(out, item->text);
}

void service_error_line(const struct service_error *error, struct str *out) {
    size_t start = out->len;
    if (error->text)
        str_add(out, error->text);
    if (error->code)
        str_addf(out, error->text ? " (%s)" : "%s", error->code);
    for (size_t i = 0; i < error->n; i++)
        line_item(out, &error->items[i], i == 0, out->len == start);
    if (error->more)
        str_addf(out, "; +%zu more", error->more);
    if (error->request_id)
        str_addf(out, "%s%s%s", out->len > start ? "; " : "", ID_MARK, error->request_id);
}

char *service_error_line_id(const char *line) {
    const char *id = NULL;
    for (const char *at = line ? strstr(line, ID_MARK) : NULL; at; at = strstr(id, ID_MARK))
        id = at + strlen(ID_MARK);
    size_t len = id ? strcspn(id, " ;") : 0;
    len -= len > 0 && id[len - 1] == '.'; /* the end of a sentence */
    return len > 0 ? mem_dup_n(id, len) : NULL;
}
