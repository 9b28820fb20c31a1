/** The filter of each link: what the server was sent, and what its copy can have become. */
@NullMarked
package org.murmur.p2p.filters;

import org.jspecify.annotations.NullMarked;
