/** The filter of each link: what the server got, and a model of the server-side filter. */
@NullMarked
package org.murmur.p2p.filters;

import org.jspecify.annotations.NullMarked;
