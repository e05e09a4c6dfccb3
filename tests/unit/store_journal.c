#include "store_journal_make.h"
#include "store_make.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

static const struct journal_value FIELDS[] = {{"name.first", "Zdenka"}, {"email", "Zdenka@Example.org"}};
static const struct journal_value MATCHES[] = {{"email", "zdenka@example.org"}, {"tag", "crm-12345"}};
static const char BODY[] = "{\"name\":{\"first\":\"Zdenka\"},\"email\":\"Zdenka@Example.org\",\"tag\":\"CRM-12345\"}";

static struct journal_write user_write(const char *draft) {
    return (struct journal_write){
        .now = MADE_NOW,
        .who = "anna",
        .scope = {MADE_ORIGIN, "live", ""},
        .environment = "production",
        .operation = JOURNAL_USER,
        .body = BODY,
        .body_len = sizeof BODY - 1,
        .fields = FIELDS,
        .n_fields = COUNT_OF(FIELDS),
        .matches = MATCHES,
        .n_matches = COUNT_OF(MATCHES),
        .idempotency = "0123abcd",
        .draft = draft,
    };
}

static int64_t begin_user(struct journal *journal, const char *draft) {
    struct journal_write write = user_write(draft);
    struct error error = {0};
    int64_t n = 0;
    must(journal_begin(journal, &write, &n, &error), &error);
    return n;
}

static void mark(struct journal *journal, int64_t n, enum journal_outcome outcome, const char *id,
                 const char *message) {
    struct error error = {0};
    must(
        journal_mark(journal, n,
                     &(struct journal_mark){
                         .now = MADE_NOW + 5, .outcome = outcome, .status = 201, .response_id = id, .message = message},
                     &error),
        &error);
}

static struct journal_records get(struct journal *journal, int64_t n) {
    struct journal_records records;
    struct error error = {0};
    journal_records_init(&records);
    must(journal_get(journal, n, &records, &error), &error);
    assert_int_equal(records.n, 1);
    return records;
}

static void a_write_is_recorded_before_and_after(void **state) {
    struct place *place = *state;
    int64_t n = begin_user(place->journal, NULL);
    struct journal_records records = get(place->journal, n);
    assert_int_equal(records.items[0].last.outcome, JOURNAL_OUTCOME_SENDING);
    journal_records_clear(&records);
    mark(place->journal, n, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    records = get(place->journal, n);
    const struct journal_record *record = &records.items[0];
    assert_int_equal(record->last.outcome, JOURNAL_OUTCOME_DONE);
    assert_int_equal(record->last.status, 201);
    assert_string_equal(record->last.response_id, "usr_1");
    assert_string_equal(record->who, "anna");
    assert_string_equal(record->environment, "production");
    assert_string_equal(record->operation, JOURNAL_USER);
    assert_string_equal(record->idempotency, "0123abcd");
    assert_int_equal(record->at, MADE_NOW);
    assert_int_equal(record->n_events, 2);
    assert_int_equal(record->events[0].outcome, JOURNAL_OUTCOME_SENDING);
    assert_int_equal(record->n_fields, 2);
    assert_string_equal(record->fields[0], "email");
    journal_records_clear(&records);
}

/* Every file of the folder, one after the other. */
static bool folder_holds(const char *folder, const char *text) {
    static const char *const names[] = {"journal.db", "journal.db-wal", "journal.db-shm", "journal.head"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        found = found || file_holds(path, text);
    }
    return found;
}

static void nothing_personal_is_in_clear(void **state) {
    struct place *place = *state;
    int64_t n = begin_user(place->journal, "draft-1");
    mark(place->journal, n, JOURNAL_OUTCOME_REFUSED, NULL, "e-mail ZDENKA@example.org (crm-12345) is taken by Zdenka");
    struct journal_records records = get(place->journal, n);
    assert_string_equal(records.items[0].last.message, "e-mail [...] ([...]) is taken by [...]");
    journal_records_clear(&records);
    journal_close(place->journal);
    place->journal = NULL;
    static const char *const markers[] = {"Zdenka", "ZDENKA", "zdenka", "xample.org", "12345", "name\":"};
    for (size_t i = 0; i < COUNT_OF(markers); i++)
        assert_false(folder_holds(place->folder, markers[i]));
    assert_true(folder_holds(place->folder, "name.first"));
}

static size_t listed_match(struct journal *journal, const struct journal_value *match, int64_t *newest) {
    struct journal_filter filter = JOURNAL_ANY;
    struct journal_records records;
    struct error error = {0};
    filter.match = match;
    journal_records_init(&records);
    must(journal_list(journal, &filter, &records, &error), &error);
    size_t n = records.n;
    *newest = n > 0 ? records.items[0].n : 0;
    journal_records_clear(&records);
    return n;
}

static void a_list_is_narrowed_to_a_text_that_was_sent(void **state) {
    struct place *place = *state;
    int64_t newest;
    int64_t first = begin_user(place->journal, NULL);
    mark(place->journal, first, JOURNAL_OUTCOME_REFUSED, NULL, "no");
    struct journal_write other = user_write(NULL);
    other.matches = &(struct journal_value){"tag", "crm-9"};
    other.n_matches = 1;
    int64_t n = 0;
    must(journal_begin(place->journal, &other, &n, NULL), &(struct error){0});
    assert_int_equal(listed_match(place->journal, &(struct journal_value){"tag", "crm-12345"}, &newest), 1);
    assert_int_equal(newest, first); /* whatever became of it */
    assert_int_equal(listed_match(place->journal, &(struct journal_value){"tag", "crm-9"}, &newest), 1);
    assert_int_equal(newest, n);
    assert_int_equal(listed_match(place->journal, &(struct journal_value){"email", "crm-9"}, &newest), 0);
    assert_int_equal(listed_match(place->journal, &(struct journal_value){"tag", "crm-1"}, &newest), 0);
    assert_int_equal(listed_match(place->journal, NULL, &newest), 2);
}

static void a_duplicate_is_known_by_its_normal_form(void **state) {
    struct place *place = *state;
    int64_t done = begin_user(place->journal, NULL);
    mark(place->journal, done, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    int64_t refused = begin_user(place->journal, NULL);
    mark(place->journal, refused, JOURNAL_OUTCOME_REFUSED, NULL, "no");
    int64_t unknown = begin_user(place->journal, NULL);
    mark(place->journal, unknown, JOURNAL_OUTCOME_UNKNOWN, NULL, NULL);
    struct journal_duplicates duplicates;
    struct error error = {0};
    journal_duplicates_init(&duplicates);
    const struct journal_value asked[] = {{"tag", "other"}, {"email", "zdenka@example.org"}};
    must(journal_duplicates(place->journal, &MADE_SCOPE, asked, 2, &duplicates, &error), &error);
    assert_int_equal(duplicates.n, 2);
    assert_int_equal(duplicates.records.items[duplicates.items[0].record].n, unknown);
    assert_int_equal(duplicates.records.items[duplicates.items[1].record].n, done);
    assert_int_equal(duplicates.items[0].match, 1);
    assert_string_equal(duplicates.records.items[duplicates.items[1].record].last.response_id, "usr_1");
    journal_duplicates_clear(&duplicates);
    must(journal_duplicates(place->journal, &(struct journal_scope){"https://other.example:443", "live", ""}, asked, 2,
                            &duplicates, &error),
         &error);
    assert_int_equal(duplicates.n, 0);
    const struct journal_value elsewhere[] = {{"tag", "zdenka@example.org"}};
    must(journal_duplicates(place->journal, &MADE_SCOPE, elsewhere, 1, &duplicates, &error), &error);
    assert_int_equal(duplicates.n, 0);
    journal_duplicates_clear(&duplicates);
}

/* Records of before 00 was read as the +, and (0) left out, hold the digest of the form of then. */
static void f61_a_number_recorded_in_an_earlier_form_is_met(void **state) {
    static const char *const EARLIER[] = {"00491701234567", "+4901701234567", "004901701234567", "+491701234567"};
    struct place *place = *state;
    for (size_t i = 0; i < COUNT_OF(EARLIER); i++) {
        struct journal_write write = user_write(NULL);
        const struct journal_value phone = {"phone", EARLIER[i]};
        int64_t n = 0;
        write.matches = &phone;
        write.n_matches = 1;
        must(journal_begin(place->journal, &write, &n, NULL), NULL);
        mark(place->journal, n, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
        struct journal_duplicates duplicates;
        journal_duplicates_init(&duplicates);
        const struct journal_value asked[] = {{"phone", "+491701234567"}, {"phone", "+4917012345678"}};
        must(journal_duplicates(place->journal, &MADE_SCOPE, asked, 2, &duplicates, NULL), NULL);
        assert_int_equal(duplicates.n, i + 1);
        assert_int_equal(duplicates.found, i + 1);
        assert_int_equal(duplicates.items[i].match, 0);
        journal_duplicates_clear(&duplicates);
    }
}

static void fields_compare_by_their_digests(void **state) {
    struct place *place = *state;
    int64_t n = begin_user(place->journal, NULL);
    struct journal_write now = user_write(NULL);
    const struct journal_value fields[] = {
        {"name.first", "Zdenka"}, {"email", "zdenka@example.org"}, {"phone_number", "+420"}};
    now.fields = fields;
    now.n_fields = 3;
    enum journal_same same[3];
    bool body_same;
    struct error error = {0};
    must(journal_compare(place->journal, n, &now, same, &body_same, &error), &error);
    assert_true(body_same);
    assert_int_equal(same[0], JOURNAL_SAME);
    assert_int_equal(same[1], JOURNAL_CHANGED);
    assert_int_equal(same[2], JOURNAL_NEW);
    now.body_len--;
    must(journal_compare(place->journal, n, &now, same, &body_same, &error), &error);
    assert_false(body_same);
}

static void a_row_of_an_import_is_found_by_its_body(void **state) {
    struct place *place = *state;
    struct journal_write write = user_write(NULL);
    write.import = "import-7";
    write.line = 12;
    int64_t n;
    struct error error = {0};
    must(journal_begin(place->journal, &write, &n, &error), &error);
    struct journal_records records;
    journal_records_init(&records);
    must(journal_same_body(place->journal, &MADE_SCOPE, BODY, sizeof BODY - 1, &records, NULL, &error), &error);
    assert_int_equal(records.n, 1);
    assert_int_equal(records.items[0].line, 12);
    must(journal_same_body(place->journal, &MADE_SCOPE, BODY, sizeof BODY - 2, &records, NULL, &error), &error);
    assert_int_equal(records.n, 1);
    struct journal_filter filter = JOURNAL_ANY;
    filter.import = "import-7";
    must(journal_list(place->journal, &filter, &records, &error), &error);
    assert_int_equal(records.n, 2);
    journal_records_clear(&records);
}

static enum err try_draft(struct journal *journal, const char *draft, int64_t repeats, const char *body, int64_t *n) {
    struct journal_write write = user_write(draft);
    write.repeats = repeats;
    if (body) {
        write.body = body;
        write.body_len = strlen(body);
    }
    struct error error = {0};
    return journal_begin(journal, &write, n, &error);
}

static void a_draft_is_sent_once_over_all_consoles(void **state) {
    struct place *place = *state;
    struct journal_opening opening;
    struct journal *other = journal_open(place->folder, MADE_NOW, &opening);
    assert_non_null(other);
    assert_int_equal(opening.swept, 0);
    int64_t n = begin_user(place->journal, "draft-1"), m;
    assert_int_equal(try_draft(other, "draft-1", 0, NULL, &m), ERR_INVALID);
    mark(place->journal, n, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    assert_int_equal(try_draft(other, "draft-1", 0, NULL, &m), ERR_INVALID);
    assert_int_equal(try_draft(other, "draft-2", 0, NULL, &m), ERR_OK);
    journal_close(other);
}

static void a_refused_draft_may_be_sent_again(void **state) {
    struct place *place = *state;
    int64_t n = begin_user(place->journal, "draft-1"), m;
    mark(place->journal, n, JOURNAL_OUTCOME_REFUSED, NULL, "email: invalid");
    assert_int_equal(try_draft(place->journal, "draft-1", 0, NULL, &m), ERR_OK);
}

static void an_unknown_draft_is_locked_and_repeated_only_with_the_same_body(void **state) {
    struct place *place = *state;
    int64_t n = begin_user(place->journal, "draft-1"), m;
    mark(place->journal, n, JOURNAL_OUTCOME_UNKNOWN, NULL, NULL);
    assert_int_equal(try_draft(place->journal, "draft-1", 0, NULL, &m), ERR_INVALID);
    assert_int_equal(try_draft(place->journal, "draft-1", n, "{}", &m), ERR_INVALID);
    assert_int_equal(try_draft(place->journal, NULL, n, "{}", &m), ERR_INVALID);
    assert_int_equal(try_draft(place->journal, "draft-1", n, NULL, &m), ERR_OK);
    struct journal_records records = get(place->journal, m);
    assert_int_equal(records.items[0].repeats, n);
    journal_records_clear(&records);
    mark(place->journal, m, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    assert_int_equal(try_draft(place->journal, NULL, m, NULL, &m), ERR_INVALID);
}

static void an_unknown_is_settled_with_a_note_and_then_final(void **state) {
    struct place *place = *state;
    int64_t n = begin_user(place->journal, NULL);
    struct journal_settle settle = {.now = MADE_NOW + 9, .outcome = JOURNAL_OUTCOME_DONE, .who = "ben", .note = " "};
    struct error error = {0};
    settle.note = "seen in the service's own list";
    assert_int_equal(journal_settle(place->journal, n, &settle, &error), ERR_INVALID);
    mark(place->journal, n, JOURNAL_OUTCOME_UNKNOWN, NULL, NULL);
    settle.note = " \t";
    assert_int_equal(journal_settle(place->journal, n, &settle, NULL), ERR_INVALID);
    settle.note = "seen in the service's own list";
    settle.outcome = JOURNAL_OUTCOME_UNKNOWN;
    assert_int_equal(journal_settle(place->journal, n, &settle, NULL), ERR_INVALID);
    settle.outcome = JOURNAL_OUTCOME_DONE;
    error_clear(&error);
    must(journal_settle(place->journal, n, &settle, &error), &error);
    struct journal_records records = get(place->journal, n);
    assert_true(records.items[0].settled);
    assert_string_equal(records.items[0].last.who, "ben");
    assert_string_equal(records.items[0].last.note, "seen in the service's own list");
    journal_records_clear(&records);
    assert_int_equal(journal_settle(place->journal, n, &settle, NULL), ERR_INVALID);
    assert_int_equal(journal_mark(place->journal, n,
                                  &(struct journal_mark){.now = MADE_NOW, .outcome = JOURNAL_OUTCOME_REFUSED}, NULL),
                     ERR_INVALID);
}

static size_t registered(struct journal *journal, const struct journal_scope *scope, const char *id, int64_t first) {
    struct journal_records records;
    struct error error = {0};
    journal_records_init(&records);
    must(journal_registered(journal, scope, id, &records, &error), &error);
    size_t n = records.n;
    if (n > 0) {
        assert_int_equal(records.items[0].n, first);
        assert_int_equal(records.items[0].n_fields, COUNT_OF(FIELDS));
    }
    journal_records_clear(&records);
    return n;
}

static void the_records_of_a_user_are_found_by_its_id_in_one_scope(void **state) {
    struct place *place = *state;
    const struct journal_scope other = {MADE_ORIGIN, "sandbox", ""};
    int64_t first = begin_user(place->journal, "one");
    mark(place->journal, first, JOURNAL_OUTCOME_UNKNOWN, "usr_1", NULL);
    mark(place->journal, begin_user(place->journal, "two"), JOURNAL_OUTCOME_DONE, "usr_2", NULL);
    struct journal_settle settle = {
        .now = MADE_NOW + 9, .outcome = JOURNAL_OUTCOME_DONE, .who = "ben", .note = "seen", .response_id = "usr_1"};
    must(journal_settle(place->journal, first, &settle, NULL), NULL);
    assert_int_equal(registered(place->journal, &MADE_SCOPE, "usr_1", first), 1);
    assert_int_equal(registered(place->journal, &MADE_SCOPE, "usr", 0), 0);
    assert_int_equal(registered(place->journal, &other, "usr_1", 0), 0);
}

static void begin_and_finish(struct journal *journal, const struct journal_write *write, const char *id) {
    int64_t n = 0;
    must(journal_begin(journal, write, &n, NULL), NULL);
    mark(journal, n, JOURNAL_OUTCOME_DONE, id, NULL);
}

static void records_of_others_with_the_same_id_hide_none(void **state) {
    struct place *place = *state;
    struct journal_write other = user_write(NULL), webhook = user_write(NULL);
    int64_t first = begin_user(place->journal, "one");
    mark(place->journal, first, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    other.scope.profile = "sandbox";
    webhook.operation = JOURNAL_WEBHOOK;
    for (int i = 0; i < JOURNAL_ALIKE_MAX; i++)
        begin_and_finish(place->journal, i % 2 ? &other : &webhook, "usr_1");
    assert_int_equal(registered(place->journal, &MADE_SCOPE, "usr_1", first), 1);
}

static void bar5_a_note_with_the_token_in_it_is_kept_without(void **state) {
    struct place *place = *state;
    struct secret *token = secret_new("tok-Wq4Tx8Nb2Jr6", 16);
    int64_t n = begin_user(place->journal, NULL);
    mark(place->journal, n, JOURNAL_OUTCOME_UNKNOWN, NULL, NULL);
    struct journal_settle settle = {.now = MADE_NOW + 9,
                                    .outcome = JOURNAL_OUTCOME_DONE,
                                    .who = "ben",
                                    .note = "asked with tok-Wq4Tx8Nb2Jr6: there"};
    must(journal_settle(place->journal, n, &settle, NULL), NULL);
    struct journal_records records = get(place->journal, n);
    assert_string_equal(records.items[0].last.note, "asked with [redacted]: there");
    journal_records_clear(&records);
    secret_free(token);
}

/* A child that begins a write and ends without an answer, or waits until it is told. */
static pid_t child_that_begins(const char *folder, const int pair[2]) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    close(pair[0]);
    int wait_fd = pair[1];
    struct journal_opening opening;
    struct journal *journal = journal_open(folder, MADE_NOW, &opening);
    struct journal_write write = user_write("draft-child");
    int64_t n = 0;
    bool ok = journal && journal_begin(journal, &write, &n, NULL) == ERR_OK;
    char byte = ok ? 'y' : 'n';
    bool told = send(wait_fd, &byte, 1, MSG_NOSIGNAL) == 1;
    while (told && read(wait_fd, &byte, 1) == 1)
        continue;
    _exit(ok ? 0 : 1);
}

static void what_an_ended_program_was_sending_becomes_unknown(void **state) {
    struct place *place = *state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid_t pid = child_that_begins(place->folder, pair);
    close(pair[1]);
    char byte = 0;
    assert_int_equal(read(pair[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    size_t swept = 0;
    struct error error = {0};
    must(journal_sweep(place->journal, MADE_NOW, &swept, &error), &error);
    assert_int_equal(swept, 0);
    siginfo_t info;
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0); /* ended, and still in the list */
    close(pair[0]);
    must(journal_sweep(place->journal, MADE_NOW + 1, &swept, &error), &error);
    assert_int_equal(swept, 1);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct journal_records records = get(place->journal, 1);
    assert_int_equal(records.items[0].last.outcome, JOURNAL_OUTCOME_UNKNOWN);
    journal_records_clear(&records);
    int64_t m;
    assert_int_equal(try_draft(place->journal, "draft-child", 0, NULL, &m), ERR_INVALID);
}

static int64_t register_at(struct journal *journal, const char *origin, const char *profile, const char *url,
                           const char *fingerprint, enum journal_outcome outcome) {
    struct journal_write write = {.now = MADE_NOW,
                                  .who = "anna",
                                  .scope = {origin, profile, ""},
                                  .environment = "production",
                                  .operation = JOURNAL_WEBHOOK,
                                  .body = url,
                                  .body_len = strlen(url),
                                  .url = url,
                                  .fingerprint = fingerprint};
    int64_t n;
    struct error error = {0};
    must(journal_begin(journal, &write, &n, &error), &error);
    mark(journal, n, outcome, NULL, NULL);
    return n;
}

static int64_t register_webhook(struct journal *journal, const char *profile, const char *url, const char *fingerprint,
                                enum journal_outcome outcome) {
    return register_at(journal, MADE_ORIGIN, profile, url, fingerprint, outcome);
}

static void the_last_registration_of_an_origin_is_known(void **state) {
    struct place *place = *state;
    struct journal_webhook webhook;
    struct error error = {0};
    must(journal_webhook_last(place->journal, &MADE_SCOPE, &webhook, &error), &error);
    assert_int_equal(webhook.records.n, 0);
    register_webhook(place->journal, "live", "https://a.example/hook", "f1", JOURNAL_OUTCOME_DONE);
    register_webhook(place->journal, "live", "https://b.example/hook", NULL, JOURNAL_OUTCOME_DONE);
    register_webhook(place->journal, "live", "https://c.example/hook", "f3", JOURNAL_OUTCOME_REFUSED);
    must(journal_webhook_last(place->journal, &MADE_SCOPE, &webhook, &error), &error);
    assert_int_equal(webhook.records.n, 1);
    assert_string_equal(webhook.records.items[0].url, "https://b.example/hook");
    assert_null(webhook.records.items[0].fingerprint);
    assert_int_equal(webhook.records.items[0].last.status, 201);
    assert_int_equal(webhook.unknown_since, 0);
    journal_webhook_clear(&webhook);
    int64_t n = register_webhook(place->journal, "live", "https://d.example/hook", "f4", JOURNAL_OUTCOME_UNKNOWN);
    must(journal_webhook_last(place->journal, &MADE_SCOPE, &webhook, &error), &error);
    assert_int_equal(webhook.unknown_since, n);
    assert_string_equal(webhook.unknown_url, "https://d.example/hook");
    assert_string_equal(webhook.unknown_fingerprint, "f4");
    assert_true(webhook.unknown_ended);
    assert_string_equal(webhook.records.items[0].url, "https://b.example/hook");
    journal_webhook_clear(&webhook);
}

static void profiles_that_share_a_secret_are_named(void **state) {
    struct place *place = *state;
    register_webhook(place->journal, "live", "https://a.example/", "f1", JOURNAL_OUTCOME_DONE);
    register_webhook(place->journal, "same-place", "https://a.example/", "f1", JOURNAL_OUTCOME_DONE);
    register_at(place->journal, "https://old.example:443", "old", "https://a.example/", "f1", JOURNAL_OUTCOME_DONE);
    register_at(place->journal, "https://old.example:443", "old", "https://a.example/", "f9", JOURNAL_OUTCOME_DONE);
    register_at(place->journal, "https://test.example:443", "test", "https://a.example/", "f1", JOURNAL_OUTCOME_DONE);
    struct journal_records records;
    struct error error = {0};
    journal_records_init(&records);
    must(journal_secret_shared(place->journal, &MADE_SCOPE, "f1", &records, &error), &error);
    assert_int_equal(records.n, 1);
    assert_string_equal(records.items[0].profile, "test");
    journal_records_clear(&records);
}

/* Two profiles of one address: each counts as sent what it sent itself; the other's is told of where the account is
 * one. */
static void f2_what_was_sent_is_known_by_origin_profile_and_account(void **state) {
    struct place *place = *state;
    struct journal_write write = user_write(NULL);
    struct error error = {0};
    int64_t n = 0;
    write.scope = (struct journal_scope){MADE_ORIGIN, "live", "eu"};
    write.lock_body = true;
    must(journal_begin(place->journal, &write, &n, &error), &error);
    mark(place->journal, n, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    static const struct {
        struct journal_scope scope;
        size_t own, others;
    } asked[] = {{{MADE_ORIGIN, "live", "eu"}, 2, 0},
                 {{MADE_ORIGIN, "renamed", "eu"}, 0, 2},
                 {{MADE_ORIGIN, "live", "us"}, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        struct journal_duplicates duplicates;
        journal_duplicates_init(&duplicates);
        must(journal_duplicates(place->journal, &asked[i].scope, MATCHES, COUNT_OF(MATCHES), &duplicates, &error),
             &error);
        assert_int_equal(duplicates.n, asked[i].own);
        assert_int_equal(duplicates.others.n, asked[i].others);
        if (asked[i].others)
            assert_string_equal(duplicates.others.profile, "live");
        journal_duplicates_clear(&duplicates);
        write.scope = asked[i].scope;
        assert_int_equal(journal_begin(place->journal, &write, &n, NULL), asked[i].own ? ERR_INVALID : ERR_OK);
    }
}

static void a_list_is_newest_first_and_filtered(void **state) {
    struct place *place = *state;
    for (int i = 0; i < 5; i++) {
        int64_t n = begin_user(place->journal, NULL);
        mark(place->journal, n, i % 2 ? JOURNAL_OUTCOME_DONE : JOURNAL_OUTCOME_REFUSED, NULL, NULL);
    }
    register_webhook(place->journal, "live", "https://a.example/", "f1", JOURNAL_OUTCOME_DONE);
    struct journal_records records;
    struct error error = {0};
    journal_records_init(&records);
    struct journal_filter filter = JOURNAL_ANY;
    filter.operation = JOURNAL_USER;
    filter.outcome = JOURNAL_OUTCOME_REFUSED;
    filter.limit = 2;
    must(journal_list(place->journal, &filter, &records, &error), &error);
    assert_int_equal(records.n, 2);
    assert_int_equal(records.items[0].n, 5);
    assert_int_equal(records.items[1].n, 3);
    filter.before = 3;
    must(journal_list(place->journal, &filter, &records, &error), &error);
    assert_int_equal(records.n, 3);
    assert_int_equal(records.items[2].n, 1);
    journal_records_clear(&records);
    int64_t counts[JOURNAL_OUTCOME_COUNT];
    must(journal_counts(place->journal, counts, &error), &error);
    assert_int_equal(counts[JOURNAL_OUTCOME_DONE], 3);
    assert_int_equal(counts[JOURNAL_OUTCOME_REFUSED], 3);
}

static void purge_leaves_outcome_and_id(void **state) {
    struct place *place = *state;
    int64_t done = begin_user(place->journal, "draft-gone");
    mark(place->journal, done, JOURNAL_OUTCOME_DONE, "usr_1", "greetings");
    int64_t open = begin_user(place->journal, "draft-open");
    mark(place->journal, open, JOURNAL_OUTCOME_UNKNOWN, NULL, NULL);
    int64_t purged = 0;
    bool left = true;
    struct error error = {0};
    must(journal_purge(place->journal, MADE_NOW, MADE_NOW + 2, &purged, &left, &error), &error);
    assert_int_equal(purged, 0);
    must(journal_purge(place->journal, MADE_NOW + 1, MADE_NOW + 2, &purged, &left, &error), &error);
    assert_int_equal(purged, 1);
    assert_false(left);
    struct journal_records records = get(place->journal, done);
    const struct journal_record *record = &records.items[0];
    assert_int_equal(record->last.outcome, JOURNAL_OUTCOME_DONE);
    assert_string_equal(record->last.response_id, "usr_1");
    assert_string_equal(record->who, "anna");
    assert_null(record->last.message);
    assert_null(record->idempotency);
    assert_null(record->draft);
    assert_int_equal(record->n_fields, 0);
    journal_records_clear(&records);
    struct journal_duplicates duplicates;
    journal_duplicates_init(&duplicates);
    must(journal_duplicates(place->journal, &MADE_SCOPE, MATCHES, COUNT_OF(MATCHES), &duplicates, &error), &error);
    for (size_t i = 0; i < duplicates.n; i++)
        assert_int_equal(duplicates.records.items[duplicates.items[i].record].n, open);
    assert_int_equal(duplicates.n, 2);
    journal_duplicates_clear(&duplicates);
    assert_false(folder_holds(place->folder, "draft-gone"));
    assert_false(folder_holds(place->folder, "greetings"));
    assert_true(folder_holds(place->folder, "draft-open"));
    struct journal_health health;
    must(journal_verify(place->folder, MADE_NOW, &health, &error), &error);
    assert_int_equal(health.records, 2);
    journal_health_clear(&health);
}

static void a_lost_key_is_said_and_old_records_stay(void **state) {
    struct place *place = *state;
    int64_t done = begin_user(place->journal, NULL);
    mark(place->journal, done, JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    journal_close(place->journal);
    char path[4200];
    snprintf(path, sizeof path, "%s/machine.key", place->folder);
    assert_int_equal(unlink(path), 0);
    place->journal = journal_open(place->folder, MADE_NOW, &place->opening);
    assert_non_null(place->journal);
    assert_true(place->opening.key_is_new);
    struct journal_duplicates duplicates;
    struct error error = {0};
    journal_duplicates_init(&duplicates);
    must(journal_duplicates(place->journal, &MADE_SCOPE, MATCHES, COUNT_OF(MATCHES), &duplicates, &error), &error);
    assert_int_equal(duplicates.n, 0);
    struct journal_records records = get(place->journal, done);
    assert_string_equal(records.items[0].last.response_id, "usr_1");
    journal_records_clear(&records);
}

static void a_key_lost_and_made_anew_elsewhere_is_said_once(void **state) {
    struct place *place = *state;
    struct machine_key key;
    bool made;
    mark(place->journal, begin_user(place->journal, NULL), JOURNAL_OUTCOME_DONE, "usr_1", NULL);
    journal_close(place->journal);
    char path[4200];
    snprintf(path, sizeof path, "%s/machine.key", place->folder);
    assert_int_equal(unlink(path), 0);
    must(machine_key_load(place->folder, &key, &made, NULL), NULL);
    assert_true(made);
    place->journal = journal_open(place->folder, MADE_NOW, &place->opening);
    assert_true(place->opening.key_is_new);
    journal_close(place->journal);
    place->journal = journal_open(place->folder, MADE_NOW, &place->opening);
    assert_non_null(place->journal);
    assert_false(place->opening.key_is_new);
}

#define WITH_JOURNAL(name) cmocka_unit_test_setup_teardown(name, place_set_up_open, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_JOURNAL(a_write_is_recorded_before_and_after),
        WITH_JOURNAL(nothing_personal_is_in_clear),
        WITH_JOURNAL(a_duplicate_is_known_by_its_normal_form),
        WITH_JOURNAL(f61_a_number_recorded_in_an_earlier_form_is_met),
        WITH_JOURNAL(a_list_is_narrowed_to_a_text_that_was_sent),
        WITH_JOURNAL(fields_compare_by_their_digests),
        WITH_JOURNAL(a_row_of_an_import_is_found_by_its_body),
        WITH_JOURNAL(a_draft_is_sent_once_over_all_consoles),
        WITH_JOURNAL(a_refused_draft_may_be_sent_again),
        WITH_JOURNAL(an_unknown_draft_is_locked_and_repeated_only_with_the_same_body),
        WITH_JOURNAL(an_unknown_is_settled_with_a_note_and_then_final),
        WITH_JOURNAL(the_records_of_a_user_are_found_by_its_id_in_one_scope),
        WITH_JOURNAL(records_of_others_with_the_same_id_hide_none),
        WITH_JOURNAL(bar5_a_note_with_the_token_in_it_is_kept_without),
        WITH_JOURNAL(what_an_ended_program_was_sending_becomes_unknown),
        WITH_JOURNAL(the_last_registration_of_an_origin_is_known),
        WITH_JOURNAL(f2_what_was_sent_is_known_by_origin_profile_and_account),
        WITH_JOURNAL(profiles_that_share_a_secret_are_named),
        WITH_JOURNAL(a_list_is_newest_first_and_filtered),
        WITH_JOURNAL(purge_leaves_outcome_and_id),
        WITH_JOURNAL(a_lost_key_is_said_and_old_records_stay),
        WITH_JOURNAL(a_key_lost_and_made_anew_elsewhere_is_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
