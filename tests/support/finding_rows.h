#ifndef SUPPORT_FINDING_ROWS_H
#define SUPPORT_FINDING_ROWS_H
/* For each rule of findings an intent that has it, NAME-has, and a near miss that has not, NAME-miss; those of rules
 * across rows with the rows that they rest on. No other row has any. Whole rows, as the service sends them. */

#define FINDING_TX(id, amount, currency, status, type, source)                                    \
    "{\"id\":\"" id "\",\"amount\":" amount ",\"direction\":\"cash_in\",\"currency\":\"" currency \
    "\",\"status\":\"" status "\",\"type\":\"" type "\",\"source_id\":\"" source "\",\"date\":\"2026-06-01\"}"
#define FINDING_ROW(id, at, user, amount, status, more)                                                      \
    "{\"id\":\"" id "\",\"created_at\":\"2026-06-01T" at "Z\",\"direction\":\"cash_in\",\"user_id\":\"" user \
    "\",\"amount\":" amount ",\"currency\":\"USD\",\"status\":\"" status "\"," more                          \
    ",\"dispute\":null,\"refund\":null,\"type\":\"primary\"}"
#define FINDING_SETTLED(id, amount) \
    "\"transactions\":[" FINDING_TX("tx-" id, amount, "USD", "settled", "intent", id) "]"

static const char *const FINDING_ROWS[] = {
    FINDING_ROW("sum-has", "09:00:00.000", "u1", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-1", "2500", "USD", "settled", "intent", "sum-has") "," FINDING_TX(
                    "tx-2", "2499", "USD", "settled", "intent", "sum-has") "]"),
    FINDING_ROW("sum-miss", "09:01:00.000", "u2", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-3", "5000", "USD", "settled", "intent", "sum-miss") "," FINDING_TX(
                    "tx-4", "125", "USD", "settled", "fee", "sum-miss") "]"),
    FINDING_ROW("currency-has", "09:02:00.000", "u3", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-5", "4600", "EUR", "settled", "intent", "currency-has") "]"),
    FINDING_ROW("currency-miss", "09:03:00.000", "u4", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-6", "5000", "usd", "settled", "intent", "currency-miss") "]"),
    FINDING_ROW("guarantee-has", "09:04:00.000", "u5", "5000", "pending",
                "\"guarantee_amount\":5001,\"transactions\":[]"),
    FINDING_ROW("guarantee-miss", "09:05:00.000", "u6", "5000", "pending",
                "\"guarantee_amount\":5000,\"transactions\":[]"),
    FINDING_ROW("source-has", "09:06:00.000", "u7", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-7", "5000", "USD", "settled", "intent", "sum-miss") "]"),
    FINDING_ROW("source-miss", "09:07:00.000", "u8", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-8", "5000", "USD", "settled", "intent", "payout-1") "]"),
    FINDING_ROW("decline-has", "09:08:00.000", "u9", "5000", "declined",
                "\"decline_category\":null,\"transactions\":[]"),
    FINDING_ROW("decline-miss", "09:09:00.000", "u10", "5000", "declined",
                "\"decline_category\":\"fraud\",\"transactions\":[]"),
    FINDING_ROW("unsettled-has", "09:10:00.000", "u11", "5000", "approved",
                "\"transactions\":[" FINDING_TX("tx-9", "5000", "USD", "pending", "intent", "unsettled-has") "]"),
    FINDING_ROW("unsettled-miss", "09:11:00.000", "u12", "5000", "approved", FINDING_SETTLED("unsettled-miss", "5000")),
    FINDING_ROW(
        "credential-has", "09:12:00.000", "u13", "5000", "pending",
        "\"transactions\":[],\"payment_credential\":{\"id\":\"c1\",\"is_archived\":false,\"card\":{\"expiration\":"
        "\"2026-05-30\"}}"),
    FINDING_ROW(
        "credential-miss", "09:13:00.000", "u14", "5000", "pending",
        "\"transactions\":[],\"payment_credential\":{\"id\":\"c2\",\"is_archived\":false,\"card\":{\"expiration\":"
        "\"2026-06-01\"}}"),
    FINDING_ROW("unknown-has", "09:14:00.000", "u16", "5000", "reversed", "\"transactions\":[]"),
    FINDING_ROW("unknown-miss", "09:15:00.000", "u17", "5000", "canceled", "\"zone\":1,\"transactions\":[]"),
    FINDING_ROW("twice-has", "10:00:00.000", "u15", "5000", "approved", FINDING_SETTLED("twice-has", "5000")),
    FINDING_ROW("twice-miss-amount", "10:00:01.000", "u15", "5001", "approved",
                FINDING_SETTLED("twice-miss-amount", "5001")),
    FINDING_ROW("twice-has-too", "10:01:00.000", "u15", "5000", "approved", FINDING_SETTLED("twice-has-too", "5000")),
    FINDING_ROW("twice-miss", "10:02:00.001", "u15", "5000", "approved", FINDING_SETTLED("twice-miss", "5000")),
};

#endif
