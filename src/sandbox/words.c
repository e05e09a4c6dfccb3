#include "words.h"

#include "base/mem.h"

const struct words_currency words_currencies[] = {
    {"USD", 2, 380, {"ach", "rtp", "wire", "ach"}},
    {"EUR", 2, 240, {"sepa", "sepa_instant", "sepa", "sepa"}},
    {"GBP", 2, 90, {"faster_payments", "bacs", "faster_payments", "faster_payments"}},
    {"JPY", 0, 60, {"zengin", "zengin", "zengin", "zengin"}},
    {"BRL", 2, 45, {"pix", "pix", "boleto", "pix"}},
    {"MXN", 2, 35, {"spei", "spei", "spei", "spei"}},
    {"CAD", 2, 30, {"eft", "eft", "interac", "eft"}},
    {"INR", 2, 25, {"upi", "neft", "upi", "imps"}},
    {"KRW", 0, 20, {"wire", "wire", "wire", "wire"}},
    {"KWD", 3, 20, {"wire", "wire", "wire", "wire"}},
    {"TND", 3, 10, {"wire", "wire", "wire", "wire"}},
    {"CLP", 0, 10, {"wire", "wire", "wire", "wire"}},
    {"SEK", 2, 10, {"bankgiro", "bankgiro", "wire", "bankgiro"}},
    {"PLN", 2, 10, {"elixir", "elixir", "blik", "elixir"}},
    {"AUD", 2, 10, {"npp", "becs", "npp", "npp"}},
    {"ISK", 0, 5, {"wire", "wire", "wire", "wire"}},
};
const size_t words_currency_count = COUNT_OF(words_currencies);

const char *const words_banks[] = {
    "Harbourline Bank",
    "Kestrel Mutual",
    "Lantern & Oak Savings",
    "Third Meadow Credit Union",
    "Saltmarsh Bank plc",
    "Copperfield Trust \"North\"",
    "O'Wren Brothers Bank",
    "Bluefinch Federal Savings",
    "Tallow Hill Cooperative",
    "The Very Long and Entirely Imaginary Commercial, Agricultural and Maritime Savings Bank of Upper Fennimore",
    "B",
    "Crédit Aubépine",
    "Banque Étoile-du-Ruisseau",
    "Crédit Décomposé",
    "Banco Azahar y Olivo",
    "Caja Peñasco Azul",
    "Sparkasse Eichenthal-Süd",
    "Grünwässer Privatbank",
    "Banca Città dei Tigli",
    "Banco Maré Alta Ltda.",
    "Bank Żółty Ćwierk",
    "Říční spořitelna Žluťásek",
    "Szőlőhegyi Takarék",
    "Yeşilırmak Çınar Bankası",
    "Fjordlys Sparebank Ærøå",
    "Ngân hàng Sông Biếc",
    "Банк Серебряный Ручей",
    "Банк Світла Діброва",
    "Τράπεζα Μελτέμι",
    "青松岭银行",
    "晨露信用合作社",
    "北灯ともしび銀行",
    "みずいろカワセミ信用金庫",
    "해오름나루은행",
    "بنك الواحة الزرقاء",
    "بانک باغ انار",
    "בנק ענף השקד",
    "בנק Almond ענף 42",
    "ธนาคารดอกบัวเงิน",
    "नीलकमल सहकारी बैंक",
    "மல்லிகை வங்கி",
    "ბანკი ვაზის ფოთოლი",
    "Բանկ Նռան Այգի",
    "የፀሐይ ብርሃን ባንክ",
    "Bank 🏔️ Nordlys",
    "🦊 Foxglove Money",
    "Kiosk 👩‍💻 Savings 🏦",
};
const size_t words_bank_count = COUNT_OF(words_banks);

const char *const words_declines[] = {
    "insufficient_funds", "risk",           "invalid_account", "do_not_honor",
    "expired_card",       "limit_exceeded", "suspected_fraud", "issuer_unavailable",
    "account_closed",
};
const size_t words_decline_count = COUNT_OF(words_declines);

const char *const words_brands[] = {"visa", "mastercard", "amex", "discover", "jcb", "unionpay"};
const size_t words_brand_count = COUNT_OF(words_brands);

const char *const words_disputes[] = {"unauthorized", "not_received", "duplicate", "not_as_described"};
const size_t words_dispute_count = COUNT_OF(words_disputes);

const char *const words_refunds[] = {"requested_by_customer", "duplicate", "order_canceled"};
const size_t words_refund_count = COUNT_OF(words_refunds);
