package org.murmur.wallet.internal.disclosure;

import java.time.Instant;
import java.util.List;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;

/**
 * The probable height of a network's chain, and its time in seconds since 1970. It extrapolates
 * from the highest block with a known time (the wallet's tip, or the last listed block) at the pace
 * of the last listed blocks, in seconds per block: on test networks blocks may come far faster than
 * every ten minutes. It is never below the {@code known} height.
 */
record HeightEstimate(int height, long time, double spacing, int known) {

  /** Seconds per block, by design of every network except those with blocks on demand. */
  static final int SPACING = 600;

  static HeightEstimate of(ChainParams network, int tipHeight, long tipTime) {
    Checkpoints listed = Checkpoints.of(network);
    List<ChainBase> bases = listed.bases();
    ChainBase last = ChainBase.ofGenesis(network);
    double spacing = SPACING;
    for (ChainBase base : bases) {
      spacing = (base.time() - last.time()) / (double) (base.height() - last.height());
      last = base;
    }
    int known = Math.max(tipHeight, listed.lastHeight());
    return tipHeight > last.height()
        ? new HeightEstimate(tipHeight, tipTime, spacing, known)
        : new HeightEstimate(last.height(), last.time(), spacing, known);
  }

  /** The estimated height at an instant; never below the known one. */
  int at(Instant now) {
    long seconds = Math.max(0, now.getEpochSecond() - time);
    return (int)
        Math.max(known, Math.min(Integer.MAX_VALUE, height + Math.round(seconds / spacing)));
  }
}
