/**
 * Micro benchmarks (JMH). A class is one task; its methods are named after the implementation:
 * {@code murmur}, {@code bitcoinj}, {@code guava}. {@link org.murmur.bench.micro.Micro} runs them
 * and prints ratios.
 */
@NullMarked
package org.murmur.bench.micro;

import org.jspecify.annotations.NullMarked;
