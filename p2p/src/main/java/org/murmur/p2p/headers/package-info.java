/** The chain of headers: asked for, checked, and followed. */
@NullMarked
package org.murmur.p2p.headers;

import org.jspecify.annotations.NullMarked;
