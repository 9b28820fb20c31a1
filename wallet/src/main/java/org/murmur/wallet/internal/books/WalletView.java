package org.murmur.wallet.internal.books;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.overview.ChainState;

/**
 * The wallet as of its last commit, valid only during {@link Books#read}. Transactions and scripts
 * are read from the file on demand.
 */
public final class WalletView {

  private final StoredWallet wallet;
  private final ChainParams network;
  private final int height;
  private final Hash256 tip;
  private final long tipTime;
  private final Derivation derivation;
  private final Supplier<Ledger> ledger;
  private final Supplier<ScriptBook> scripts;
  private final StoredLabels labels;
  private final Supplier<List<Tx>> given;
  private final StoredHeaders headers;
  private final Supplier<Scans> scans;

  WalletView(
      StoredWallet wallet,
      ChainParams network,
      int height,
      Hash256 tip,
      long tipTime,
      Derivation derivation,
      Supplier<Ledger> ledger,
      Supplier<ScriptBook> scripts,
      StoredLabels labels,
      Supplier<List<Tx>> given,
      StoredHeaders headers,
      Supplier<Scans> scans) {
    this.wallet = wallet;
    this.network = network;
    this.height = height;
    this.tip = tip;
    this.tipTime = tipTime;
    this.derivation = derivation;
    this.ledger = ledger;
    this.scripts = scripts;
    this.labels = labels;
    this.given = given;
    this.headers = headers;
    this.scans = scans;
  }

  /** Returns the wallet's facts. */
  public StoredWallet wallet() {
    return wallet;
  }

  public ChainParams network() {
    return network;
  }

  /** Returns the height of the last header. */
  public int height() {
    return height;
  }

  /** Returns the hash of the last header. */
  public Hash256 tip() {
    return tip;
  }

  /** Returns the time of the last header, seconds since 1970. */
  public long tipTime() {
    return tipTime;
  }

  /**
   * Returns the height that the chain had at a moment in seconds since 1970, by the times of its
   * blocks; never lower for a later moment.
   */
  public int heightAt(long time) {
    return headers.heightAt(time, height);
  }

  /** Returns its descriptors. */
  public Derivation derivation() {
    return derivation;
  }

  /** Returns its transactions. */
  public Ledger ledger() {
    return ledger.get();
  }

  public ScriptBook scripts() {
    return scripts.get();
  }

  /**
   * Returns how many addresses in a row a restored wallet would find unused before it comes to one;
   * less than 1 if a block pays it or a later one. Payments that no block holds do not count: the
   * chain does not show them.
   */
  public int unusedBefore(int chain, int child) {
    return child - scripts().used(chain, ledger().minedScripts()).length();
  }

  /** Returns what the user noted. */
  public StoredLabels labels() {
    return labels;
  }

  /**
   * Returns the payments that the wallet gave out, as PSBTs or to be sent: oldest first, without
   * witness data. The ledger may have some of them, too.
   */
  public List<Tx> given() {
    return given.get();
  }

  /**
   * Returns how much of the chain is known. This is the only place that decides what is complete.
   */
  public ChainState chain() {
    Scans known = scans.get();
    int base = wallet.baseHeight();
    int to = Math.min(known.completeTo(), height);
    boolean complete = height != base && to == height && !wallet.isBornAfter(height);
    OptionalInt from = wallet.birthdayHeight();
    boolean scanned = complete || (from.isPresent() && to >= from.getAsInt());
    return new ChainState(
        base,
        height,
        tip,
        Instant.ofEpochSecond(tipTime),
        from,
        scanned ? OptionalInt.of(to) : OptionalInt.empty(),
        complete,
        known.seenBy(to),
        known.seen());
  }
}
