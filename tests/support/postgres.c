#include "support/postgres.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATH_BYTES = 512, START_MS = 60000, ARGS_MAX = 40, SOCKETS_MAX = 32, PIECE = 65536, PORT = 5432 };

#define HOME_OF_VERSIONS "/usr/lib/postgresql"
#define AS_USER "/usr/bin/setpriv"

/* The newest version's folder of programs; NULL: none. */
static char *find_programs(void) {
    char best[PATH_BYTES] = "";
    int newest = 0;
    DIR *folder = opendir(HOME_OF_VERSIONS);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char path[PATH_BYTES + 300];
        int version = (int)strtol(entry->d_name, NULL, 10);
        snprintf(path, sizeof path, HOME_OF_VERSIONS "/%s/bin/initdb", entry->d_name);
        if (version > newest && access(path, X_OK) == 0) {
            newest = version;
            snprintf(best, sizeof best, HOME_OF_VERSIONS "/%.200s/bin", entry->d_name);
        }
    }
    if (folder)
        (void)closedir(folder);
    return *best ? mem_dup(best) : NULL;
}

const char *postgres_missing(void) {
    char *programs = find_programs();
    bool there = programs != NULL;
    free(programs);
    if (!there)
        return "no PostgreSQL is installed (Debian: postgresql)";
    if (geteuid() == 0 && access(AS_USER, X_OK) != 0)
        return "PostgreSQL does not run as root, and " AS_USER " is not there";
    return NULL;
}

/* What stands before a program of it: it refuses to run as root. */
static size_t as_user(const char *argv[ARGS_MAX]) {
    static const char *const WORDS[] = {AS_USER, "--reuid=nobody", "--regid=nogroup", "--clear-groups"};
    if (geteuid() != 0)
        return 0;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++)
        argv[i] = WORDS[i];
    return COUNT_OF(WORDS);
}

static const char *const PLAIN[] = {"LC_ALL=C", "PGOPTIONS", "PGSERVICE", "PGPASSWORD", NULL};

static char *run_program(const struct postgres *postgres, const char *name, const char *const args[]) {
    const char *argv[ARGS_MAX] = {0};
    char path[PATH_BYTES * 2], port[32];
    const char *const env[] = {PLAIN[0], PLAIN[1], PLAIN[2], PLAIN[3], port, NULL};
    struct proc proc;
    size_t n = as_user(argv);
    snprintf(port, sizeof port, "PGPORT=%d", postgres->port ? postgres->port : PORT);
    snprintf(path, sizeof path, "%s/%s", postgres->programs, name);
    argv[n++] = path;
    for (size_t i = 0; args[i] && n + 1 < ARGS_MAX; i++)
        argv[n++] = args[i];
    int status = proc_run(&proc, argv, env, START_MS);
    char *out = status == 0 ? mem_dup(proc.out.s) : NULL;
    if (status != 0)
        fprintf(stderr, "%s: %d: %s%s\n", name, status, proc.out.s, proc.err.s);
    (void)proc_end(&proc);
    return out;
}

static bool make_folder(struct postgres *postgres) {
    char folder[] = "/tmp/bursar-pg-XXXXXX"; /* a socket's path is short */
    const struct passwd *nobody = getpwnam("nobody");
    if (!mkdtemp(folder))
        return false;
    if (geteuid() == 0 && (!nobody || chown(folder, nobody->pw_uid, nobody->pw_gid) != 0))
        return false;
    (void)chmod(folder, 0755);
    postgres->folder = mem_dup(folder);
    return true;
}

/* The server writes what it has come to into its file of the process: the number first, the state in line 8. */
static bool is_ready(const struct postgres *postgres) {
    char path[PATH_BYTES], *at;
    snprintf(path, sizeof path, "%s/data/postmaster.pid", postgres->folder);
    char *text = proc_read_file(path);
    at = text && strtol(text, NULL, 10) == postgres->proc.pid ? text : NULL;
    for (int line = 1; at && line < 8; line++)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    bool ready = at && (strncmp(at, "ready", 5) == 0 || strncmp(at, "standby", 7) == 0);
    free(text);
    return ready;
}

static bool wait_until_ready(const struct postgres *postgres) {
    int64_t end = clock_mono() + START_MS;
    while (!is_ready(postgres) && clock_mono() < end)
        (void)poll(NULL, 0, 5);
    return is_ready(postgres);
}

bool postgres_resume(struct postgres *postgres) {
    const char *argv[ARGS_MAX] = {0};
    char path[PATH_BYTES * 2], data[PATH_BYTES];
    size_t n = as_user(argv);
    snprintf(path, sizeof path, "%s/postgres", postgres->programs);
    snprintf(data, sizeof data, "%s/data", postgres->folder);
    const char *const words[] = {path,
                                 "-D",
                                 data,
                                 "-k",
                                 postgres->folder,
                                 "-c",
                                 "listen_addresses=",
                                 "-c",
                                 "fsync=off",
                                 "-c",
                                 "shared_buffers=16MB",
                                 "-c",
                                 "max_connections=60",
                                 "-c",
                                 "autovacuum=off",
                                 "-c",
                                 "wal_level=minimal",
                                 "-c",
                                 "max_wal_senders=0"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        argv[n++] = words[i];
    for (size_t i = 0; postgres->more && postgres->more[i] && n + 2 < ARGS_MAX; i++) {
        argv[n++] = "-c";
        argv[n++] = postgres->more[i];
    }
    return proc_start(&postgres->proc, argv, PLAIN) && wait_until_ready(postgres);
}

/* An empty cluster takes seconds of a processor to make, and a tenth of one to copy: the first that is made is kept
 * beside the flavours of the build. NULL: there is no build. */
static char *kept_cluster(const struct postgres *postgres) {
    const char *out = getenv("BURSAR_OUT");
    struct str path;
    if (!out || *out != '/')
        return NULL;
    str_init(&path, PATH_BYTES);
    str_addf(&path, "%s/../postgres-%ld", out, strtol(postgres->programs + strlen(HOME_OF_VERSIONS "/"), NULL, 10));
    return str_take(&path);
}

static bool copy_cluster(const char *from, const char *to) {
    struct proc proc;
    const char *const argv[] = {"/bin/cp", "-a", "--reflink=auto", from, to, NULL};
    int status = proc_run(&proc, argv, NULL, START_MS);
    (void)proc_end(&proc);
    return status == 0;
}

/* Whole or not there: several programs may do so at once, of which the first is kept. */
static void keep_cluster(const char *kept, const char *data) {
    struct proc proc;
    struct str made;
    str_init(&made, PATH_BYTES);
    str_addf(&made, "%s.%ld", kept, (long)getpid());
    const char *const argv[] = {"/bin/rm", "-rf", made.s, NULL};
    if (!copy_cluster(data, made.s) || rename(made.s, kept) != 0) {
        (void)proc_run(&proc, argv, NULL, START_MS);
        (void)proc_end(&proc);
    }
    str_clear(&made);
}

static bool make_cluster(const struct postgres *postgres, const char *data) {
    const char *const args[] = {"-D",        data, "-U",   "owner",      "-A", "trust",
                                "--no-sync", "-E", "UTF8", "--locale=C", NULL};
    char *said = run_program(postgres, "initdb", args);
    bool made = said != NULL;
    free(said);
    return made;
}

static bool have_cluster(const struct postgres *postgres, const char *data) {
    char *kept = kept_cluster(postgres);
    bool copied = kept && access(kept, F_OK) == 0 && copy_cluster(kept, data);
    bool made = copied || make_cluster(postgres, data);
    if (kept && made && !copied)
        keep_cluster(kept, data);
    free(kept);
    return made;
}

bool postgres_start(struct postgres *postgres) {
    return postgres_start_with(postgres, NULL);
}

bool postgres_start_with(struct postgres *postgres, const char *const more[]) {
    char data[PATH_BYTES];
    memset(postgres, 0, sizeof *postgres);
    postgres->more = more;
    postgres->programs = find_programs();
    if (!postgres->programs || !make_folder(postgres))
        return false;
    snprintf(data, sizeof data, "%s/data", postgres->folder);
    if (!have_cluster(postgres, data) || !postgres_resume(postgres))
        return false;
    const char *const make[] = {"-h",  postgres->folder,
                                "-U",  "owner",
                                "-d",  "postgres",
                                "-qc", "CREATE ROLE bursar LOGIN",
                                "-c",  "CREATE DATABASE bursar OWNER bursar",
                                NULL};
    char *said = run_program(postgres, "psql", make);
    free(said);
    return said != NULL;
}

bool postgres_stand_by(const struct postgres *primary, struct postgres *standby) {
    char data[PATH_BYTES];
    *standby = (struct postgres){.programs = mem_dup(primary->programs), .more = primary->more};
    if (!make_folder(standby))
        return false;
    snprintf(data, sizeof data, "%s/data", standby->folder);
    const char *const args[] = {"-h", primary->folder,     "-U",        "owner", "-D", data,
                                "-R", "--checkpoint=fast", "--no-sync", NULL};
    char *said = run_program(primary, "pg_basebackup", args);
    free(said);
    return said && postgres_resume(standby);
}

static bool give_to_server(const char *path) {
    const struct passwd *nobody = getpwnam("nobody");
    return geteuid() != 0 || (nobody && chown(path, nobody->pw_uid, nobody->pw_gid) == 0);
}

static char *private_file(const char *folder, const char *name, const char *text) {
    struct str path;
    str_init(&path, PATH_BYTES);
    str_addf(&path, "%s/%s", folder, name);
    if (!proc_write_file(path.s, text) || chmod(path.s, 0600) != 0 || !give_to_server(path.s))
        fprintf(stderr, "%s: %s\n", path.s, strerror(errno));
    return str_take(&path);
}

char *postgres_private(const struct postgres *postgres, const char *name, const char *text) {
    return private_file(postgres->folder, name, text);
}

bool postgres_halt(struct postgres *postgres, bool kill_it) {
    if (postgres->proc.pid > 0)
        (void)kill(postgres->proc.pid, kill_it ? SIGQUIT : SIGINT);
    bool ended = proc_wait(&postgres->proc, START_MS);
    (void)proc_end(&postgres->proc);
    return ended;
}

void postgres_stop(struct postgres *postgres) {
    if (postgres->proc.pid > 0)
        (void)postgres_halt(postgres, true);
    if (postgres->folder)
        proc_folder_remove(postgres->folder);
    free(postgres->programs);
    free(postgres->made);
    *postgres = (struct postgres){0};
}

static char *store_text(const char *folder, const char *role) {
    struct str text;
    str_init(&text, PATH_BYTES);
    str_addf(&text, "postgresql://%s@/bursar?host=%s", role, folder);
    return str_take(&text);
}

char *postgres_store(const struct postgres *postgres, const char *role) {
    return store_text(postgres->folder, role);
}

char *postgres_sql(const struct postgres *postgres, const char *sql) {
    const char *const args[] = {"-h", postgres->folder, "-U", "owner", "-d", "bursar", "-v", "ON_ERROR_STOP=1",
                                "-X", "-Atq",           "-c", sql,     NULL};
    return run_program(postgres, "psql", args);
}

bool postgres_file(const struct postgres *postgres, const char *path) {
    char *text = proc_read_file(path);
    const char *const args[] = {"-h", postgres->folder, "-U", "owner",          "-d", "bursar", "-v", "ON_ERROR_STOP=1",
                                "-X", "-Atq",           "-c", text ? text : "", NULL};
    char *said = run_program(postgres, "psql", args);
    free(text);
    free(said);
    return said != NULL;
}

/* Relations with their rights, columns, constraints, triggers and functions: all that a test may have changed. */
#define SHAPE                                                                                                          \
    "(SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM ("                                                          \
    "SELECT format('%s %s %s %s', relname, relkind, relacl, relowner) AS part FROM pg_class "                          \
    "WHERE relnamespace = 'public'::regnamespace UNION ALL "                                                           \
    "SELECT format('%s %s %s %s %s', relname, attname, atttypid, attnotnull, attacl) FROM pg_attribute "               \
    "JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND attnum > 0 UNION ALL "        \
    "SELECT format('%s %s', conname, convalidated) FROM pg_constraint "                                                \
    "WHERE connamespace = 'public'::regnamespace UNION ALL "                                                           \
    "SELECT tgname::text FROM pg_trigger UNION ALL SELECT rulename::text FROM pg_rewrite WHERE oid > 16383 UNION ALL " \
    "SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace UNION ALL "                         \
    "SELECT nspacl::text FROM pg_namespace WHERE nspname = 'public') parts)"

void postgres_made(struct postgres *postgres) {
    if (!postgres->made)
        postgres->made = postgres_sql(postgres, "SELECT " SHAPE);
    if (postgres->made)
        postgres->made[strcspn(postgres->made, "\n")] = '\0';
}

void postgres_empty(struct postgres *postgres) {
    struct str sql;
    str_init(&sql, 16384);
    str_add(&sql, "SET client_min_messages = error; SET session_replication_role = replica; " /* no order of tables */
                  "DO $$ DECLARE name text; BEGIN IF " SHAPE " = '");
    str_add(&sql, postgres->made ? postgres->made : "");
    str_add(&sql, "' THEN FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP "
                  "EXECUTE format('DELETE FROM public.%I', name); END LOOP; "
                  "ELSE DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION bursar; "
                  "GRANT USAGE ON SCHEMA public TO PUBLIC; END IF; END $$");
    free(postgres_sql(postgres, sql.s));
    str_clear(&sql);
}

char *postgres_dump(const struct postgres *postgres) {
    const char *const args[] = {"-h", postgres->folder, "-U", "owner", "bursar", NULL};
    return run_program(postgres, "pg_dump", args);
}

/* ---- a pooler ---- */

#define BOUNCER "/usr/sbin/pgbouncer"

const char *bouncer_missing(void) {
    return access(BOUNCER, X_OK) == 0 ? NULL : "no pgbouncer is installed (Debian: pgbouncer)";
}

static bool wait_for_socket_file(const char *folder) {
    char path[PATH_BYTES];
    int64_t end = clock_mono() + START_MS;
    snprintf(path, sizeof path, "%s/.s.PGSQL.%d", folder, PORT);
    while (access(path, F_OK) != 0 && clock_mono() < end)
        (void)poll(NULL, 0, 10);
    return access(path, F_OK) == 0;
}

bool bouncer_start(struct bouncer *bouncer, const struct postgres *postgres) {
    const char *argv[ARGS_MAX] = {0};
    struct postgres place = {0};
    struct str text;
    *bouncer = (struct bouncer){0};
    if (!make_folder(&place))
        return false;
    bouncer->folder = place.folder;
    str_init(&text, PATH_BYTES * 8);
    str_addf(&text,
             "[databases]\nbursar = host=%s dbname=bursar\n[pgbouncer]\nlisten_addr =\nlisten_port = %d\n"
             "unix_socket_dir = %s\nauth_type = trust\nauth_file = %s/users\npool_mode = transaction\n"
             "default_pool_size = 3\nlogfile = %s/log\n",
             postgres->folder, PORT, bouncer->folder, bouncer->folder, bouncer->folder);
    char *users = private_file(bouncer->folder, "users", "\"bursar\" \"\"\n");
    char *ini = private_file(bouncer->folder, "ini", text.s);
    size_t n = as_user(argv);
    argv[n++] = BOUNCER;
    argv[n++] = "-q";
    argv[n++] = ini;
    bool started = proc_start(&bouncer->proc, argv, PLAIN) && wait_for_socket_file(bouncer->folder);
    free(users);
    free(ini);
    str_clear(&text);
    return started;
}

char *bouncer_store(const struct bouncer *bouncer, const char *role) {
    return store_text(bouncer->folder, role);
}

void bouncer_stop(struct bouncer *bouncer) {
    if (bouncer->proc.pid > 0)
        (void)kill(bouncer->proc.pid, SIGKILL);
    (void)proc_end(&bouncer->proc);
    if (bouncer->folder)
        proc_folder_remove(bouncer->folder);
    *bouncer = (struct bouncer){0};
}

/* ---- between client and server ---- */

struct cutter {
    char *folder, *server;
    int listener;
    pthread_t thread;
    pthread_mutex_t lock;
    char word[64];
    enum cut cut;
    bool ending;
    bool closed; /* the thread's own */
    size_t cuts;
};

struct pair {
    int client, server;
    bool held;
};

static int socket_at(const char *folder, bool listening) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", folder);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = listening ? bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 8) == 0
                          : connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (good)
        return fd;
    (void)close(fd);
    return -1;
}

static bool pass_all(int fd, const char *bytes, size_t len) {
    for (size_t at = 0; at < len;) {
        ssize_t n = send(fd, bytes + at, len - at, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

/* Whether this message is the one; then the word is forgotten. */
static bool takes_word(struct cutter *cutter, const char *bytes, size_t len, enum cut *cut) {
    (void)pthread_mutex_lock(&cutter->lock);
    bool found = *cutter->word && memmem(bytes, len, cutter->word, strlen(cutter->word)) != NULL;
    *cut = cutter->cut;
    if (found) {
        cutter->word[0] = '\0';
        cutter->cuts++;
    }
    (void)pthread_mutex_unlock(&cutter->lock);
    return found;
}

/* False: the pair is at its end. */
static bool pass_on(struct cutter *cutter, struct pair *pair, bool from_client) {
    char bytes[PIECE];
    enum cut cut = CUT_BEFORE;
    int from = from_client ? pair->client : pair->server, to = from_client ? pair->server : pair->client;
    ssize_t n = recv(from, bytes, sizeof bytes, 0);
    if (n <= 0)
        return false;
    if (!from_client && pair->held)
        return true;
    if (!from_client || !takes_word(cutter, bytes, (size_t)n, &cut))
        return pass_all(to, bytes, (size_t)n);
    if (cut == CUT_BEFORE || !pass_all(to, bytes, (size_t)n))
        return false;
    pair->held = cut == CUT_HOLD;
    cutter->closed = cut == CUT_FOR_GOOD;
    if (!pair->held)
        (void)recv(pair->server, bytes, sizeof bytes, 0); /* it was done: the answer ends here */
    return pair->held;
}

static void end_pair(struct pair *pair) {
    (void)close(pair->client);
    (void)close(pair->server);
    *pair = (struct pair){-1, -1, false};
}

static void take_client(struct cutter *cutter, struct pair pairs[SOCKETS_MAX]) {
    int client = accept(cutter->listener, NULL, NULL);
    for (size_t i = 0; client >= 0 && !cutter->closed && i < SOCKETS_MAX; i++) {
        if (pairs[i].client >= 0)
            continue;
        int server = socket_at(cutter->server, false);
        if (server < 0)
            break;
        pairs[i] = (struct pair){client, server, false};
        return;
    }
    if (client >= 0)
        (void)close(client);
}

static bool is_ending(struct cutter *cutter) {
    (void)pthread_mutex_lock(&cutter->lock);
    bool ending = cutter->ending;
    (void)pthread_mutex_unlock(&cutter->lock);
    return ending;
}

static void *run_cutter(void *context) {
    struct cutter *cutter = context;
    struct pair pairs[SOCKETS_MAX];
    for (size_t i = 0; i < SOCKETS_MAX; i++)
        pairs[i] = (struct pair){-1, -1, false};
    while (!is_ending(cutter)) {
        struct pollfd fds[1 + 2 * SOCKETS_MAX] = {{.fd = cutter->listener, .events = POLLIN}};
        for (size_t i = 0; i < SOCKETS_MAX; i++) {
            fds[1 + 2 * i] = (struct pollfd){.fd = pairs[i].client, .events = POLLIN};
            fds[2 + 2 * i] = (struct pollfd){.fd = pairs[i].server, .events = POLLIN};
        }
        if (poll(fds, COUNT_OF(fds), 20) <= 0)
            continue;
        for (size_t i = 0; i < SOCKETS_MAX; i++) {
            bool good = pairs[i].client < 0 || !fds[1 + 2 * i].revents || pass_on(cutter, &pairs[i], true);
            good = good && (pairs[i].client < 0 || !fds[2 + 2 * i].revents || pass_on(cutter, &pairs[i], false));
            if (!good)
                end_pair(&pairs[i]);
        }
        if (fds[0].revents)
            take_client(cutter, pairs);
    }
    for (size_t i = 0; i < SOCKETS_MAX; i++)
        if (pairs[i].client >= 0)
            end_pair(&pairs[i]);
    return NULL;
}

struct cutter *cutter_new(const struct postgres *postgres) {
    struct cutter *cutter = mem_new(sizeof *cutter);
    char folder[] = "/tmp/bursar-cut-XXXXXX";
    cutter->folder = mem_dup(mkdtemp(folder));
    cutter->server = mem_dup(postgres->folder);
    cutter->listener = socket_at(cutter->folder, true);
    (void)pthread_mutex_init(&cutter->lock, NULL);
    (void)pthread_create(&cutter->thread, NULL, run_cutter, cutter);
    return cutter;
}

char *cutter_store(const struct cutter *cutter, const char *role) {
    return store_text(cutter->folder, role);
}

void cutter_cut(struct cutter *cutter, const char *word, enum cut cut) {
    (void)pthread_mutex_lock(&cutter->lock);
    snprintf(cutter->word, sizeof cutter->word, "%s", word);
    cutter->cut = cut;
    (void)pthread_mutex_unlock(&cutter->lock);
}

size_t cutter_cuts(struct cutter *cutter) {
    (void)pthread_mutex_lock(&cutter->lock);
    size_t cuts = cutter->cuts;
    (void)pthread_mutex_unlock(&cutter->lock);
    return cuts;
}

bool cutter_wait(struct cutter *cutter, size_t cuts) {
    int64_t end = clock_mono() + PROC_DEADLINE;
    while (cutter_cuts(cutter) < cuts && clock_mono() < end)
        (void)poll(NULL, 0, 10);
    return cutter_cuts(cutter) >= cuts;
}

void cutter_free(struct cutter *cutter) {
    (void)pthread_mutex_lock(&cutter->lock);
    cutter->ending = true;
    (void)pthread_mutex_unlock(&cutter->lock);
    (void)pthread_join(cutter->thread, NULL);
    (void)pthread_mutex_destroy(&cutter->lock);
    (void)close(cutter->listener);
    proc_folder_remove(cutter->folder);
    free(cutter->server);
    free(cutter);
}
