#include "journal_reason.h"

#include "store/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

const char *journal_state_name(enum journal_state state) {
    static const char *const names[] = {
#define X(code, name) name,
        JOURNAL_STATE_TABLE(X)
#undef X
    };
    return (size_t)state < COUNT_OF(names) ? names[state] : "unusable";
}

enum journal_state journal_state_of_errno(int why) {
    return why == ENOSPC || why == EDQUOT || why == EFBIG  ? JOURNAL_DISK_FULL
           : why == EROFS || why == EACCES || why == EPERM ? JOURNAL_READ_ONLY
           : why == ENOLCK || why == ENOTSUP               ? JOURNAL_LOCK_REFUSED
                                                           : JOURNAL_UNUSABLE;
}

static bool is_lock_failure(int rc) {
    return (rc & 0xff) == SQLITE_PROTOCOL || rc == SQLITE_IOERR_LOCK || rc == SQLITE_IOERR_RDLOCK ||
           rc == SQLITE_IOERR_CHECKRESERVEDLOCK || rc == SQLITE_IOERR_SHMLOCK;
}

enum journal_state journal_state_of(const struct db *db) {
    int plain = db->rc & 0xff;
    return db->damaged                                        ? JOURNAL_DAMAGED
           : db->full                                         ? JOURNAL_DISK_FULL
           : plain == SQLITE_READONLY || plain == SQLITE_PERM ? JOURNAL_READ_ONLY
           : plain == SQLITE_BUSY || plain == SQLITE_LOCKED   ? JOURNAL_BUSY
           : is_lock_failure(db->rc)                          ? JOURNAL_LOCK_REFUSED
           : db->rc == SQLITE_OK                              ? JOURNAL_UNUSABLE
                                                              : journal_state_of_errno(db->errno_then);
}

/* What keeps this user from writing there; "": nothing that can be told. */
static void who_may(const char *folder, const char *path, struct str *out) {
    struct stat st;
    struct statvfs disk;
    bool no_folder = access(folder, W_OK | X_OK) != 0;
    const char *place = no_folder ? folder : path;
    if (!no_folder && (access(path, F_OK) != 0 || access(path, R_OK | W_OK) == 0))
        return;
    if (statvfs(folder, &disk) == 0 && (disk.f_flag & ST_RDONLY)) {
        str_addf(out, "the disk of %s is mounted read-only", folder);
    } else if (stat(place, &st) != 0) {
        str_addf(out, "%s: %s", place, strerrordesc_np(errno));
    } else if (st.st_uid != geteuid()) {
        str_addf(out, "%s belongs to another user (number %lu, this one is %lu)", place, (unsigned long)st.st_uid,
                 (unsigned long)geteuid());
    } else {
        str_addf(out, "the mode of %s is %03o: chmod %s opens it to you", place, (unsigned)(st.st_mode & 0777),
                 no_folder ? "700" : "600");
    }
}

static void journal_reason_add_reason(struct str *out, const char *folder, const char *path, const struct db *db) {
    size_t before = out->len;
    who_may(folder, path, out);
    if (out->len == before && db->errno_then)
        str_add(out, strerrordesc_np(db->errno_then));
}

static void add_holder(struct str *out, const char *path) {
    char name[64];
    long pid = files_holder(path, name, sizeof name);
    if (!pid)
        str_add(out, "another program");
    else
        str_addf(out, "process %ld%s%s%s", pid, *name ? " (" : "", name, *name ? ")" : "");
}

static const char *const ADVICE[JOURNAL_STATE_COUNT] = {
    [JOURNAL_DAMAGED] = ("Nothing is sent, and it is never replaced. bursar activity lists what is sound of it, an "
                         "outcome that was lost as unknown. Put "
                         "journal.db and journal.head back from one copy; or settle at the service what the lost "
                         "records wrote, then move both aside."),
    [JOURNAL_NEWER] = "It was written by a newer version of this program; nothing is sent with this one.",
    [JOURNAL_READ_ONLY] = "Nothing is sent without a record of it.",
    [JOURNAL_DISK_FULL] = "Nothing is sent without a record of it: make room, and try again.",
    [JOURNAL_LOCK_REFUSED] = "Set XDG_STATE_HOME to a folder on a local disk; nothing is sent without locks.",
    [JOURNAL_BUSY] = "Nothing was sent; try again when it has ended.",
    [JOURNAL_NO_KEY] = "machine.key is never replaced, since records are known by it; nothing is sent.",
};

void journal_explain(struct journal_opening *opening, const char *folder, const struct db *db, const char *fault) {
    struct str text, reason;
    str_init(&text, ERROR_TEXT_MAX * 2);
    str_init(&reason, ERROR_TEXT_MAX);
    if (opening->state == JOURNAL_DAMAGED) {
        str_addf(&reason, "is damaged: %s", *fault ? fault : "its pages do not hold together");
    } else if (opening->state == JOURNAL_READ_ONLY || opening->state == JOURNAL_UNUSABLE) {
        str_add(&reason, "cannot be written: ");
        size_t before = reason.len;
        journal_reason_add_reason(&reason, folder, opening->path, db);
        if (reason.len == before)
            str_add(&reason, *opening->error.text ? opening->error.text : "no reason was given");
    } else if (opening->state == JOURNAL_DISK_FULL) {
        str_add(&reason, "cannot be written: no space is left on its disk");
    } else if (opening->state == JOURNAL_LOCK_REFUSED) {
        str_addf(&reason, "cannot be locked: %s",
                 db->errno_then ? strerrordesc_np(db->errno_then) : "the file system of its folder has no locks");
    } else if (opening->state == JOURNAL_BUSY) {
        str_add(&reason, "is held by ");
        add_holder(&reason, opening->path);
    } else if (opening->state == JOURNAL_NEWER) {
        str_add(&reason, "cannot be read");
    }
    const char *advice = ADVICE[opening->state] ? ADVICE[opening->state] : "";
    if (reason.len)
        str_addf(&text, "%s %s. %s", opening->path, reason.s, advice);
    else
        str_addf(&text, "%s%s%s", opening->error.text, *advice ? ". " : "", advice);
    error_clear(&opening->error);
    error_set(&opening->error, ERR_STORE, "%s", text.s);
    str_clear(&text);
    str_clear(&reason);
}
