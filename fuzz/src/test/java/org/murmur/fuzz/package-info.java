/**
 * Fuzzing (Jazzer) of everything that reads what strangers wrote: messages, proofs, transactions,
 * headers, wallet files, and the texts a user pastes.
 *
 * <p>A target is a class with a method {@code fuzzerTestOneInput}, which throws when something is
 * wrong, and a folder of its name in {@code corpus} with inputs to begin from. {@code tools/fuzz}
 * runs the fuzzer; {@link org.murmur.fuzz.CorpusTest} plays the folders through in every build, so
 * an input that once found something stays found.
 */
@NullMarked
package org.murmur.fuzz;

import org.jspecify.annotations.NullMarked;
