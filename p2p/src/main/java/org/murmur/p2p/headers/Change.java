package org.murmur.p2p.headers;

import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.sync.Input;

/** What makes the parts of the machine look again at what they took for known. */
public sealed interface Change {

  /**
   * Blocks left the chain: what is known of them counts no more.
   *
   * @param fork the highest block that stayed
   */
  record Reorganised(int fork) implements Change {}

  /**
   * The user wants blocks to be looked at anew.
   *
   * @param birthday from where on
   * @param from the height of the first of them; empty if no header reaches it yet
   */
  record Rescan(Birthday birthday, OptionalInt from) implements Change {}

  /**
   * More is watched, or more is known of what is watched.
   *
   * @param by what changed in the log
   */
  record Watched(Input.WatchSetChanged by) implements Change {}
}
