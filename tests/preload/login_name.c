/* The user of this process has the name that LOGIN_NAME says: two persons on one machine. Preloaded. */
#include <dlfcn.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

/* The name stands in the caller's bytes, as the entry's other texts do: a caller on another thread has bytes of its
 * own. */
int getpwuid_r(uid_t uid, struct passwd *entry, char *bytes, size_t size, struct passwd **found) {
    int (*real)(uid_t, struct passwd *, char *, size_t, struct passwd **) =
        (int (*)(uid_t, struct passwd *, char *, size_t, struct passwd **))dlsym(RTLD_NEXT, "getpwuid_r");
    const char *name = getenv("LOGIN_NAME");
    size_t name_size = name ? strlen(name) + 1 : 0;
    if (name_size >= size)
        return real(uid, entry, bytes, size, found);
    int error = real(uid, entry, bytes, size - name_size, found);
    if (error == 0 && *found && name)
        entry->pw_name = memcpy(bytes + size - name_size, name, name_size);
    return error;
}
