/**
 * Golomb-coded sets, and the block filters of BIP-0158. A light client downloads these from a
 * server that learns nothing. Pure: values in, values out.
 */
@NullMarked
package org.murmur.bip37.internal.gcs;

import org.jspecify.annotations.NullMarked;
