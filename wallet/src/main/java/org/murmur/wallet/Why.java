package org.murmur.wallet;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The filters, peers and times that covered something, or none.
 *
 * @param subject the subject of the question
 * @param height its block; empty if it concerns all blocks
 * @param looks the scans of it, oldest first
 */
public record Why(String subject, OptionalInt height, List<Look> looks) {

  /** Copies the list. */
  public Why {
    looks = List.copyOf(looks);
  }

  /** {@return whether anything covered it; false if no peer was ever asked} */
  public boolean covered() {
    return looks.stream().anyMatch(Look::holds);
  }

  /**
   * Blocks that one peer served under one filter, or whose filters from it were tested here
   * (BIP-0157).
   *
   * @param peer which
   * @param time when the first of them came
   * @param from the first height
   * @param to the last height
   * @param load the number of the filter, or of the set of scripts that were tested
   * @param elements how many scripts and outpoints it held
   * @param holds whether the subject was among them; true if the subject is a height
   * @param here whether filters of blocks were tested here, so that the peer got none
   */
  public record Look(
      NodeAddress peer,
      Instant time,
      int from,
      int to,
      long load,
      int elements,
      boolean holds,
      boolean here) {}
}
