package org.murmur.p2p.chain;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * A Bitcoin network: message magic, default port, DNS seeds, genesis block and consensus
 * parameters. A value. The constants are all networks except custom signets.
 *
 * <p>Magic, ports, genesis blocks and DNS seeds are facts of Bitcoin Core's {@code
 * src/kernel/chainparams.cpp} (version 30), except two DNS seeds of signet.
 */
public final class ChainParams {

  private static final Hash256 FIRST_MERKLE_ROOT =
      Hash256.ofDisplay("4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b");

  // Core's powLimit: 32 zero bits, then ones. Regtest needs only one zero bit.
  private static final BigInteger ORDINARY_LIMIT = ones(224);

  /** The main network. */
  public static final ChainParams MAINNET =
      new ChainParams(
          "mainnet",
          0xd9b4bef9,
          8333,
          genesis(FIRST_MERKLE_ROOT, 1231006505, 0x1d00ffff, 2083236893),
          new ConsensusRules(ORDINARY_LIMIT, true, false, false),
          List.of(
              "seed.bitcoin.sipa.be",
              "dnsseed.bluematt.me",
              "seed.bitcoin.jonasschnelli.ch",
              "seed.btc.petertodd.net",
              "seed.bitcoin.sprovoost.nl",
              "dnsseed.emzy.de",
              "seed.bitcoin.wiz.biz",
              "seed.mainnet.achownodes.xyz"));

  /** The third test network, from 2012. */
  public static final ChainParams TESTNET3 =
      new ChainParams(
          "testnet3",
          0x0709110b,
          18333,
          genesis(FIRST_MERKLE_ROOT, 1296688602, 0x1d00ffff, 414098458),
          new ConsensusRules(ORDINARY_LIMIT, true, true, false),
          List.of(
              "testnet-seed.bitcoin.jonasschnelli.ch",
              "seed.tbtc.petertodd.net",
              "seed.testnet.bitcoin.sprovoost.nl",
              "testnet-seed.bluematt.me",
              "seed.testnet.achownodes.xyz"));

  /** The fourth test network (BIP-0094), from 2024. */
  public static final ChainParams TESTNET4 =
      new ChainParams(
          "testnet4",
          0x283f161c,
          48333,
          genesis(
              Hash256.ofDisplay("7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e"),
              1714777860,
              0x1d00ffff,
              393743547),
          new ConsensusRules(ORDINARY_LIMIT, true, true, true),
          List.of("seed.testnet4.bitcoin.sprovoost.nl", "seed.testnet4.wiz.biz"));

  /**
   * The default signet (BIP-0325). Its blocks are signed in the coinbase, which headers do not
   * show, so only proof of work is checked.
   */
  public static final ChainParams SIGNET =
      new ChainParams(
          "signet",
          0x40cf030a,
          38333,
          genesis(FIRST_MERKLE_ROOT, 1598918400, 0x1e0377ae, 52613770),
          new ConsensusRules(BigInteger.valueOf(0x377ae).shiftLeft(216), true, false, false),
          List.of(
              "seed.signet.bitcoin.sprovoost.nl",
              "seed.signet.achownodes.xyz",
              // Floresta's (github.com/getfloresta/Floresta).
              "seed.dlsouza.lol",
              "signet.seed.utreexo.net"));

  /** A private network with free blocks, for tests. */
  public static final ChainParams REGTEST =
      new ChainParams(
          "regtest",
          0xdab5bffa,
          18444,
          genesis(FIRST_MERKLE_ROOT, 1296688602, 0x207fffff, 2),
          // Core also enables the minimum difficulty rule, which has no effect: all targets are the
          // highest.
          new ConsensusRules(ones(255), false, false, false),
          List.of());

  /** The default signet's challenge, a 1-of-2 multisignature. */
  static final Bytes SIGNET_CHALLENGE =
      Bytes.ofHex(
          "512103ad5e0edad18cb1f0fc0d28a3d4f1f3e445640337489abb10404f2d1e086be430"
              + "210359ef5021964fe22d6f8e05b2463c9540ce96883fe3b278760f048f5189f2e6c452ae");

  /** Maximum bytes of a script (Core's MAX_SCRIPT_SIZE). */
  private static final int MAX_SCRIPT = 10_000;

  private static final int HALVING_INTERVAL = 210_000;

  private static final int REGTEST_HALVING_INTERVAL = 150;

  private static final long FIRST_SUBSIDY = 50_0000_0000L;

  /** From here on Core's GetBlockSubsidy is 0. */
  private static final int HALVINGS = 64;

  private static final String OWN_SIGNET = "signet:";

  private static final List<ChainParams> ALL =
      List.of(MAINNET, TESTNET3, TESTNET4, SIGNET, REGTEST);

  private final String name;
  private final int magic;
  private final int defaultPort;
  private final BlockHeader genesis;
  private final ConsensusRules rules;
  private final List<String> dnsSeeds;

  /** The challenge of a custom signet. */
  private final @Nullable Bytes challenge;

  /**
   * Makes another network, for tests and simulations.
   *
   * @param name of the network
   * @param magic first four bytes of each message, little-endian
   * @param defaultPort 1 to 65,535
   * @param genesis its first block
   * @param rules of its headers
   */
  public ChainParams(
      String name, int magic, int defaultPort, BlockHeader genesis, ConsensusRules rules) {
    this(name, magic, defaultPort, genesis, rules, List.of());
  }

  private ChainParams(
      String name,
      int magic,
      int defaultPort,
      BlockHeader genesis,
      ConsensusRules rules,
      List<String> dnsSeeds) {
    this(name, magic, defaultPort, genesis, rules, dnsSeeds, null);
  }

  private ChainParams(
      String name,
      int magic,
      int defaultPort,
      BlockHeader genesis,
      ConsensusRules rules,
      List<String> dnsSeeds,
      @Nullable Bytes challenge) {
    this.name = name;
    this.magic = magic;
    this.defaultPort = defaultPort;
    this.genesis = genesis;
    this.rules = rules;
    this.dnsSeeds = dnsSeeds;
    this.challenge = challenge;
  }

  /**
   * Returns the signet of a challenge (BIP-0325): like the default one, but with blocks signed for
   * another script, a magic that follows from that script, and no DNS seeds.
   *
   * @param challenge the script, as {@code -signetchallenge} takes it
   * @return a network of that challenge; {@link #SIGNET} itself for the default challenge
   * @throws IllegalArgumentException if it is empty or longer than a script can be
   */
  public static ChainParams signet(Bytes challenge) {
    if (challenge.isEmpty() || challenge.length() > MAX_SCRIPT) {
      throw new IllegalArgumentException(
          "signet challenge of " + challenge.length() + " bytes, expected 1 to " + MAX_SCRIPT);
    }
    if (challenge.equals(SIGNET_CHALLENGE)) {
      return SIGNET;
    }
    return new ChainParams(
        SIGNET.name,
        signetMagic(challenge),
        SIGNET.defaultPort,
        SIGNET.genesis,
        SIGNET.rules,
        List.of(),
        challenge);
  }

  /** BIP-0325: the first four bytes of the double SHA-256 of the length-prefixed script. */
  static int signetMagic(Bytes challenge) {
    Bytes serialized =
        new ByteWriter(challenge.length() + 9)
            .compactSize(challenge.length())
            .bytes(challenge)
            .toBytes();
    return LittleEndian.int32(DoubleSha256.of(serialized).toInternal(), 0);
  }

  /**
   * Returns a network like this one with other rules, for tests and simulations. It cannot be
   * parsed from its text.
   *
   * @param otherName its name
   * @param others its rules
   * @return the network
   */
  public ChainParams under(String otherName, ConsensusRules others) {
    return new ChainParams(otherName, magic, defaultPort, genesis, others);
  }

  /**
   * Parses the result of {@link #text}.
   *
   * @param text a network's name, or {@code signet:} and the challenge in hex
   * @return the network
   * @throws IllegalArgumentException if it is neither
   */
  public static ChainParams parse(String text) {
    return text.startsWith(OWN_SIGNET)
        ? signet(Bytes.ofHex(text.substring(OWN_SIGNET.length())))
        : ofName(text);
  }

  /** {@return all networks except custom signets, mainnet first, regtest last} */
  public static List<ChainParams> all() {
    return ALL;
  }

  /**
   * Finds a network by its name.
   *
   * @param name mainnet, testnet3, testnet4, signet or regtest
   * @return the network
   * @throws IllegalArgumentException if there is none of that name
   */
  public static ChainParams ofName(String name) {
    for (ChainParams network : ALL) {
      if (network.name.equals(name)) {
        return network;
      }
    }
    throw new IllegalArgumentException("network " + name + ", expected one of " + ALL);
  }

  /** {@return the name, as {@link #ofName} takes it; every signet has the same} */
  public String name() {
    return name;
  }

  /**
   * {@return a unique text for the network, the name, or {@code signet:} and the challenge in hex}
   */
  public String text() {
    return challenge == null ? name : OWN_SIGNET + challenge.toHex();
  }

  /**
   * {@return the challenge of a custom signet; empty for all others, the default signet included}
   */
  public Optional<Bytes> challenge() {
    return Optional.ofNullable(challenge);
  }

  /**
   * {@return the DNS seeds in query order, without a trailing dot; empty for networks without
   * seeds} Most support a prefix of {@code x} and service bits in hex, such as {@code x5.} for
   * NODE_NETWORK and NODE_BLOOM.
   */
  public List<String> dnsSeeds() {
    return dnsSeeds;
  }

  /**
   * {@return the four bytes that begin each message, as a little-endian integer: mainnet sends f9
   * be b4 d9 and has 0xd9b4bef9}
   */
  public int magic() {
    return magic;
  }

  /** {@return the default port, 1 to 65,535} */
  public int defaultPort() {
    return defaultPort;
  }

  /** {@return the header of block 0, 80 bytes} */
  public Bytes genesisHeader() {
    return genesis.bytes();
  }

  /** {@return the hash of block 0} */
  public Hash256 genesisHash() {
    return genesis.hash();
  }

  /** {@return the consensus parameters for headers} */
  public ConsensusRules rules() {
    return rules;
  }

  /**
   * Returns the new coins that a block may create, without fees (Core's GetBlockSubsidy).
   *
   * @param height of the block, 0 or more
   * @return satoshi
   */
  public long subsidy(int height) {
    int interval = equals(REGTEST) ? REGTEST_HALVING_INTERVAL : HALVING_INTERVAL;
    int halvings = height / interval;
    return halvings >= HALVINGS ? 0 : FIRST_SUBSIDY >> halvings;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof ChainParams n
            && name.equals(n.name)
            && magic == n.magic
            && Objects.equals(challenge, n.challenge)
            && genesis.equals(n.genesis)
            && rules.equals(n.rules));
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + magic;
  }

  /** The name; for a custom signet with its magic in wire order. */
  @Override
  public String toString() {
    return challenge == null
        ? name
        : String.format(Locale.ROOT, "signet %08x", Integer.reverseBytes(magic));
  }

  private static BlockHeader genesis(Hash256 merkleRoot, long time, int bits, int nonce) {
    return BlockHeader.of(1, Hash256.ZERO, merkleRoot, time, bits, nonce);
  }

  private static BigInteger ones(int bits) {
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }
}
