/* The user of this process has the name that LOGIN_NAME says: two persons on one machine. Preloaded. */
#include <dlfcn.h>
#include <pwd.h>
#include <stdlib.h>

int getpwuid_r(uid_t uid, struct passwd *entry, char *bytes, size_t size, struct passwd **found) {
    int (*real)(uid_t, struct passwd *, char *, size_t, struct passwd **) =
        (int (*)(uid_t, struct passwd *, char *, size_t, struct passwd **))dlsym(RTLD_NEXT, "getpwuid_r");
    const char *name = getenv("LOGIN_NAME");
    int error = real(uid, entry, bytes, size, found);
    if (error == 0 && *found && name)
        entry->pw_name = (char *)name;
    return error;
}
