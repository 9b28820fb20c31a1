package org.murmur.wallet.internal.books;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.internal.chain.HeaderArchive;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.failure.WalletException;

/**
 * A wallet's headers for other wallets of this process: whole difficulty periods, and none of the
 * last day, where forks are.
 *
 * <p>Thread safe: other wallets read on their own threads, over the connection that the wallet's
 * own session reads headers with. They wait for nothing longer than such a read.
 */
final class OfferedHeaders {

  /** Blocks of a day. A reorganisation of so many has never happened to a synced node. */
  private static final int DEPTH = 144;

  private final HeaderArchive archive;
  private boolean closed;
  private volatile Range range = new Range(0, 0);

  /** The heights above one block up to another. */
  private record Range(int base, int end) {}

  OfferedHeaders(HeaderArchive archive) {
    this.archive = archive;
  }

  /** The headers on disk begin above one block and end with another. */
  void moved(int base, int tip) {
    int end = Math.max(0, tip - DEPTH) / ConsensusRules.PERIOD * ConsensusRules.PERIOD;
    range = new Range(base, Math.max(base, end));
  }

  /** Gives nothing from now on; returns when nobody reads any more. */
  synchronized void close() {
    closed = true;
  }

  private synchronized Headers read(int from, int to) {
    if (closed) {
      return Headers.NONE;
    }
    try {
      return archive.read(from, to);
    } catch (WalletException e) {
      // Damaged, or replaced meanwhile. Its own wallet will report that; others ask peers.
      return Headers.NONE;
    }
  }

  HeaderSource asOfNow() {
    Range now = range;
    return new HeaderSource() {
      @Override
      public boolean has(int height) {
        return height > now.base() && height <= now.end();
      }

      @Override
      public Headers after(int height, Hash256 block) {
        if (!has(height + 1)) {
          return Headers.NONE;
        }
        int end = (height / ConsensusRules.PERIOD + 1) * ConsensusRules.PERIOD;
        Headers run = read(height + 1, Math.min(now.end(), end) + 1);
        return run.isEmpty() || !run.previous(0).equals(block) ? Headers.NONE : run;
      }
    };
  }
}
