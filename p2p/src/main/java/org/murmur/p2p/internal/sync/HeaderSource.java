package org.murmur.p2p.internal.sync;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Headers that others in this process have on disk, as of one moment. A machine takes these instead
 * of requesting them. It checks them like a peer's, so a source cannot do more harm than a peer.
 *
 * <p>Called on the machine's thread; it must not wait for a writer.
 */
public interface HeaderSource {

  /** Nobody has any. */
  HeaderSource NONE =
      new HeaderSource() {
        @Override
        public boolean has(int height) {
          return false;
        }

        @Override
        public Headers after(int height, Hash256 block) {
          return Headers.NONE;
        }
      };

  /** Returns whether somebody has a header, on any branch. The answer never changes. */
  boolean has(int height);

  /**
   * Reads headers that follow a block.
   *
   * @return the headers above it, up to the next multiple of 2,016 at most; none if nobody has any
   *     that follow this block, or they are gone by now
   */
  Headers after(int height, Hash256 block);
}
