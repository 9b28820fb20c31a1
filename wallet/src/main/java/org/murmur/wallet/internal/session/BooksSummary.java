package org.murmur.wallet.internal.session;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Scans;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Unspent;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.sync.Unsearched;

/**
 * The report's data from the books.
 *
 * @param covered whether everything was scanned up to the tip
 * @param unborn whether there are blocks, but none of them at the wallet's birthday or above. If
 *     the birthday is a time, nothing is covered then: a clock may have been ahead
 * @param seenBy how many different peers served every block, at least
 */
record BooksSummary(
    ChainState chain,
    boolean covered,
    boolean unborn,
    int seenBy,
    int transactions,
    Balance balance) {

  /** Reads the last commit. */
  static BooksSummary of(Books books) {
    // Later transactions, a pending payment for instance, may have extended the look-ahead.
    Scans scans = books.scans();
    return books.read(view -> of(scans, view, books.transactions()));
  }

  private static BooksSummary of(Scans scans, WalletView view, int transactions) {
    int seenBy = scans.seenBy(view.height());
    boolean unborn = isUnborn(scans, view);
    boolean seen =
        seenBy > 0 || (scans.coverage() == null ? !unborn : scans.completeTo() >= view.height());
    return new BooksSummary(
        view.chain(),
        seen && !view.wallet().isBornAfter(view.height()),
        unborn,
        seenBy,
        transactions,
        view.ledger().balance(view.height()));
  }

  /** The blocks up to a height that the balance knows nothing of. */
  static Unsearched unsearched(Books books, int height, int untilHeight) {
    Coverage coverage = books.scans().coverage();
    BitSet open = coverage == null ? new BitSet() : coverage.uncoveredElements(height, 1);
    if (open.isEmpty()) {
      return Unsearched.NOTHING;
    }
    List<Element> log = books.elements();
    Set<OutPoint> coins = new HashSet<>();
    int addresses = 0;
    for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
      if (log.get(i) instanceof Element.OwnOutPoint coin) {
        coins.add(coin.outPoint());
      } else if (log.get(i) instanceof Element.Script) {
        addresses++;
      }
    }
    List<Unspent> unspent = books.read(view -> view.ledger().unspent(view.height()));
    List<Unspent> doubtful =
        unspent.stream()
            .filter(coin -> coins.contains(coin.outPoint()))
            .collect(Collectors.toList());
    return new Unsearched(
        doubtful.size(), doubtful.stream().mapToLong(Unspent::value).sum(), addresses, untilHeight);
  }

  private static boolean isUnborn(Scans scans, WalletView view) {
    Coverage coverage = scans.coverage();
    boolean above = coverage == null || coverage.birthday() > view.height();
    return above && view.height() > view.wallet().baseHeight();
  }
}
