#include "team_side.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/utf8.h"
#include "run/lanes/journal_lane.h"
#include "store/machine_key.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 256, CONSOLE_BYTES = 16, HOST_BYTES = 64 };

/* Of this home, and of no other: made of its key, which never leaves it. */
static enum err name_console(const char *folder, struct str *out, struct error *error) {
    struct machine_key key;
    unsigned char digest[DIGEST_LEN];
    bool made;
    enum err err = machine_key_load(folder, &key, &made, error);
    if (err == ERR_OK) {
        static const char purpose[] = "console of a team";
        digest_keyed(digest, key.bytes, sizeof key.bytes, purpose, sizeof purpose);
        digest_hex(out, digest, CONSOLE_BYTES);
    }
    secret_wipe(&key, sizeof key);
    return err;
}

void team_host(struct str *out) {
    char name[HOST_BYTES + 1] = "";
    bool known = gethostname(name, HOST_BYTES) == 0 && *name;
    utf8_sanitise(out, known ? name : "?", known ? strlen(name) : 1);
}

static enum err take_password(const struct team_side *beside, const struct profile *profile, struct team_side *side) {
    if (!beside)
        return config_team_password(profile, &side->password, &side->fault);
    side->fault = beside->fault;
    if (beside->password)
        side->password = secret_new(secret_text(beside->password), secret_len(beside->password));
    return side->fault.code;
}

static struct team_side *make_side(const struct team_side *beside, const struct profile *profile, const char *folder,
                                   const char *who) {
    struct team_side *side = mem_new(sizeof *side);
    side->profile = profile;
    side->folder = folder;
    side->required = profile->team_required;
    str_init(&side->console, NAME_BYTES);
    str_init(&side->who, NAME_BYTES);
    str_init(&side->host, NAME_BYTES * 4);
    str_add(&side->who, who);
    team_host(&side->host);
    enum err err = name_console(folder, &side->console, &side->fault);
    if (err == ERR_OK)
        err = take_password(beside, profile, side);
    (void)err; /* kept in fault */
    struct team_place place = {.store = profile->team_store,
                               .key_file = profile->team_key_file,
                               .password = side->password,
                               .console = side->console.s,
                               .who = side->who.s,
                               .host = side->host.s};
    side->team = team_new(&place);
    return side;
}

struct team_side *team_side_new(const struct profile *profile, const char *folder, const char *who) {
    return profile_has_team(profile) ? make_side(NULL, profile, folder, who) : NULL;
}

struct team_side *team_side_beside(const struct team_side *side) {
    return side ? make_side(side, side->profile, side->folder, side->who.s) : NULL;
}

void team_side_free(struct team_side *side) {
    if (!side)
        return;
    team_free(side->team);
    secret_free(side->password);
    str_clear(&side->console);
    str_clear(&side->who);
    str_clear(&side->host);
    free(side);
}

enum err team_file_path(const char *folder, const char *kind, const char *profile, struct str *out,
                        struct error *error) {
    enum err err = ERR_OK;
    if (folder)
        str_add(out, folder);
    else
        err = path_home(PATH_STATE, NULL, out, error);
    if (err == ERR_OK)
        err = path_make_private(out->s, error);
    str_addf(out, "/%s", kind);
    path_add_name(out, profile);
    return err;
}

enum err team_side_open(const struct profile *profile, struct team_side **out, struct error *error) {
    struct str who;
    str_init(&who, NAME_BYTES);
    journal_who(&who);
    *out = team_side_new(profile, NULL, who.s);
    str_clear(&who);
    if (!*out)
        return error_set(error, ERR_CONFIG,
                         "profile %s names no team: team_store in the configuration does (bursar help configuration)",
                         profile->name);
    return (*out)->fault.code == ERR_OK ? ERR_OK : error_set(error, (*out)->fault.code, "%s", (*out)->fault.text);
}
