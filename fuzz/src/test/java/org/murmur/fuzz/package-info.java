/**
 * Fuzzing (Jazzer) of everything that reads what strangers wrote: messages, proofs, block filters,
 * transactions, headers, wallet files, and the texts a user pastes.
 *
 * <p>A target is a class with a method {@code fuzzerTestOneInput}, which throws when something is
 * wrong, and a folder of its name in {@code corpus} with inputs to begin from. {@code tools/fuzz}
 * runs the fuzzer; {@link org.murmur.fuzz.CorpusTest} plays the folders through in every build, so
 * an input that once found something stays found.
 *
 * <p>A target claims more than "no crash": decoded values encode to the same bytes; a stream gives
 * the same messages however it is cut; a proof is accepted exactly when a plain walk of BIP-0037's
 * tree accepts it; memory is bounded by the bytes received; a damaged wallet file is read, or
 * refused with an exception of the wallet.
 */
@NullMarked
package org.murmur.fuzz;

import org.jspecify.annotations.NullMarked;
