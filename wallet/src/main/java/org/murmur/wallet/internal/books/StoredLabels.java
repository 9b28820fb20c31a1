package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelOrigin;
import org.murmur.coins.label.LabelRef;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;

/**
 * The user's labels, read from the store when it is asked for. A file of several wallets' labels
 * says of each record which wallet it is of: those of other wallets are kept, and not shown.
 */
public final class StoredLabels {

  private final WalletStore store;
  private final Set<String> origins = new HashSet<>();

  StoredLabels(WalletStore store, StoredWallet wallet) {
    this.store = store;
    for (StoredWallet.Chain chain : wallet.chains()) {
      LabelOrigin.of(chain.descriptor()).ifPresent(origins::add);
    }
  }

  /** Reads the wallet's record of each of some things that has one, without reading the others. */
  public LabelMap of(Collection<LabelRef> refs) {
    return own(store.labels(refs));
  }

  /** Reads the wallet's record of one thing, or an empty one. */
  public Label of(LabelRef ref) {
    return of(Set.of(ref)).of(ref);
  }

  /**
   * Reads the wallet's record of each thing that has one. For lists of all coins: one read costs
   * less than many.
   */
  public LabelMap all() {
    return own(store.labels());
  }

  /**
   * Reads the wallet's records of one thing: the one without origin, then those of the wallet's
   * origins; there may be none.
   */
  public List<Label> records(LabelRef ref) {
    List<Label> records = new ArrayList<>(store.labels(Set.of(ref)));
    records.removeIf(label -> !isOwn(label));
    return records;
  }

  /**
   * Returns whether records of other wallets alone exclude an output from payments, whatever the
   * wallet's own records leave out.
   */
  public boolean isFrozenByOthers(LabelRef ref) {
    return store.labels(Set.of(ref)).stream().anyMatch(label -> !isOwn(label) && label.frozen());
  }

  private boolean isOwn(Label label) {
    return label.origin().isEmpty() || origins.contains(LabelOrigin.plain(label.origin()));
  }

  /**
   * One record for each thing: what those of this wallet's origins say, else the one without. An
   * outpoint is the same coin in every form of a wallet: a record that forbids to spend it counts
   * whatever its origin, unless a record of this wallet says otherwise.
   */
  private LabelMap own(List<Label> labels) {
    Map<LabelRef, Label> own = new HashMap<>();
    for (Label label : labels) {
      // Those without origin come first.
      if (isOwn(label)) {
        own.merge(label.ref(), label, Label::overlaidBy);
      }
    }
    for (Label label : labels) {
      Label known = own.getOrDefault(label.ref(), Label.about(label.ref()));
      if (!isOwn(label) && label.frozen() && !known.spendable().isPresent()) {
        own.put(label.ref(), known.withSpendable(label.spendable()));
      }
    }
    return new LabelMap(own);
  }
}
