/* Copying and exporting with the real program: bytes at the terminal, files on the disk. */
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PATIENCE = 20, EXECUTABLE = 0700 };

static struct service service;

/* No display and no SSH of whoever runs the tests. */
static const char *const PLAIN[] = {"DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", NULL};

static int start(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "700", NULL}, "") ? 0 : -1;
}

static struct pty *open_list(const char *const env[]) {
    struct pty_options options = {.rows = 24, .cols = 100, .folder = service.folder};
    struct pty *pty = console_open_env(&service, (const char *const[]){NULL}, env, &options);
    assert_true(pty_expect(pty, "read so far, more on the server", PATIENCE));
    return pty;
}

/* K54: never "copied", for the terminal does not say. */
static void without_a_display_the_terminal_is_sent_it(void **state) {
    (void)state;
    struct pty *pty = open_list(PLAIN);
    pty_mark(pty);
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "created sent to the terminal (OSC 52)", PATIENCE));
    assert_true(pty_expect_bytes(pty, "\033]52;c;", PATIENCE));
    console_leave(pty);
}

static void in_tmux_it_is_wrapped_and_said(void **state) {
    (void)state;
    const char *env[] = {"DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", "TMUX=/nowhere,1,0", NULL};
    struct pty *pty = open_list(env);
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "by tmux (OSC 52), needs set-clipboard on", PATIENCE));
    assert_true(pty_expect_bytes(pty, "\033Ptmux;\033\033]52;c;", PATIENCE));
    console_leave(pty);
}

static int in_tmux(struct proc *proc, const char *const args[]) {
    const char *argv[24] = {"/usr/bin/env", "tmux", "-S"};
    char socket[512];
    size_t n = 3;
    (void)snprintf(socket, sizeof socket, "%s/tmux", service.folder);
    argv[n++] = socket;
    argv[n++] = "-f";
    argv[n++] = "/dev/null";
    for (size_t i = 0; args[i]; i++)
        argv[n++] = args[i];
    return proc_run(proc, argv, NULL, PATIENCE * 1000);
}

static bool tmux_shows(const char *text) {
    bool shown = false;
    for (double end = pty_now() + PATIENCE; !shown && pty_now() < end;) {
        struct proc proc;
        shown =
            in_tmux(&proc, (const char *const[]){"capture-pane", "-p", "-J", NULL}) == 0 && strstr(proc.out.s, text);
        (void)proc_end(&proc);
    }
    return shown;
}

static void tmux_does(const char *const args[]) {
    struct proc proc;
    assert_int_equal(in_tmux(&proc, args), 0);
    (void)proc_end(&proc);
}

/* What tmux has taken. */
static bool tmux_holds(const char *text) {
    struct proc proc;
    bool held = in_tmux(&proc, (const char *const[]){"show-buffer", NULL}) == 0 && str_equal(proc.out.s, text);
    (void)proc_end(&proc);
    return held;
}

static void copy_the_id_in_tmux(void) {
    tmux_does((const char *const[]){"send-keys", "Y", NULL});
    assert_true(tmux_shows("summary for a ticket"));
    tmux_does((const char *const[]){"send-keys", "Down", "Enter", NULL});
    assert_true(tmux_shows("select it by hand"));
}

/* The id under the cursor, as the message has it whole. */
static char *told_id(void) {
    static const char BEFORE[] = "select it by hand: ";
    struct proc proc;
    assert_int_equal(in_tmux(&proc, (const char *const[]){"capture-pane", "-p", "-J", NULL}), 0);
    const char *at = strstr(proc.out.s, BEFORE);
    assert_non_null(at);
    at += sizeof BEFORE - 1;
    char *id = mem_dup_n(at, strcspn(at, " \n"));
    (void)proc_end(&proc);
    return id;
}

/* By its defaults tmux takes no copy from a program: that is said, and the way out that is told works. */
static void f91_in_a_real_tmux_the_way_out_is_told_and_works(void **state) {
    struct proc proc;
    struct str command;
    (void)state;
    if (in_tmux(&proc, (const char *const[]){"-V", NULL}) != 0) {
        (void)proc_end(&proc);
        print_message("skipped: there is no tmux here\n");
        return;
    }
    (void)proc_end(&proc);
    str_init(&command, 1 << 14);
    str_add(&command, "exec env -u DISPLAY -u WAYLAND_DISPLAY -u SSH_TTY -u SSH_CONNECTION LC_ALL=C.UTF-8");
    for (const char *const *env = console_env(&service); *env; env++)
        str_addf(&command, " '%s'", *env);
    char *program = proc_program("bursar");
    str_addf(&command, " '%s'", program);
    free(program);
    tmux_does((const char *const[]){"new-session", "-d", "-x", "80", "-y", "24", command.s, NULL});
    str_clear(&command);
    assert_true(tmux_shows("read so far, more on the server"));
    copy_the_id_in_tmux();
    assert_true(tmux_shows("tmux set -s set-clipboard on"));
    char *id = told_id();
    assert_true(strlen(id) > 20);
    assert_false(tmux_holds(id));
    tmux_does((const char *const[]){"set", "-s", "set-clipboard", "on", NULL});
    copy_the_id_in_tmux();
    bool held = false;
    for (double end = pty_now() + PATIENCE; !held && pty_now() < end;)
        held = tmux_holds(id);
    assert_true(held);
    free(id);
}

/* A folder for PATH with one program in it. */
static char *path_with(const char *program, const char *script) {
    struct str file, path;
    str_init(&file, 4096);
    str_init(&path, 1 << 16);
    str_addf(&file, "%s/bin", service.folder);
    (void)mkdir(file.s, EXECUTABLE);
    str_addf(&path, "PATH=%s:%s", file.s, getenv("PATH"));
    str_addf(&file, "/%s", program);
    assert_true(proc_write_file(file.s, script));
    assert_int_equal(chmod(file.s, EXECUTABLE), 0);
    str_clear(&file);
    return str_take(&path);
}

static void a_clipboard_program_is_given_the_text(void **state) {
    (void)state;
    struct str got;
    str_init(&got, 4096);
    str_addf(&got, "%s/got", service.folder);
    char *path = path_with("xclip", "#!/bin/sh\ncat > \"$HOME/got\"\n");
    struct str home;
    str_init(&home, 4096);
    str_addf(&home, "HOME=%s", service.folder);
    const char *env[] = {path, home.s, "DISPLAY=:99", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", NULL};
    struct pty *pty = open_list(env);
    pty_mark(pty);
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "created copied with xclip", PATIENCE));
    assert_false(pty_wrote(pty, "\033]52", 4));
    char *text = proc_read_file(got.s);
    assert_true(str_starts(text, "2026-"));
    free(text);
    console_leave(pty);
    str_clear(&got);
    str_clear(&home);
    free(path);
}

/* A useless program neither freezes the screen nor hides the other way. */
static void a_useless_program_gives_way_to_the_terminal(void **state) {
    (void)state;
    char *path = path_with("xclip", "#!/bin/sh\nexit 1\n");
    const char *env[] = {path, "DISPLAY=:99", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", NULL};
    struct pty *pty = open_list(env);
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "sent to the terminal (OSC 52)", PATIENCE));
    assert_true(pty_shows(pty, "xsel failed") || pty_shows(pty, "xclip failed"));
    console_leave(pty);
    free(path);
}

static void over_ssh_the_terminal_comes_first(void **state) {
    (void)state;
    char *path = path_with("xclip", "#!/bin/sh\nexit 0\n");
    const char *env[] = {path, "DISPLAY=:99", "WAYLAND_DISPLAY", "SSH_CONNECTION=a b c d", NULL};
    struct pty *pty = open_list(env);
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "sent to the terminal (OSC 52)", PATIENCE));
    console_leave(pty);
    free(path);
}

/* Name of the one file in the service's folder with this end; on the heap. */
static char *find_file(const char *end) {
    DIR *dir = opendir(service.folder);
    char *found = NULL;
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        size_t len = strlen(entry->d_name), n = strlen(end);
        if (len > n && str_starts(entry->d_name, "bursar-test-") && strcmp(entry->d_name + len - n, end) == 0) {
            struct str path;
            str_init(&path, 4096);
            str_addf(&path, "%s/%s", service.folder, entry->d_name);
            free(found);
            found = str_take(&path);
        }
    }
    (void)closedir(dir);
    return found;
}

static void is_private(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

/* K58: every row of the list, though the screen held a few, and what it is stands beside it. */
static void every_row_of_a_filtered_list_is_exported(void **state) {
    (void)state;
    struct pty *pty = open_list(PLAIN);
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "700, end of the list seen", PATIENCE));
    pty_feed(pty, "/-status:zzz\r");
    assert_true(pty_expect(pty, "of 700", PATIENCE));
    assert_true(pty_expect(pty, "all there are", PATIENCE));
    pty_feed(pty, "x");
    assert_true(pty_expect(pty, "write the file", PATIENCE));
    pty_feed(pty, "lll");
    assert_true(pty_expect(pty, "NDJSON", PATIENCE));
    pty_feed(pty, "G\r");
    assert_true(pty_expect(pty, "700 masked intents in ~/bursar-test-", PATIENCE));
    char *file = find_file(".ndjson"), *about = find_file(".about");
    is_private(file);
    is_private(about);
    char *data = proc_read_file(file), *words = proc_read_file(about);
    assert_int_equal(text_count(data, "\n"), 700);
    assert_int_equal(text_count(data, "\"user_id\":\"***"), 700);
    assert_non_null(strstr(words, "filter: -status:zzz\n"));
    assert_non_null(strstr(words, "complete: yes"));
    assert_null(strstr(data, "zzz"));
    free(data);
    free(words);
    free(file);
    free(about);
    console_leave(pty);
}

/* The amount of a row of the CSV, which stands before the currency. */
static long amount_of(const char *line) {
    const char *at = strstr(line, ",EUR,");
    assert_non_null(at);
    while (at[-1] != ',')
        at--;
    return strtol(at, NULL, 10);
}

/* Where the cache cannot be had, what was read is sorted, filtered, found, counted, summed and handed over. */
static void without_a_cache_the_rows_read_are_a_list_all_the_same(void **state) {
    (void)state;
    struct str cache, variable;
    str_init(&cache, 4096);
    str_init(&variable, 4096);
    str_addf(&cache, "%s/no-folder", service.folder);
    str_addf(&variable, "XDG_CACHE_HOME=%s", cache.s);
    assert_true(proc_write_file(cache.s, "a file where the folder of caches should be"));
    const char *env[] = {"DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", variable.s, NULL};
    struct pty *pty = open_list(env);
    assert_true(pty_expect(pty, "nothing is cached", PATIENCE));
    pty_feed(pty, "llls");
    assert_true(pty_expect(pty, "sort: amount asc", PATIENCE));
    assert_true(pty_expect(pty, "rows read so far; R reads all", PATIENCE));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "over 700 rows, all there are", PATIENCE));
    pty_feed(pty, "/currency:EUR\r");
    assert_true(pty_expect(pty, "local[currency:EUR] over 700 rows, all there are", PATIENCE));
    assert_true(pty_expect(pty, "| EUR ", PATIENCE));
    pty_feed(pty, "\\approved\r");
    assert_true(pty_expect(pty, "found ", PATIENCE));
    pty_feed(pty, "F");
    assert_true(pty_expect(pty, "intents, all there are", PATIENCE));
    pty_feed(pty, "\033");
    pty_feed(pty, "xGk\r\025sorted.csv\r\r");
    assert_true(pty_expect(pty, " in ~/sorted.csv", PATIENCE));
    str_reset(&cache);
    str_addf(&cache, "%s/sorted.csv", service.folder);
    char *data = proc_read_file(cache.s);
    long before = LONG_MIN, rows = 0;
    for (const char *line = strchr(data, '\n') + 1; *line; line = strchr(line, '\n') + 1, rows++) {
        assert_true(amount_of(line) >= before);
        before = amount_of(line);
    }
    assert_true(rows > 10);
    free(data);
    console_leave(pty);
    str_clear(&cache);
    str_clear(&variable);
}

static void a_file_that_is_there_is_never_written_over(void **state) {
    (void)state;
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/mine", service.folder);
    assert_true(proc_write_file(path.s, "mine"));
    struct pty *pty = open_list(PLAIN);
    pty_feed(pty, "xGk\r\025mine\r\r");
    assert_true(pty_expect(pty, "not exported: mine: is already there", PATIENCE));
    assert_true(pty_expect(pty, "write the file", PATIENCE)); /* open still, for another name */
    pty_feed(pty, "\r\025nowhere/mine\r\r");
    assert_true(pty_expect(pty, "not exported: nowhere/mine: cannot make the file", PATIENCE));
    pty_feed(pty, "\r\025yours\r\r");
    assert_true(pty_expect(pty, "100 masked intents in ~/yours, .about beside it", PATIENCE));
    char *text = proc_read_file(path.s);
    assert_string_equal(text, "mine");
    free(text);
    str_clear(&path);
    console_leave(pty);
}

static int stop(void **state) {
    struct proc proc;
    (void)state;
    (void)in_tmux(&proc, (const char *const[]){"kill-server", NULL}); /* there is one where a test failed */
    (void)proc_end(&proc);
    return service_stop(&service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_display_the_terminal_is_sent_it),
        cmocka_unit_test(in_tmux_it_is_wrapped_and_said),
        cmocka_unit_test(f91_in_a_real_tmux_the_way_out_is_told_and_works),
        cmocka_unit_test(a_clipboard_program_is_given_the_text),
        cmocka_unit_test(a_useless_program_gives_way_to_the_terminal),
        cmocka_unit_test(over_ssh_the_terminal_comes_first),
        cmocka_unit_test(every_row_of_a_filtered_list_is_exported),
        cmocka_unit_test(a_file_that_is_there_is_never_written_over),
        cmocka_unit_test(without_a_cache_the_rows_read_are_a_list_all_the_same),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
