#include "net_make.h"
#include "preload/slow_getaddrinfo.c"
#include "support/proc.h"
#include "support/relay.h"

#include "base/clock.h"
#include "base/mem.h"

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* 100 ms is the promise; what a sanitizer build on a busy machine adds is not net's. */
enum { CANCEL_MS = 100, SLOW_MACHINE = 3 };

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {0};
    return net_set_up_with(&options);
}

static int set_up_short(void **state) {
    (void)state;
    const struct net_options options = {.connect_timeout_s = 1, .total_timeout_s = 1};
    return net_set_up_with(&options);
}

static void turn_for(int ms) {
    int64_t end = clock_mono() + ms;
    for (int64_t left = ms; left > 0; left = end - clock_mono())
        net_wait(net, NULL, 0, (int)left);
}

/* Turns the loop until a request was seen whole, or for a while where none will be. */
static void turn_until_asked(struct relay *relay, bool asks) {
    int64_t end = clock_mono() + EXCHANGE_DEADLINE;
    if (!asks)
        turn_for(100);
    while (asks && relay_requests(relay) == 0 && clock_mono() < end)
        turn_for(5);
    if (asks)
        turn_for(50);
}

static void cancel_at_once(uint64_t ticket, bool sent) {
    struct reply reply;
    int64_t start = proc_clock(0);
    net_cancel(net, ticket);
    assert_true(net_take(net, &reply) == ticket);
    int64_t took = proc_clock(0) - start;
    assert_true(took < proc_bar(CANCEL_MS * SLOW_MACHINE));
    assert_int_equal(reply.failure.code, ERR_CANCELLED);
    assert_int_equal(reply.sent, sent);
    assert_null(reply.body);
    assert_int_equal(net_running(net), 0);
    reply_clear(&reply);
}

static uint64_t send_get(int port) {
    struct request request;
    exchange_get_from(&request, port, "/");
    return net_send(net, &request);
}

static const struct relay_answer whole = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};

static void cancel_while_stalled(enum relay_stall stall, bool asks) {
    const struct relay_fault fault = {.stall = stall};
    struct relay *relay = relay_script(&whole, 1, &fault);
    uint64_t ticket = send_get(relay_port(relay));
    turn_until_asked(relay, asks);
    cancel_at_once(ticket, true);
    relay_free(relay);
}

static void cancel_is_immediate_while_no_answer_comes(void **state) {
    (void)state;
    cancel_while_stalled(RELAY_STALL_ACCEPT, false);
    cancel_while_stalled(RELAY_STALL_HEADERS, true);
    cancel_while_stalled(RELAY_STALL_BODY, true);
}

static void cancel_is_immediate_while_connecting(void **state) {
    (void)state;
    struct relay_filtered filtered;
    assert_true(relay_filtered_open(&filtered));
    uint64_t ticket = send_get(filtered.port);
    turn_for(100);
    cancel_at_once(ticket, false);
    relay_filtered_close(&filtered);
}

static uint64_t send_to_stalling_name(void) {
    struct request request;
    exchange_get(&request, "https", "api.stall.test", 443, "/");
    return net_send(net, &request);
}

static void cancel_is_immediate_while_a_name_is_looked_up(void **state) {
    (void)state;
    uint64_t ticket = send_to_stalling_name();
    turn_for(100);
    assert_int_equal(net_running(net), 1);
    cancel_at_once(ticket, false);
}

static void ending_is_immediate_while_a_name_is_looked_up(void **state) {
    (void)state;
    (void)send_to_stalling_name();
    turn_for(100);
    int64_t start = proc_clock(0);
    net_free(net);
    net = NULL;
    assert_true(proc_clock(0) - start < proc_bar(CANCEL_MS * SLOW_MACHINE));
}

static void cancel_before_the_first_turn_sends_nothing(void **state) {
    (void)state;
    struct relay *relay = relay_script(&whole, 1, NULL);
    cancel_at_once(send_get(relay_port(relay)), false);
    turn_for(100);
    assert_int_equal(relay_connections(relay), 0);
    relay_free(relay);
}

static void an_unknown_ticket_is_ignored(void **state) {
    (void)state;
    struct reply reply;
    net_cancel(net, 4711);
    assert_int_equal(net_take(net, &reply), 0);
}

static void cancel_spares_the_others(void **state) {
    (void)state;
    const struct relay_fault fault = {.stall = RELAY_STALL_HEADERS};
    struct relay *stuck = relay_script(&whole, 1, &fault), *good = relay_script(&whole, 1, NULL);
    struct reply reply;
    uint64_t first = send_get(relay_port(stuck)), second = send_get(relay_port(good)),
             third = send_get(relay_port(stuck));
    turn_until_asked(good, true);
    net_cancel(net, first);
    net_cancel(net, third);
    assert_true(exchange_await(net, second, &reply, EXCHANGE_DEADLINE));
    assert_string_equal(reply.body, "{}");
    reply_clear(&reply);
    relay_free(stuck);
    relay_free(good);
}

static void a_finished_exchange_cannot_be_cancelled(void **state) {
    (void)state;
    struct relay *relay = relay_script(&whole, 1, NULL);
    struct reply reply;
    uint64_t ticket = send_get(relay_port(relay));
    int64_t end = clock_mono() + EXCHANGE_DEADLINE;
    while (net_running(net) > 0 && clock_mono() < end)
        net_wait(net, NULL, 0, 1000);
    net_cancel(net, ticket);
    assert_true(net_take(net, &reply) == ticket);
    assert_int_equal(reply.failure.code, ERR_OK);
    reply_clear(&reply);
    relay_free(relay);
}

static void expect_timeout(uint64_t ticket, const char *phase, bool sent) {
    struct reply reply;
    assert_true(exchange_await(net, ticket, &reply, EXCHANGE_DEADLINE));
    assert_string_equal(err_name(reply.failure.code), "timeout");
    if (!strstr(reply.failure.text, phase))
        fail_msg("\"%s\" does not name \"%s\"", reply.failure.text, phase);
    assert_int_equal(reply.sent, sent);
    reply_clear(&reply);
}

static struct relay *stalling(enum relay_stall stall) {
    const struct relay_fault fault = {.stall = stall};
    return relay_script(&whole, 1, &fault);
}

static uint64_t send_tls(int port) {
    struct request request;
    exchange_get(&request, "https", "127.0.0.1", port, "/");
    return net_send(net, &request);
}

static void expect_phase(uint64_t (*send)(int port), int port, const char *phase, bool sent) {
    int64_t start = proc_clock(0);
    expect_timeout(send(port), phase, sent);
    assert_true(proc_clock(0) - start < proc_bar(2000 * SLOW_MACHINE));
}

static uint64_t send_to_name(int port) {
    (void)port;
    return send_to_stalling_name();
}

static void a_stalled_name_ends_with_its_phase(void **state) {
    (void)state;
    expect_phase(send_to_name, 0, "api.stall.test: given up after 1 s, while looking up the name", false);
}

static void a_filtered_port_ends_with_its_phase(void **state) {
    (void)state;
    struct relay_filtered filtered;
    assert_true(relay_filtered_open(&filtered));
    expect_phase(send_get, filtered.port, "given up after 1 s, while connecting", false);
    relay_filtered_close(&filtered);
}

static void silent_tls_ends_with_its_phase(void **state) {
    (void)state;
    struct relay *relay = stalling(RELAY_STALL_ACCEPT);
    expect_phase(send_tls, relay_port(relay), "given up after 1 s, while setting up the secure connection", false);
    relay_free(relay);
}

static void a_silent_service_ends_with_its_phase(void **state) {
    (void)state;
    struct relay *relay = stalling(RELAY_STALL_ACCEPT);
    expect_phase(send_get, relay_port(relay), "given up after 1 s, while waiting for the answer", true);
    relay_free(relay);
}

static void a_dripping_answer_ends_in_total_time(void **state) {
    (void)state;
    const struct relay_fault fault = {.chunk = 1, .delay_ms = 200};
    struct relay *relay = relay_script(&whole, 1, &fault);
    expect_phase(send_get, relay_port(relay), "given up after 1 s, while", true);
    relay_free(relay);
}

static int set_up_low_speed(void **state) {
    (void)state;
    const struct net_options options = {.low_speed_s = 1};
    return net_set_up_with(&options);
}

static void an_answer_that_stops_ends_at_the_low_speed_limit(void **state) {
    (void)state;
    struct relay *relay = stalling(RELAY_STALL_BODY);
    expect_phase(send_get, relay_port(relay), "while receiving the answer", true);
    relay_free(relay);
}

/* ---- Stopped on the way ---- */

enum { STOP_MS = 1600 }; /* longer than any limit of the short ones */

static int listen_here(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

/* A program of its own, so that it can be stopped: 0 with an answer, 1 with a time-out, else 2. */
static pid_t exchange_apart(int port, bool write) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        const struct net_options options = {.connect_timeout_s = 1, .total_timeout_s = 1, .low_speed_s = 1};
        struct request request;
        struct reply reply;
        struct net *own = NULL;
        if (net_new(&options, &own, NULL) != ERR_OK)
            _exit(2);
        if (write)
            exchange_post_to(&request, port, "/user", "{}");
        else
            exchange_get_from(&request, port, "/");
        bool ended = exchange_run(own, &request, &reply);
        _exit(!ended ? 2 : reply.failure.code == ERR_OK ? 0 : reply.failure.code == ERR_TIMEOUT ? 1 : 2);
    }
    return pid;
}

/* Reads the request, stops the program, answers (in part) and lets it go on after its limits; gives its exit status. */
static int stopped_while_answered(bool write, const char *now, const char *later) {
    char bytes[4096];
    int port, status = 0;
    int fd = listen_here(&port);
    pid_t pid = exchange_apart(port, write);
    int peer = accept(fd, NULL, NULL);
    assert_true(peer >= 0);
    assert_true(read(peer, bytes, sizeof bytes) > 0);
    assert_int_equal(kill(pid, SIGSTOP), 0);
    assert_true(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
    assert_int_equal(send(peer, now, strlen(now), 0), strlen(now));
    (void)poll(NULL, 0, STOP_MS);
    assert_int_equal(kill(pid, SIGCONT), 0);
    assert_int_equal(send(peer, later, strlen(later), MSG_NOSIGNAL), strlen(later));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    (void)close(peer);
    (void)close(fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void f10_what_arrived_while_stopped_is_read(void **state) {
    (void)state;
    static const char HEAD[] = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n",
                      BODY[] = "{\"id\":\"u_1\"}";
    char all[256];
    (void)snprintf(all, sizeof all, "%s%s", HEAD, BODY);
    assert_int_equal(stopped_while_answered(true, all, ""), 0);
    assert_int_equal(stopped_while_answered(false, all, ""), 0);
    /* And what comes only after it: a stop is no time that the service was waited for. */
    assert_int_equal(stopped_while_answered(true, HEAD, BODY), 0);
    assert_int_equal(stopped_while_answered(true, "", all), 0);
}

static void watched_descriptors_end_the_wait(void **state) {
    (void)state;
    int quiet[2], busy[2];
    assert_int_equal(pipe(quiet), 0);
    assert_int_equal(pipe(busy), 0);
    assert_int_equal(write(busy[1], "x", 1), 1);
    struct net_watch watches[] = {{.fd = quiet[0], .readable = true}, {.fd = busy[0]}};
    net_wait(net, watches, COUNT_OF(watches), EXCHANGE_DEADLINE);
    assert_false(watches[0].readable);
    assert_true(watches[1].readable);
    for (int i = 0; i < 2; i++) {
        (void)close(quiet[i]);
        (void)close(busy[i]);
    }
}

static void a_hung_up_descriptor_counts_as_readable(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)close(ends[1]);
    struct net_watch watch = {.fd = ends[0]};
    net_wait(net, &watch, 1, EXCHANGE_DEADLINE);
    assert_true(watch.readable);
    (void)close(ends[0]);
}

static void waiting_ends_at_its_time_and_not_before(void **state) {
    (void)state;
    int64_t start = clock_mono();
    net_wait(net, NULL, 0, 150);
    int64_t took = clock_mono() - start;
    assert_true(took >= 140 && took < proc_bar(5000));
}

static void *wake_later(void *context) {
    struct pollfd none = {.fd = -1};
    (void)poll(&none, 1, 50);
    net_wake(context);
    return NULL;
}

static void another_thread_wakes_an_endless_wait(void **state) {
    (void)state;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, wake_later, net), 0);
    int64_t start = clock_mono();
    net_wait(net, NULL, 0, -1);
    assert_true(clock_mono() - start < EXCHANGE_DEADLINE);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void a_wake_before_the_wait_is_not_lost(void **state) {
    (void)state;
    net_wake(net);
    int64_t start = clock_mono();
    net_wait(net, NULL, 0, EXCHANGE_DEADLINE);
    assert_true(clock_mono() - start < EXCHANGE_DEADLINE / 2);
}

static int signal_pipe[2];
static void on_signal(int number) {
    (void)number;
    if (write(signal_pipe[1], "s", 1) != 1)
        _exit(99);
}

static void a_signal_reaches_the_loop_through_its_pipe(void **state) {
    (void)state;
    struct sigaction action = {.sa_handler = on_signal};
    assert_int_equal(pipe(signal_pipe), 0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    (void)ualarm(50000, 0);
    struct net_watch watch = {.fd = signal_pipe[0]};
    int64_t end = clock_mono() + EXCHANGE_DEADLINE;
    while (!watch.readable && clock_mono() < end)
        net_wait(net, &watch, 1, 10000);
    assert_true(watch.readable);
    (void)close(signal_pipe[0]);
    (void)close(signal_pipe[1]);
}

static void a_request_refused_here_ends_the_wait_at_once(void **state) {
    (void)state;
    struct request request;
    struct reply reply;
    request_init(&request);
    request.method = "GET";
    request.url = mem_dup("gopher://127.0.0.1/");
    uint64_t ticket = net_send(net, &request);
    assert_null(request.url);
    int64_t start = clock_mono();
    net_wait(net, NULL, 0, -1);
    assert_true(clock_mono() - start < EXCHANGE_DEADLINE);
    assert_true(net_take(net, &reply) == ticket);
    assert_int_equal(reply.failure.code, ERR_INVALID);
    reply_clear(&reply);
}

static long turns;
static void an_idle_net_does_not_turn(void **state) {
    (void)state;
    const struct relay_answer kept = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .keep_open = true};
    struct relay *relay = relay_script(&kept, 1, NULL);
    struct reply reply;
    assert_true(exchange_await(net, send_get(relay_port(relay)), &reply, EXCHANGE_DEADLINE));
    reply_clear(&reply);
    int64_t end = clock_mono() + 500;
    for (turns = 0; clock_mono() < end; turns++)
        net_wait(net, NULL, 0, (int)(end - clock_mono()));
    assert_true(turns <= 4);
    relay_free(relay);
}

static void a_stalled_exchange_does_not_spin(void **state) {
    (void)state;
    const struct relay_fault fault = {.stall = RELAY_STALL_HEADERS};
    struct relay *relay = relay_script(&whole, 1, &fault);
    uint64_t ticket = send_get(relay_port(relay));
    turn_until_asked(relay, true);
    int64_t end = clock_mono() + 1000;
    for (turns = 0; clock_mono() < end; turns++)
        net_wait(net, NULL, 0, (int)(end - clock_mono()));
    assert_true(turns <= 20);
    cancel_at_once(ticket, true);
    relay_free(relay);
}

#define WITH(set, test) cmocka_unit_test_setup_teardown(test, set, net_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH(set_up, cancel_is_immediate_while_no_answer_comes),
        WITH(set_up, cancel_is_immediate_while_connecting),
        WITH(set_up, cancel_is_immediate_while_a_name_is_looked_up),
        WITH(set_up, ending_is_immediate_while_a_name_is_looked_up),
        WITH(set_up, cancel_before_the_first_turn_sends_nothing),
        WITH(set_up, an_unknown_ticket_is_ignored),
        WITH(set_up, cancel_spares_the_others),
        WITH(set_up, a_finished_exchange_cannot_be_cancelled),
        WITH(set_up_short, a_stalled_name_ends_with_its_phase),
        WITH(set_up_short, a_filtered_port_ends_with_its_phase),
        WITH(set_up_short, silent_tls_ends_with_its_phase),
        WITH(set_up_short, a_silent_service_ends_with_its_phase),
        WITH(set_up_short, a_dripping_answer_ends_in_total_time),
        WITH(set_up_low_speed, an_answer_that_stops_ends_at_the_low_speed_limit),
        cmocka_unit_test(f10_what_arrived_while_stopped_is_read),
        WITH(set_up, watched_descriptors_end_the_wait),
        WITH(set_up, a_hung_up_descriptor_counts_as_readable),
        WITH(set_up, waiting_ends_at_its_time_and_not_before),
        WITH(set_up, another_thread_wakes_an_endless_wait),
        WITH(set_up, a_wake_before_the_wait_is_not_lost),
        WITH(set_up, a_signal_reaches_the_loop_through_its_pipe),
        WITH(set_up, a_request_refused_here_ends_the_wait_at_once),
        WITH(set_up, an_idle_net_does_not_turn),
        WITH(set_up, a_stalled_exchange_does_not_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
