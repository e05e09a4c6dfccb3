/* Any bytes as a configuration file: no crash, no leak, and never a profile without an environment. */
#include "config/profile.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = mem_dup_n((const char *)data, size);
    struct config config;
    if (config_parse(text, "fuzz", &config, NULL, NULL) == ERR_OK) {
        for (size_t i = 0; i < config.n; i++)
            if (!config.profiles[i]->environment[0] || !config.profiles[i]->origin[0])
                abort();
        if (config.n == 0)
            abort();
    }
    config_clear(&config);
    free(text);
    return 0;
}
