#include "query/axis.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "scan.h"

#include <string.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = QUERY_HOURS * HOUR };
enum { EPOCH_WEEKDAY = 3 /* 1970 began on a Thursday */, WEEKDAY_LEAST = 3 /* letters of its name */ };

static int64_t floor_to(int64_t number, int64_t unit) {
    int64_t rest = number % unit;
    return number - (rest < 0 ? rest + unit : rest);
}

static int64_t rest_of(int64_t number, int64_t unit) {
    return number - floor_to(number, unit);
}

/* ---- Clocks ---- */

static bool is_remembered(const struct query_clock *clock, int64_t utc) {
    return utc >= clock->from && utc < clock->to;
}

int query_clock_offset(struct query_clock *clock, int64_t utc) {
    if (!clock->zone.offset || is_remembered(clock, utc))
        return clock->zone.offset ? clock->minutes : 0;
    int64_t from = floor_to(utc, HOUR);
    int first = clock->zone.offset(from), last = clock->zone.offset(from + HOUR - 1);
    if (first != last)
        return clock->zone.offset(utc);
    clock->from = from;
    clock->to = from + HOUR;
    clock->minutes = first;
    return first;
}

int64_t query_clock_change(struct query_clock *clock, int64_t low, int64_t high) {
    int after = query_clock_offset(clock, high);
    if (query_clock_offset(clock, low) == after)
        return low;
    while (low + 1 < high) {
        int64_t middle = low + (high - low) / 2;
        if (query_clock_offset(clock, middle) == after)
            high = middle;
        else
            low = middle;
    }
    return high;
}

int64_t query_clock_wall(struct query_clock *clock, int64_t ms, bool bare) {
    return bare ? ms : ms + (int64_t)query_clock_offset(clock, ms) * MINUTE;
}

/* From one end of day to the next: where clocks are put back over an end of day, what they show is behind it twice. */
static int64_t business_day(struct query_clock *clock, int64_t ms) {
    if (ms >= clock->day_from && ms < clock->day_to)
        return clock->day;
    int64_t ahead = (int64_t)clock->zone.day_ahead * MINUTE;
    int64_t day = floor_to(query_clock_wall(clock, ms, false) + ahead, DAY) / DAY;
    while (query_day_start(&clock->zone, day + 1) <= ms)
        day++;
    clock->day = day;
    clock->day_from = query_day_start(&clock->zone, day);
    clock->day_to = query_day_start(&clock->zone, day + 1);
    return day;
}

int64_t query_clock_day(struct query_clock *clock, int64_t ms, bool bare) {
    return clock->zone.day_ahead != 0 && !bare ? business_day(clock, ms)
                                               : floor_to(query_clock_wall(clock, ms, bare), DAY) / DAY;
}

int query_clock_hour(struct query_clock *clock, int64_t ms, bool bare) {
    return (int)(rest_of(query_clock_wall(clock, ms, bare), DAY) / HOUR);
}

static int weekday_of_day(int64_t day) {
    return (int)rest_of(day + EPOCH_WEEKDAY, QUERY_WEEKDAYS);
}

int query_clock_weekday(struct query_clock *clock, int64_t ms, bool bare) {
    return weekday_of_day(query_clock_day(clock, ms, bare));
}

/* With its leading zero, or without. */
bool query_test_hour(const struct query_test *test, int hour) {
    char two[] = {(char)('0' + hour / 10), (char)('0' + hour % 10)};
    return query_test_text(test, two, 2) || (hour < 10 && query_test_text(test, two + 1, 1));
}

/* Cut to three letters or more, as in times. */
bool query_test_weekday(const struct query_test *test, int weekday) {
    const char *name = value_weekdays[weekday];
    for (size_t len = WEEKDAY_LEAST; len <= strlen(name); len++)
        if (query_test_text(test, name, len))
            return true;
    return false;
}

bool query_test_transition(const struct query_test *test, unsigned transition) {
    const char *name = transition_name(transition);
    return query_test_text(test, name, strlen(name));
}

int64_t query_clock_back(struct query_clock *clock, int64_t ms, int days) {
    int64_t first, last;
    query_wall_instants(&clock->zone, query_clock_wall(clock, ms, false) - days * (int64_t)DAY, &first, &last);
    return last;
}

/* From the full hour that clocks show, or from when they were changed in it. */
static int64_t hour_start(struct query_clock *clock, int64_t utc) {
    int64_t wall = query_clock_wall(clock, utc, false), start = utc - rest_of(wall, HOUR);
    return query_clock_change(clock, start, utc);
}

static int64_t hour_end(struct query_clock *clock, int64_t start) {
    int64_t wall = query_clock_wall(clock, start, false), end = start + HOUR - rest_of(wall, HOUR);
    int64_t last = end - 1;
    while (query_clock_offset(clock, last) != query_clock_offset(clock, start))
        last = query_clock_change(clock, start, last) - 1;
    return last + 1;
}

/* ---- Bands ---- */

static const int STEPS[] = {1, 2, 5};

static int64_t band_least(int i) {
    int64_t least = STEPS[i % (int)COUNT_OF(STEPS)];
    for (int power = i / (int)COUNT_OF(STEPS); power > 0; power--)
        least *= 10;
    return least;
}

int query_band(int64_t number) {
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int band = 0;
    while (band < QUERY_BAND_MOST && size >= (uint64_t)band_least(band))
        band++;
    return number < 0 ? -band : band;
}

void query_band_bounds(int band, int64_t *low, int64_t *high) {
    int size = band < 0 ? -band : band;
    int64_t least = size == 0 ? 0 : band_least(size - 1);
    bool last = size == QUERY_BAND_MOST;
    int64_t most = size == 0 ? 0 : last ? INT64_MAX : band_least(size) - 1;
    *low = band < 0 ? last ? INT64_MIN : -most : least;
    *high = band < 0 ? -least : most;
}

static const struct {
    const char *text;
    int64_t ms;
} AGES[QUERY_AGE_BANDS] = {{NULL, INT64_MIN},
                           {"0m", 0},
                           {"1h", HOUR},
                           {"4h", 4 * HOUR},
                           {"1d", DAY},
                           {"3d", 3 * DAY},
                           {"7d", 7 * DAY},
                           {"30d", 30 * (int64_t)DAY},
                           {"90d", 90 * (int64_t)DAY}};

int query_age_band(int64_t age_ms) {
    int band = 0;
    while (band + 1 < QUERY_AGE_BANDS && age_ms >= AGES[band + 1].ms)
        band++;
    return band;
}

/* ---- Axes ---- */

static const char *const AXES[] = {[QUERY_AXIS_HOUR] = "hour", [QUERY_AXIS_DAY] = "day", [QUERY_AXIS_WEEK] = "week"};

bool query_axis_is_time(const struct query_axis *axis) {
    return axis->kind > QUERY_AXIS_FIELD;
}

static bool axis_is_of(const struct query_axis *axis, enum query_field_code field) {
    return axis->kind == QUERY_AXIS_FIELD && axis->field == field;
}

bool query_axis_is_band(const struct query_axis *axis) {
    return axis_is_of(axis, QUERY_AMOUNT_FIELD) || axis_is_of(axis, QUERY_GUARANTEE_FIELD);
}

bool query_axis_is_condition(const struct query_axis *axis) {
    return axis_is_of(axis, QUERY_HAS_FIELD) || axis_is_of(axis, QUERY_IS_FIELD) || axis_is_of(axis, QUERY_TAG_FIELD);
}

bool query_axis_has_several(const struct query_axis *axis) {
    static const enum query_field_code SEVERAL[] = {QUERY_FINDING_FIELD, QUERY_TRANSITION_FIELD, QUERY_TX_STATUS_FIELD,
                                                    QUERY_TX_TYPE_FIELD, QUERY_TX_DATE_FIELD};
    bool several = query_axis_is_condition(axis);
    for (size_t i = 0; i < COUNT_OF(SEVERAL); i++)
        several = several || axis_is_of(axis, SEVERAL[i]);
    return several;
}

bool query_axis_is_ordered(const struct query_axis *axis) {
    return query_axis_is_time(axis) || query_axis_is_band(axis) || axis_is_of(axis, QUERY_HOUR_FIELD) ||
           axis_is_of(axis, QUERY_WEEKDAY_FIELD) || axis_is_of(axis, QUERY_AGE_FIELD);
}

const char *query_axis_name(const struct query_axis *axis) {
    return axis->kind == QUERY_AXIS_NONE    ? ""
           : axis->kind == QUERY_AXIS_FIELD ? query_field(axis->field)->name
                                            : AXES[axis->kind];
}

bool query_axis_named(const char *name, enum query_axis_kind *out) {
    for (size_t i = QUERY_AXIS_HOUR; i < COUNT_OF(AXES); i++) {
        if (ascii_compare(AXES[i], name) == 0) {
            *out = (enum query_axis_kind)i;
            return true;
        }
    }
    return false;
}

/* An hour has the offset of its own moment in its filter, by which a time without a zone is compared as if it were UTC;
 * a day is that of the viewer, and for such a time the one that it names (F51). */
int64_t query_axis_time(const struct query_axis *axis, struct query_clock *clock, int64_t ms, bool bare) {
    if (axis->kind == QUERY_AXIS_HOUR)
        return hour_start(clock, ms);
    int64_t day = query_clock_day(clock, ms, bare);
    return axis->kind == QUERY_AXIS_WEEK ? day - weekday_of_day(day) : day;
}

int64_t query_axis_next(const struct query_axis *axis, struct query_clock *clock, int64_t number, int step) {
    if (axis->kind == QUERY_AXIS_HOUR)
        return step > 0 ? hour_end(clock, number) : hour_start(clock, number - 1);
    return number + (axis->kind == QUERY_AXIS_WEEK ? QUERY_WEEKDAYS : 1) * step;
}

/* ---- Places ---- */

static void axis_add_day(struct str *out, int64_t day) {
    struct civil civil;
    clock_civil(day * DAY, &civil);
    str_addf(out, "%04d-%02d-%02d", civil.year, civil.month, civil.day);
}

static void axis_add_zone(struct str *out, int minutes) {
    if (minutes == 0)
        str_add_char(out, 'Z');
    else
        str_addf(out, "%c%02d:%02d", minutes < 0 ? '-' : '+', (minutes < 0 ? -minutes : minutes) / 60,
                 (minutes < 0 ? -minutes : minutes) % 60);
}

/* To the minute; to the second where clocks were changed at one. */
static void axis_add_instant(struct query_clock *clock, int64_t ms, int64_t unit, struct str *out) {
    struct civil civil;
    clock_civil(query_clock_wall(clock, ms, false), &civil);
    str_addf(out, "%04d-%02d-%02dT%02d:%02d", civil.year, civil.month, civil.day, civil.hour, civil.minute);
    if (unit < MINUTE)
        str_addf(out, ":%02d", civil.second);
    axis_add_zone(out, query_clock_offset(clock, ms));
}

static void axis_name_hour(struct query_clock *clock, int64_t start, struct str *out) {
    struct civil civil;
    clock_civil(query_clock_wall(clock, start, false), &civil);
    str_addf(out, "%04d-%02d-%02d %02d:%02d ", civil.year, civil.month, civil.day, civil.hour, civil.minute);
    axis_add_zone(out, query_clock_offset(clock, start));
}

static void axis_name_band(int64_t band, const char *currency, struct str *out) {
    int64_t low, high;
    query_band_bounds((int)band, &low, &high);
    str_addf(out, "%s%s%lld", currency ? currency : "", currency ? " " : "", (long long)low);
    if (high != low)
        str_addf(out, "..%lld", (long long)high);
}

static void axis_name_age(int64_t band, struct str *out) {
    if (band == 0)
        str_add(out, "ahead of the clock");
    else if (band == 1)
        str_addf(out, "under %s", AGES[2].text);
    else if (band >= QUERY_AGE_BANDS - 1)
        str_addf(out, "%s and more", AGES[QUERY_AGE_BANDS - 1].text);
    else
        str_addf(out, "%s to %s", AGES[band].text, AGES[band + 1].text);
}

void query_place_name(const struct query_axis *axis, struct query_clock *clock, int64_t number, const char *currency,
                      struct str *out) {
    if (axis->kind == QUERY_AXIS_HOUR)
        axis_name_hour(clock, number, out);
    else if (query_axis_is_time(axis))
        axis_add_day(out, number);
    else if (query_axis_is_band(axis))
        axis_name_band(number, currency, out);
    else if (axis_is_of(axis, QUERY_WEEKDAY_FIELD))
        str_add(out, value_weekdays[number]);
    else if (axis_is_of(axis, QUERY_HOUR_FIELD))
        str_addf(out, "%02d", (int)number);
    else if (axis_is_of(axis, QUERY_FINDING_FIELD))
        str_add(out, finding_rule((enum finding)number)->name);
    else if (axis_is_of(axis, QUERY_TRANSITION_FIELD))
        str_add(out, transition_name((unsigned)number));
    else if (axis_is_of(axis, QUERY_AGE_FIELD))
        axis_name_age(number, out);
}

enum query_flag query_axis_flag(const struct query_axis *axis) {
    bool band = query_axis_is_band(axis);
    for (unsigned i = 0; i < QUERY_FLAG_COUNT && axis->kind == QUERY_AXIS_FIELD; i++) {
        const struct query_flag_info *flag = query_flag_info((enum query_flag)i);
        enum cells_text text = query_flag_text((enum query_flag)i);
        bool same = text != CELLS_TEXT_COUNT && text == query_field(axis->field)->column;
        bool named = (band || axis->field == QUERY_FINDING_FIELD) && flag->field == QUERY_HAS_FIELD &&
                     str_equal(flag->name, query_field(axis->field)->name);
        if (same || named)
            return (enum query_flag)i;
    }
    return QUERY_FLAG_COUNT;
}

static bool axis_term_of_none(const struct query_axis *axis, struct str *out) {
    enum query_flag flag = query_axis_flag(axis);
    bool time = query_axis_is_ordered(axis) && !query_axis_is_band(axis);
    bool transition = axis_is_of(axis, QUERY_TRANSITION_FIELD);
    if (time)
        str_add(out, "-created>=0000 -created<0000");
    else if (transition)
        str_addf(out, "-%s:*-*", query_field(axis->field)->name);
    else if (flag != QUERY_FLAG_COUNT)
        str_addf(out, "-%s:%s", query_field(QUERY_HAS_FIELD)->name, query_flag_info(flag)->name);
    return time || transition || flag != QUERY_FLAG_COUNT;
}

static void axis_term_of_band(const struct query_axis *axis, const struct query_place *place, struct str *out) {
    int64_t low, high;
    query_band_bounds((int)place->number, &low, &high);
    if (place->currency) {
        str_add(out, "currency=");
        query_quote(out, place->currency);
    } else {
        str_add(out, "-has:currency");
    }
    str_addf(out, " %s:%lld..%lld", query_field(axis->field)->name, (long long)low, (long long)high);
}

static void axis_term_of_time(const struct query_axis *axis, struct query_clock *clock, int64_t number,
                              struct str *out) {
    str_add(out, "created:");
    if (axis->kind == QUERY_AXIS_HOUR) {
        int64_t end = hour_end(clock, number), unit = number % MINUTE || end % MINUTE ? SECOND : MINUTE;
        axis_add_instant(clock, number, unit, out);
        str_add(out, "..");
        axis_add_instant(clock, end - unit, unit, out);
        return;
    }
    axis_add_day(out, number);
    if (axis->kind == QUERY_AXIS_WEEK) {
        str_add(out, "..");
        axis_add_day(out, number + QUERY_WEEKDAYS - 1);
    }
}

/* From the least age of the band on, and under that of the next one. */
static void axis_term_of_age(int64_t band, struct str *out) {
    const char *name = query_field(QUERY_AGE_FIELD)->name;
    bool first = band == 0, last = band >= QUERY_AGE_BANDS - 1;
    const char *from = AGES[last ? QUERY_AGE_BANDS - 1 : band].text;
    if (!first)
        str_addf(out, "%s>=%s", name, from);
    if (!last)
        str_addf(out, "%s%s<%s", first ? "" : " ", name, AGES[band + 1].text);
}

/* Of dates only those that the filter language has; a mask is asked for in accounts too, where it was not counted. */
static bool is_typed(const struct query_axis *axis, const char *value) {
    enum { DATE_BYTES = 10 };
    int64_t ms;
    if (axis->field == QUERY_MASK_FIELD)
        return false;
    return query_field(axis->field)->type != QUERY_TIME ||
           (strlen(value) == DATE_BYTES && clock_parse(value, DATE_BYTES, &ms));
}

bool query_place_terms(const struct query_axis *axis, struct query_clock *clock, const struct query_place *place,
                       struct str *out) {
    if (axis->kind == QUERY_AXIS_NONE)
        return true;
    if (!place->value)
        return axis_term_of_none(axis, out);
    if (query_axis_is_time(axis)) {
        axis_term_of_time(axis, clock, place->number, out);
    } else if (query_axis_is_band(axis)) {
        axis_term_of_band(axis, place, out);
    } else if (axis_is_of(axis, QUERY_AGE_FIELD)) {
        axis_term_of_age(place->number, out);
    } else {
        if (!is_typed(axis, place->value))
            return false;
        bool whole = query_field(axis->field)->operators & 1U << QUERY_OP_EQ;
        str_addf(out, "%s%s", query_field(axis->field)->name, whole ? "=" : ":");
        query_quote(out, place->value);
    }
    return !out->truncated;
}

bool query_rate_counts(enum query_rate_of of, enum intent_status status) {
    if (of == QUERY_RATE_DECIDED)
        return status == INTENT_APPROVED || status == INTENT_DECLINED;
    return of == QUERY_RATE_ALL || (status != INTENT_CREATED && status != INTENT_PENDING);
}
