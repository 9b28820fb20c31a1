package org.murmur.p2p.internal.compact;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.internal.gcs.BasicFilter;
import org.murmur.bip37.internal.gcs.FilterMatcher;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;

/**
 * Proves filters false by their whole block (BIP-0158). Not every false filter can be proven so:
 * the scripts of most spent outputs are not in the block.
 */
final class FilterCheck {

  private FilterCheck() {}

  /**
   * Whether a filter of the block is false: it lacks the script of an output or of a known spent
   * coin, or has more elements than the block has outputs and inputs, or cannot be decoded.
   *
   * @param filter as a peer sends it: the number of elements, then the coded bits
   * @param scriptOf the script of a coin of the wallet; null for other coins
   */
  static boolean isFalse(
      Bytes filter, FullBlock block, Function<OutPoint, @Nullable Bytes> scriptOf) {
    Set<Bytes> needed = new HashSet<>();
    int most = 0;
    for (Tx tx : block.transactions()) {
      most += tx.outputs().size();
      tx.outputs().forEach(output -> needed.add(output.script()));
      if (tx.isCoinbase()) {
        continue;
      }
      most += tx.inputs().size();
      for (Tx.Input input : tx.inputs()) {
        Bytes script = scriptOf.apply(input.outPoint());
        if (script != null) {
          needed.add(script);
        }
      }
    }
    needed.removeIf(script -> !BasicFilter.holds(script));
    FilterMatcher matcher = new FilterMatcher();
    needed.forEach(matcher::add);
    try {
      return new ByteReader(filter.toArray()).compactSize() > most
          || matcher.match(filter, block.hash()).length < needed.size();
    } catch (MalformedException e) {
      return true;
    }
  }
}
