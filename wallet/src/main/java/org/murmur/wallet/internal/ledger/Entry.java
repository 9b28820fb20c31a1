package org.murmur.wallet.internal.ledger;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/** A transaction in the books, with the owners of its outputs and its last report. */
final class Entry {

  private Fact fact;
  private final int[] ownScripts;
  private boolean concerns;
  // How many inputs spent own coins when the signatures were checked last, and what was found.
  private int checkedInputs;
  private boolean forged;
  // Null while it does not concern the wallet.
  private @Nullable Reported reported;
  // The archive's data when this was loaded, until a report is recorded.
  private @Nullable Fact stored;

  Entry(Fact fact) {
    this.fact = fact;
    this.ownScripts = new int[fact.tx().outputs().size()];
    Arrays.fill(ownScripts, OwnScripts.FOREIGN);
  }

  /** Loads a transaction in a block from the archive. */
  static Entry stored(Fact fact) {
    Entry entry = new Entry(fact);
    entry.stored = fact;
    return entry;
  }

  Fact fact() {
    return fact;
  }

  Tx tx() {
    return fact.tx();
  }

  Hash256 txid() {
    return fact.tx().txid();
  }

  boolean isConfirmed() {
    return fact.confirmation() != null;
  }

  /** Replaces the fact by a newer one about the same transaction. */
  void rewrite(Fact now) {
    if (!now.tx().equals(fact.tx())) {
      checkedInputs = 0;
    }
    fact = now;
  }

  /** Whether its signatures were checked when as many inputs were known to spend own coins. */
  boolean isChecked(int ownInputs) {
    return checkedInputs == ownInputs;
  }

  void checked(int ownInputs, boolean found) {
    checkedInputs = ownInputs;
    forged = found;
  }

  /** The result of the last check. */
  boolean isForged() {
    return forged;
  }

  int outputCount() {
    return ownScripts.length;
  }

  long value(int output) {
    return fact.tx().outputs().get(output).value();
  }

  /** Number of the own script that an output pays, or {@link OwnScripts#FOREIGN}. */
  int ownScript(int output) {
    return ownScripts[output];
  }

  boolean isOwn(int output) {
    return ownScripts[output] != OwnScripts.FOREIGN;
  }

  /**
   * Whether it pays an own script or spends an own coin, so is more than the conflict of a payment.
   */
  boolean concernsWallet() {
    return concerns;
  }

  /**
   * It concerns the wallet from now on: coins do not change owners, and a spent one is not
   * forgotten.
   */
  void concern() {
    concerns = true;
  }

  /** An output turned out to pay an own script. */
  void adopt(int output, int script) {
    ownScripts[output] = script;
  }

  /** One of its outputs as a coin. */
  Unspent coin(int output, int tip) {
    return Unspent.of(
        tx().outPoint(output),
        value(output),
        ownScript(output),
        fact.height(),
        tx().isCoinbase(),
        tip);
  }

  /** The last report, unless that follows from {@link #stored}. */
  @Nullable Reported reported() {
    return reported;
  }

  /** Its stored data, if the last report follows from that. */
  @Nullable Fact stored() {
    return stored;
  }

  void remember(@Nullable Reported last) {
    reported = last;
    stored = null;
  }

  /**
   * The last report of a transaction. The last reports of all transactions give the whole wallet,
   * and perhaps some that were reported missing or replaced and forgotten since.
   */
  record Reported(
      TxStatus status,
      boolean heard,
      Repute repute,
      long net,
      @Nullable Confirmation where,
      @Nullable Replacement replacement) {}
}
