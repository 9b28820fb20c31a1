package org.murmur.p2p.chain;

import java.math.BigInteger;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

/**
 * A Bitcoin network: how its messages are marked, where its nodes listen, where its chain begins
 * and what its headers must obey. A value; the constants are all there are.
 */
public final class Network {

  private static final Hash256 FIRST_MERKLE_ROOT =
      Hash256.ofDisplay("4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b");

  // Core's powLimit: 32 zero bits, then ones. Regtest needs but one zero bit.
  private static final BigInteger ORDINARY_LIMIT = ones(224);

  /** The network where coins have a price. */
  public static final Network MAINNET =
      new Network(
          "mainnet",
          0xd9b4bef9,
          8333,
          genesis(FIRST_MERKLE_ROOT, 1231006505, 0x1d00ffff, 2083236893),
          new ConsensusRules(ORDINARY_LIMIT, true, false, false));

  /** The third test network, from 2012. */
  public static final Network TESTNET3 =
      new Network(
          "testnet3",
          0x0709110b,
          18333,
          genesis(FIRST_MERKLE_ROOT, 1296688602, 0x1d00ffff, 414098458),
          new ConsensusRules(ORDINARY_LIMIT, true, true, false));

  /** The fourth test network (BIP-0094), from 2024. */
  public static final Network TESTNET4 =
      new Network(
          "testnet4",
          0x283f161c,
          48333,
          genesis(
              Hash256.ofDisplay("7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e"),
              1714777860,
              0x1d00ffff,
              393743547),
          new ConsensusRules(ORDINARY_LIMIT, true, true, true));

  /**
   * The default signet (BIP-0325). Its blocks are signed in their coinbase, which headers do not
   * show: here it is a chain with proof of work like others.
   */
  public static final Network SIGNET =
      new Network(
          "signet",
          0x40cf030a,
          38333,
          genesis(FIRST_MERKLE_ROOT, 1598918400, 0x1e0377ae, 52613770),
          new ConsensusRules(BigInteger.valueOf(0x377ae).shiftLeft(216), true, false, false));

  /** A private network whose blocks cost nothing. */
  public static final Network REGTEST =
      new Network(
          "regtest",
          0xdab5bffa,
          18444,
          genesis(FIRST_MERKLE_ROOT, 1296688602, 0x207fffff, 2),
          // Core also switches the minimum difficulty rule on, which changes nothing here: all
          // targets are the highest.
          new ConsensusRules(ones(255), false, false, false));

  private static final List<Network> ALL = List.of(MAINNET, TESTNET3, TESTNET4, SIGNET, REGTEST);

  private final String name;
  private final int magic;
  private final int defaultPort;
  private final BlockHeader genesis;
  private final ConsensusRules rules;

  /** Makes a network; tests make their own. */
  Network(String name, int magic, int defaultPort, BlockHeader genesis, ConsensusRules rules) {
    this.name = name;
    this.magic = magic;
    this.defaultPort = defaultPort;
    this.genesis = genesis;
    this.rules = rules;
  }

  /**
   * Returns all networks.
   *
   * @return mainnet first, regtest last
   */
  public static List<Network> all() {
    return ALL;
  }

  /**
   * Finds a network by its name.
   *
   * @param name mainnet, testnet3, testnet4, signet or regtest
   * @return the network
   * @throws IllegalArgumentException if there is none of that name
   */
  public static Network ofName(String name) {
    for (Network network : ALL) {
      if (network.name.equals(name)) {
        return network;
      }
    }
    throw new IllegalArgumentException("network " + name + ", expected one of " + ALL);
  }

  /**
   * Returns the name.
   *
   * @return as {@link #ofName} takes it
   */
  public String name() {
    return name;
  }

  /**
   * Returns the four bytes that begin each message, as a little-endian integer: mainnet sends f9 be
   * b4 d9 and has 0xd9b4bef9.
   *
   * @return the magic
   */
  public int magic() {
    return magic;
  }

  /**
   * Returns the port on which nodes listen unless told otherwise.
   *
   * @return 1 to 65,535
   */
  public int defaultPort() {
    return defaultPort;
  }

  /**
   * Returns the header of block 0.
   *
   * @return 80 bytes
   */
  public Bytes genesisHeader() {
    return genesis.bytes();
  }

  /**
   * Returns the hash of block 0.
   *
   * @return the hash
   */
  public Hash256 genesisHash() {
    return genesis.hash();
  }

  /**
   * Returns what headers must obey.
   *
   * @return the rules
   */
  public ConsensusRules rules() {
    return rules;
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }

  private static BlockHeader genesis(Hash256 merkleRoot, long time, int bits, int nonce) {
    return BlockHeader.of(1, Hash256.ZERO, merkleRoot, time, bits, nonce);
  }

  private static BigInteger ones(int bits) {
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }
}
