/* Any bytes as a filter: parsed, printed, parsed again, planned, evaluated, split, completed. A fault must have its
 * place inside the text; what was taken must survive print and parse. */

#include "query/complete.h"
#include "query/split.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void evaluate(const struct query *query, const struct query_context *context) {
    struct query_plan *plan = query_plan_new(query, context);
    struct cells cells = {.flags = CELLS_AMOUNT_OK | CELLS_CREATED_OK, .created_ms = context->now, .amount = 5010};
    cells.text[CELLS_STATUS] = (struct cells_slice){"declined", 8};
    cells.text[CELLS_CURRENCY] = (struct cells_slice){"EUR", 3};
    cells.text[CELLS_BANK] = (struct cells_slice){"Caf\xC3\xA9", 5};
    struct query_row row = {1, &cells, context->now, context->now, context->now, 0, 0, false};
    bool matches = query_match(plan, &row);
    struct query_split split;
    query_split(query, &(struct query_service){true, true}, context, &split);
    /* The rest asks for no more than the whole. */
    struct query_plan *rest = query_plan_new(split.rest, context);
    require(!matches || query_match(rest, &row));
    query_plan_free(rest);
    query_split_clear(&split);
    query_plan_free(plan);
}

static void survive(const struct query *query, const struct query_options *options) {
    struct query *again = NULL;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_print(query, &text);
    require(query_parse(text.s, options, &again, NULL, NULL) == ERR_OK);
    require(query_equal(query, again));
    query_free(again);
    str_clear(&text);
}

static void complete(const char *text, size_t at) {
    struct query_completion completion;
    query_complete(text, at, NULL, NULL, &completion);
    require(completion.at <= completion.end && completion.end <= strlen(text));
    query_completion_clear(&completion);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct query_options options = {.unit = size % 2 ? MONEY_MINOR : MONEY_MAJOR, .console = true};
    struct query_context context = {.now = INT64_C(1795860000000), .unit = options.unit, .last_visit = 0};
    char *text = mem_dup_n((const char *)data, size);
    struct query *query;
    struct query_fault fault;
    struct error error = {.code = ERR_OK};
    if (query_parse(text, &options, &query, &fault, &error) == ERR_OK) {
        survive(query, &options);
        evaluate(query, &context);
        query_free(query);
    } else {
        require(fault.at <= fault.end && fault.end <= strlen(text));
        require(fault.reason[0] != '\0' && str_starts(error.text, "at "));
    }
    complete(text, size > 0 ? data[0] % (size + 1) : 0);
    complete(text, size);
    free(text);
    return 0;
}
