package org.murmur.wallet.internal.books;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.overview.ChainState;

/**
 * The wallet as of its last commit, valid only during {@link Books#read}. Transactions and scripts
 * are read from the file on demand.
 */
public final class WalletView {

  private final Loaded now;
  private final Supplier<Scans> scans;

  WalletView(Loaded now, Supplier<Scans> scans) {
    this.now = now;
    this.scans = scans;
  }

  /** Returns the wallet's facts. */
  public StoredWallet wallet() {
    return now.wallet();
  }

  /** Returns the height of the last header. */
  public int height() {
    return now.height();
  }

  /** Returns the hash of the last header. */
  public Hash256 tip() {
    return now.tip();
  }

  /** Returns the time of the last header, seconds since 1970. */
  public long tipTime() {
    return now.tipTime();
  }

  /**
   * Returns the height that the chain had at a moment in seconds since 1970, by the times of its
   * blocks; never lower for a later moment.
   */
  public int heightAt(long time) {
    return now.headers().heightAt(time, height());
  }

  /** Returns the prefixes of its addresses. */
  public KeyNetwork keyNetwork() {
    return now.derivation().network();
  }

  /** Returns the descriptor of a chain. */
  public Descriptor descriptor(int chain) {
    return now.derivation().descriptor(wallet().chains().get(chain).descriptor());
  }

  /** Returns the wallet's place of a script; empty for a foreign one. */
  public Optional<ScriptBook.Place> place(Bytes script) {
    int number = scripts().find(script);
    return number == OwnScripts.FOREIGN ? Optional.empty() : Optional.of(scripts().place(number));
  }

  /** Returns its transactions. */
  public Ledger ledger() {
    return now.ledger();
  }

  public ScriptBook scripts() {
    return now.scripts();
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
    return now.labels();
  }

  /**
   * Returns the payments that the wallet gave out, as PSBTs or to be sent: oldest first, without
   * witness data. The ledger may have some of them, too.
   */
  public List<Tx> given() {
    return now.given();
  }

  /**
   * Returns how much of the chain is known. This is the only place that decides what is complete.
   */
  public ChainState chain() {
    Scans known = scans.get();
    int base = wallet().baseHeight();
    int to = Math.min(known.completeTo(), height());
    boolean complete = height() != base && to == height() && !wallet().isBornAfter(height());
    OptionalInt from = wallet().birthdayHeight();
    boolean scanned = complete || (from.isPresent() && to >= from.getAsInt());
    return new ChainState(
        base,
        height(),
        now.tip(),
        Instant.ofEpochSecond(tipTime()),
        from,
        scanned ? OptionalInt.of(to) : OptionalInt.empty(),
        complete,
        known.seenBy(to),
        known.seen());
  }

  /**
   * Returns the effect of a payment that is not signed yet, as the ledger will see it; without
   * scripts that are not derived yet.
   */
  public Effect effect(PaymentPlan plan) {
    List<Effect.Part> spent = new ArrayList<>();
    for (PaymentPlan.Input input : plan.inputs()) {
      InputCoin coin = input.coin();
      int script = scripts().find(coin.script());
      spent.add(new Effect.Part(coin.outPoint(), spent.size(), coin.value(), script));
    }
    List<Effect.Part> received = new ArrayList<>();
    for (int i = 0; i < plan.outputs().size(); i++) {
      PaymentPlan.Output output = plan.outputs().get(i);
      int script = scripts().find(output.script());
      if (script != OwnScripts.FOREIGN) {
        // The effect has no outpoint before it is signed.
        OutPoint none = plan.inputs().get(0).coin().outPoint();
        received.add(new Effect.Part(none, i, output.value(), script));
      }
    }
    return new Effect(received, spent);
  }
}
