package org.murmur.wallet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelFile;
import org.murmur.coins.label.LabelImport;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelRef;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.store.WalletStore;

/**
 * The labels of a wallet, and which coins are frozen ({@link WalletCoins#freeze}). They are in the
 * wallet's file. A rescan or a reorganisation does not touch them.
 *
 * <p>All methods throw {@link WalletException} if the file cannot be read. Thread safe, as the
 * wallet is.
 */
public final class WalletLabels {

  private final BooksAccess access;

  WalletLabels(BooksAccess access) {
    this.access = access;
  }

  /**
   * Returns what the user noted about a thing.
   *
   * @param ref the thing
   * @return the record, which {@linkplain Label#saysNothing says nothing} if nothing was noted
   */
  public Label of(LabelRef ref) {
    return access.read(view -> view.labels().of(ref));
  }

  /**
   * Notes something about a thing, which need not be the wallet's.
   *
   * @param ref the thing
   * @param text the label; empty to remove it. Control characters become spaces
   * @return false if that was the label before
   * @throws WalletException if the wallet cannot be written
   */
  public boolean set(LabelRef ref, String text) {
    String line = Label.oneLine(text);
    return access.write(
        () -> {
          if (of(ref).text().equals(line)) {
            return false;
          }
          put(ref, label -> label.withText(line), label -> label.withText(""));
          return true;
        });
  }

  /**
   * Lists all records, also those of other wallets that an import brought. Whether a coin is frozen
   * only {@link #of(LabelRef)} says, which knows all records of it.
   *
   * @return sorted by thing, then by origin
   */
  public List<Label> list() {
    return access.call(() -> access.books().readStore(WalletStore::labels));
  }

  /**
   * {@return what counts in this wallet about each thing, as {@link #of(LabelRef)} does; one record
   * for each thing}
   */
  public LabelMap inForce() {
    return access.read(view -> view.labels().all());
  }

  /**
   * Writes all records as BIP-0329 has them. Other programs then know the labels and frozen coins.
   *
   * @return JSON objects, one a line, without line ends; the file is in UTF-8
   */
  public List<String> exportLines() {
    return LabelFile.lines(list());
  }

  /**
   * Adds records of BIP-0329, all in one transaction of the file. A record takes the place of the
   * one about the same thing and of the same origin; what it does not say stays. Records of other
   * wallets and networks are kept, and exported again. Malformed lines are skipped and reported.
   *
   * @param lines JSON objects, one a line
   * @return what was changed and what was skipped
   * @throws WalletException if the wallet cannot be written
   */
  public LabelImport importLines(Iterable<String> lines) {
    LabelFile file = LabelFile.parse(lines);
    return access.write(
        () -> {
          Collection<LabelRef> refs = new HashSet<>(file.refs());
          LabelImport merged =
              file.mergedInto(access.books().readStore(store -> store.labels(refs)));
          write(merged.changed());
          return merged;
        });
  }

  /** Changes the first of the wallet's records of a thing, and the others so that it counts. */
  void put(LabelRef ref, UnaryOperator<Label> first, UnaryOperator<Label> others) {
    List<Label> records = access.read(view -> view.labels().records(ref));
    List<Label> changed = new ArrayList<>();
    changed.add(first.apply(records.isEmpty() ? Label.about(ref) : records.get(0)));
    for (int i = 1; i < records.size(); i++) {
      changed.add(others.apply(records.get(i)));
    }
    write(changed);
  }

  private void write(List<Label> labels) {
    if (labels.isEmpty()) {
      return;
    }
    access.run(() -> access.books().writeStore(store -> store.putLabels(labels)));
  }
}
