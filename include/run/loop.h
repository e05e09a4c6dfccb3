#ifndef RUN_LOOP_H
#define RUN_LOOP_H
/* The loop around app: waits for the network, the terminal, signals, timers and lanes; turns what happened into events,
 * and effects into work. With a screen it drives the console, without one a command. Main thread. */

#include "app/effect.h"
#include "net/net.h"
#include "work/lane.h"

struct loop;

struct loop_options {
    const struct profile *profile; /* borrowed; NULL: no service, no cache and no journal, only what asks for neither */
    const struct secret *token;    /* borrowed */
    const struct secret *control;  /* borrowed: of the demo's control path; NULL: no demo */
    const char *folder;            /* of cache and state; NULL: the operator's (src/README.md, Files on disk) */
    bool read_only;                /* by option, beside the profile's own */
};

/* Signals are taken from here on. */
enum err loop_new(const struct loop_options *options, struct loop **out, struct error *error) MUST_CHECK;
/* Makes the network and the lanes: called after the first frame is on screen, since they take longer than it does. */
enum err loop_connect(struct loop *loop, struct error *error) MUST_CHECK;
/* From now on notes and tags are exchanged with the team, where the profile has one; after loop_connect. */
void loop_share_notes(struct loop *loop);
void loop_free(struct loop *loop);

/* Runs a client without a screen until it has finished or a signal came: 0, or the signal's number. */
int loop_drive(struct loop *loop, const struct client *client);

/* For the console. The client is borrowed from here on. */
void loop_client(struct loop *loop, const struct client *client);
struct effects *loop_effects(struct loop *loop); /* where the client's inputs put their effects */
void loop_perform(struct loop *loop);
/* Takes a token that was read again: later requests carry it, and the cache is opened again, which asks whether the
 * account is still the same. False: it is the token in use. */
bool loop_token(struct loop *loop, struct secret *token);
enum { LOOP_WATCHES_MAX = 4 };
/* Waits until anything happens, the client's n descriptors included, at most until the next timer or timeout_ms; passes
 * events on and performs the effects that follow. */
void loop_wait(struct loop *loop, struct net_watch *fds, size_t n, int timeout_ms);
int loop_signal(struct loop *loop);   /* a signal that ends the program, or 0 */
bool loop_resized(struct loop *loop); /* SIGWINCH or SIGCONT since the last call */
bool loop_stopped(struct loop *loop); /* SIGTSTP from outside */

#endif
