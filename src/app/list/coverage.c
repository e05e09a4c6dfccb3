#include "app/coverage.h"

#include "base/clock.h"

enum { JUST_NOW = 60000 };

bool coverage_is_whole(const struct coverage *coverage) {
    return coverage->reach == COVERAGE_WHOLE && coverage->damaged == 0 && coverage->removed == 0 &&
           coverage->failed == 0 && coverage->partial == 0 && coverage->newer == 0 && coverage->sealed == 0 &&
           !coverage->broke_off;
}

static void add_hole(struct str *out, size_t start, const char *text) {
    str_add(out, out->len > start ? "; " : "");
    str_add(out, text);
}

static void coverage_add_rows(struct str *out, size_t start, size_t n, const char *one, const char *many) {
    if (n > 0) {
        add_hole(out, start, "");
        str_addf(out, "%zu ", n);
        str_add(out, n == 1 ? one : many);
    }
}

static bool is_complaint(const struct coverage *coverage) {
    return coverage->failed + coverage->partial > 0;
}

static void add_complaint(struct str *out, size_t start, const struct coverage *coverage) {
    coverage_add_rows(out, start, coverage->failed, "answer said that something failed, so rows may be missing",
                      "answers said that something failed, so rows may be missing");
    coverage_add_rows(out, start, coverage->partial, "answer said that it is not whole, so rows may be missing",
                      "answers said that they are not whole, so rows may be missing");
    if (is_complaint(coverage) && *coverage->said)
        str_addf(out, ": %s", coverage->said);
}

bool coverage_said(const struct coverage *coverage, struct str *out) {
    add_complaint(out, out->len, coverage);
    if (!is_complaint(coverage) && *coverage->said)
        str_addf(out, "the service says: %s", coverage->said);
    return is_complaint(coverage);
}

static void add_event_holes(const struct coverage *coverage, size_t start, struct str *out) {
    coverage_add_rows(out, start, coverage->removed, "is not kept any more (events_days, events_limit_mb, purge)",
                      "are not kept any more (events_days, events_limit_mb, purge)");
    coverage_add_rows(out, start, coverage->damaged, "stored event cannot be read", "stored events cannot be read");
}

void coverage_holes(const struct coverage *coverage, struct str *out) {
    size_t start = out->len;
    if (coverage->events) {
        add_event_holes(coverage, start, out);
        return;
    }
    if (coverage->broke_off)
        add_hole(out, start, "the cache is damaged and could not be read to its end: rows are missing");
    if (coverage->set_aside)
        add_hole(out, start, "what was read before was lost with a damaged cache, which was set aside");
    coverage_add_rows(out, start, coverage->newer,
                      "row of the cache was written by a newer version of bursar and is not shown: update bursar, or "
                      "read the list from the service again",
                      "rows of the cache were written by a newer version of bursar and are not shown: update bursar, "
                      "or read the list from the service again");
    coverage_add_rows(out, start, coverage->damaged, "damaged row was dropped from the cache and is missing",
                      "damaged rows were dropped from the cache and are missing");
    coverage_add_rows(out, start, coverage->removed, "row was removed by the limits of the cache",
                      "rows were removed by the limits of the cache");
    coverage_add_rows(out, start, coverage->unlisted,
                      "cached row that the last complete reading did not find is not among them",
                      "cached rows that the last complete reading did not find are not among them");
    coverage_add_rows(out, start, coverage->sealed,
                      "row of the team's store was sealed with another key and is not shown",
                      "rows of the team's store were sealed with another key and are not shown");
    add_complaint(out, start, coverage);
    if (coverage->declined) {
        add_hole(out, start, "the service did not apply the filter; ");
        if (coverage->left_out > 0)
            str_addf(out, "%zu ", coverage->left_out);
        str_add(out, coverage->left_out == 1 ? "row that does not match was left out"
                                             : "rows that do not match were left out");
    }
    coverage_add_rows(out, start, coverage->broken, "broken row among them", "broken rows among them");
    coverage_add_rows(out, start, coverage->cached ? coverage->no_id : 0,
                      "row without an id is not kept, and not among them",
                      "rows without an id are not kept, and not among them");
}

static void add_when(const struct coverage *coverage, int64_t now, struct str *out) {
    if (coverage->as_of != CLOCK_NONE && (coverage->as_of > now || now - coverage->as_of > JUST_NOW)) {
        str_add(out, ", as of ");
        clock_format(out, coverage->as_of, CLOCK_UTC, now);
        str_add(out, " UTC");
        (void)clock_format_ahead(out, ", ", coverage->as_of, now);
    }
}

/* What was removed may have come between others: then it is from the last of these gaps on that nothing is missing. */
static void add_events(const struct coverage *coverage, int64_t now, struct str *out) {
    bool kept = coverage->removed == 0;
    if (coverage->reach == COVERAGE_NOTHING) {
        str_add(out, "none was stored here yet");
        return;
    }
    if (kept) {
        str_add(out, "all that were stored here");
    } else if (coverage->since != CLOCK_NONE) {
        str_add(out, "all that were stored since ");
        clock_format(out, coverage->since, CLOCK_UTC, now);
        str_add(out, " UTC");
    } else {
        str_add(out, "not all that were stored here");
    }
    add_when(coverage, now, out);
}

static void add_brief(const struct coverage *coverage, int64_t now, struct str *out) {
    size_t lost = coverage->damaged;
    if (coverage->events) {
        add_events(coverage, now, out);
        return;
    }
    if (coverage->reach == COVERAGE_NOTHING) {
        str_add(out, "nothing was read yet");
    } else if (coverage_is_whole(coverage)) {
        str_add(out, "all there are");
        add_when(coverage, now, out);
    } else {
        str_add(out, "so far");
        str_add(out, coverage->broke_off   ? ", the cache is damaged"
                     : coverage->newer > 0 ? ", without rows of a newer bursar"
                                           : "");
        str_add(out, coverage->failed > 0    ? ", the service reported errors"
                     : coverage->partial > 0 ? ", the service left some out"
                                             : "");
        if (lost > 0 && !coverage->broke_off)
            str_addf(out, ", %zu lost to damage", lost);
    }
}

static const char *coverage_rest_of(const struct coverage *coverage) {
    if (coverage->reach == COVERAGE_WHOLE && is_complaint(coverage))
        return "nothing follows, but this may not be all";
    if (coverage->reach == COVERAGE_WHOLE && coverage->newer > 0)
        return "this is not all";
    switch (coverage->stop) {
    case COVERAGE_LOOP:
        return "the rest of the list was not looked at: the service repeats a cursor";
    case COVERAGE_NO_PROGRESS:
        return "the rest of the list was not looked at: pages bring nothing new";
    case COVERAGE_FAILED:
        return "the rest of the list was not looked at";
    default:
        return coverage->team     ? "the service may have more than the team's store: a mirror reads all of it"
               : coverage->cached ? "the service may have more"
                                  : "more on the server";
    }
}

static void add_full(const struct coverage *coverage, int64_t now, struct str *out) {
    if (coverage->events)
        add_events(coverage, now, out);
    else if (coverage->reach == COVERAGE_NOTHING) {
        str_add(out, "nothing was read yet");
    } else if (!coverage_is_whole(coverage)) {
        str_add(out, coverage_rest_of(coverage));
    } else if (coverage->cached || coverage->team) {
        str_add(out, "that is all of them");
        add_when(coverage, now, out);
    } else {
        str_add(out, "end of the list");
    }
}

void coverage_text(const struct coverage *coverage, enum coverage_style style, int64_t now, struct str *out) {
    if (style == COVERAGE_BRIEF) {
        add_brief(coverage, now, out);
        return;
    }
    struct str holes;
    str_init(&holes, 1024);
    add_full(coverage, now, out);
    coverage_holes(coverage, &holes);
    if (holes.len > 0)
        str_addf(out, "; %s", holes.s);
    if (!is_complaint(coverage) && *coverage->said) {
        str_add(out, "; ");
        (void)coverage_said(coverage, out);
    }
    str_clear(&holes);
}
