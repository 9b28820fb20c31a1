/**
 * Micro benchmarks (JMH). A class is one piece of work; its methods are named after who does it:
 * {@code murmur}, {@code bitcoinj}, {@code guava}. {@link org.murmur.bench.micro.Micro} runs them
 * and prints ratios.
 */
@NullMarked
package org.murmur.bench.micro;

import org.jspecify.annotations.NullMarked;
