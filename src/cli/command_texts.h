#ifndef CLI_COMMAND_TEXTS_H
#define CLI_COMMAND_TEXTS_H
/* What help and manual say of the commands that need more than a paragraph. Private to the layer. */

extern const char intents_list_text[];
extern const char intents_stats_text[];
extern const char intents_mirror_text[];
extern const char intents_match_text[];
extern const char team_init_text[];
extern const char webhook_proposals_text[], webhook_release_text[], users_proposals_text[], users_release_text[];
extern const char notes_hand_text[], notes_inbox_text[];

#endif
