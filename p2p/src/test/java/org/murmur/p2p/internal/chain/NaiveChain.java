package org.murmur.p2p.internal.chain;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderFault;

/**
 * The rules written a second time, as plainly as possible and without regard to speed: every header
 * a node with a pointer to its parent, everything computed again from there.
 */
final class NaiveChain {

  record Node(BlockHeader header, int height, BigInteger work, @Nullable Node parent) {

    Node ancestor(int at) {
      Node node = this;
      while (node.height > at) {
        node = node.up();
      }
      return node;
    }

    Node up() {
      if (parent == null) {
        throw new AssertionError("above genesis");
      }
      return parent;
    }

    /** Nodes are found by hash; a record's equality would walk to genesis. */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return header.hash().hashCode();
    }
  }

  private final ConsensusRules rules;
  private final int limitBits;
  private final Map<Hash256, Node> nodes = new HashMap<>();
  private Node tip;

  NaiveChain(ChainParams network) {
    rules = network.rules();
    limitBits = compact(rules.proofOfWorkLimit());
    BlockHeader genesis = BlockHeader.of(network.genesisHeader());
    tip = new Node(genesis, 0, work(genesis.bits()), null);
    nodes.put(genesis.hash(), tip);
  }

  /** A chain that has headers already. */
  NaiveChain(ChainParams network, List<BlockHeader> headers) {
    this(network);
    connect(headers, Long.MAX_VALUE / 2);
  }

  Node tip() {
    return tip;
  }

  @Nullable Node node(Hash256 hash) {
    return nodes.get(hash);
  }

  boolean isActive(Node node) {
    return node.height <= tip.height && tip.ancestor(node.height).equals(node);
  }

  /** The active chain's hashes, genesis first. */
  List<Hash256> activeHashes() {
    List<Hash256> hashes = new ArrayList<>();
    for (Node node = tip; node != null; node = node.parent) {
      hashes.add(node.header.hash());
    }
    Collections.reverse(hashes);
    return hashes;
  }

  Connect connect(List<BlockHeader> batch, long now) {
    if (batch.isEmpty()) {
      return new Connect.Known();
    }
    BlockHeader first = batch.get(0);
    Node start = nodes.get(nodes.containsKey(first.hash()) ? first.hash() : first.previous());
    if (start == null) {
      return new Connect.Orphan(first.previous());
    }
    Node last = start;
    List<Node> grown = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      BlockHeader header = batch.get(i);
      Node known = nodes.get(header.hash());
      if (i > 0 && !header.previous().equals(batch.get(i - 1).hash())) {
        return new Connect.Invalid(HeaderFault.NOT_LINKED, i);
      }
      if (known != null) {
        last = known;
        continue;
      }
      HeaderFault reason = fault(header, last, now);
      if (reason != null) {
        return new Connect.Invalid(reason, i);
      }
      last = new Node(header, last.height + 1, last.work.add(work(header.bits())), last);
      grown.add(last);
    }
    if (grown.isEmpty()) {
      return new Connect.Known();
    }
    grown.forEach(node -> nodes.put(node.header.hash(), node));
    Node fork = last;
    while (!isActive(fork)) {
      fork = fork.up();
    }
    if (last.work.compareTo(tip.work) > 0) {
      tip = last;
      return new Connect.Extended(fork.height, last.height - fork.height);
    }
    return new Connect.SideBranch(
        fork.height, last.header.hash(), last.height, ChainWork.of(last.work));
  }

  @Nullable HeaderFault fault(BlockHeader header, Node parent, long now) {
    int height = parent.height + 1;
    if (header.bits() != expectedBits(parent, header.time())) {
      return HeaderFault.WRONG_BITS;
    }
    if (number(header).compareTo(target(header.bits())) > 0) {
      return HeaderFault.BAD_PROOF_OF_WORK;
    }
    if (header.time() <= medianTimePast(parent)) {
      return HeaderFault.TIME_TOO_OLD;
    }
    if (rules.timewarpLimit() && height % 2016 == 0 && header.time() < parent.header.time() - 600) {
      return HeaderFault.TIMEWARP;
    }
    return header.time() > now + 7200 ? HeaderFault.TIME_TOO_NEW : null;
  }

  int expectedBits(Node parent, long time) {
    if (!rules.retargeting()) {
      return parent.header.bits();
    }
    if ((parent.height + 1) % 2016 == 0) {
      Node first = parent.ancestor(parent.height - 2015);
      long taken = parent.header.time() - first.header.time();
      taken = Math.min(Math.max(taken, 302_400), 4_838_400);
      BlockHeader base = rules.timewarpLimit() ? first.header : parent.header;
      BigInteger next =
          target(base.bits())
              .multiply(BigInteger.valueOf(taken))
              .divide(BigInteger.valueOf(1_209_600));
      return compact(next.min(rules.proofOfWorkLimit()));
    }
    if (!rules.minimumDifficulty()) {
      return parent.header.bits();
    }
    if (time > parent.header.time() + 1200) {
      return limitBits;
    }
    Node node = parent;
    while (node.height % 2016 != 0 && node.header.bits() == limitBits) {
      node = node.up();
    }
    return node.header.bits();
  }

  static long medianTimePast(Node tip) {
    List<Long> times = new ArrayList<>();
    for (Node node = tip; node != null && times.size() < 11; node = node.parent) {
      times.add(node.header.time());
    }
    Collections.sort(times);
    return times.get(times.size() / 2);
  }

  private static BigInteger work(int bits) {
    return BigInteger.TWO.pow(256).divide(target(bits).add(BigInteger.ONE));
  }

  private static BigInteger target(int bits) {
    return BigInteger.valueOf(bits & 0x7fffff)
        .multiply(BigInteger.valueOf(256).pow((bits >>> 24) - 3));
  }

  /** The three top bytes, one fewer if the first would have its highest bit set. */
  private static int compact(BigInteger target) {
    byte[] bytes = target.toByteArray(); // begins with a zero byte in just that case
    int mantissa = 0;
    for (int i = 0; i < 3; i++) {
      mantissa = (mantissa << 8) | (i < bytes.length ? bytes[i] & 0xff : 0);
    }
    return (bytes.length << 24) | mantissa;
  }

  private static BigInteger number(BlockHeader header) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] hash = sha.digest(sha.digest(header.bytes().toArray()));
      for (int i = 0; i < 16; i++) {
        byte b = hash[i];
        hash[i] = hash[31 - i];
        hash[31 - i] = b;
      }
      return new BigInteger(1, hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
