package org.murmur.p2p.internal.chain;

import org.murmur.p2p.internal.wire.Headers;

/**
 * Committed headers of the active chain on disk, for a chain that does not keep all of them in
 * memory.
 *
 * <p>Only headers that are on disk and that no pending batch replaces are read, so the result does
 * not depend on timing. Called on the thread of the {@link HeaderChain} while another thread may
 * write; it must not wait for the writer.
 */
public interface HeaderArchive {

  /**
   * Reads headers of the active chain.
   *
   * @param from height of the first, above that of the chain's base
   * @param to height behind the last; at most a difficulty period above {@code from}
   * @throws org.murmur.p2p.sync.LocalFailure if they cannot be read
   */
  Headers read(int from, int to);
}
