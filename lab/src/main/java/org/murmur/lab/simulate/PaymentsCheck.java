package org.murmur.lab.simulate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.PaymentState.Stage;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Checks the payments that the wallet itself makes, over all its processes: each is in the file
 * before a byte of it leaves, no coin is spent twice, none is lost, and the reported states are
 * those of the books.
 */
final class PaymentsCheck {

  /** Statuses of a payment whose coins may be spent again. */
  private static final Set<TxStatus> OVER =
      EnumSet.of(TxStatus.REPLACED, TxStatus.ABANDONED, TxStatus.DEAD);

  /** Whether the file holds a transaction. */
  interface Disk {
    boolean holds(Hash256 txid) throws IOException;
  }

  private final Map<Hash256, Tx> made = new LinkedHashMap<>();
  private final Map<Stage, Integer> seen = new EnumMap<>(Stage.class);
  private final Set<Hash256> abandoned = new HashSet<>();
  // As reported in this process.
  private final Map<Hash256, Stage> reported = new HashMap<>();

  /** A process begins: it reports what changes from now on. */
  void begins() {
    reported.clear();
  }

  /**
   * The wallet has signed a payment to {@code named}, whom the user wants to pay, and not written
   * it yet.
   */
  boolean pays(Tx payment, Bytes named, Predicate<Bytes> own, Ledger ledger) {
    for (Tx.Output output : payment.outputs()) {
      if (!output.script().equals(named) && !own.test(output.script())) {
        throw new AssertionError(payment.txid() + " pays " + output + ", whom nobody named");
      }
    }
    for (Tx.Input input : payment.inputs()) {
      for (Tx earlier : made.values()) {
        boolean same =
            earlier.inputs().stream().anyMatch(in -> in.outPoint().equals(input.outPoint()));
        if (same && !OVER.contains(ledger.status(earlier.txid()))) {
          throw new AssertionError(
              payment.txid() + " spends a coin of " + earlier.txid() + " again, which counts");
        }
      }
    }
    return made.put(payment.txid(), payment) == null;
  }

  /** A payment that no peer is known to have, as {@code SpvWallet.abandon} requires. */
  Optional<Hash256> abandonable(Ledger ledger, long chance) {
    List<Hash256> free = new ArrayList<>();
    for (Hash256 txid : made.keySet()) {
      Fact fact = ledger.fact(txid);
      if (fact != null
          && fact.confirmation() == null
          && fact.repute() == Repute.SENT
          && ledger.heardSpender(txid).isEmpty()) {
        free.add(txid);
      }
    }
    if (free.isEmpty()) {
      return Optional.empty();
    }
    Hash256 chosen = free.get(Math.floorMod(chance, free.size()));
    abandoned.add(chosen);
    return Optional.of(chosen);
  }

  /** Before a message leaves. */
  void requireWritten(Output output, Disk disk) throws IOException {
    if (!(output instanceof Output.Send send)) {
      return;
    }
    if (send.message() instanceof Message.TxMessage handed) {
      requireWritten(handed.tx().txid(), disk);
    } else if (send.message() instanceof Message.Inv inv) {
      for (InventoryItem item : inv.items()) {
        requireWritten(item.hash(), disk);
      }
    }
  }

  private void requireWritten(Hash256 txid, Disk disk) throws IOException {
    if (made.containsKey(txid) && !disk.holds(txid)) {
      throw new AssertionError(txid + " leaves before it is in the file");
    }
  }

  void heard(SyncEvent event) {
    if (event instanceof WalletEvent.PaymentStateChanged changed) {
      Stage stage = changed.state().stage();
      if (reported.put(changed.txid(), stage) != stage && made.containsKey(changed.txid())) {
        seen.merge(stage, 1, Integer::sum);
      }
    }
  }

  /** A process has ended: compares the books with what was reported. */
  void requireTrue(List<HistoryEntry> history) {
    Set<Hash256> lost = new HashSet<>(made.keySet());
    for (HistoryEntry entry : history) {
      lost.remove(entry.txid());
      requireTrue(entry);
    }
    if (!lost.isEmpty()) {
      throw new AssertionError("the wallet has lost its payments " + lost);
    }
  }

  /** A payment's last reported state is that of the books. */
  private void requireTrue(HistoryEntry entry) {
    @Nullable Stage told = reported.get(entry.txid());
    Stage stage = entry.state().map(state -> state.stage()).orElse(null);
    if (told != null && stored(told) != stage) {
      throw new AssertionError(entry.txid() + " was reported as " + told + ", and is " + stage);
    }
    boolean ours = made.containsKey(entry.txid());
    if (ours && stage == null) {
      throw new AssertionError(entry.txid() + " is no payment any more");
    }
    if (ours && stage == Stage.ABANDONED && !abandoned.contains(entry.txid())) {
      throw new AssertionError(entry.txid() + " counts as abandoned, and nobody abandoned it");
    }
    if (ours && stage == Stage.DROPPED && !abandoned.contains(entry.txid())) {
      throw new AssertionError(entry.txid() + " was given up");
    }
  }

  /** Adds how often each stage was reported in a world. */
  void count(Map<Stage, Integer> stages) {
    seen.forEach((stage, times) -> stages.merge(stage, times, Integer::sum));
  }

  /** The stage that the file knows, without what peers did in this session. */
  private static Stage stored(Stage stage) {
    return stage == Stage.SENT || stage == Stage.REFUSED ? Stage.BUILT : stage;
  }
}
