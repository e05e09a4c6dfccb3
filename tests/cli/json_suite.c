/* The program against every file of the JSON test suite, as a page, as one row of three and as an error: never a crash,
 * always the exit status of the kind, never an unclean byte. */
#include "base/mem.h"
#include "base/utf8.h"
#include "support/console.h"
#include "support/listing.h"
#include "support/relay.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Under a sanitizer some files stand for the others, which unit/wire_corpora reads in one process. What is in a file
 * does not change which threads read it. */
static size_t stride(void) {
    return (size_t)proc_starts(1, 16);
}

enum { FILES = 318, BODY_MAX = 1 << 20, PATH_CAP = 4096 };

struct file {
    struct str name, text;
};

static struct file files[FILES];
static struct service home; /* its folder alone is used: the stub answers */

static void read_file(const char *folder, const char *name, struct file *file) {
    char buffer[4096];
    size_t n;
    struct str path;
    str_init(&path, PATH_CAP);
    str_addf(&path, "%s/%s", folder, name);
    FILE *stream = fopen(path.s, "rbe");
    str_clear(&path);
    assert_non_null(stream);
    str_init(&file->name, PATH_CAP);
    str_add(&file->name, name);
    str_init(&file->text, BODY_MAX);
    while ((n = fread(buffer, 1, sizeof buffer, stream)) > 0)
        str_add_n(&file->text, buffer, n);
    (void)fclose(stream);
}

static int start(void **state) {
    (void)state;
    const char *corpora = getenv("BURSAR_CORPORA");
    struct str folder;
    size_t n = 0;
    if (!corpora)
        return 0;
    str_init(&folder, PATH_CAP);
    str_addf(&folder, "%s/json/test_parsing", corpora);
    DIR *dir = opendir(folder.s);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (strstr(entry->d_name, ".json") && n < FILES)
            read_file(folder.s, entry->d_name, &files[n++]);
    if (dir)
        (void)closedir(dir);
    str_clear(&folder);
    return n == FILES && service_start(&home, (const char *const[]){"--intents", "0", NULL}) ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    if (!home.folder)
        return 0;
    for (size_t i = 0; i < FILES; i++) {
        str_clear(&files[i].name);
        str_clear(&files[i].text);
    }
    return service_stop(&home);
}

typedef void check_fn(const struct file *file, int status, const struct proc *proc);

static void answer(struct str *out, int status, const char *before, const struct str *text, const char *after) {
    str_init(out, BODY_MAX + 4096);
    str_addf(out,
             "HTTP/1.1 %d Stub\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n",
             status, strlen(before) + text->len + strlen(after));
    str_add(out, before);
    str_add_n(out, text->s, text->len);
    str_add(out, after);
}

static void run_one(const struct file *file, check_fn *check) {
    static const char *const args[] = {"intents", "list", "--all", "--format", "csv", NULL};
    struct proc proc;
    int status = console_run(&home, args, &proc);
    bool clean = utf8_is_valid(proc.out.s, proc.out.len) && utf8_is_valid(proc.err.s, proc.err.len) &&
                 !strpbrk(proc.err.s, "\x1b\x07\x08\x7f") && text_count(proc.err.s, "\n") <= 3;
    if (!clean)
        fail_msg("%s: unclean output: %s", file->name.s, proc.err.s);
    check(file, status, &proc);
    (void)proc_end(&proc);
}

static void each_file(int status, const char *before, const char *after, check_fn *check) {
    if (!getenv("BURSAR_CORPORA")) {
        print_message("skipped: BURSAR_CORPORA is not set\n");
        skip();
    }
    struct str *texts = mem_new_array(FILES, sizeof *texts);
    struct relay_answer *answers = mem_new_array(FILES, sizeof *answers);
    static size_t turn;
    const size_t every = stride();
    size_t n = 0, first = turn++ % every;
    for (size_t i = first; i < FILES; i += every) {
        answer(&texts[n], status, before, &files[i].text, after);
        answers[n] = (struct relay_answer){.bytes = texts[n].s, .len = texts[n].len};
        n++;
    }
    struct relay *relay = relay_script(answers, n, NULL);
    char url[64];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", relay_port(relay));
    assert_true(console_configure(&home, url, ""));
    for (size_t i = first; i < FILES; i += every)
        run_one(&files[i], check);
    assert_int_equal(relay_requests(relay), n);
    relay_free(relay);
    for (size_t i = 0; i < n; i++)
        str_clear(&texts[i]);
    free(texts);
    free(answers);
}

/* An object without "data" is an empty page (variation A14); what is no JSON is never one. */
static void as_page(const struct file *file, int status, const struct proc *proc) {
    if (status != 7 && (status != 0 || file->name.s[0] == 'n'))
        fail_msg("%s: exit %d: %s", file->name.s, status, proc->err.s);
    assert_true(text_count(proc->out.s, "\n") <= 1); /* the head of the table */
}

static void every_file_as_a_page_is_empty_or_refused(void **state) {
    (void)state;
    each_file(200, "", "", as_page);
}

/* Rows are written with exit 8 where one of them could not be read, and says so. */
static void as_row(const struct file *file, int status, const struct proc *proc) {
    bool sound = file->name.s[0] == 'y';
    bool broken = status == 8 && strstr(proc->err.s, "could not be read");
    if (status != 0 && !broken && (sound || status != 7))
        fail_msg("%s: exit %d: %s", file->name.s, status, proc->err.s);
    if (status == 7)
        return;
    assert_non_null(strstr(proc->out.s, "first-row"));
    assert_non_null(strstr(proc->out.s, "last-row"));
}

static void every_file_as_a_row_costs_no_other_row(void **state) {
    (void)state;
    each_file(200, "{\"data\":[{\"id\":\"first-row\"},", ",{\"id\":\"last-row\"}],\"next_cursor\":null}", as_row);
}

static void as_error(const struct file *file, int status, const struct proc *proc) {
    if (status != 4 || !strstr(proc->err.s, "400"))
        fail_msg("%s: exit %d: %s", file->name.s, status, proc->err.s);
    assert_true(text_count(proc->out.s, "\n") <= 1); /* the head of the table */
}

static void every_file_as_an_error_is_a_refusal(void **state) {
    (void)state;
    each_file(400, "", "", as_error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_as_a_page_is_empty_or_refused),
        cmocka_unit_test(every_file_as_a_row_costs_no_other_row),
        cmocka_unit_test(every_file_as_an_error_is_a_refusal),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
