package org.murmur.wallet.internal.books;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerChange.Transition;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.Replacement.Origin;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.PaymentState.Stage;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/** Makes history entries and payment events from the books. */
public final class Payments {

  /** So many labels are looked up one by one. */
  private static final int FEW = 100;

  private final WalletView view;

  /** Reads a view. */
  public Payments(WalletView view) {
    this.view = view;
  }

  /**
   * Lists the wallet's transactions in the order of the chain, then pending ones. If {@code full},
   * those that no longer count are listed where they were first seen.
   */
  public List<HistoryEntry> history(boolean full) {
    List<Fact> pending = new ArrayList<>();
    List<Fact> over = new ArrayList<>();
    List<Fact> mined = new ArrayList<>();
    for (Fact fact : view.ledger().transactions()) {
      (fact.confirmation() != null ? mined : isLive(fact) ? pending : over).add(fact);
    }
    List<Fact> all = new ArrayList<>();
    Collections.reverse(over);
    Collections.reverse(mined);
    all.addAll(merged(full ? over : List.of(), mined));
    Collections.reverse(all);
    all.addAll(pending);
    return labelled(all.stream().map(this::entry).collect(Collectors.toList()));
  }

  /**
   * Puts transactions that no longer count among those in blocks: above the blocks that the chain
   * had when they were first seen. All newest first.
   */
  private List<Fact> merged(List<Fact> over, List<Fact> mined) {
    List<Fact> merged = new ArrayList<>();
    int next = 0;
    for (Fact fact : over) {
      int height = view.heightAt(fact.firstSeen());
      while (next < mined.size() && mined.get(next).height() > height) {
        merged.add(mined.get(next));
        next++;
      }
      merged.add(fact);
    }
    merged.addAll(mined.subList(next, mined.size()));
    return merged;
  }

  /**
   * Lists the unconfirmed transactions, also those that no longer count, newest first and without
   * labels.
   */
  public List<HistoryEntry> unconfirmed() {
    return view.ledger().unconfirmedNewestFirst().stream()
        .map(this::entry)
        .collect(Collectors.toList());
  }

  /**
   * Lists those of some transactions that are payments of the wallet and replaced or conflicted
   * now, in the same order.
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
   * Whether the usual list has a transaction: it counts, or another transaction displaced it. Not
   * if the user cancelled it, or if a replacement pays the same, which is there instead, once a
   * peer has it. Nor if it only moved coins of the wallet.
   */
  private boolean isListed(Fact fact) {
    if (isLive(fact)) {
      return true;
    }
    TxStatus status = view.ledger().status(fact.tx().txid());
    Optional<Replacement> held =
        Optional.ofNullable(view.ledger().replacement(fact.tx().txid()))
            .filter(by -> isHeld(by.txid()));
    return (status == TxStatus.REPLACED || status == TxStatus.DEAD)
        && !owed(fact.tx()).isEmpty()
        && !held.map(by -> by.origin() == Origin.CANCEL || paysTheSame(fact.tx(), by.txid()))
            .orElse(false);
  }

  /** The scripts that a payment is for: those of its payees, or of the wallet that it pays. */
  private List<Bytes> owed(Tx payment) {
    Effect effect = view.ledger().effect(payment.txid());
    List<Bytes> scripts = new ArrayList<>();
    if (effect.spent().isEmpty()) {
      effect.received().forEach(p -> scripts.add(payment.outputs().get(p.index()).script()));
    } else {
      effect.paid(payment).forEach(i -> scripts.add(payment.outputs().get(i).script()));
    }
    return scripts;
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
    // A payment of everything pays the higher fee itself.
    boolean all = view.ledger().effect(payment.txid()).received().isEmpty();
    return owed(payment).stream()
        .allMatch(
            script -> {
              long now = paidTo(script, by.tx());
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
   * Lists at most {@code limit} of the wallet's transactions, the newest before a transaction or
   * before the end of the list, in the order of {@link #history}, without reading earlier ones;
   * empty if there is no such transaction. If {@code full}, all that no longer count are listed;
   * otherwise only payments that another transaction displaced, and that the user did not cancel.
   */
  public Optional<HistoryPage> page(int limit, Optional<Hash256> before, boolean full) {
    @Nullable Fact end =
        before.flatMap(txid -> Optional.ofNullable(view.ledger().fact(txid))).orElse(null);
    if (before.isPresent() && end == null) {
      return Optional.empty();
    }
    List<Fact> pending = new ArrayList<>();
    List<Fact> over = new ArrayList<>();
    int hidden = 0;
    for (Fact fact : view.ledger().unconfirmedNewestFirst()) {
      boolean listed = full || isListed(fact);
      hidden += listed ? 0 : 1;
      if (listed || fact.equals(end)) {
        (isLive(fact) ? pending : over).add(fact);
      }
    }
    int height = Integer.MAX_VALUE;
    int position = 0;
    @Nullable Confirmation where = end == null ? null : end.confirmation();
    if (where != null) {
      pending.clear();
      height = where.height();
      position = where.position();
      int top = height;
      over.removeIf(fact -> view.heightAt(fact.firstSeen()) >= top);
    } else if (end != null && isLive(end)) {
      pending.subList(0, pending.indexOf(end) + 1).clear();
    } else if (end != null) {
      pending.clear();
      height = view.heightAt(end.firstSeen()) + 1;
      over.subList(0, over.indexOf(end) + 1).clear();
    }
    long wanted = Math.max(0L, limit - pending.size()) + 1;
    List<Fact> newestFirst = new ArrayList<>(pending);
    newestFirst.addAll(merged(over, view.ledger().confirmedBefore(height, position, wanted)));
    boolean older = newestFirst.size() > limit;
    List<HistoryEntry> entries =
        newestFirst.stream().limit(limit).map(this::entry).collect(Collectors.toList());
    Collections.reverse(entries);
    return Optional.of(new HistoryPage(labelled(entries), older, hidden));
  }

  private boolean isLive(Fact fact) {
    return view.ledger().status(fact.tx().txid()).counts();
  }

  /** Makes one event for each transaction whose status changed, in the same order. */
  public List<WalletEvent.Payment> events(List<Transition> transitions) {
    List<HistoryEntry> changed = new ArrayList<>();
    transitions.forEach(transition -> changed.add(entry(transition.txid())));
    List<HistoryEntry> entries = labelled(changed);
    List<WalletEvent.Payment> events = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Transition transition = transitions.get(i);
      boolean undone = transition.before() == TxStatus.CONFIRMED;
      Change change =
          switch (transition.after()) {
            case CONFIRMED -> Change.CONFIRMED;
            case PENDING -> undone ? Change.UNCONFIRMED : Change.SEEN;
            case REPLACED -> Change.REPLACED;
            case MISSING, ABANDONED, DEAD -> Change.GONE;
          };
      events.add(new WalletEvent.Payment(change, entries.get(i)));
    }
    return events;
  }

  private List<String> counterparty(Tx tx, Effect effect) {
    Set<String> addresses = new LinkedHashSet<>();
    for (int i : effect.paid(tx)) {
      Address.of(tx.outputs().get(i).script(), view.keyNetwork()).ifPresent(addresses::add);
    }
    return List.copyOf(addresses);
  }

  /** Few labels are looked up; for many, one read of all costs less. */
  private List<HistoryEntry> labelled(List<HistoryEntry> entries) {
    Set<LabelRef> refs = new HashSet<>();
    for (HistoryEntry entry : entries) {
      refs.add(LabelRef.of(entry.txid()));
      entry.payees().forEach(address -> refs.add(new LabelRef(LabelType.ADDR, address)));
    }
    LabelMap labels = refs.size() <= FEW ? view.labels().of(refs) : view.labels().all();
    return entries.stream()
        .map(entry -> entry.withLabel(labels.ofTransaction(entry.txid(), entry.payees())))
        .collect(Collectors.toList());
  }

  /** Lists one of the wallet's transactions. */
  public HistoryEntry listed(Fact fact) {
    return labelled(List.of(entry(fact))).get(0);
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
        state(fact, effect, status, replacement));
  }

  /**
   * Derives the state of a payment from the ledger, without peers. It is empty if the transaction
   * is no payment of the wallet: the user did not make it, and it spends no coin of the wallet.
   */
  private static Optional<PaymentState> state(
      Fact fact, Effect effect, TxStatus status, Optional<Replacement> replacement) {
    boolean made = fact.repute().isOfUser();
    if (!made && effect.spent().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PaymentState(
            switch (status) {
              case CONFIRMED -> Stage.CONFIRMED;
              // A payment that a block proves counts although no peer has it any more.
              case PENDING -> fact.repute().isUnheard() ? Stage.BUILT : Stage.RELAYED;
              case REPLACED ->
                  replacement.map(by -> by.height().isPresent()).orElse(false)
                      ? Stage.CONFLICTED
                      : Stage.REPLACED;
              case MISSING -> Stage.DROPPED;
              case ABANDONED -> Stage.ABANDONED;
              case DEAD -> Stage.CONFLICTED;
            },
            List.of(),
            List.of(),
            Map.of(),
            fact.repute() != Repute.SIGNED && fact.repute() != Repute.ABANDONED,
            !made));
  }
}
