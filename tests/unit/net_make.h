#ifndef NET_MAKE_H
#define NET_MAKE_H
/* The net that all tests of a program share. Included by the file of its tests alone. */

#include "support/exchange.h"

static struct net *net;

static inline int net_set_up_with(const struct net_options *options) {
    return net_new(options, &net, NULL) == ERR_OK ? 0 : -1;
}

static inline int net_tear_down(void **state) {
    (void)state;
    net_free(net);
    net = NULL;
    return 0;
}

#endif
