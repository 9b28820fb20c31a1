package org.murmur.p2p.internal.headers;

import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.internal.sync.Input;

/** A change that makes the parts of the machine check their knowledge again. */
public sealed interface Change {

  /** Blocks left the chain: knowledge of them is void. */
  record Reorganised(int fork) implements Change {}

  /**
   * The user wants blocks to be scanned again, from a height; from none if no header reaches it
   * yet.
   */
  record Rescan(Birthday birthday, OptionalInt from) implements Change {}

  /** More elements are watched, or more is known of the watched ones. */
  record Watched(Input.WatchSetChanged by) implements Change {}
}
