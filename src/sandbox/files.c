#include "files.h"

#include "base/path.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void files_block_signals(sigset_t *ends) {
    (void)sigemptyset(ends);
    (void)sigaddset(ends, SIGINT);
    (void)sigaddset(ends, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, ends, NULL);
}

enum err files_write_port(const char *path, int port, struct error *error) {
    struct str temporary;
    struct str text;
    str_init(&temporary, 8192);
    str_init(&text, 32);
    str_addf(&temporary, "%s.%ld", path, (long)getpid());
    str_addf(&text, "%d\n", port);
    int fd = open(temporary.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = fd >= 0 && path_write_all(fd, text.s, text.len);
    ok = fd >= 0 && close(fd) == 0 && ok;
    ok = ok && rename(temporary.s, path) == 0;
    enum err err = ok ? ERR_OK : error_set(error, ERR_FILE, "cannot write %s: %s", path, strerror(errno));
    if (!ok && fd >= 0)
        (void)unlink(temporary.s);
    str_clear(&temporary);
    str_clear(&text);
    return err;
}
