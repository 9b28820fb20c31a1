package org.murmur.p2p.internal.discovery;

import org.murmur.p2p.internal.wire.Services;

/**
 * One question to a DNS seed: a name that resolves to nodes, run by the operator of a network
 * crawler.
 *
 * <p>Many answer {@code x5.NAME} with nodes whose service bits contain hexadecimal 5, but each
 * supports certain numbers only. The plain name returns nodes of any kind.
 *
 * @param seed the seed's own name
 * @param name the name to look up
 * @param services service bits that the returned nodes should have
 */
public record DnsQuestion(String seed, String name, long services) {

  /** The question for nodes with some service bits. */
  public static DnsQuestion filtered(String seed, long services) {
    return new DnsQuestion(seed, "x" + Long.toHexString(services) + "." + seed, services);
  }

  /** The question for nodes of any kind. */
  public static DnsQuestion plain(String seed) {
    return new DnsQuestion(seed, seed, Services.NETWORK);
  }

  /** Whether it names service bits. */
  public boolean isFiltered() {
    return !name.equals(seed);
  }
}
