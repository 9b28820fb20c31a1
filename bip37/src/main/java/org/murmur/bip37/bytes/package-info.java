/** Values of bytes with equality: hashes, byte strings, outpoints, and little-endian cursors. */
@NullMarked
package org.murmur.bip37.bytes;

import org.jspecify.annotations.NullMarked;
