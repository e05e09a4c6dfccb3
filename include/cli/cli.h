#ifndef CLI_CLI_H
#define CLI_CLI_H
/* What a command runs with. Made by main, borrowed by the command. A command prints to out; where it fails it returns
 * an error, which main prints to err and turns into the exit status (err_exit). */

#include "cli/args.h"

#include "app/effect.h"
#include "app/local_store.h"
#include "app/shared_views.h"
#include "app/table_files.h"
#include "app/team_desk.h"
#include "app/views.h"
#include "config/profile.h"
#include "config/reasons.h"

#include <stdio.h>

struct cli {
    struct args args;
    FILE *out, *err;
    bool out_is_terminal;
    bool utf8;   /* the locale's character set */
    int columns; /* of the terminal; 0: not known */
    struct config config;
    const struct profile *profile; /* only for commands that run with one */
    const struct secret *token;
    const char *demo_folder;    /* the demo's own, which goes with it; NULL: no demo */
    struct saved_views saved;   /* of the profile, for `@name` */
    struct shared_views shared; /* of its team, for `@WHO/NAME` */
    struct met_lists *lists;    /* that were read for `id:@file`, each once; NULL: none yet */
    struct reasons reasons;     /* what declines mean */
    struct notes *notes;        /* of the operators here, of the profile; NULL: they could not be read */
    /* Runs a client over the service until it has finished: 0, or the number of the signal that ended it. */
    int (*drive)(void *context, const struct client *client);
    void *drive_context;
    const struct local_store *local; /* what this machine keeps */
    const struct table_files *tables;
    const struct team_desk *team;
    bool cache_ready;   /* the cache can be asked */
    bool cache_broke;   /* it could not be read to its end: what follows is answered of the same part of it */
    bool other_account; /* the cache is not used: nobody confirmed that it belongs to this token's account */
    unsigned renewals;  /* how often the token was read again in the middle of a walk, from the profile's own source:
                           the walk goes on */
    unsigned openings;  /* of the cache that were answered: one for each token */
    int signal;         /* that ended the command, or 0 */
};

/* Commands that need no service. Each checks that its output was written. */
command_fn cli_config_init, cli_config_check, cli_config_path;
command_fn cli_keys_list, cli_theme_list, cli_theme_show, cli_theme_check;
command_fn cli_completion, cli_help, cli_version;
/* Commands over the service, through drive. */
command_fn cli_intents_show, cli_intents_stats, cli_intents_mirror, cli_intents_match;
command_fn cli_actions_list, cli_actions_run;
command_fn cli_intents_list, cli_users_create, cli_users_import, cli_users_show;

command_fn cli_webhook_show, cli_webhook_register, cli_webhook_check;
command_fn cli_webhook_release, cli_users_release;
command_fn cli_proposals_list, cli_proposals_withdraw, cli_proposals_refuse; /* of webhook or users, as was asked */
command_fn cli_webhook_listen, cli_webhook_events, cli_webhook_replay;
command_fn cli_webhook_verify; /* needs no service */
/* Commands over what this machine keeps, through local. */
command_fn cli_activity_list, cli_activity_show, cli_activity_verify, cli_activity_resolve, cli_journal_purge;
command_fn cli_activity_export;
command_fn cli_intents_note, cli_intents_tag;
command_fn cli_notes_hand, cli_notes_inbox, cli_notes_done;
command_fn cli_views_list, cli_views_share, cli_views_unshare, cli_views_keep;
command_fn cli_cache_stats, cli_cache_verify, cli_cache_purge, cli_purge;

/* Commands over the team's store, through team. */
command_fn cli_team_init, cli_team_check, cli_team_status, cli_team_members, cli_team_verify, cli_team_resolve;

/* Place of the configuration by --config or config_path. */
enum err cli_config_place(const struct cli *cli, struct str *out, struct error *error) MUST_CHECK;

/* The keys in force: the operator's key map file over the default keys. Faults are lines of report, the rest applies.
 * The caller frees. */
struct keymap;
struct keymap *cli_keymap(struct str *report);

/* Text of a theme by the search order: a path (with '/' in it), the user's folder, the system's, built in. ERR_CONFIG
 * where there is none; *place says where it was found. Either may be NULL. */
enum err cli_theme_find(const char *name, struct str *text, struct str *place, struct error *error) MUST_CHECK;
/* Finds and reads it; report gets a line for each fault, as theme_load says. *out is the caller's, NULL on failure. */
struct theme;
enum err cli_theme_load(const char *name, struct theme **out, struct str *report, struct error *error) MUST_CHECK;

/* Says on standard error where no cached intent has this id, and lists those that are like it: what is kept about an id
 * is kept as it was typed. */
void cli_say_if_unknown(struct cli *cli, const char *id);

/* One line of standard input without its end; empty where there is none. False: the input ended before the line did. */
bool cli_read_line(char *line, size_t size);
void cli_lists_free(struct cli *cli); /* at the end of a run */
/* A file whole, or where it is `-` standard input. after: what is said behind a fault, as ": nothing was sent". */
enum err cli_read_input(const char *path, struct str *out, const char *after, struct error *error) MUST_CHECK;
/* The one way to ask at a terminal: what was typed before the prompt was shown is dropped and does not answer it. The
 * answer is a whole line, ended by Enter: where the input ends before that, line is empty, and it gives false. */
bool cli_prompt(const struct cli *cli, const char *prompt, char *line, size_t size);

#endif
