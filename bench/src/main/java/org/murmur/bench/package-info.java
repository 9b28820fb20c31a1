/**
 * Measurements: micro benchmarks, and syncs side by side with others against the same real node.
 */
@NullMarked
package org.murmur.bench;

import org.jspecify.annotations.NullMarked;
