/**
 * Golomb-coded sets, and the block filters that BIP-0158 makes of them: what a light client loads
 * from a server that is told nothing. Pure: values in, values out.
 */
@NullMarked
package org.murmur.lab.gcs;

import org.jspecify.annotations.NullMarked;
