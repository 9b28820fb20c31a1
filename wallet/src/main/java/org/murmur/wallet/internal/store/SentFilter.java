package org.murmur.wallet.internal.store;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;

/**
 * A filter that a peer was sent, once or again and again: how it began and what became of it at the
 * server.
 *
 * @param load the id of its last load
 * @param content the elements that it holds, with those of later {@code filteradd}s
 * @param parameters its size, functions, tweak and flag
 * @param elements how many elements of the log the {@code filterload} held; those of the content
 *     beyond it came one by one, in the clear, with {@code filteradd}
 * @param bitsSet how many bits were set in the {@code filterload}
 * @param first when the peer got it first, seconds since 1970
 * @param last when the peer got it last, seconds since 1970
 * @param times how many times the peer got it, at least 1
 * @param outPoints how many times the server inserted an outpoint of its own accord, at most
 * @param serverBits how many bits of the server's copy are set then, at most; 0 if it added nothing
 */
public record SentFilter(
    long load,
    NodeAddress peer,
    Content content,
    FilterParameters parameters,
    int elements,
    int bitsSet,
    long first,
    long last,
    int times,
    int outPoints,
    int serverBits) {

  /** Makes the record of a filter that is sent for the first time. */
  public static SentFilter of(Load load) {
    BloomFilter filter = load.filter();
    return new SentFilter(
        load.id(),
        load.peer(),
        load.content(),
        filter.parameters(),
        load.elements(),
        filter.bitsSet(),
        load.time(),
        load.time(),
        1,
        0,
        0);
  }

  /** The same, grown by elements in the clear. */
  public SentFilter grown(Load load) {
    return new SentFilter(
        load.id(),
        peer,
        load.content(),
        parameters,
        elements,
        bitsSet,
        first,
        last,
        times,
        outPoints,
        serverBits);
  }

  /** The server has added something. */
  public SentFilter with(ServerCopy copy) {
    return added(0, first, Math.max(outPoints, copy.outPoints()), copy.bitsSet());
  }

  /** The same filter, with an earlier load of it. */
  public SentFilter and(SentFilter earlier) {
    return added(
        earlier.times,
        Math.min(first, earlier.first),
        Math.max(outPoints, earlier.outPoints),
        earlier.serverBits);
  }

  private SentFilter added(int more, long since, int inserted, int bits) {
    return new SentFilter(
        load,
        peer,
        content,
        parameters,
        elements,
        bitsSet,
        since,
        last,
        times + more,
        inserted,
        Math.max(serverBits, bits));
  }

  /** Whether the peer got the same filter by another load. */
  boolean isSame(SentFilter other) {
    return peer.equals(other.peer)
        && parameters.equals(other.parameters)
        && elements == other.elements
        && bitsSet == other.bitsSet
        && content.equals(other.content);
  }
}
