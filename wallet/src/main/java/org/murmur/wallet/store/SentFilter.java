package org.murmur.wallet.store;

import org.murmur.p2p.sync.ServerCopy;

/**
 * How a filter began and what became of it at the server: what a {@link org.murmur.p2p.sync.Load}
 * as it is now does not say.
 *
 * @param load the load's id
 * @param elements how many elements of the log the {@code filterload} held; those of the load
 *     beyond it came one by one, in the clear, with {@code filteradd}
 * @param outPoints how many times the server inserted an outpoint of its own accord, at most
 * @param bitsSet how many bits of the server's copy are set then, at most; 0 if it added nothing
 */
public record SentFilter(long load, int elements, int outPoints, int bitsSet) {

  /** The server has added something. */
  SentFilter with(ServerCopy copy) {
    return new SentFilter(load, elements, copy.outPoints(), copy.bitsSet());
  }
}
