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

  /**
   * Finds a transaction.
   *
   * @return its fact; null if no block holds it
   */
  @Nullable Fact find(Hash256 txid);

  /**
   * Finds the spends of an outpoint.
   *
   * @return the transactions in blocks that spend it: at most one, unless blocks are invalid
   */
  List<Fact> spenders(OutPoint outPoint);

  /**
   * Reads a part of the transactions, without reading the others.
   *
   * @param height where the part ends, together with {@code position}: it holds only lower
   *     transactions, or those of this height at a lower position
   * @param position in the block of that height, from 0
   * @param limit the most that are wanted, at least 1
   * @return highest first, and in a block the last first; fewer than the limit only if there are no
   *     more
   */
  List<Fact> before(int height, int position, int limit);

  /**
   * Reads the transactions of all blocks from a height on, a part at a time.
   *
   * @param height the lowest
   * @param reader gets each transaction, highest first
   */
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
   * Returns the own script that an output pays, without reading its transaction.
   *
   * @return number of the own script; {@link OwnScripts#FOREIGN} if it pays none, or no block holds
   *     it
   */
  int ownScript(OutPoint outPoint);

  /**
   * Returns the own scripts that transactions in blocks pay.
   *
   * @return numbers of scripts; must not be changed
   */
  BitSet usedScripts();

  /**
   * Reads the own outputs that no block spends, without reading transactions.
   *
   * @param tip the active chain's height, for the age of coinbases
   * @return in no order; owned by the caller
   */
  List<Unspent> coins(int tip);
}
