package org.murmur.regtest.chain;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.BlockHeader;

/**
 * Makes blocks that a real node accepts: height in the coinbase (BIP-0034), witness commitment
 * (BIP-0141), proof of work.
 */
public final class BlockAssembly {

  /** Version bits with nothing signalled (BIP-0009). */
  private static final int VERSION = 0x20000000;

  /** The output of a coinbase that commits to all witnesses starts like this (BIP-0141). */
  private static final Bytes COMMITMENT = Bytes.ofHex("6a24aa21a9ed");

  private static final Bytes RESERVED = Bytes.wrap(new byte[Hash256.LENGTH]);

  private BlockAssembly() {}

  /**
   * Assembles and mines a block at the easiest target. No rule is checked but its proof of work.
   * The reward is in satoshi, the time in seconds since 1970; the extra nonce distinguishes
   * otherwise equal blocks.
   */
  public static Block mine(
      Hash256 previous,
      int height,
      long time,
      Bytes script,
      long reward,
      int extraNonce,
      List<Tx> transactions) {
    return mine(
        previous, height, time, Chain.Genesis.BITS, script, reward, extraNonce, transactions);
  }

  /**
   * Assembles and mines the next block of a chain likewise, without adding it: the reward is the
   * subsidy and the fees, in satoshi.
   */
  public static Block next(
      Chain chain, long time, Bytes script, long fees, int extraNonce, List<Tx> transactions) {
    int height = chain.height() + 1;
    long reward = Chain.subsidy(height) + fees;
    return mine(chain.tip().hash(), height, time, script, reward, extraNonce, transactions);
  }

  /** Assembles and mines a block likewise, at a target in its compact form. */
  public static Block mine(
      Hash256 previous,
      int height,
      long time,
      int bits,
      Bytes script,
      long reward,
      int extraNonce,
      List<Tx> transactions) {
    boolean witness = transactions.stream().anyMatch(Tx::hasWitness);
    TxBuilder coinbase =
        new TxBuilder()
            .spend(
                new OutPoint(Hash256.ZERO, -1),
                new ByteWriter(16).bytes(heightPush(height)).uint8(4).int32(extraNonce).toBytes(),
                -1,
                witness ? List.of(RESERVED) : List.of())
            .pay(reward, script);
    if (witness) {
      coinbase.pay(0, commitment(transactions));
    }
    List<Tx> all = new ArrayList<>(transactions.size() + 1);
    all.add(coinbase.build());
    all.addAll(transactions);
    Hash256 root = MerkleTree.root(all.stream().map(Tx::txid).toList());
    return Block.of(solve(previous, root, time, bits), all);
  }

  private static BlockHeader solve(Hash256 previous, Hash256 root, long time, int bits) {
    int nonce = 0;
    while (true) {
      BlockHeader header = BlockHeader.of(VERSION, previous, root, time, bits, nonce++);
      if (header.reachesItsTarget()) {
        return header;
      }
    }
  }

  private static Bytes commitment(List<Tx> transactions) {
    List<Hash256> wtxids = new ArrayList<>(transactions.size() + 1);
    // The coinbase carries the commitment, so it counts as zero.
    wtxids.add(Hash256.ZERO);
    for (Tx tx : transactions) {
      wtxids.add(DoubleSha256.of(tx.raw()));
    }
    Hash256 root = MerkleTree.root(wtxids);
    Hash256 commitment = DoubleSha256.of(new ByteWriter(64).hash(root).bytes(RESERVED).toBytes());
    return new ByteWriter(38).bytes(COMMITMENT).hash(commitment).toBytes();
  }

  /** The height as a script pushes a number, which starts every coinbase (BIP-0034). */
  static Bytes heightPush(int height) {
    if (height <= 16) {
      return new ByteWriter(1).uint8(height == 0 ? 0 : 0x50 + height).toBytes();
    }
    ByteWriter number = new ByteWriter(5);
    int rest = height;
    int last = 0;
    while (rest > 0) {
      last = rest & 0xff;
      number.uint8(last);
      rest >>>= 8;
    }
    if (last >= 0x80) {
      // The top bit is the sign.
      number.uint8(0);
    }
    return new ByteWriter(6).varBytes(number.toBytes()).toBytes();
  }
}
