/**
 * Measurements: micro benchmarks, and syncs compared with other clients against the same real node.
 */
@NullMarked
package org.murmur.bench;

import org.jspecify.annotations.NullMarked;
