package org.murmur.lab.simulate;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.WalletTruth;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.PaymentState.Stage;
import org.murmur.wallet.sync.WalletEvent;

/**
 * A copy of a wallet that is updated by events alone. {@link WalletEvent} promises: an application
 * that starts with the wallet's holdings and applies all events has the same wallet after every
 * commit.
 */
final class EventsCheck {

  private record Line(int height, long net) {}

  private final Map<Hash256, Line> copy = new HashMap<>();
  // The last event about each transaction.
  private final Map<Hash256, HistoryEntry> told = new HashMap<>();

  /** Starts with the holdings of a wallet. */
  EventsCheck(Holdings begin) {
    copy.putAll(lines(begin));
  }

  private static Map<Hash256, Line> lines(Holdings holdings) {
    Map<Hash256, Line> lines = new HashMap<>();
    for (Holdings.Entry entry : holdings.transactions()) {
      lines.put(entry.txid(), new Line(entry.height(), entry.netSat()));
    }
    return lines;
  }

  void heard(SyncEvent event) {
    if (event instanceof WalletEvent.Payment payment) {
      told.put(payment.entry().txid(), payment.entry());
      if (payment.counts()) {
        put(payment.entry());
      } else {
        copy.remove(payment.entry().txid());
      }
    } else if (event instanceof WalletEvent.PaymentStateChanged e) {
      requirePossible(e);
    }
  }

  /** The peers' reactions make the stage, and the last event about the payment allows it. */
  private void requirePossible(WalletEvent.PaymentStateChanged changed) {
    PaymentState state = changed.state();
    boolean possible =
        switch (state.stage()) {
          case BUILT -> state.relayedBy().isEmpty() && state.fetchedBy().isEmpty();
          case SENT -> state.relayedBy().isEmpty() && !state.fetchedBy().isEmpty();
          case REFUSED -> state.relayedBy().isEmpty() && !state.refusedBy().isEmpty();
          default -> true;
        };
    if (!possible) {
      throw new AssertionError("impossible: " + changed);
    }
    HistoryEntry last = told.get(changed.txid());
    if (last != null && !stages(last.status()).contains(state.stage())) {
      throw new AssertionError(changed + " is reported after " + last);
    }
  }

  private static Set<Stage> stages(TxStatus status) {
    return switch (status) {
      case CONFIRMED -> EnumSet.of(Stage.CONFIRMED);
      case PENDING -> EnumSet.of(Stage.BUILT, Stage.SENT, Stage.REFUSED, Stage.RELAYED);
      case REPLACED -> EnumSet.of(Stage.REPLACED, Stage.CONFLICTED);
      case MISSING -> EnumSet.of(Stage.DROPPED);
      case ABANDONED -> EnumSet.of(Stage.ABANDONED);
      case DEAD -> EnumSet.of(Stage.CONFLICTED);
    };
  }

  /** The last event about each unconfirmed transaction says what the books say. */
  void requireTold(List<HistoryEntry> unconfirmed) {
    for (HistoryEntry entry : unconfirmed) {
      HistoryEntry last = told.get(entry.txid());
      if (last != null && !last.equals(entry)) {
        throw new AssertionError("the last event said " + last + ", the books say " + entry);
      }
    }
  }

  private void put(HistoryEntry entry) {
    int height = entry.height().orElse(WalletTruth.UNCONFIRMED);
    copy.put(entry.txid(), new Line(height, entry.net()));
  }

  /** Checks that the copy equals the wallet, and that its lines add up to the balance. */
  void requireSame(Holdings holdings) {
    Map<Hash256, Line> held = lines(holdings);
    if (!copy.equals(held)) {
      Map<Hash256, Line> untold = new HashMap<>(held);
      untold.entrySet().removeAll(copy.entrySet());
      Map<Hash256, Line> stale = new HashMap<>(copy);
      stale.entrySet().removeAll(held.entrySet());
      throw new AssertionError("events did not report " + untold + ", and left " + stale);
    }
    long sum = copy.values().stream().mapToLong(Line::net).sum();
    long total = holdings.confirmedSat() + holdings.immatureSat() + holdings.unconfirmedSat();
    if (sum != total) {
      throw new AssertionError("events add up to " + sum + " satoshi, the balance to " + total);
    }
  }

  /**
   * Also checks that pending amounts add up. This holds only after all blocks were scanned: before,
   * the wallet may know the block of a payment but not that of the payment it spends.
   */
  void requireSameAtTheEnd(Holdings holdings) {
    requireSame(holdings);
    long pending =
        copy.values().stream()
            .filter(line -> line.height() == WalletTruth.UNCONFIRMED)
            .mapToLong(Line::net)
            .sum();
    if (pending != holdings.unconfirmedSat()) {
      throw new AssertionError(
          "events leave "
              + pending
              + " satoshi pending, the balance says "
              + holdings.unconfirmedSat());
    }
  }
}
