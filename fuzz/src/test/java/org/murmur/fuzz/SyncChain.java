package org.murmur.fuzz;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/**
 * A short chain that pays a wallet and lets it spend, and another end of it. The same each time.
 */
final class SyncChain {

  /** Seconds since 1970, behind the last block. */
  static final long NOW = 1_700_200_000L;

  static final int SCRIPTS = 16;

  /** So many blocks are empty: what they pay can be spent from then on. */
  static final int EMPTY = 101;

  private static final int FORK = 106;
  private static final int BLOCKS = 113;
  private static final long GENESIS_TIME = 1_700_000_000L;

  final Chain chain;

  /** What takes the place of the blocks above the fork: one more than those. */
  final List<Block> otherEnd;

  /** Payments that no block holds. */
  final List<Tx> pending = new ArrayList<>();

  private final List<OutPoint> rewards = new ArrayList<>();
  private int spent;

  SyncChain() {
    chain = Chain.ofGenesis();
    for (int height = 1; height <= EMPTY; height++) {
      Block block = next(chain, List.of(), 0);
      chain.append(block);
      rewards.add(block.tx(0).outPoint(0));
    }
    OutPoint own = rewards.get(0);
    List<List<Tx>> contents = new ArrayList<>();
    for (int height = EMPTY + 1; height <= BLOCKS; height++) {
      List<Tx> transactions = new ArrayList<>();
      if (height % 3 != 0) {
        Tx payment = payment(height % SCRIPTS, (height + 5) % SCRIPTS);
        transactions.add(payment);
        if (height % 2 == 0) {
          transactions.add(payment((height + 2) % SCRIPTS, 3));
        } else if (height > EMPTY + 3) {
          transactions.add(
              new TxBuilder().spend(own).pay(900, OutputScripts.anyoneCanSpend(7)).build());
        }
        own = payment.outPoint(0);
      }
      contents.add(transactions);
      chain.append(next(chain, transactions, 0));
    }
    for (int i = 0; i < 3; i++) {
      pending.add(payment(i, i + 1));
    }
    Chain other = chain.copy();
    other.replace(FORK, List.of());
    List<Block> end = new ArrayList<>();
    for (int height = FORK + 1; height <= BLOCKS + 1; height++) {
      // The same one block later.
      List<Tx> transactions = height > FORK + 1 ? contents.get(height - 2 - EMPTY) : List.of();
      Block block = next(other, transactions, 1);
      other.append(block);
      end.add(block);
    }
    otherEnd = List.copyOf(end);
  }

  static Bytes keyHash(int script) {
    byte[] hash = new byte[20];
    hash[0] = (byte) script;
    hash[19] = 77;
    return Bytes.wrap(hash);
  }

  static Bytes script(int index) {
    return OutputScripts.payToWitnessPubKeyHash(keyHash(index));
  }

  static int fork() {
    return FORK;
  }

  private Tx payment(int one, int two) {
    return new TxBuilder()
        .spend(rewards.get(spent++))
        .pay(1_000, script(one))
        .pay(1_000, script(two))
        .pay(1_000, OutputScripts.anyoneCanSpend(9))
        .build();
  }

  private static Block next(Chain on, List<Tx> transactions, int extraNonce) {
    long time = GENESIS_TIME + 600L * (on.height() + 1);
    return BlockAssembly.next(
        on, time, OutputScripts.anyoneCanSpend(1), 0, extraNonce, transactions);
  }
}
