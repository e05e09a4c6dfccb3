#ifndef UNIT_API_PROFILE_H
#define UNIT_API_PROFILE_H
/* A configuration of one profile, made through the real parser: what stands in its api section is the test's. */

#include "config/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct config profile_config;

static inline const struct profile *profile_with(const char *environment, const char *api) {
    struct str text, report;
    struct error error = {0};
    str_init(&text, 10000);
    str_init(&report, 10000);
    str_addf(&text,
             "default_profile = \"t\"\nprofile t {\n  environment = %s\n  base_url = 'http://127.0.0.1:8731/v1'\n"
             "  token_env = \"T\"\n  api {\n%s\n  }\n}\n",
             environment, api);
    config_clear(&profile_config);
    if (config_parse(text.s, "test", &profile_config, &report, &error) != ERR_OK)
        fail_msg("%s: %s", error.text, report.s);
    str_clear(&text);
    str_clear(&report);
    return config_profile(&profile_config, "t");
}

static inline int profile_teardown(void **state) {
    (void)state;
    config_clear(&profile_config);
    return 0;
}

#endif
