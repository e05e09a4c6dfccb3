#ifndef BASE_PAYLOAD_H
#define BASE_PAYLOAD_H
/* What an effect, an event or a lane's job carries: a value of one struct type together with the operations of that
 * type, so that code which passes it on or drops it need not know the type. A reader names the type; naming a wrong one
 * breaks an invariant. It moves: one owner at any time. Any thread. */

struct payload_ops {
    const char *name;         /* of the type, for one who debugs */
    void (*free)(void *data); /* NULL: borrowed, for as long as its carrier is passed on */
};

struct payload {
    void *data; /* NULL: nothing is carried, or it was taken */
    const struct payload_ops *ops;
};

/* In the header of a struct: it can be carried. */
#define PAYLOAD_TYPE(type)                                                  \
    struct type;                                                            \
    extern const struct payload_ops type##_ops;                             \
    static inline struct payload type##_payload(const struct type *value) { \
        return payload_make(value, &type##_ops);                            \
    }

/* In its source: how it is freed; `release` takes a struct type *. */
#define PAYLOAD_OWNED(type, release)              \
    static void type##_payload_free(void *data) { \
        release((struct type *)data);             \
    }                                             \
    const struct payload_ops type##_ops = {#type, type##_payload_free}
#define PAYLOAD_BORROWED(type) const struct payload_ops type##_ops = {#type, NULL}

/* Makes a payload from a value, which is taken where the type is owned; the value keeps nothing then. */
#define payload_of(type, ...) type##_payload(__VA_ARGS__) /* the comma of a compound literal is no other argument */
#define payload_get(payload, type) ((struct type *)payload_data(payload, &type##_ops))
#define payload_take(payload, type) ((struct type *)payload_move(payload, &type##_ops))

struct payload payload_make(const void *data, const struct payload_ops *ops);
void *payload_data(const struct payload *payload, const struct payload_ops *ops);
void *payload_move(struct payload *payload, const struct payload_ops *ops);
void payload_clear(struct payload *payload); /* frees what is owned; what is borrowed stays */

#endif
