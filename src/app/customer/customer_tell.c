/* A customer in words, a line for each matter. */
#include "app/customer.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum { TELL_MAX = 1 << 20, DATE_LEN = 10, TOLD_MOST = 12 };

/* A time that names no zone is as it was received, and marked. */
void customer_add_time(const struct customer_telling *telling, struct customer_time time, struct str *out) {
    if (time.bare)
        str_add_char(out, '?');
    clock_format(out, time.ms, time.bare ? CLOCK_UTC : telling->zone, telling->now);
}

/* Only what has a moment has an age: a time without a zone has none. */
static bool is_aged(const struct customer_telling *telling, struct customer_time time) {
    return telling->zone == CLOCK_AGE && !time.bare;
}

/* In a sentence: an age is so long ago. */
static void customer_say_time(const struct customer_telling *telling, struct customer_time time, struct str *out) {
    if (is_aged(telling, time))
        clock_format_ago(out, time.ms, telling->now);
    else
        customer_add_time(telling, time, out);
}

/* The day alone, or the age. */
static void customer_say_day(const struct customer_telling *telling, struct customer_time time, struct str *out) {
    struct str text;
    str_init(&text, 128);
    customer_say_time(telling, time, &text);
    size_t day = time.bare ? DATE_LEN + 1 : DATE_LEN; /* a sign in front */
    str_add_n(out, text.s, !is_aged(telling, time) && text.len > day ? day : text.len);
    str_clear(&text);
}

static void tell_seen(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    if (customer->first.ms == CLOCK_NONE)
        return;
    str_add(out, "first ");
    customer_say_time(telling, customer->first, out);
    str_add(out, ", last ");
    customer_say_time(telling, customer->last, out);
    str_add(out, telling->zone == CLOCK_UTC ? " UTC" : "");
}

static void customer_add_count(struct str *out, const char *before, size_t n, const char *behind) {
    str_add(out, before);
    money_group_count(out, n);
    str_add(out, behind);
}

/* The most frequent. */
static void add_words(const struct customer_words *words, struct str *out) {
    for (size_t i = 0; i < words->n && i < TOLD_MOST; i++) {
        str_addf(out, "%s%s ", i > 0 ? ", " : "", words->items[i].text ? words->items[i].text : "(none)");
        money_group_count(out, words->items[i].rows);
    }
    if (words->n > TOLD_MOST)
        customer_add_count(out, ", and ", words->n - TOLD_MOST, " more");
}

static void tell_status(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    (void)telling;
    add_words(&customer->statuses, out);
}

static void tell_banks(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    (void)telling;
    if (customer->banks.n > 1 || (customer->banks.n == 1 && customer->banks.items[0].text))
        add_words(&customer->banks, out);
}

/* Never across currencies or directions. */
static void tell_sums(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    const struct customer_sum *sums = customer->sums.items;
    bool directed = customer->sums.n > 0 && attempts_has_directions(&sums->direction, sizeof *sums, customer->sums.n);
    for (size_t i = 0; i < customer->sums.n; i++) {
        const struct customer_sum *sum = &customer->sums.items[i];
        str_addf(out, "%s%s ", i > 0 ? "; " : "", sum->all.currency ? sum->all.currency : "no currency");
        lookup_sum_text(&sum->all, &telling->money, out);
        if (directed)
            attempts_say_direction(sum->direction, out);
        str_add(out, ", approved ");
        lookup_sum_text(&sum->approved, &telling->money, out);
    }
}

static const char *decline_reason(const struct customer_decline *decline) {
    return decline->reason ? decline->reason : "(no reason)";
}

/* Newest first, since the end of a line may be cut; a reason that came again at once is said once. */
static void tell_declined(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    const struct customer_decline *items = customer->declines.items;
    size_t told = 0;
    for (size_t at = customer->declines.n, times; at > 0; at -= times) {
        for (times = 1; times < at && items[at - 1 - times].reason == items[at - 1].reason;)
            times++;
        str_addf(out, "%s%s ",
                 out->len > 0               ? ", "
                 : customer->declines.n > 1 ? "newest first: "
                                            : "",
                 decline_reason(&items[at - 1]));
        customer_say_day(telling, items[at - 1].created, out);
        if (times > 1)
            customer_add_count(out, " (", times, " times)");
        if (++told == TOLD_MOST && at > times) {
            customer_add_count(out, ", and ", at - times, " before");
            return;
        }
    }
}

static void tell_attempts(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    (void)telling;
    const struct attempts *attempts = customer->attempts;
    if (attempts->parted && customer->rows > 0)
        str_add(out, "not told: the filter hides some; the other lines are of what it lets through");
    else if (attempts->payments.n > 0 || attempts->apart > 0)
        attempts_say_all(attempts, out);
}

static bool has_field(const struct outcome_record *record, const char *name) {
    for (size_t i = 0; i < record->n_fields; i++)
        if (str_equal(record->fields[i], name))
            return true;
    return false;
}

/* The journal keeps no tag in clear, so that it can only be said that there is one. */
static void tell_registered(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    const struct outcome_records *records = telling->registered;
    (void)customer;
    if (telling->registered_fault)
        str_addf(out, "not known: %s", telling->registered_fault);
    if (!records || records->n == 0)
        return;
    const struct outcome_record *record = &records->items[0];
    customer_say_time(telling, (struct customer_time){.ms = record->at}, out);
    str_addf(out, " here by %s, record %" PRId64, record->who ? record->who : "?", record->n);
    if (has_field(record, "tag"))
        str_add(out, ", with a tag (kept as a digest)");
    else
        str_add(out, record->n_fields > 0 ? ", without a tag" : ", whether with a tag was purged");
}

static void tell_tags(const struct customer *customer, const struct customer_telling *telling, struct str *out) {
    (void)customer;
    const struct notes_subject *subject =
        telling->notes && telling->user ? notes_find(telling->notes, NOTE_OF_USER, telling->user, strlen(telling->user))
                                        : NULL;
    for (size_t i = 0; subject && i < subject->n_tags; i++)
        str_addf(out, "%s%s", i > 0 ? " " : "", subject->tags[i].text);
    if (!subject || subject->n_notes == 0)
        return;
    customer_add_count(out, out->len > 0 ? "; " : "", subject->n_notes, " note");
    str_addf(out, "%s, the last: %s", plural_s(subject->n_notes), subject->notes[subject->n_notes - 1].text);
}

void customer_tell(const struct customer *customer, const struct customer_telling *telling, customer_line *line,
                   void *to) {
    static const struct {
        const char *label;
        void (*tell)(const struct customer *customer, const struct customer_telling *telling, struct str *out);
    } LINES[] = {{"seen", tell_seen},         {"status", tell_status},        {"sums", tell_sums},
                 {"attempts", tell_attempts}, {"declined", tell_declined},    {"banks", tell_banks},
                 {"tags", tell_tags},         {"registered", tell_registered}};
    for (size_t i = 0; i < COUNT_OF(LINES); i++) {
        struct str text;
        str_init(&text, TELL_MAX);
        LINES[i].tell(customer, telling, &text);
        if (text.len > 0)
            line(to, LINES[i].label, text.s);
        str_clear(&text);
    }
}

/* ---- The rest ---- */

static void customer_tell_decline(const struct customer_decline *decline, const struct customer_telling *telling,
                                  struct str *out) {
    const struct reason *reason = reasons_find(telling->reasons, decline->reason);
    customer_say_time(telling, decline->created, out);
    str_addf(out, "  %s", decline_reason(decline));
    if (reason)
        str_addf(out, ": %s", reason->texts[REASON_MEANING]);
}

static void customer_tell_payment(const struct attempts *attempts, const struct payment *payment,
                                  const struct customer_telling *telling, struct str *out) {
    const struct attempt *first = &attempts->tries.items[payment->first];
    customer_say_time(telling, (struct customer_time){.ms = first->created, .bare = first->bare}, out);
    str_addf(out, "  %s ", first->currency);
    money_format(out, first->amount, first->currency, &telling->money);
    str_add(out, ": ");
    attempts_say(attempts, payment, out);
}

void customer_tell_rest(const struct customer *customer, const struct customer_telling *telling, customer_line *line,
                        void *to) {
    const struct attempts *attempts = customer->attempts;
    const char *label = "each decline";
    struct str text;
    str_init(&text, TELL_MAX);
    for (size_t i = 0; i < customer->declines.n; i++, label = "") {
        str_reset(&text);
        customer_tell_decline(&customer->declines.items[i], telling, &text);
        line(to, label, text.s);
    }
    label = "tried again";
    for (size_t i = 0; i < attempts->payments.n && !attempts->parted; i++) {
        if (attempts->payments.items[i].n == 1)
            continue;
        str_reset(&text);
        customer_tell_payment(attempts, &attempts->payments.items[i], telling, &text);
        line(to, label, text.s);
        label = "";
    }
    str_clear(&text);
}
