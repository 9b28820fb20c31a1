package org.murmur.p2p.chain;

import org.murmur.p2p.wire.Headers;

/**
 * Where the headers of the active chain lie that were committed: the disk, for a chain that does
 * not keep all of them in memory.
 *
 * <p>It is asked only for headers that are on disk and that no batch under way replaces, so what it
 * answers does not depend on when it is asked. Called on the thread of the {@link HeaderChain},
 * while another one may be writing; it must not wait for that one.
 */
public interface HeaderArchive {

  /**
   * Reads headers of the active chain.
   *
   * @param from height of the first, above that of the chain's base
   * @param to height behind the last; at most a difficulty period above {@code from}
   * @return just these
   * @throws java.io.UncheckedIOException if they cannot be read
   */
  Headers read(int from, int to);
}
