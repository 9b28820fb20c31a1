package org.murmur.wallet;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.sync.Preset;

/** A session of the compact preset follows a real node. */
@Tag("real-node")
class FollowCompactTest extends FollowingLife {

  /**
   * It hears all that the node announces, and no filter says what it looks for. The node does not
   * restart: nobody announces again what came before the client was back. A payment stays pending
   * here that the node forgot, as it does with long chains of a branch that was left, or whose
   * sender replaced it in a block before anybody heard: see {@link #counting}.
   */
  @ParameterizedTest
  @ValueSource(longs = {63, 64})
  void itsEventsAreTheWalletUnderTheCompactPreset(long seed) throws Exception {
    follow(seed, 60, Preset.Kind.COMPACT);
  }

  /** It asks the node for what is pending, so the node may restart. */
  @Test
  void itsEventsAreTheWalletIfItsNodeIsAskedUnderTheCompactPreset() throws Exception {
    asksPool = true;
    follow(65, 60, Preset.Kind.COMPACT);
  }
}
