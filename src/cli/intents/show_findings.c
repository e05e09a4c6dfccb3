/* What `intents show` says beside the record: its findings, on standard error. */
#include "cached_list.h"

#include "app/observed.h"
#include "app/related.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"

enum { EVIDENCE_MAX = 1 << 14 };

struct asking {
    const struct cli *cli;
    const struct intent *intent;
    uint64_t ticket;
    bool finished;
    struct related *related; /* NULL: nobody could be asked */
};

static void asking_update(void *self, struct event *event, struct effects *effects) {
    struct asking *asking = self;
    const struct intent *intent = asking->intent;
    if (event->kind == EVENT_START) {
        asking->finished = !asking->cli->cache_ready;
        if (!asking->finished)
            asking->ticket = effects_related(effects, observed_ask(intent->id.text, intent->created_at.ms, 0));
    } else if (event->kind == EVENT_RELATED && event->ticket == asking->ticket) {
        asking->related = event_take(event, related);
        asking->finished = true;
    }
}

static bool asking_is_finished(const void *self) {
    return ((const struct asking *)self)->finished;
}

void cli_say_findings(struct cli *cli, const struct intent *intent) {
    struct asking asking = {.cli = cli, .intent = intent};
    struct client client = {
        .self = &asking, .update = asking_update, .is_finished = asking_is_finished, .unindexed = true};
    const struct money_rule money = profile_money(cli->profile);
    cli->signal = cli->drive(cli->drive_context, &client);
    const struct finding_telling telling = {.money = &money,
                                            .others = asking.related ? asking.related->items : NULL,
                                            .n_others = asking.related ? asking.related->n : 0};
    unsigned found = finding_of_intent(intent, clock_now()) | related_findings(asking.related);
    for (unsigned i = 0; i < FINDING_COUNT; i++) {
        struct str text;
        if (!(found & FINDING_BIT(i)))
            continue;
        str_init(&text, EVIDENCE_MAX);
        finding_evidence(intent, (enum finding)i, &telling, &text);
        out_say(cli->err, "bursar: hint, %s: %s (%s)\n", finding_rule((enum finding)i)->name,
                finding_rule((enum finding)i)->hint, text.s);
        str_clear(&text);
    }
    if (!asking.related || !asking.related->whole)
        out_say(cli->err, "bursar: hints that rest on other intents were not looked for in all that are cached: "
                          "bursar intents list --cached finding:source,twice does\n");
    related_free(asking.related);
}
