package org.murmur.p2p.internal.headers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.wire.Headers;

/**
 * The headers between two known blocks, as far as one peer has sent them. They are linked by
 * hashes, so no peer can insert false ones.
 */
final class Segment {

  // The known blocks before its first header and at its end.
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
    /** They connect, and more are to come. */
    MORE,
    /** They end at the known block: the segment is complete. */
    WHOLE,
    /** They connect, but their peer has no more. */
    ENDS_EARLY,
    /** One of them does not connect to the one before. */
    BROKEN,
    /** They connect, but do not lead to the known block at the end. */
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

  /** No peer has a request for it any more; its headers are of no use unless it is complete. */
  void release() {
    owner = null;
    if (!isWhole()) {
      parts = new ArrayList<>();
      count = 0;
      last = start;
    }
  }

  /** Adds headers that follow the last ones. */
  Outcome add(Headers headers) {
    int left = size() - count;
    // Headers beyond the end are dropped; copied, since a slice would keep them in memory.
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
    append(part, linkage);
    return isWhole() ? Outcome.WHOLE : Outcome.MORE;
  }

  private void append(Headers part, Headers.Linkage linkage) {
    parts.add(part);
    count += part.count();
    last = linkage.last();
  }

  /** Takes all its headers from those known already, or none of them. */
  void fill(KnownHeaders known) {
    while (!isWhole()) {
      Headers more = known.after(from + count, last);
      Headers part = more.slice(0, Math.min(more.count(), size() - count));
      if (part.isEmpty() || part.linkage().links() < part.count()) {
        break;
      }
      append(part, part.linkage());
    }
    if (isWhole() && !last.equals(end)) {
      count = 0;
    }
    release();
  }
}
