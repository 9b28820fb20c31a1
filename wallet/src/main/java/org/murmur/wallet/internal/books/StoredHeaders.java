package org.murmur.wallet.internal.books;

import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.chain.HeaderArchive;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.internal.store.WalletStore;

/** The headers in a wallet's file, above their first block. */
final class StoredHeaders {

  private final WalletStore store;
  private final ChainBase base;
  private final HeaderArchive archive;

  StoredHeaders(WalletStore store, ChainBase base) {
    this.store = store;
    this.base = base;
    this.archive = store.headers();
  }

  /** The time of a block, seconds since 1970. */
  long timeAt(int height) {
    return archive.read(height, height + 1).time(0);
  }

  /**
   * The height of the last block before a moment, by the blocks' own times. These are not quite in
   * order, and then it is one of several blocks that follow each other; a later moment never gives
   * a lower one.
   */
  int heightAt(long time, int tip) {
    int below = base.height();
    int above = tip + 1;
    while (above - below > 1) {
      int middle = (below + above) >>> 1;
      if (timeAt(middle) <= time) {
        below = middle;
      } else {
        above = middle;
      }
    }
    return below;
  }

  /** Checks whether they connect and have the work that they claim. */
  void audit(int tip) {
    Hash256 previous = base.hash();
    for (int from = base.height() + 1; from <= tip; from += ConsensusRules.PERIOD) {
      Headers run = archive.read(from, Math.min(tip + 1, from + ConsensusRules.PERIOD));
      for (int i = 0; i < run.count(); i++) {
        Hash256 hash = run.hash(i);
        Target target = Target.decode(run.bits(i));
        // No header follows the last one: only its own work can show damage.
        if (!run.previous(i).equals(previous) || target == null || !target.isReachedBy(hash)) {
          throw store.damaged(
              "its header "
                  + (from + i)
                  + " does not follow the one before, or has not the work that it claims",
              null);
        }
        previous = hash;
      }
    }
  }

  /** The height of a block, the base included; empty if it is not among them. */
  OptionalInt heightOf(Hash256 block, int tip) {
    if (base.hash().equals(block)) {
      return OptionalInt.of(base.height());
    }
    for (int from = base.height() + 1; from <= tip; from += ConsensusRules.PERIOD) {
      Headers run = archive.read(from, Math.min(tip + 1, from + ConsensusRules.PERIOD));
      for (int i = 0; i < run.count(); i++) {
        // Within a run the next header names this one, so nothing needs to be hashed.
        Hash256 hash = i + 1 < run.count() ? run.previous(i + 1) : run.hash(i);
        if (hash.equals(block)) {
          return OptionalInt.of(from + i);
        }
      }
    }
    return OptionalInt.empty();
  }
}
