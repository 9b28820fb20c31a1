package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.ledger.Confirmation;

/**
 * The stored transactions in blocks, as of the last commit. A ledger reads the parts that it needs,
 * so that a wallet with many payments need not be in memory.
 *
 * <p>Unconfirmed transactions are not in it. An archive that cannot be read throws an unchecked
 * exception that its owner knows; the ledger is of no use then.
 */
public interface Archive {

  /** Transactions that {@link #scan} reads at once: some MB. */
  int PAGE = 2_000;

  /** An empty archive. */
  Archive EMPTY =
      new Archive() {
        @Override
        public @Nullable Fact find(Hash256 txid) {
          return null;
        }

        @Override
        public List<Fact> spenders(OutPoint outPoint) {
          return List.of();
        }

        @Override
        public List<Fact> before(int height, int position, int limit) {
          return List.of();
        }

        @Override
        public int ownScript(OutPoint outPoint) {
          return OwnScripts.FOREIGN;
        }

        @Override
        public BitSet usedScripts() {
          return new BitSet();
        }

        @Override
        public List<Unspent> coins(int tip) {
          return new ArrayList<>();
        }
      };

  /** Finds a transaction; null if no block holds it. */
  @Nullable Fact find(Hash256 txid);

  /**
   * Finds the transactions in blocks that spend an outpoint: at most one, unless blocks are
   * invalid.
   */
  List<Fact> spenders(OutPoint outPoint);

  /**
   * Reads a part of the transactions, without the others: only lower ones than a height, or those
   * of this height at a lower position in the block. The highest come first, and in a block the
   * last; fewer than the limit, at least 1, only if there are no more.
   */
  List<Fact> before(int height, int position, int limit);

  /** Reads the transactions of all blocks from a height on, the highest first, a part at a time. */
  default void scan(int height, Consumer<Fact> reader) {
    int top = Integer.MAX_VALUE;
    int position = 0;
    int read = PAGE;
    while (read == PAGE) {
      List<Fact> page = before(top, position, PAGE);
      read = page.size();
      for (Fact fact : page) {
        Confirmation where = fact.confirmation();
        if (where == null || where.height() < height) {
          return;
        }
        reader.accept(fact);
        top = where.height();
        position = where.position();
      }
    }
  }

  /**
   * Returns the number of the own script that an output pays, without reading its transaction;
   * {@link OwnScripts#FOREIGN} if it pays none, or no block holds it.
   */
  int ownScript(OutPoint outPoint);

  /**
   * Returns the numbers of the own scripts that transactions in blocks pay; must not be changed.
   */
  BitSet usedScripts();

  /**
   * Reads the own outputs that no block spends, in no order, without reading transactions. The
   * active chain's height is for the age of coinbases. The caller owns the list.
   */
  List<Unspent> coins(int tip);
}
