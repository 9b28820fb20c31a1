package org.murmur.p2p.headers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.wire.Headers;

/**
 * The headers between two blocks that are known beforehand: what has come of them, from one peer.
 * Linked from hash to hash, so that no peer can lie in between.
 */
final class Segment {

  // The known block that it begins behind, and the one it ends with.
  final int from;
  final Hash256 start;
  final int to;
  final Hash256 end;

  @Nullable Peer owner;
  Instant askedAt = Instant.EPOCH;

  private List<Headers> parts = new ArrayList<>();
  private int count;
  private Hash256 last;

  Segment(int from, Hash256 start, int to, Hash256 end) {
    this.from = from;
    this.start = start;
    this.to = to;
    this.end = end;
    this.last = start;
  }

  /** The result of adding headers to a segment. */
  enum Outcome {
    /** They hang together, and more is to come. */
    MORE,
    /** They end where they must: the segment is whole. */
    WHOLE,
    /** They hang together, but their peer has no more. */
    ENDS_EARLY,
    /** One of them does not follow on the one before. */
    BROKEN,
    /** They hang together, but do not lead to where they must. */
    ASTRAY
  }

  int size() {
    return to - from;
  }

  boolean isWhole() {
    return count == size();
  }

  boolean isBegun() {
    return count > 0;
  }

  /** The hash of the last header so far. */
  Hash256 last() {
    return last;
  }

  List<Headers> parts() {
    return parts;
  }

  /** No peer is asked for it any more; its headers are of no use unless it is whole. */
  void release() {
    owner = null;
    if (!isWhole()) {
      parts = new ArrayList<>();
      count = 0;
      last = start;
    }
  }

  /** Takes headers in that begin behind the last ones. */
  Outcome add(Headers headers) {
    int left = size() - count;
    // What a peer sends beyond the end is not kept; copied, since a slice would hold it.
    Headers part =
        headers.count() <= left ? headers : Headers.ofStored(headers.slice(0, left).toStored());
    Headers.Linkage linkage = part.linkage();
    if (linkage.links() < part.count()) {
      return Outcome.BROKEN;
    }
    if (part.count() < left && part.count() < Headers.MAX_PER_MESSAGE) {
      return Outcome.ENDS_EARLY;
    }
    if (part.count() == left && !linkage.last().equals(end)) {
      return Outcome.ASTRAY;
    }
    parts.add(part);
    count += part.count();
    last = linkage.last();
    return isWhole() ? Outcome.WHOLE : Outcome.MORE;
  }
}
