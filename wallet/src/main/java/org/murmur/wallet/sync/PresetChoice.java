package org.murmur.wallet.sync;

import org.murmur.p2p.sync.Preset;

/**
 * The preset of a session, and the reason for it. The options come first, then the preset that the
 * wallet used last, then a rule: fast on test networks and for peers on this machine or in private
 * networks, private otherwise.
 *
 * @param preset the preset
 * @param reason the reason for it
 * @param exposes whether a filter with everything would be sent although the wallet was private or
 *     compact so far
 * @param leastPeers how many peers it takes
 */
public record PresetChoice(Preset.Kind preset, Reason reason, boolean exposes, int leastPeers) {

  /** The reason for a preset. */
  public enum Reason {
    /** The options name it. */
    SAID,
    /** The wallet used it last. */
    LAST,
    /** The rule for a first sync. */
    RULE
  }
}
