#include "query/field.h"

#include "base/mem.h"

static const char *const grammar =
    "Terms stand side by side: all of them must hold. `|` is or, `-` before a term or a group is not, parentheses\n"
    "group, \"...\" quotes (\\\" inside for a quote). A bare word looks into every text. Case and accents do not "
    "matter\n"
    "in words and texts; ids are compared exactly. A star leaves out what follows or precedes in a word, an id\n"
    "or a text: ab* begins with ab, *ab ends with it, *ab* has it anywhere; in quotes a star is itself.\n"
    "An operator without a field is of the amount where a number follows, else of the time: >=5000, :tue.\n"
    "~50 is an amount within a tenth of 50, as the list shows amounts.\n"
    "\n"
    "  filter = any\n"
    "  any    = all { \"|\" all }\n"
    "  all    = unary { unary }\n"
    "  unary  = [ \"-\" ] ( \"(\" any \")\" | term )\n"
    "  term   = [ field ] op value { \",\" value } | \"~\" number | word\n"
    "\n";

static const char *const meanings[] = {
    [QUERY_WORD] = "equal to any of the list",
    [QUERY_ID] = "begins with",
    [QUERY_TEXT] = "contains",
    [QUERY_NUMBER] = "equal, or a..b with both ends, either open",
    [QUERY_TIME] = "within the day, month or year named, or a..b with the whole of both",
    [QUERY_SPAN] = "as many whole minutes, hours or days, or a..b with both ends",
    [QUERY_FLAG] = "any of the list",
};

static const char *meaning(const struct query_field *field) {
    if (field->sense == QUERY_SUFFIX)
        return "ends with";
    if (field->type == QUERY_TEXT && field->sense == QUERY_PREFIX)
        return "begins with";
    return meanings[field->type];
}

static void reference_add_operators(struct str *out, const struct query_field *field) {
    for (unsigned op = 0; op < QUERY_OP_COUNT; op++)
        if (field->operators & 1U << op)
            str_addf(out, " %s", query_op_text((enum query_op)op));
}

static void reference_add_fields(struct str *out) {
    str_add(out, "Fields, what `:` means, and their operators:\n");
    enum query_field_code code;
    for (unsigned rank = 0; query_field_next(&rank, &code);) {
        const struct query_field *field = query_field(code);
        str_addf(out, "  %-13s %s\n  %-13s : %s;", field->name, field->help, "", meaning(field));
        reference_add_operators(out, field);
        str_add_char(out, '\n');
    }
}

static void add_flags(struct str *out) {
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++) {
        const struct query_flag_info *flag = query_flag_info((enum query_flag)i);
        struct str name;
        str_init(&name, 64);
        str_addf(&name, "%s:%s", query_field(flag->field)->name, flag->name);
        str_addf(out, "  %-18s %s\n", name.s, flag->help);
        str_clear(&name);
    }
}

void query_reference(struct str *out) {
    str_add(out, grammar);
    reference_add_fields(out);
    str_add(out, "\nValues of has, is and finding:\n");
    add_flags(out);
    str_add(out,
            "\nNumbers are the raw integer; with a decimal point they are read by the profile's unit and the row's\n"
            "currency. 8,462 is one number, as the list shows it; \"8\",\"462\" are two.\n"
            "Times: 2026-11-01, 2026-11, 2026, 2026-11-01T10:30Z, today, yesterday, -7d, -24h, or a weekday:\n"
            "tuesday or tue is the last Tuesday before today, never today itself; mon..fri ends with the last Friday.\n"
            "An hour that clocks show twice is both of them.\n"
            "Ages are hours of 60 minutes and days of 24 hours up to now: age>3d was created more than 72 hours ago.\n"
            "`>=` and `<` use the start of a named period, `>` and `<=` its end. A row without the value matches only\n"
            "negations (- and !=); what is not a number matches no number term.\n"
            "@name stands for the filter of the view saved as name (v in the console).\n"
            "\nFindings are hints to look at, never verdicts: what cannot be judged, because a value is missing or of\n"
            "another kind, is none. Added up are transactions of type intent, where all of them are settled, in the\n"
            "currency and the direction of the intent. A card had expired once its day was over in every time zone.\n"
            "source and twice look from one row at others: at those that the walk read, or that the cache holds. So\n"
            "nothing of a filter with them or has:finding is sent to the service, and a walk with it keeps every row\n"
            "until its end. Intents that an older version stored have findings once the service sends them again.\n"
            "\nExamples:\n"
            "  status:declined,pending amount>=5000\n"
            "  bank:nord (rail:card | rail:ach) -has:refund\n"
            "  created:2026-11-01..2026-11-07 currency!=EUR\n");
}
