/* Coverage of a program that is started thousands of times. What the compiler links in for --coverage opens, locks,
 * reads and writes a file an object at the end of each start, and AddressSanitizer guards each of its counters:
 * together they take longer than all the rest of a start. Here a start adds its counts to one file that is mapped, and
 * the usual files are written from it once. BURSAR_COUNTS: `begin` makes the file empty, `end` writes the usual ones;
 * else counts are added where there is a file. Calls are the kernel's own, since tests preload and trace those of the
 * library.
 *
 * Linked with --wrap into the program of the build with counts (Makefile), and itself without counts or sanitizers. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As GCC 12 lays them out (libgcov.h, gcov-io.h of its sources); with any other the usual way is taken. */
enum { COUNTERS = 8, OBJECTS_CAP = 2048, LAYOUT = 'B' << 24 | '2' << 16, LAYOUT_MASK = 0xffff << 16 };
struct counts {
    unsigned n;
    int64_t *values;
};
struct function {
    const void *key;
    unsigned ident, lines, graph;
    struct counts counts[1];
};
struct object {
    unsigned version;
    struct object *next;
    unsigned stamp, checksum;
    const char *file;
    void *merge[COUNTERS];
    unsigned n_functions;
    const struct function *const *functions;
};

/* As AddressSanitizer's runtime takes them (asan_interface_internal.h). */
struct guarded {
    uintptr_t begin, size, size_with_guard;
    const char *name, *module;
    uintptr_t dynamic;
    const void *location;
    uintptr_t odr;
};

void __real___gcov_init(struct object *object);
void __real___gcov_exit(void);
void __real___asan_register_globals(struct guarded *globals, uintptr_t n);
void __real___asan_unregister_globals(struct guarded *globals, uintptr_t n);
void __wrap___gcov_init(struct object *object);
void __wrap___gcov_exit(void);
void __wrap___asan_register_globals(struct guarded *globals, uintptr_t n);
void __wrap___asan_unregister_globals(struct guarded *globals, uintptr_t n);

static struct object *objects[OBJECTS_CAP];
static size_t n_objects;
static bool written, others;

static const char *wish(void) {
    const char *text = getenv("BURSAR_COUNTS");
    return text ? text : "";
}

/* Objects of another layout are left to the usual way. */
void __wrap___gcov_init(struct object *object) {
    bool known = (object->version & (unsigned)LAYOUT_MASK) == LAYOUT && n_objects < OBJECTS_CAP;
    if (!known || strcmp(wish(), "end") == 0)
        __real___gcov_init(object);
    if (known)
        objects[n_objects++] = object;
    else
        others = true;
}

/* Goes through all counters beside their places in `file`, and returns how many there are. */
static size_t each_counter(int64_t *file, void (*act)(int64_t *counter, int64_t *place)) {
    size_t at = 0;
    for (size_t i = 0; i < n_objects; i++)
        for (unsigned f = 0; f < objects[i]->n_functions; f++) {
            const struct function *function = objects[i]->functions[f];
            if (!function || function->key != objects[i]) /* of an inline function that another object keeps */
                continue;
            for (unsigned c = 0; c < function->counts[0].n; c++, at++)
                if (act)
                    act(&function->counts[0].values[c], &file[at]);
        }
    return at;
}

static void add_to_file(int64_t *counter, int64_t *place) {
    if (*counter)
        __atomic_fetch_add(place, *counter, __ATOMIC_RELAXED);
}

static void take_from_file(int64_t *counter, int64_t *place) {
    *counter = *place;
}

static void with_file(int flags, void (*act)(int64_t *counter, int64_t *place)) {
    size_t size = each_counter(NULL, NULL) * sizeof(int64_t);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, COUNTS_FILE, flags | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    struct stat is;
    if (flags & O_CREAT && (syscall(SYS_fchmod, fd, 0666) || syscall(SYS_fallocate, fd, 0, 0L, (long)size)))
        _exit(1);
    if (act && syscall(SYS_fstat, fd, &is) == 0 && (size_t)is.st_size == size) {
        int64_t *file = (int64_t *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
        if (file != MAP_FAILED) {
            (void)each_counter(file, act);
            (void)syscall(SYS_munmap, file, size);
        }
    }
    (void)syscall(SYS_close, fd);
}

/* Called at the end of the program, once for each object. */
void __wrap___gcov_exit(void) {
    if (written)
        return;
    written = true;
    bool ending = strcmp(wish(), "end") == 0;
    if (strcmp(wish(), "begin") == 0)
        with_file(O_CREAT | O_TRUNC, NULL);
    else
        with_file(0, ending ? take_from_file : add_to_file);
    if (ending || others)
        __real___gcov_exit();
}

static bool is_counter(const struct guarded *global) {
    return strncmp(global->name, "__gcov", 6) == 0 || strncmp(global->name, "*.LPBX", 6) == 0;
}

/* The product's own globals, by the runs in which they stand between counters. */
static void each_own_run(struct guarded *globals, uintptr_t n, void (*act)(struct guarded *globals, uintptr_t n)) {
    for (uintptr_t from = 0, to; from < n; from = to + 1) {
        for (to = from; to < n && !is_counter(&globals[to]); to++) {
        }
        if (to > from)
            act(&globals[from], to - from);
    }
}

void __wrap___asan_register_globals(struct guarded *globals, uintptr_t n) {
    each_own_run(globals, n, __real___asan_register_globals);
}

void __wrap___asan_unregister_globals(struct guarded *globals, uintptr_t n) {
    each_own_run(globals, n, __real___asan_unregister_globals);
}
