#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H
/* Every action of the console, once: enum, key map, hint row, help, palette, `keys list` and manual are made from this
 * table. Actions of view "global" hold everywhere but in text fields; those of the current view are looked up first.
 * What is listed here works. */

#include "base/action.h"

/*  code              view       name               keys                     hint        help */
#define ACTION_TABLE(X)                                                                                                \
    X(PANE_INTENTS, "global", "pane-intents", "1", "", "Go to Intents")                                                \
    X(PANE_REGISTER, "global", "pane-register", "2", "", "Go to Register")                                             \
    X(PANE_WEBHOOK, "global", "pane-webhook", "3", "", "Go to Webhook")                                                \
    X(PANE_ACTIVITY, "global", "pane-activity", "4", "", "Go to Activity")                                             \
    X(PANE_OVERVIEW, "global", "pane-overview", "5", "", "Go to Overview")                                             \
    X(NEXT_PANE, "global", "next-pane", "Tab", "", "Focus the next pane")                                              \
    X(PREVIOUS_PANE, "global", "previous-pane", "Shift-Tab", "", "Focus the previous pane")                            \
    X(HELP, "global", "help", "? F1", "help", "Keys of this view")                                                     \
    X(PALETTE, "global", "palette", ":", "command", "Every action of this view, found by a few letters")               \
    X(MOUSE, "global", "mouse", "%", "", "Mouse on, or off so that the terminal selects text")                         \
    X(REQUESTS, "global", "requests", "L", "",                                                                         \
      "What was sent in this session: method, path, status, time, size, request id")                                   \
    X(INBOX, "global", "inbox", "I", "", "What colleagues handed to you, and you to them")                             \
    X(BACK, "global", "back", "Esc Backspace", "", "Cancel what runs here, else one step back")                        \
    X(CLOSE, "global", "close", "q", "", "Close this view; at the root, leave")                                        \
    X(QUIT, "global", "quit", "Q", "quit", "Leave bursar")                                                             \
    X(CANCEL, "global", "cancel", "Ctrl-C", "", "Cancel the running operation; twice at rest leaves")                  \
    X(SUSPEND, "global", "suspend", "Ctrl-Z", "", "Suspend to the shell")                                              \
    X(REDRAW, "global", "redraw", "Ctrl-L", "", "Repaint the screen")                                                  \
    X(TOKEN, "global", "reload-token", "T", "", "Read the token again from its source")                                \
    X(PROFILE, "global", "profile", "", "", "Which profile this is, and how another one is opened")                    \
    X(TIME, "global", "time", "t", "time", "Show times as UTC, local, age")                                            \
    X(DOWN, "list", "down", "j Down", "", "Cursor down")                                                               \
    X(UP, "list", "up", "k Up", "", "Cursor up")                                                                       \
    X(LEFT, "list", "left", "h Left", "", "Column cursor left")                                                        \
    X(RIGHT, "list", "right", "l Right", "", "Column cursor right")                                                    \
    X(FIRST, "list", "first", "g Home", "", "First row")                                                               \
    X(LAST, "list", "last", "G End", "", "Last row read so far")                                                       \
    X(HALF_DOWN, "list", "half-page-down", "Ctrl-D", "", "Half a page down")                                           \
    X(HALF_UP, "list", "half-page-up", "Ctrl-U", "", "Half a page up")                                                 \
    X(PAGE_DOWN, "list", "page-down", "PgDn Ctrl-F", "", "A page down; reads on at the end")                           \
    X(PAGE_UP, "list", "page-up", "PgUp Ctrl-B", "", "A page up")                                                      \
    X(OPEN, "intents", "open", "Enter", "open", "Open the intent under the cursor")                                    \
    X(FACETS, "intents", "facets", "f", "", "Choose status and flow type; the service filters")                        \
    X(FILTER, "intents", "filter", "/", "filter", "Narrow by a filter: fields, values, any text; counts as typed")     \
    X(SORT, "intents", "sort", "s", "sort", "Sort by this column: up, down, off")                                      \
    X(SORT_SECOND, "intents", "sort-second", "S", "", "Sort by this column as the second key")                         \
    X(FIND, "intents", "find", "\\", "", "Find without narrowing")                                                     \
    X(JUMP, "intents", "jump", "@", "", "Go to an id, or to a time; several ids pasted are listed")                    \
    X(FIND_NEXT, "intents", "find-next", "n", "", "Next row found")                                                    \
    X(FIND_PREVIOUS, "intents", "find-previous", "N", "", "Previous row found")                                        \
    X(NARROW, "intents", "narrow", ",", "", "Narrow to the value under the cursor")                                    \
    X(EXCLUDE, "intents", "exclude", "!", "", "Exclude the value under the cursor")                                    \
    X(COUNTS, "intents", "counts", "F", "", "Count values of a field or two, rates; filter by one")                    \
    X(ATTEMPTS, "intents", "attempts", "A", "", "Payments and their attempts: approved at first, in the end")          \
    X(PARTS, "intents", "parts", "o", "", "Show its parts; find intents that share them")                              \
    X(CHANGES, "intents", "changes", "D", "", "Observed changes of this intent")                                       \
    X(USER_INTENTS, "intents", "user-intents", "i", "", "This customer on one page; again: all of it")                 \
    X(ADD_NOTE, "intents", "note", "a", "", "Note on the intent, or on its user; the service never gets it")           \
    X(SET_TAGS, "intents", "tags", "+", "", "Put tags on the intent, or on its user, or take them off")                \
    X(HAND_OVER, "intents", "hand-over", ">", "", "Hand it, or the marked rows, to a colleague of the team")           \
    X(OWN_ACTIONS, "intents", "own-actions", "e", "", "Run an action of your own with this intent (file actions)")     \
    X(MARK, "intents", "mark", "Space", "", "Mark the row, or unmark it")                                              \
    X(MARK_RANGE, "intents", "mark-range", "V", "", "Mark from the row marked last to this one")                       \
    X(MARKS, "intents", "marks", "M", "", "List the marked rows, or unmark all")                                       \
    X(COPY, "intents", "copy", "y", "copy", "Copy the value under the cursor; in the detail, the id")                  \
    X(COPY_AS, "intents", "copy-as", "Y", "", "Copy id, row, JSON, or a masked summary for a ticket")                  \
    X(COLUMNS, "intents", "columns", "c", "columns", "Choose the columns and their order")                             \
    X(WIDE, "intents", "wide", "w", "", "Every column, or those of the view")                                          \
    X(FIT, "intents", "fit-column", "_", "", "This column as wide as its values, or as usual")                         \
    X(EXPORT, "intents", "export", "x", "export", "Write the list or the marked rows to a file")                       \
    X(ASK_TEAM, "intents", "ask-team", "", "", "Ask the team's store, which may have more than this machine keeps")    \
    X(MATCH, "intents", "match", "m", "", "Match the list against a file: what differs or is missing")                 \
    X(UNDO, "intents", "undo", "u", "", "Undo a change of filter, sort or marks")                                      \
    X(REDO, "intents", "redo", "U", "", "Do it again")                                                                 \
    X(VIEWS, "intents", "views", "v", "", "Saved views: show, save, forget, share with the team")                      \
    X(VIEW_LAST, "intents", "view-last", "-", "", "The view shown before, and back again")                             \
    X(VIEW_BACK, "intents", "view-back", "[", "", "The view before")                                                   \
    X(VIEW_FORWARD, "intents", "view-forward", "]", "", "The view after")                                              \
    X(REFRESH, "intents", "refresh", "r", "", "Ask for the newest intents")                                            \
    X(LIVE, "intents", "live", "p", "", "Live updates on, or paused")                                                  \
    X(SHOW_NEW, "intents", "show-new", ".", "", "Bring in rows that wait, remove dimmed ones")                         \
    X(CRAWL, "intents", "crawl", "R", "", "Read every page, from the start")                                           \
    X(DETAIL, "intents", "detail", "d", "", "Show or hide the detail beside the list")                                 \
    X(ZOOM, "intents", "zoom", "z", "", "The detail alone, or back")                                                   \
    X(FOLD, "intents", "fold", "Z", "", "Fold or unfold a group of the detail")                                        \
    X(JSON, "intents", "json", "J", "", "The intent as served, or its fields")                                         \
    X(MATCH_OPEN, "match", "open-match", "Enter", "open", "Open the list, or go to the intent of the row")             \
    X(MATCH_AGAIN, "match", "match-again", "r", "again", "Match again, with what was read since")                      \
    X(MATCH_ALL, "match", "match-all", "R", "read all", "Read every page of the list, then match again")               \
    X(MATCH_EXPORT, "match", "match-export", "x", "export", "Write the list on show, or all five, to a new file")      \
    X(MATCH_OTHER, "match", "match-other", "m", "another file", "Match another file, or by other columns")             \
    X(FIELD, "register", "edit-field", "Enter", "edit", "Edit the field under the cursor")                             \
    X(REVIEW, "register", "review", "s", "review", "Check the form and show what will be sent")                        \
    X(NEW_DRAFT, "register", "new-form", "n", "new form", "Begin another form; this one is kept")                      \
    X(DRAFTS, "register", "forms", "f", "forms", "Choose among the forms that are not sent")                           \
    X(DISCARD, "register", "discard-form", "X", "", "Discard this form, after a question")                             \
    X(PRIVACY, "register", "privacy", "P", "privacy", "Hide or show birth date, id, e-mail and phone")                 \
    X(COPY_ID, "register", "copy-id", "y", "", "Copy the id of the user just registered")                              \
    X(IMPORT, "register", "import", "i", "", "Register many users from a CSV file")                                    \
    X(IMPORT_PAUSE, "register", "import-pause", "p", "", "Import: pause after the row on its way; go on")              \
    X(IMPORT_SKIP, "register", "import-skip-unknown", "u", "", "Import: go on past unknown rows, or not")              \
    X(ENDPOINT, "webhook", "edit-endpoint", "Enter", "register", "Open the form, or edit its field")                   \
    X(ENDPOINT_REVIEW, "webhook", "review-endpoint", "s", "", "Check the form and show what would change")             \
    X(ENDPOINT_AGAIN, "webhook", "register-again", "a", "", "Unknown outcome: send exactly the same again")            \
    X(ENDPOINT_CHECK, "webhook", "check-endpoint", "c", "check", "Check the endpoint, step by step")                   \
    X(ENDPOINT_PROBE, "webhook", "probe-endpoint", "p", "", "In a check: one marked POST without a secret")            \
    X(ENDPOINT_FOLLOW, "webhook", "follow-redirect", "f", "", "In a check: where it redirects to")                     \
    X(REPORT_SAVE, "webhook", "save-report", "w", "", "Save the report as text, or as NAME.json")                      \
    X(REPORT_COPY, "webhook", "copy-report", "y", "", "Copy the report as text")                                       \
    X(REPORT_COPY_JSON, "webhook", "copy-report-json", "Y", "", "Copy the report as JSON")                             \
    X(ARRIVALS, "webhook", "events", "e", "events", "Events that came to this machine, beside what the list says")     \
    X(ARRIVALS_FILTER, "webhook", "filter-events", "/", "", "Events: narrow by a filter of theirs")                    \
    X(ARRIVALS_LIST, "webhook", "events-of-list", "i", "", "Events: of intents that the list's filter has, or all")    \
    X(PROPOSALS, "webhook", "proposals", "P", "", "What waits for a second person of the team, and what became of it") \
    X(WEBHOOK_RELOAD, "webhook", "reload-webhook", "r", "refresh", "Read this console's record again")                 \
    X(RECORD, "activity", "open-record", "Enter", "open", "Open the record under the cursor")                          \
    X(OUTCOMES, "activity", "filter-outcome", "f", "outcome", "Show every write, or one outcome after the other")      \
    X(TAG, "activity", "find-tag", "@", "tag", "Go to the newest record of a user's tag")                              \
    X(SETTLE, "activity", "settle", "S", "settle", "Settle a write of unknown outcome, with a note")                   \
    X(RECORD_COPY, "activity", "copy-record-id", "y", "", "Copy the record's id, else its request's id")               \
    X(RECORDS_EXPORT, "activity", "export-records", "x", "export", "Write the records on show to a new CSV file")      \
    X(RELOAD, "activity", "reload", "r", "refresh", "Read the journal again")                                          \
    X(PICTURE_OPEN, "overview", "open-bar", "Enter", "list", "List the intents of the bar under the cursor")           \
    X(PICTURE_FILTER, "overview", "overview-filter", "/", "filter", "Narrow by a filter, as in the list")              \
    X(PICTURE_NEXT, "overview", "next-picture", "n Space", "next", "Next picture")                                     \
    X(PICTURE_PREVIOUS, "overview", "previous-picture", "N", "", "Previous picture")                                   \
    X(PICTURE_SPAN, "overview", "span", "s", "span", "Count over hours, days, weeks")                                  \
    X(PICTURE_CURRENCY, "overview", "next-currency", "c", "currency", "Guarantees: the next currency")                 \
    X(PICTURE_AGAIN, "overview", "count-again", "r", "", "Count again")

enum action_id {
#define X(code, view, name, keys, hint, help) ACTION_##code,
    ACTION_TABLE(X)
#undef X
        ACTION_COUNT
};

const struct action_table *action_table(void); /* with the presets, for a key map */
const struct action *actions(size_t *n);
const char *action_name(int action);

/* What an action is done for, as help groups them, and what people call it besides: a palette finds it by these words.
 * Where an action has neither it needs none. */
#define ACTION_USES(X)                                               \
    X(FACETS, "find", "status type")                                 \
    X(FILTER, "find", "search query")                                \
    X(FIND, "find", "search")                                        \
    X(FIND_NEXT, "find", "")                                         \
    X(FIND_PREVIOUS, "find", "")                                     \
    X(JUMP, "find", "goto date")                                     \
    X(NARROW, "find", "only")                                        \
    X(EXCLUDE, "find", "not without")                                \
    X(SORT, "find", "order")                                         \
    X(SORT_SECOND, "find", "order")                                  \
    X(VIEWS, "find", "favourites bookmarks share team")              \
    X(VIEW_LAST, "find", "")                                         \
    X(VIEW_BACK, "find", "")                                         \
    X(VIEW_FORWARD, "find", "")                                      \
    X(UNDO, "find", "")                                              \
    X(REDO, "find", "")                                              \
    X(OPEN, "look", "show details")                                  \
    X(DETAIL, "look", "preview split")                               \
    X(ZOOM, "look", "fullscreen")                                    \
    X(FOLD, "look", "collapse expand unfold")                        \
    X(JSON, "look", "raw source")                                    \
    X(PARTS, "look", "related")                                      \
    X(CHANGES, "look", "history timeline")                           \
    X(USER_INTENTS, "look", "customer user person")                  \
    X(COLUMNS, "look", "fields")                                     \
    X(WIDE, "look", "")                                              \
    X(FIT, "look", "width")                                          \
    X(COPY, "hand over", "clipboard yank")                           \
    X(COPY_AS, "hand over", "clipboard ticket")                      \
    X(EXPORT, "hand over", "csv excel spreadsheet save download")    \
    X(ADD_NOTE, "hand over", "comment")                              \
    X(SET_TAGS, "hand over", "label")                                \
    X(HAND_OVER, "hand over", "assign colleague team delegate give") \
    X(INBOX, NULL, "handed assigned todo tasks mine team")           \
    X(OWN_ACTIONS, "hand over", "script plugin")                     \
    X(MARK, "hand over", "select")                                   \
    X(MARK_RANGE, "hand over", "select")                             \
    X(MARKS, "hand over", "selection")                               \
    X(COUNTS, "count", "total sum amount group facets statistics")   \
    X(ATTEMPTS, "count", "retries success rate conversion")          \
    X(ARRIVALS, NULL, "deliveries received listen")                  \
    X(ASK_TEAM, "find", "history postgres database everything")      \
    X(MATCH, "count", "reconcile compare statement")                 \
    X(REFRESH, "watch", "reload update")                             \
    X(LIVE, "watch", "follow tail poll")                             \
    X(SHOW_NEW, "watch", "")                                         \
    X(CRAWL, "watch", "mirror download sync")                        \
    X(PANE_OVERVIEW, NULL, "chart graph total sum trend statistics") \
    X(PANE_REGISTER, NULL, "user new create form")                   \
    X(PANE_WEBHOOK, NULL, "endpoint events settings")                \
    X(PANE_ACTIVITY, NULL, "journal log history audit")              \
    X(IMPORT, NULL, "csv bulk upload")                               \
    X(PRIVACY, NULL, "mask")                                         \
    X(TIME, NULL, "zone timezone utc clock")                         \
    X(TOKEN, NULL, "login key credentials")                          \
    X(REQUESTS, NULL, "log network http")                            \
    X(PROFILE, NULL, "environment account config settings")          \
    X(QUIT, NULL, "exit leave")

const char *const *action_jobs(size_t *n); /* in the order of help */
const char *action_job(int action);        /* one of these; NULL: none */
const char *action_words(int action);      /* separated by blanks */

/* Text of a preset, written as a key map file is: vim, arrows or mutt; NULL: no such. */
const char *actions_preset(const char *name);

#endif
