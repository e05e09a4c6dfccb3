#ifndef NET_CAUSE_H
#define NET_CAUSE_H
/* Why a transfer failed, from what libcurl left behind: its number first, then the TLS library's, then, where only that
 * tells cases apart, libcurl's words, which are never shown. */

#include "model/probe.h"

#include <curl/curl.h>

struct cause_facts {
    CURL *easy;
    CURLcode code;
    const char *words;       /* of CURLOPT_ERRORBUFFER */
    bool sent;               /* the request may have left */
    bool was_answered;       /* bytes of an answer came */
    bool client_certificate; /* the server asked for one (known to probes only) */
};

enum probe_cause cause_find(const struct cause_facts *facts);
int cause_os_error(const struct cause_facts *facts);

#endif
