package org.murmur.p2p.chain;

import java.time.Duration;
import java.time.Instant;

/** The birthday of a wallet: earlier blocks contain none of its transactions. */
public sealed interface Birthday {

  /** Seconds that a block's time may be ahead, so the search begins this much earlier. */
  long MARGIN_SECONDS = ConsensusRules.FUTURE_SECONDS;

  /**
   * Returns the birthday of a wallet that was made now: a day ago. If this clock is ahead, the
   * first payments would otherwise be in blocks that are not scanned; a day costs 144 blocks. On
   * regtest, where block times may be years old and chains are short, it is genesis.
   *
   * @param network of the wallet
   * @param now the time by this machine's clock
   * @return the birthday
   */
  static Birthday ofNewWallet(ChainParams network, Instant now) {
    return network.rules().retargeting()
        ? new AtTime(now.minus(Duration.ofDays(1)))
        : new AtHeight(0);
  }

  /**
   * A birthday given as a block height.
   *
   * @param height the first block that may concern the wallet, 0 or more
   */
  record AtHeight(int height) implements Birthday {

    /**
     * Checks the height.
     *
     * @param height the first block that may concern the wallet, 0 or more
     * @throws IllegalArgumentException if it is negative
     */
    public AtHeight {
      if (height < 0) {
        throw new IllegalArgumentException("birthday height " + height + ", expected 0 or more");
      }
    }
  }

  /**
   * A birthday given as a time.
   *
   * @param time the earliest time at which the wallet may have been paid
   */
  record AtTime(Instant time) implements Birthday {}
}
