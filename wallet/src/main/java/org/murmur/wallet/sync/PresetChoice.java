package org.murmur.wallet.sync;

import org.murmur.wallet.privacy.Preset;

/**
 * Which preset a session uses, and why. What was said counts first, then what the wallet used last,
 * then a rule: fast on test networks and for peers on this machine or in private networks, private
 * elsewhere.
 *
 * @param preset the preset
 * @param reason why this one
 * @param exposes whether a filter with everything would be shown, and the wallet was private so far
 * @param leastPeers how many peers it takes
 */
public record PresetChoice(Preset preset, Reason reason, boolean exposes, int leastPeers) {

  /** Why a session uses a preset. */
  public enum Reason {
    /** The options name it. */
    SAID,
    /** The wallet used it last. */
    LAST,
    /** The rule for a first sync. */
    RULE
  }
}
