#ifndef RUN_DEMO_H
#define RUN_DEMO_H
/* `--demo`: a sandbox of its own for as long as the console runs, in a private folder that is removed at the end. */

#include "base/secret.h"
#include "config/profile.h"

struct demo;

/* Starts bursar-sandbox (beside this program, else in PATH) and waits until it answers. */
enum err demo_start(struct demo **out, struct error *error) MUST_CHECK;
void demo_stop(struct demo *demo);
const struct profile *demo_profile(const struct demo *demo);
void demo_set_timezone(struct demo *demo, const char *name);
const char *demo_folder(const struct demo *demo);
const struct secret *demo_control(const struct demo *demo); /* token of the sandbox's control path */
/* Its own receiver of events: where it listens, whom to trust for it, and the file in which it looks for the secret. */
const char *demo_receiver(const struct demo *demo);
const char *demo_ca_file(const struct demo *demo);
const char *demo_secret_file(const struct demo *demo);

#endif
