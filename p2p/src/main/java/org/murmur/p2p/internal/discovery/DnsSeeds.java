package org.murmur.p2p.internal.discovery;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.internal.wire.Services;

/**
 * Queries to DNS seeds: names that resolve to nodes, run by operators of network crawlers.
 *
 * <p>Many answer {@code x5.NAME} with nodes whose service bits contain hexadecimal 5, but each
 * supports certain numbers only. We query two numbers with NODE_BLOOM. If they give no result, we
 * query the plain names, which return nodes of any kind.
 */
public final class DnsSeeds {

  /** Service bits that a scanner needs: {@code x5.} */
  static final long FILTERED = Services.NETWORK | Services.BLOOM;

  /** The same with NODE_WITNESS, which nearly all nodes have: {@code xd.} */
  private static final long FILTERED_WITNESS = FILTERED | Services.WITNESS;

  private DnsSeeds() {}

  /**
   * One query.
   *
   * @param services service bits that the returned nodes should have
   */
  public record Question(String name, long services) {}

  /**
   * Returns the queries for nodes that serve BIP-0037.
   *
   * @return two for each
   */
  public static List<Question> filtered(List<String> seeds) {
    List<Question> questions = new ArrayList<>();
    for (String seed : seeds) {
      questions.add(filtered(seed, FILTERED));
      questions.add(filtered(seed, FILTERED_WITNESS));
    }
    return questions;
  }

  private static Question filtered(String seed, long services) {
    return new Question("x" + Long.toHexString(services) + "." + seed, services);
  }

  /** Returns the queries for nodes of any kind. */
  public static List<Question> plain(List<String> seeds) {
    List<Question> questions = new ArrayList<>();
    seeds.forEach(seed -> questions.add(new Question(seed, Services.NETWORK)));
    return questions;
  }
}
