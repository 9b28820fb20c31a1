package org.murmur.lab.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.lab.network.NodeRecord.KnownBlock;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;

/**
 * Where the headers that nodes are asked for may begin: blocks near the tip that other nodes gave,
 * the last checkpoint, the genesis block. Without the first ones every node would have to send all
 * headers since the checkpoint. A node that does not know one of them uses the next. Immutable.
 *
 * @param hints what other nodes gave, the highest first
 */
record Locator(List<KnownBlock> hints, List<KnownBlock> builtIn) {

  /** A few nodes may follow a branch of their own. */
  private static final int MAX_HINTS = 8;

  Locator {
    hints = List.copyOf(hints);
    builtIn = List.copyOf(builtIn);
  }

  static Locator of(ChainParams network) {
    List<KnownBlock> start = new ArrayList<>();
    Checkpoints known = Checkpoints.of(network);
    if (known.size() > 0) {
      int last = known.size() - 1;
      start.add(new KnownBlock(known.height(last), known.hash(last)));
    }
    start.add(new KnownBlock(0, network.genesisHash()));
    return new Locator(List.of(), start);
  }

  Locator with(KnownBlock hint) {
    List<KnownBlock> more =
        Stream.concat(Stream.of(hint), hints.stream())
            .distinct()
            .sorted(Comparator.comparingInt(KnownBlock::height).reversed())
            .limit(MAX_HINTS)
            .toList();
    return new Locator(more, builtIn);
  }

  Locator withoutHints() {
    return new Locator(List.of(), builtIn);
  }

  /** The locator to go on with in the same conversation. Higher hints, perhaps false, are gone. */
  Locator after(KnownBlock last) {
    return new Locator(List.of(last), builtIn);
  }

  private Stream<KnownBlock> blocks() {
    return Stream.concat(hints.stream(), builtIn.stream());
  }

  List<Hash256> hashes() {
    return blocks().map(KnownBlock::hash).toList();
  }

  OptionalInt heightOf(Hash256 hash) {
    return blocks()
        .filter(block -> block.hash().equals(hash))
        .mapToInt(KnownBlock::height)
        .findFirst();
  }
}
