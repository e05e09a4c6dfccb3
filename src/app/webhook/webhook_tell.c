#include "app/webhook.h"

#include "app/text.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

static void add_clean(struct str *out, const char *text) {
    utf8_sanitise(out, text, strlen(text));
}

void webhook_tell_signing(const struct webhook *webhook, struct str *out) {
    switch (webhook->signing) {
    case WEBHOOK_NOT_CHOSEN:
        str_add(out, "not chosen");
        break;
    case WEBHOOK_UNSIGNED:
        str_add(out, "UNSIGNED: events carry no signature");
        break;
    case WEBHOOK_GIVEN:
        if (!webhook->secret && webhook_proposal(webhook)) {
            str_addf(out, "with the secret proposed (team's fingerprint %s)", webhook_proposal(webhook)->fingerprint);
            break;
        }
        str_add(out, "with the secret given (");
        if (webhook->secret)
            str_addf(out, "%zu characters, ", strlen(webhook->secret));
        str_addf(out, "fingerprint %s)", webhook->fingerprint ? webhook->fingerprint : "not known");
        break;
    case WEBHOOK_GENERATED:
        str_addf(out, "with a generated secret (fingerprint %s)", webhook->fingerprint);
        break;
    }
}

static void add_not_known(const struct outcome_record *record, struct str *out) {
    str_addf(out, "accepted (%d), whether it is in force is not known", record->last.status);
}

static void tell_record(const struct outcome_record *record, int64_t now, struct str *out) {
    str_add(out, "URL          ");
    add_clean(out, record->url ? record->url : "?");
    str_add(out, "\nsigning      ");
    if (record->fingerprint)
        str_addf(out, "signed, secret fingerprint %s", record->fingerprint);
    else
        str_addf(out, "UNSIGNED: %s without a secret", webhook_held(record) ? "registered" : "sent");
    str_add(out, webhook_held(record) ? "\nregistered   " : "\nsent         ");
    text_time(out, record->at);
    str_add(out, " (");
    clock_format_ago(out, record->at, now);
    str_add(out, "), by ");
    add_clean(out, record->who ? record->who : "?");
    str_add(out, ", ");
    if (record->settled)
        str_add(out, "noted as done by hand");
    else if (webhook_held(record))
        str_addf(out, "answered %d %s", record->last.status, record->last.status == 201 ? "registered" : "replaced");
    else
        add_not_known(record, out);
    str_addf(out, ", record %lld\n", (long long)record->n);
}

/* Said once, wherever what is in force is told or replaced. */
static void tell_other_profile(const struct webhook *webhook, struct str *out) {
    const struct webhook_answer *known = webhook->known;
    if (known && known->other_profile) {
        str_addf(out,
                 "Profile %s names the same service and account and registered there later%s: its endpoint may be in "
                 "force.\n",
                 known->other_profile, known->other_signed ? ", signed" : ", UNSIGNED");
    }
}

void webhook_tell_known(const struct webhook *webhook, int64_t now, struct str *out) {
    const struct outcome_record *record = webhook_last(webhook);
    if (!webhook->known) {
        str_add(out, "the journal is being read\n");
        return;
    }
    if (webhook->known->error.code != ERR_OK) {
        str_addf(out, "the journal cannot be read: %s\n", webhook->known->error.text);
        return;
    }
    if (record)
        tell_record(record, now, out);
    else if (!webhook->known->unknown_since)
        str_add(out, "nothing is known: this console has registered no endpoint here\n");
    if (webhook->known->unknown_since) {
        str_addf(out, "record %lld, a %sregistration", (long long)webhook->known->unknown_since,
                 record ? "later " : "");
        if (webhook->known->unknown_url) {
            str_add(out, " of ");
            add_clean(out, webhook->known->unknown_url);
        }
        str_addf(out, ", has no known outcome: it may be in force%s\n", record ? " instead" : "");
    }
    tell_other_profile(webhook, out);
    str_add(out, "This is this console's record; the service cannot be asked, and others may have replaced it.\n");
    if (webhook->known->shared_with) {
        str_addf(out, "Profile %s registered the same secret: give each endpoint its own.\n",
                 webhook->known->shared_with);
    }
}

/* Before it is confirmed: whether a POST follows, or a colleague's word. */
static void tell_purpose(const struct webhook *webhook, struct str *out) {
    const struct proposal *proposal = webhook_proposal(webhook);
    enum webhook_purpose purpose = webhook_purpose(webhook);
    bool whole = webhook->signing == WEBHOOK_UNSIGNED || webhook->secret;
    if (proposal)
        proposal_tell_acts(proposal, out);
    if (purpose == WEBHOOK_PROPOSES)
        str_addf(out, "This proposes it to the team: nothing is sent until another person has released it.%s\n",
                 webhook->secret ? " The secret stays here; keep it, for it is given again when it is sent." : "");
    else if (purpose == WEBHOOK_RELEASES && whole)
        str_add(out, "This releases it and sends it from here, once.\n");
    else if (purpose == WEBHOOK_RELEASES)
        str_add(out, "This releases it and sends nothing: who proposed it sends it, with the secret.\n");
}

/* What was sent last is what was in force where an answer said so. */
static void add_then(const struct outcome_record *record, const char *label, const char *what, struct str *out) {
    str_addf(out, "\n%s", label);
    if (!record || !webhook_held(record))
        str_add(out, record ? "not known; sent last: " : "not known");
    if (record)
        add_clean(out, what);
}

static void tell_last_record(const struct outcome_record *record, struct str *out) {
    str_add(out, "last record  ");
    text_time(out, record->at);
    str_addf(out, ", record %lld", (long long)record->n);
    if (!webhook_held(record)) {
        str_add(out, ": ");
        add_not_known(record, out);
    }
    str_add_char(out, '\n');
}

void webhook_tell_difference(const struct webhook *webhook, struct str *out) {
    const struct outcome_record *record = webhook_last(webhook);
    struct str signing;
    str_init(&signing, 512);
    webhook_tell_signing(webhook, &signing);
    str_add(out, "environment  ");
    add_clean(out, webhook->profile->environment);
    str_add(out, " (");
    add_clean(out, webhook->profile->origin);
    str_add_char(out, ')');
    add_then(record, "URL then     ", record && record->url ? record->url : "not known", out);
    str_add(out, "\nURL now      ");
    add_clean(out, webhook->url);
    add_then(record, "signed then  ", record && record->fingerprint ? "yes, fingerprint " : "no", out);
    str_addf(out, "%s\nsigned now   %s\n", record && record->fingerprint ? record->fingerprint : "", signing.s);
    if (record)
        tell_last_record(record, out);
    tell_other_profile(webhook, out);
    if (webhook_repeats(webhook)) {
        str_addf(out, "This repeats record %lld, whose outcome is unknown, as it was: that is safe.\n",
                 (long long)webhook_repeats(webhook));
    }
    tell_purpose(webhook, out);
    bool same = record && str_equal(record->url, webhook->url) && str_equal(record->fingerprint, webhook->fingerprint);
    bool other = webhook->known && webhook->known->other_profile;
    bool was_signed = other ? webhook->known->other_signed : record && record->fingerprint;
    if (same && !other)
        str_add(out, "This is the same as the last registration; sending it again is safe.\n");
    else if (was_signed && webhook->signing == WEBHOOK_UNSIGNED)
        str_add(out, "This switches signing OFF.\n");
    str_clear(&signing);
}

/* What the service held before, as this console knew it when it sent. */
static void tell_effect(const struct webhook *webhook, const struct write_result *result, struct str *out) {
    const struct webhook_answer *before = webhook->before;
    const struct outcome_record *record = before && before->last.n > 0 ? &before->last.items[0] : NULL;
    bool clear = before && before->error.code == ERR_OK && !before->unknown_since && (!record || webhook_held(record));
    if (result->receipt.created)
        str_add(out, record && webhook_held(record)
                         ? "Registered anew: the service held no registration, though this console had made one.\n"
                         : "Registered: the service held none before.\n");
    else if (result->status == 200)
        str_add(out, !clear   ? "Replaced a registration; whether this console made it is not known.\n"
                     : record ? "Replaced the registration before it.\n"
                              : "Replaced a registration this console did not make.\n");
    else
        str_addf(out,
                 "Accepted with status %d; neither 201 (registered) nor 200 (replaced): whether it is in force is not "
                 "known.\n",
                 result->status);
}

static void tell_done(const struct webhook *webhook, const struct write_result *result, struct str *out) {
    tell_effect(webhook, result, out);
    if (!result->receipt.id) {
        str_add(out, "The answer named no URL.\n");
    } else if (!str_equal(result->receipt.id, webhook->url)) {
        str_add(out, "ATTENTION: the service answered with another URL: ");
        add_clean(out, result->receipt.id);
        str_add_char(out, '\n');
    } else {
        str_add(out, "The service answered with this very URL.\n");
    }
}

/* A release that was not followed by a write is not used up. */
void webhook_tell_standing(const struct webhook *webhook, struct str *out) {
    const struct proposal *proposal = webhook_proposal(webhook);
    const struct write_result *result = webhook->write.result;
    if (proposal && proposal->state == PROPOSAL_RELEASED && write_outcome(result) == OUTCOME_NOT_SENT && !result->n)
        str_addf(out, "Proposal %.*s stands released, and can be sent; bursar webhook %s %.*s%s takes that back.\n",
                 PROPOSAL_ID_SHOWN, proposal->id, proposal->is_own ? "withdraw" : "refuse", PROPOSAL_ID_SHOWN,
                 proposal->id, proposal->is_own ? "" : " --reason TEXT");
}

void webhook_tell_receipt(const struct webhook *webhook, struct str *out) {
    const struct write_result *result = webhook->write.result;
    if (!result)
        return;
    if (write_outcome(result) == OUTCOME_DONE) {
        tell_done(webhook, result, out);
    } else {
        add_clean(out, result->receipt.line ? result->receipt.line : "");
        str_add_char(out, '\n');
    }
    webhook_tell_standing(webhook, out);
    if (write_outcome(result) == OUTCOME_UNKNOWN)
        str_add(out, "It may be in force or not. Registering the very same again is safe.\n");
    if (result->n)
        str_addf(out, "Journal record %lld.\n", (long long)result->n);
    if (result->trouble) {
        str_add(out, "The outcome could not be noted in the journal: ");
        add_clean(out, result->trouble);
        str_add_char(out, '\n');
    }
}

void webhook_tell_agreement(const struct webhook *webhook, struct str *out) {
    const struct proposal *proposal = webhook_proposal(webhook);
    if (webhook->error.code != ERR_OK) {
        str_addf(out, "%s. Nothing was sent.\n", webhook->error.text);
        return;
    }
    if (!proposal)
        return;
    bool released = proposal->state == PROPOSAL_RELEASED;
    str_addf(out,
             released ? "Released as %.*s; nothing was sent. %s, or you, sends it with the secret within a day of its "
                        "proposal: Enter on it in the Webhook pane's list, or bursar webhook release %.*s with "
                        "--secret-file.\n"
                      : "Proposed as %.*s; nothing was sent. Another person than %s releases it within a day: bursar "
                        "webhook release %.*s, or in their Webhook pane.\n",
             PROPOSAL_ID_SHOWN, proposal->id, proposal->proposed.who, PROPOSAL_ID_SHOWN, proposal->id);
}

void webhook_tell_warnings(const struct webhook *webhook, struct str *out) {
    struct endpoint endpoint;
    endpoint_read(webhook->url ? webhook->url : "", &endpoint);
    for (int i = 0; i < ENDPOINT_FINDING_COUNT; i++) {
        enum endpoint_finding finding = (enum endpoint_finding)i;
        if (endpoint_has(&endpoint, finding) && endpoint_level(finding) != ENDPOINT_BLOCKS) {
            str_add(out, "URL: ");
            endpoint_tell(&endpoint, finding, out);
            str_add_char(out, '\n');
        }
    }
    endpoint_clear(&endpoint);
    if (webhook->signing == WEBHOOK_GIVEN && webhook->secret_state != WEBHOOK_SECRET_FINE)
        str_addf(out, "secret: %s\n", webhook_secret_sentence(webhook->secret_state));
    if (webhook->shared_with)
        str_addf(out, "secret: profile %s registered the same one\n", webhook->shared_with);
}

const char *webhook_effect(const struct webhook *webhook) {
    const struct write_result *result = webhook->write.result;
    if (!result || write_outcome(result) != OUTCOME_DONE)
        return "";
    return result->status == 201 ? "registered" : result->status == 200 ? "replaced" : "unknown";
}
