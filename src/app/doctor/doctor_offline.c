#include "app/text.h"
#include "doctor_judge.h"

#include <string.h>

void judge_secret(const struct doctor *doctor, struct doctor_finding *out) {
    const struct doctor_question *question = &doctor->question;
    if (!question->has_secret) {
        say(out, DOCTOR_SKIPPED, "none was typed here, and a registered one is never given back");
        return;
    }
    enum doctor_verdict verdict = webhook_secret_blocks(question->secret)   ? DOCTOR_FAIL
                                  : question->secret != WEBHOOK_SECRET_FINE ? DOCTOR_WARN
                                                                            : DOCTOR_PASS;
    say(out, verdict, "%s", webhook_secret_sentence(question->secret));
    if (question->shared_with)
        say(out, DOCTOR_WARN, "profile %s registered the same one", question->shared_with);
    if (out->verdict > DOCTOR_PASS)
        advise(out, WHO_TYPES, "Let bursar generate one, of its own for each endpoint.");
}

void judge_record(const struct doctor *doctor, struct doctor_finding *out) {
    const struct doctor_question *question = &doctor->question;
    if (!question->known_url) {
        say(out, DOCTOR_NOTE, "this console knows of no registration; the service cannot be asked");
        return;
    }
    const char *how = question->known_held ? "registered" : "sent";
    struct str time;
    str_init(&time, 64);
    text_time(&time, question->known_at);
    if (strcmp(question->known_url, question->url) == 0) {
        say(out, question->known_signed ? DOCTOR_PASS : DOCTOR_WARN, "%s from this console %s, %s", how, time.s,
            question->known_signed ? "with a secret" : "without a secret: events go unsigned");
    } else {
        say(out, DOCTOR_NOTE, "another URL was %s from this console %s: %s", how, time.s, question->known_url);
        say(out, DOCTOR_NOTE, "registering this one replaces it, secret included");
    }
    if (!question->known_held)
        say(out, DOCTOR_NOTE, "the answer did not say whether that is in force");
    if (out->verdict == DOCTOR_WARN)
        advise(out, WHO_TYPES, "Register again with a secret.");
    str_clear(&time);
}

void judge_signature(const struct doctor *doctor, struct doctor_finding *out) {
    (void)doctor;
    say(out, DOCTOR_NOTE, "the interface document shows no signature scheme");
    advise(
        out, NULL,
        "With the raw body, the signature header and the secret of one event, bursar webhook verify names the scheme "
        "or the slip.");
}
