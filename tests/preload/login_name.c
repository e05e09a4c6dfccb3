/* The user of this process has the name that LOGIN_NAME says: two persons on one machine. Preloaded. */
#include <dlfcn.h>
#include <pwd.h>
#include <stdlib.h>

struct passwd *getpwuid(uid_t uid) {
    static struct passwd other;
    struct passwd *(*real)(uid_t) = (struct passwd * (*)(uid_t)) dlsym(RTLD_NEXT, "getpwuid");
    struct passwd *entry = real(uid);
    const char *name = getenv("LOGIN_NAME");
    if (!entry || !name)
        return entry;
    other = *entry;
    other.pw_name = (char *)name;
    return &other;
}
