#include "app/file.h"

#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

struct file_ask *file_ask_new(enum file_task task, const char *path) {
    struct file_ask *ask = mem_new(sizeof *ask);
    ask->task = task;
    ask->path = mem_dup(path);
    return ask;
}

void file_ask_free(struct file_ask *ask) {
    if (!ask)
        return;
    secret_free_text(ask->text);
    free(ask->path);
    free(ask->beside);
    free(ask->results);
    free(ask);
}
PAYLOAD_OWNED(file_ask, file_ask_free);

uint64_t effects_file(struct effects *effects, struct file_ask *ask) {
    return effects_ask(effects, EFFECT_FILE, payload_of(file_ask, ask));
}

struct file_answer *file_answer_new(enum file_task task) {
    struct file_answer *answer = mem_new(sizeof *answer);
    answer->task = task;
    str_init(&answer->text, FILE_IMPORT_MAX);
    str_init(&answer->beside, FILE_IMPORT_MAX);
    str_init(&answer->results, FILE_IMPORT_MAX);
    str_init(&answer->names, FILE_NAMES_MAX);
    return answer;
}

void file_answer_free(struct file_answer *answer) {
    if (!answer)
        return;
    secret_clear_str(&answer->text);
    str_clear(&answer->beside);
    str_clear(&answer->results);
    str_clear(&answer->names);
    free(answer);
}
PAYLOAD_OWNED(file_answer, file_answer_free);
