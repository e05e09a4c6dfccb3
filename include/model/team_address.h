#ifndef MODEL_TEAM_ADDRESS_H
#define MODEL_TEAM_ADDRESS_H
/* Which hosts of a team's store are this machine: a connection to any other has TLS that names the other side. Pure. */

#include <stdbool.h>

/* Hosts separated by commas, each a name or address, with a port or not, or the folder of a socket, percent-encoded or
 * not; "": libpq's own socket. True: none of them is another machine. */
bool team_host_is_here(const char *hosts);

#endif
