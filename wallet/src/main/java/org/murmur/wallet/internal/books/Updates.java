package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerChange;
import org.murmur.wallet.internal.ledger.LedgerInput;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.TxStatus;

/**
 * Writes batches to the ledger, the element log and the store. After an exception, memory may hold
 * data that the store lacks: the caller drops it.
 */
final class Updates {

  private final WalletStore store;
  // Whether a session needs the look-ahead to grow by whole epochs.
  private boolean epochsWanted;
  // How many addresses were handed out when the look-ahead was last derived.
  private int grownFor;
  // Pending payments of blocks that were disconnected since these books were opened.
  private final Set<Hash256> unmined = new HashSet<>();

  Updates(WalletStore store) {
    this.store = store;
  }

  void wantEpochs(boolean wanted) {
    epochsWanted = wanted;
  }

  /** Whether the look-ahead may have to grow without a batch. */
  boolean mayGrow(Loaded now) {
    return epochsWanted || now.handedOut() > 0;
  }

  /** Processes a batch in the ledger, in memory only. */
  LedgerChange apply(Loaded now, LedgerInput news) {
    now.log();
    grownFor = now.handedOut();
    return now.ledger().apply(news, new LookAhead(now, epochsWanted || now.hasEpochs()));
  }

  /** Brings the element log up to date with the ledger. */
  private static ElementLog.Change watch(Loaded now, LedgerChange change) {
    ElementLog log = now.log();
    for (LedgerChange.Watch watch : change.watches()) {
      log.update(watch, now.ledger());
    }
    return log.take();
  }

  /** Writes a change that comes from no peer, if there is any. */
  CommitOutcome write(Loaded now, LedgerChange change) {
    ElementLog.Change elements = watch(now, change);
    if (!elements.isEmpty() || !change.facts().isEmpty() || !change.forgotten().isEmpty()) {
      store.write(ofUser(now.height(), change, elements));
      now.stored(change);
    }
    noteUnmined(change);
    int height = now.height();
    List<Input> inputs = watchSet(elements);
    inputs.add(new Input.PendingChanged(pending(now)));
    return new CommitOutcome(inputs, change.transitions(), height, height, height, 0, 0);
  }

  /** The data to write when the headers start again above a height. */
  StoreChange restarted(Loaded now, int base, LedgerChange change) {
    return ofUser(base, change, watch(now, change));
  }

  private static StoreChange ofUser(int height, LedgerChange change, ElementLog.Change elements) {
    return new StoreChange(
        CommitBatch.nothingAbove(height),
        change,
        List.of(),
        elements.scripts(),
        elements.outPoints(),
        List.of());
  }

  /** Processes a batch and writes it. */
  CommitOutcome take(Loaded now, CommitBatch batch, long time) {
    int oldHeight = now.height();
    int newHeight = batch.forkHeight() + batch.connected().count();
    MentionedScripts mentioned = new MentionedScripts(batch, now.ledger());
    LedgerChange change =
        concernsLedger(now, batch) ? apply(now, news(batch, newHeight, time)) : LedgerChange.NONE;
    ElementLog.Change elements = watch(now, change);
    store.write(
        new StoreChange(
            batch,
            change,
            MinedTransactions.proofs(batch, change),
            elements.scripts(),
            elements.outPoints(),
            mentioned.isEmpty()
                ? List.of()
                : mentioned.disclosed(now.ledger(), now.scripts(), now.log())));
    moveTip(now, batch, newHeight);
    now.stored(change);
    if (batch.loads().stream().anyMatch(load -> load.content() instanceof Content.Epoch)) {
      now.noteEpoch();
    }
    if (batch.birthdayHeight().isPresent()) {
      now.forgetFacts();
    }
    noteUnmined(change);
    List<Tx> falsePositives = falsePositives(now, batch);
    return new CommitOutcome(
        inputs(now, batch, change, elements),
        change.transitions(),
        oldHeight,
        Math.min(oldHeight, batch.forkHeight()),
        newHeight,
        falsePositives.size(),
        falsePositives.stream().mapToLong(tx -> tx.strippedSize() + Frame.HEADER_LENGTH).sum());
  }

  private boolean concernsLedger(Loaded now, CommitBatch batch) {
    return batch.forkHeight() < now.height()
        || !batch.blocks().isEmpty()
        || !batch.unconfirmed().isEmpty()
        || !batch.missing().isEmpty()
        || now.handedOut() != grownFor;
  }

  private static LedgerInput news(CommitBatch batch, int newHeight, long time) {
    return LedgerInput.ofPeers(
        batch.forkHeight(),
        newHeight,
        MinedTransactions.of(batch),
        batch.unconfirmed(),
        batch.missing(),
        time);
  }

  private void moveTip(Loaded now, CommitBatch batch, int newHeight) {
    Headers connected = batch.connected();
    if (newHeight != now.height() || !connected.isEmpty()) {
      now.moveTip(
          newHeight,
          connected.isEmpty()
              ? store.lastHeader()
              : connected.slice(connected.count() - 1, connected.count()));
    }
  }

  /** Transactions of a disconnected block, until a block holds them again. */
  private void noteUnmined(LedgerChange change) {
    for (LedgerChange.Transition transition : change.transitions()) {
      if (transition.after() == TxStatus.CONFIRMED) {
        unmined.remove(transition.txid());
      } else if (transition.before() == TxStatus.CONFIRMED) {
        unmined.add(transition.txid());
      }
    }
  }

  /** The inputs for the machine that follow from a batch on disk. */
  private List<Input> inputs(
      Loaded now, CommitBatch batch, LedgerChange change, ElementLog.Change elements) {
    List<Input> inputs = watchSet(elements);
    inputs.add(
        new Input.Committed(batch.sequence(), change.relevant(), pending(now), change.refused()));
    return inputs;
  }

  private static List<Input> watchSet(ElementLog.Change elements) {
    List<Input> inputs = new ArrayList<>();
    if (!elements.isEmpty()) {
      List<WholeScript> scripts = new ArrayList<>();
      elements.scripts().forEach(run -> scripts.addAll(run.whole()));
      inputs.add(
          new Input.WatchSetChanged(
              elements.from(), elements.added(), elements.replaced(), scripts));
    }
    return inputs;
  }

  /** The wallet's pending transactions. */
  List<Input.Pending> pending(Loaded now) {
    List<Input.Pending> pending = new ArrayList<>();
    for (Hash256 txid : now.ledger().pending()) {
      Fact fact = now.ledger().fact(txid);
      if (fact != null) {
        Repute repute = fact.repute();
        pending.add(
            new Input.Pending(
                fact.tx(),
                fact.firstSeen(),
                repute.isHeld(),
                repute.isSent(),
                unmined.contains(txid)));
      }
    }
    return pending;
  }

  /**
   * Returns the matched transactions that are not in the ledger and spend nothing in the log.
   * Filters are made of the log, so a spend of its outpoints is no chance match.
   */
  private static List<Tx> falsePositives(Loaded now, CommitBatch batch) {
    ElementLog log = now.log();
    List<Tx> found = new ArrayList<>();
    for (Tx tx : MinedTransactions.matched(batch)) {
      boolean lookedFor =
          tx.inputs().stream().anyMatch(input -> log.indexOf(input.outPoint()) >= 0);
      if (!lookedFor && !isKnown(now, tx.txid())) {
        found.add(tx);
      }
    }
    return found;
  }

  /** Whether the ledger holds it, without reading it if a block does. */
  private static boolean isKnown(Loaded now, Hash256 txid) {
    return now.mined().mayHold(txid) || now.ledger().fact(txid) != null;
  }
}
