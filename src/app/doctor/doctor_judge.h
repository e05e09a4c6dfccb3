#ifndef APP_DOCTOR_JUDGE_H
#define APP_DOCTOR_JUDGE_H
/* From measurements to verdicts, shared by the files of the doctor. A judge leaves its finding pending while its
 * measurements are missing. */

#include "app/doctor.h"

#define WHO_TYPES "who enters this URL"
#define WHO_OWNER "the endpoint's owner"
#define WHO_NAMES "who runs the endpoint's DNS"
#define WHO_NETWORK "who runs the endpoint's network or firewall"
#define WHO_HERE "whoever runs this machine"

void doctor_judge_all(struct doctor *doctor);

typedef void doctor_judge(const struct doctor *doctor, struct doctor_finding *out);
/* doctor_reach.c, doctor_tls.c, doctor_http.c, doctor_offline.c */
doctor_judge judge_vantage, judge_url, judge_address, judge_name, judge_tcp;
doctor_judge judge_tls, judge_look, judge_chain, judge_dates, judge_host, judge_versions, judge_client;
doctor_judge judge_http, judge_redirect, judge_http_versions, judge_time, judge_post;
doctor_judge judge_secret, judge_record, judge_signature;

/* Sets the verdict and adds a line of evidence. */
void say(struct doctor_finding *out, enum doctor_verdict verdict, const char *format, ...) PRINTF_LIKE(3, 4);
void advise(struct doctor_finding *out, const char *who, const char *format, ...) PRINTF_LIKE(3, 4);

/* Addresses that later steps may talk to: public ones, or all where local ones are allowed. */
bool doctor_may_talk(const struct doctor *doctor, const struct probe_address *address);
/* The pass of a step, or NULL where it was not made. */
const struct probe_pass *doctor_pass(const struct doctor *doctor, enum probe_step step);
/* The chain that was sent, from whichever step saw it; NULL. */
const struct probe_chain *doctor_chain(const struct doctor *doctor);
bool doctor_is_certificate(enum probe_cause cause);
bool doctor_host_matches(const struct doctor *doctor, const struct probe_certificate *leaf);
const char *doctor_cause_words(enum probe_cause cause);

#endif
