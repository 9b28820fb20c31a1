/**
 * Which addresses are known, and which of them is called next. Pure: what was heard and the time go
 * in, addresses come out; dice are handed in.
 */
@NullMarked
package org.murmur.p2p.discovery;

import org.jspecify.annotations.NullMarked;
