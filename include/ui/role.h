#ifndef UI_ROLE_H
#define UI_ROLE_H
/* The semantic roles of what is drawn. Panes choose a role, never a colour; a theme says how a role looks. The letter
 * stands for the role in golden screens. src/HACKING.md, Add a theme role, says how to add one. */

#define ROLE_TABLE(X)                            \
    X(TEXT, "text", '.')                         \
    X(DIM, "dim", 'd')                           \
    X(TITLE, "title", 't')                       \
    X(RULE, "rule", '-')                         \
    X(HEADER, "header", 'h')                     \
    X(HEADER_SORTED, "header.sorted", 'H')       \
    X(CURSOR, "cursor", 'c')                     \
    X(CURSOR_UNFOCUSED, "cursor.unfocused", 'C') \
    X(MARK, "mark", 'm')                         \
    X(HIT, "hit", 'x')                           \
    X(NEW, "new", 'n')                           \
    X(CHANGED, "changed", 'N')                   \
    X(STALE, "stale", 's')                       \
    X(GONE, "gone", 'g')                         \
    X(OK, "ok", 'o')                             \
    X(INFO, "info", 'i')                         \
    X(WARN, "warn", 'w')                         \
    X(ERROR, "error", 'e')                       \
    X(KEY, "key", 'k')                           \
    X(PROMPT, "prompt", 'p')                     \
    X(GHOST, "ghost", 'G')                       \
    X(FIELD, "field", 'f')                       \
    X(FIELD_ERROR, "field.error", 'F')           \
    X(SECRET, "secret", '*')                     \
    X(LINK, "link", 'l')                         \
    X(BAR, "bar", 'b')                           \
    X(BAR_ALT, "bar.alt", 'B')                   \
    X(ENV_PRODUCTION, "env.production", '!')     \
    X(ENV_SANDBOX, "env.sandbox", '$')           \
    X(ENV_OTHER, "env.other", '%')               \
    X(STATUS_CREATED, "status.created", '1')     \
    X(STATUS_APPROVED, "status.approved", '2')   \
    X(STATUS_DECLINED, "status.declined", '3')   \
    X(STATUS_PENDING, "status.pending", '4')     \
    X(STATUS_CANCELED, "status.canceled", '5')   \
    X(AMOUNT_IN, "amount.in", '+')               \
    X(AMOUNT_OUT, "amount.out", '_')             \
    X(FLAG_DISPUTE, "flag.dispute", 'D')         \
    X(FLAG_REFUND, "flag.refund", 'R')           \
    X(UNKNOWN, "unknown", '?')

enum role {
#define X(code, name, letter) ROLE_##code,
    ROLE_TABLE(X)
#undef X
        ROLE_COUNT
};

const char *role_name(enum role role);
char role_letter(enum role role);
int role_find(const char *name); /* -1: no such role */

#endif
