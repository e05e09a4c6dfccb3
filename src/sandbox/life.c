#include "life.h"

static void decide(struct gen_life *life, uint32_t percent) {
    if (life->status == GEN_created && percent < 70) {
        life->status = GEN_pending;
    } else if (percent < 80) {
        life->status = GEN_approved;
        life->transactions = life->transactions == 0 ? 1 : life->transactions;
        life->payment = GEN_PAYMENT_PENDING;
    } else if (percent < 94) {
        life->status = GEN_declined;
        life->payment = GEN_PAYMENT_FAILED;
    } else {
        life->status = GEN_canceled;
        life->payment = GEN_PAYMENT_REVERSED;
    }
}

static bool after_approval(struct gen_life *life, uint32_t percent, int64_t now) {
    if (life->payment == GEN_PAYMENT_PENDING) {
        life->payment = GEN_PAYMENT_SETTLED;
    } else if (life->refund == GEN_REFUND_PENDING) {
        life->refund = percent < 90 ? GEN_REFUND_SUCCEEDED : GEN_REFUND_FAILED;
    } else if (life->dispute == GEN_DISPUTE_OPEN) {
        life->dispute = GEN_DISPUTE_REVIEW;
    } else if (life->dispute == GEN_DISPUTE_REVIEW) {
        life->dispute = percent < 50 ? GEN_DISPUTE_WON : GEN_DISPUTE_LOST;
    } else if (life->refund == GEN_REFUND_NONE && percent < 5) {
        life->refund = GEN_REFUND_PENDING;
        life->refund_at = now;
    } else if (life->dispute == GEN_DISPUTE_NONE && percent < 8) {
        life->dispute = GEN_DISPUTE_OPEN;
        life->dispute_at = now;
    } else {
        return false;
    }
    return true;
}

bool life_step(struct gen_life *life, uint64_t bits, int64_t now) {
    uint32_t percent = (uint32_t)(((bits >> 32) * 100) >> 32);
    if (life->status == GEN_created || life->status == GEN_pending) {
        decide(life, percent);
        return true;
    }
    return life->status == GEN_approved && after_approval(life, percent, now);
}
