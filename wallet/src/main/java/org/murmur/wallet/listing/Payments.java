package org.murmur.wallet.listing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.books.WalletView;
import org.murmur.wallet.keys.AddressText;
import org.murmur.wallet.label.LabelMap;
import org.murmur.wallet.label.LabelRef;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Effect;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.LedgerChange.Transition;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.Replacement.Origin;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.PaymentState.Stage;
import org.murmur.wallet.sync.WalletEvent;

/** Makes history entries and payment events from the books. */
public final class Payments {

  /** So many labels are looked up one by one. */
  private static final int FEW = 100;

  private final WalletView view;

  /**
   * Reads a view.
   *
   * @param view lent while this is in use
   */
  public Payments(WalletView view) {
    this.view = view;
  }

  /**
   * Lists the wallet's transactions.
   *
   * @param full whether to include those that no longer count
   * @return confirmed ones in the order of the chain, then pending ones
   */
  public List<HistoryEntry> history(boolean full) {
    List<HistoryEntry> entries = new ArrayList<>();
    for (Fact fact : view.ledger().transactions()) {
      HistoryEntry entry = entry(fact);
      if (full || isLive(entry.status())) {
        entries.add(entry);
      }
    }
    return labelled(entries);
  }

  /**
   * Lists the unconfirmed transactions, also those that no longer count.
   *
   * @return newest first, without labels
   */
  public List<HistoryEntry> unconfirmed() {
    List<HistoryEntry> entries = new ArrayList<>();
    for (Fact fact : view.ledger().unconfirmedNewestFirst()) {
      entries.add(entry(fact));
    }
    return entries;
  }

  /**
   * Lists the payments of the wallet among some transactions that another transaction displaced.
   *
   * @param txids of transactions in the books
   * @return those that are replaced or conflicted now, in the same order
   */
  public List<HistoryEntry> lost(Collection<Hash256> txids) {
    List<HistoryEntry> lost = new ArrayList<>();
    for (Hash256 txid : txids) {
      Fact fact = view.ledger().fact(txid);
      if (fact != null && isDisplaced(entry(fact))) {
        lost.add(entry(fact));
      }
    }
    return labelled(lost);
  }

  private static boolean isDisplaced(HistoryEntry entry) {
    return entry
        .state()
        .map(PaymentState::stage)
        .filter(stage -> stage == Stage.REPLACED || stage == Stage.CONFLICTED)
        .isPresent();
  }

  /**
   * Whether the usual list has a transaction: it counts, or it is a payment to others that another
   * transaction displaced. Not if the user cancelled it, or if a replacement pays them the same,
   * which is there instead, once a peer has it.
   */
  private boolean isListed(Fact fact) {
    if (isLive(view.ledger().status(fact.tx().txid()))) {
      return true;
    }
    HistoryEntry entry = entry(fact);
    return isDisplaced(entry)
        && !entry.counterparty().isEmpty()
        && !entry
            .replacedBy()
            .filter(by -> isHeld(by.txid()))
            .map(by -> by.origin() == Origin.CANCEL || paysTheSame(fact.tx(), by.txid()))
            .orElse(false);
  }

  /** Whether a peer or a block has it: else the peers may still have what it replaces. */
  private boolean isHeld(Hash256 txid) {
    Fact fact = view.ledger().fact(txid);
    return fact != null && (fact.confirmation() != null || fact.repute().isHeld());
  }

  private boolean paysTheSame(Tx payment, Hash256 replacement) {
    Fact by = view.ledger().fact(replacement);
    if (by == null) {
      return false;
    }
    Effect effect = view.ledger().effect(payment.txid());
    boolean all = effect.received().isEmpty();
    return effect.paid(payment).stream()
        .map(i -> payment.outputs().get(i).script())
        .allMatch(
            script -> {
              long now = paidTo(script, by.tx());
              // A payment of everything pays the higher fee itself.
              return all ? now > 0 : now >= paidTo(script, payment);
            });
  }

  private static long paidTo(Bytes script, Tx tx) {
    return tx.outputs().stream()
        .filter(output -> output.script().equals(script))
        .mapToLong(Tx.Output::value)
        .sum();
  }

  /**
   * Lists a part of the wallet's transactions, without reading earlier ones.
   *
   * @param limit how many at most: the newest of the part
   * @param before the transaction before which they come; empty for the end of the list
   * @param full whether to include all that no longer count; otherwise only payments to others that
   *     another transaction displaced, and that the user did not cancel
   * @return the part; empty if there is no such transaction
   */
  public Optional<HistoryPage> page(int limit, Optional<Hash256> before, boolean full) {
    Optional<Fact> end = before.flatMap(txid -> Optional.ofNullable(view.ledger().fact(txid)));
    if (before.isPresent() && !end.isPresent()) {
      return Optional.empty();
    }
    List<HistoryEntry> newestFirst = new ArrayList<>();
    int hidden = 0;
    boolean behind = end.isPresent() && end.get().confirmation() == null;
    boolean open = !end.isPresent();
    boolean older = false;
    for (Fact fact : view.ledger().unconfirmedNewestFirst()) {
      boolean listed = full || isListed(fact);
      hidden += listed ? 0 : 1;
      if (open && listed) {
        older |= newestFirst.size() == limit;
        add(fact, limit, newestFirst);
      }
      open |= behind && end.filter(fact::equals).isPresent();
    }
    int wanted = limit - newestFirst.size();
    List<Fact> mined = view.ledger().confirmedBefore(behind ? Optional.empty() : end, wanted + 1L);
    mined.forEach(fact -> add(fact, limit, newestFirst));
    Collections.reverse(newestFirst);
    return Optional.of(
        new HistoryPage(
            labelled(newestFirst), older || mined.size() > wanted, view.height(), hidden));
  }

  private void add(Fact fact, int limit, List<HistoryEntry> page) {
    if (page.size() < limit) {
      page.add(entry(fact));
    }
  }

  private static boolean isLive(TxStatus status) {
    return status == TxStatus.CONFIRMED || status == TxStatus.PENDING;
  }

  /**
   * Makes one event for each transaction whose status changed.
   *
   * @param transitions what changed
   * @return in the same order
   */
  public List<WalletEvent> events(List<Transition> transitions) {
    List<HistoryEntry> changed = new ArrayList<>();
    transitions.forEach(transition -> changed.add(entry(transition.txid())));
    List<HistoryEntry> entries = labelled(changed);
    List<WalletEvent> events = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      HistoryEntry entry = entries.get(i);
      Transition transition = transitions.get(i);
      boolean undone = transition.before() == TxStatus.CONFIRMED;
      events.add(
          switch (transition.after()) {
            case CONFIRMED -> new WalletEvent.PaymentConfirmed(entry);
            case PENDING ->
                undone
                    ? new WalletEvent.PaymentUnconfirmed(entry)
                    : new WalletEvent.PaymentSeen(entry);
            case REPLACED -> new WalletEvent.PaymentReplaced(entry);
            case MISSING, ABANDONED, DEAD -> new WalletEvent.PaymentGone(entry);
          });
    }
    return events;
  }

  private List<String> counterparty(Tx tx, Effect effect) {
    Set<String> addresses = new LinkedHashSet<>();
    for (int i : effect.paid(tx)) {
      AddressText.of(tx.outputs().get(i).script(), view.derivation().network())
          .ifPresent(addresses::add);
    }
    return List.copyOf(addresses);
  }

  /** Few labels are looked up; for many, one read of all costs less. */
  private List<HistoryEntry> labelled(List<HistoryEntry> entries) {
    Set<LabelRef> refs = new HashSet<>();
    for (HistoryEntry entry : entries) {
      refs.add(LabelRef.of(entry.txid()));
      entry.payees().forEach(address -> refs.add(LabelRef.ofAddress(address)));
    }
    LabelMap labels = refs.size() <= FEW ? view.labels().of(refs) : view.labels().all();
    return entries.stream()
        .map(entry -> entry.withLabel(labels.ofTransaction(entry.txid(), entry.payees())))
        .collect(Collectors.toList());
  }

  private HistoryEntry entry(Hash256 txid) {
    Fact fact = view.ledger().fact(txid);
    if (fact == null) {
      throw new AssertionError("transaction " + txid + " vanished from the books");
    }
    return entry(fact);
  }

  private HistoryEntry entry(Fact fact) {
    Hash256 txid = fact.tx().txid();
    Effect effect = view.ledger().effect(txid);
    Confirmation where = fact.confirmation();
    Set<String> addresses = new LinkedHashSet<>();
    for (Effect.Part part : effect.received().isEmpty() ? effect.spent() : effect.received()) {
      addresses.add(view.scripts().place(part.script()).address());
    }
    TxStatus status = view.ledger().status(txid);
    Optional<Replacement> replacement = Optional.ofNullable(view.ledger().replacement(txid));
    return new HistoryEntry(
        txid,
        where == null ? OptionalInt.empty() : OptionalInt.of(where.height()),
        Instant.ofEpochSecond(where == null ? fact.firstSeen() : where.time()),
        effect.net(),
        List.copyOf(addresses),
        status,
        fact.isHeard(),
        fact.tx().isCoinbase(),
        counterparty(fact.tx(), effect),
        effect.fee(fact.tx()),
        "",
        replacement,
        PaymentState.of(fact, effect, status, replacement));
  }
}
