package org.murmur.p2p.internal.headers;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Headers that others in this process have. If they do not connect, or are gone, peers are asked
 * for the rest.
 */
final class KnownHeaders {

  private final HeaderSource source;
  private final HeaderChain chain;
  private boolean over;

  KnownHeaders(HeaderSource source, HeaderChain chain) {
    this.source = source;
    this.chain = chain;
  }

  /** Whether the header at a height can be expected, so that no peer need be asked for it. */
  boolean has(int height) {
    return !over && source.has(height);
  }

  /** Headers that follow a block; or none. */
  Headers after(int height, Hash256 block) {
    return has(height + 1) ? source.after(height, block) : Headers.NONE;
  }

  /**
   * Takes the headers of the period of our next header. They begin with the period, since our tip
   * may be on a branch that has lost. If there are none, the source is not asked again.
   */
  Headers takeNext() {
    if (!has(chain.height() + 1)) {
      return Headers.NONE;
    }
    int period = chain.height() / ConsensusRules.PERIOD * ConsensusRules.PERIOD;
    int from = Math.max(chain.base().height(), period);
    Headers run = source.after(from, chain.hashAt(from));
    over = run.isEmpty();
    return run;
  }

  /** They did not make the chain grow. */
  void giveUp() {
    over = true;
  }
}
