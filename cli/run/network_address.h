/* SPDX-License-Identifier: MIT
 * HOST:PORT, as users write it, and the TCP sockets that it leads to. A host of IPv6 stands in brackets:
 * [::1]:7000.
 */
#ifndef CLI_NETWORK_ADDRESS_H
#define CLI_NETWORK_ADDRESS_H

#include <stddef.h>

#define NETWORK_NAME_SIZE 128 /* room for an address in messages */

/* Listens at this address and at no other. The port may be 0: any one that is free. *out receives the socket,
 * name (NETWORK_NAME_SIZE bytes) the address in numbers. Errors: TRACE_ERR_USAGE, TRACE_ERR_IO. */
int network_listen(int *out, const char *address, char *name);

/* Connects to one of the addresses that the host has. The connection fails if the other side does not answer
 * for a minute. Errors: TRACE_ERR_USAGE, TRACE_ERR_IO. */
int network_connect(int *out, const char *address);

/* Accepts a connection, and writes who it is from into name. Returns -1 if there is none at the moment. */
int network_accept(int listener, char *name);

#endif
