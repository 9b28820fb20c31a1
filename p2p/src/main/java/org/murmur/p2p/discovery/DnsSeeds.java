package org.murmur.p2p.discovery;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.wire.Services;

/**
 * Names whose addresses are nodes, run by people who crawl the network (Bitcoin Core's {@code
 * chainparams.cpp}, vSeeds).
 *
 * <p>Many of them answer {@code x5.NAME} with nodes whose service bits hold hexadecimal 5, but each
 * knows certain numbers only: two that hold NODE_BLOOM are asked for, and if nothing comes of it
 * the plain names, which answer with nodes of any kind.
 */
public final class DnsSeeds {

  /** What a node must serve to be shown a filter: {@code x5.} */
  private static final long FILTERED = Services.NETWORK | Services.BLOOM;

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
   * Returns the seeds of a network.
   *
   * @param network its name, as {@code Network.name()} has it
   * @return names without a dot at the end; none for networks that have no seeds
   */
  public static List<String> ofNetwork(String network) {
    return switch (network) {
      case "mainnet" ->
          List.of(
              "seed.bitcoin.sipa.be",
              "dnsseed.bluematt.me",
              "seed.bitcoin.jonasschnelli.ch",
              "seed.btc.petertodd.net",
              "seed.bitcoin.sprovoost.nl",
              "dnsseed.emzy.de",
              "seed.bitcoin.wiz.biz",
              "seed.mainnet.achownodes.xyz");
      case "testnet3" ->
          List.of(
              "testnet-seed.bitcoin.jonasschnelli.ch",
              "seed.tbtc.petertodd.net",
              "seed.testnet.bitcoin.sprovoost.nl",
              "testnet-seed.bluematt.me",
              "seed.testnet.achownodes.xyz");
      case "testnet4" ->
          List.of("seed.testnet4.bitcoin.sprovoost.nl", "seed.testnet4.wiz.biz");
      case "signet" -> List.of("seed.signet.bitcoin.sprovoost.nl", "seed.signet.achownodes.xyz");
      default -> List.of();
    };
  }

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
