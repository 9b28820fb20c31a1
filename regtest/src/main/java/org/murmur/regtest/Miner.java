package org.murmur.regtest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.node.Mempool;

/** Mines on top of a chain. Thread-safe, under the chain's lock. */
final class Miner {

  /** A script that needs no signature; nothing ever spends it. */
  static final Bytes NOBODY = OutputScripts.payToAnyone(0);

  /** Seconds from one block to the next, as on the main network. */
  private static final long SPACING = 600;

  /** A block may be up to two hours ahead of the clock; stay well below. */
  private static final long MAX_AHEAD = 3600;

  /** Leaves room for the coinbase below the 4,000,000 weight units of BIP-0141. */
  private static final int MAX_WEIGHT = 3_990_000;

  private final Chain chain;
  private final Mempool mempool;
  private int extraNonce;

  Miner(Chain chain, Mempool mempool) {
    this.chain = chain;
    this.mempool = mempool;
  }

  /** Mines one block of the given transactions, or of the mempool's if none are given. */
  Block mine(Bytes script, @Nullable List<Tx> transactions) {
    synchronized (chain) {
      List<Tx> chosen = transactions == null ? fromMempool() : transactions;
      Block block = assemble(chain, script, chosen, fees(chain, chosen), extraNonce++);
      chain.append(block);
      return block;
    }
  }

  List<Block> reorg(int depth, int newBlocks, RegtestNode.Orphaned orphaned) {
    synchronized (chain) {
      int fork = chain.height() - depth;
      if (depth < 0 || fork < 0) {
        throw new IllegalArgumentException("depth " + depth + ", expected 0 to " + chain.height());
      }
      List<Tx> before = mempool.transactions();
      // The branch grows on a copy first, so that peers see one change instead of two.
      Chain branch = chain.copy();
      List<Block> gone = branch.replace(fork, List.of());
      List<Tx> again =
          orphaned == RegtestNode.Orphaned.MINED_AGAIN ? orphans(branch, gone) : List.of();
      List<Block> come = new ArrayList<>();
      for (int i = 0; i < newBlocks; i++) {
        List<Tx> chosen = i == 0 ? again : List.of();
        Block block = assemble(branch, NOBODY, chosen, fees(branch, chosen), ++extraNonce);
        branch.append(block);
        come.add(block);
      }
      List<Block> disconnected = chain.replace(fork, come);
      if (orphaned == RegtestNode.Orphaned.FORGOTTEN) {
        mempool.clear();
        before.forEach(mempool::accept);
      }
      return disconnected;
    }
  }

  /** The transactions of disconnected blocks that are valid without the old coinbases. */
  private static List<Tx> orphans(Chain branch, List<Block> gone) {
    Mempool trial = new Mempool(branch);
    for (int i = gone.size() - 1; i >= 0; i--) {
      List<Tx> transactions = gone.get(i).transactions();
      transactions.subList(1, transactions.size()).forEach(trial::accept);
    }
    trial.close();
    return trial.transactions();
  }

  private List<Tx> fromMempool() {
    List<Tx> chosen = new ArrayList<>();
    Set<Hash256> left = new HashSet<>();
    long weight = 0;
    for (Tx tx : mempool.transactions()) {
      long more = tx.weight();
      boolean orphan = tx.inputs().stream().anyMatch(i -> left.contains(i.outPoint().txid()));
      if (orphan || weight + more > MAX_WEIGHT) {
        left.add(tx.txid());
      } else {
        weight += more;
        chosen.add(tx);
      }
    }
    return chosen;
  }

  private static long fees(Chain chain, List<Tx> transactions) {
    Mempool trial = new Mempool(chain);
    try {
      long fees = 0;
      for (Tx tx : transactions) {
        if (trial.accept(tx) instanceof Mempool.Refused refused) {
          throw new IllegalArgumentException("transaction " + tx + ": " + refused.reason());
        }
        fees += trial.fee(tx.txid());
      }
      return fees;
    } finally {
      trial.close();
    }
  }

  private static Block assemble(
      Chain chain, Bytes script, List<Tx> transactions, long fees, int extraNonce) {
    long time = chain.tip().time() + SPACING;
    long latest = System.currentTimeMillis() / 1000 + MAX_AHEAD;
    return BlockAssembly.next(
        chain,
        Math.max(chain.medianTimePast() + 1, Math.min(time, latest)),
        script,
        fees,
        extraNonce,
        transactions);
  }
}
