package org.murmur.p2p.discovery;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.wire.Services;

/**
 * Questions to DNS seeds: names whose addresses are nodes, run by people who crawl the network.
 *
 * <p>Many of them answer {@code x5.NAME} with nodes whose service bits hold hexadecimal 5, but each
 * knows certain numbers only: two that hold NODE_BLOOM are asked for, and if nothing comes of it
 * the plain names, which answer with nodes of any kind.
 */
public final class DnsSeeds {

  /** What a node must serve to be shown a filter: {@code x5.} */
  static final long FILTERED = Services.NETWORK | Services.BLOOM;

  /** The same and witnesses, as nearly all have it: {@code xd.} */
  private static final long FILTERED_WITNESS = FILTERED | Services.WITNESS;

  private DnsSeeds() {}

  /**
   * One question.
   *
   * @param name what is looked up
   * @param services bits that the nodes behind it are said to have
   */
  public record Question(String name, long services) {}

  /**
   * Returns the questions for nodes that serve BIP-0037.
   *
   * @param seeds names
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

  /**
   * Returns the questions for nodes of any kind.
   *
   * @param seeds names
   * @return one for each
   */
  public static List<Question> plain(List<String> seeds) {
    List<Question> questions = new ArrayList<>();
    seeds.forEach(seed -> questions.add(new Question(seed, Services.NETWORK)));
    return questions;
  }
}
