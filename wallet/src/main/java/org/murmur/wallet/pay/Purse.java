package org.murmur.wallet.pay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.SpentOutput;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.spend.ChangeScript;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.coins.spend.PendingTransactions;
import org.murmur.coins.spend.PendingTransactions.Pending;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.wallet.internal.books.ScriptBook.Place;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.ledger.Unspent;
import org.murmur.wallet.ledger.TxStatus;

/** The books' facts for a payment: coins, pending transactions, scripts for change, key paths. */
final class Purse {

  /** Purpose, coin type, account, chain and index (BIP-0044, 49, 84, 86). */
  private static final Pattern PATH =
      Pattern.compile("m/\\d+h/\\d+h/(\\d{1,10})h/([01])/(\\d{1,10})");

  private final WalletView view;
  private final BitSet used;
  private final LabelMap labels;

  Purse(WalletView view) {
    this.view = view;
    this.used = view.ledger().usedScripts();
    this.labels = view.labels().all();
  }

  WalletView view() {
    return view;
  }

  /** All coins whose input has a known size: multisig and single addresses have none. */
  List<InputCoin> coins() {
    List<InputCoin> coins = new ArrayList<>();
    for (Unspent unspent : view.ledger().unspent(view.height())) {
      coin(unspent).ifPresent(coins::add);
    }
    return coins;
  }

  /** The sum of all coins, in satoshi. */
  long total() {
    return view.ledger().unspent(view.height()).stream().mapToLong(Unspent::value).sum();
  }

  private Optional<InputCoin> coin(Unspent unspent) {
    boolean pending = unspent.height() < 0;
    return view.descriptor(view.scripts().place(unspent.script()).chain())
        .scriptType()
        .map(
            type ->
                new InputCoin(
                    unspent.outPoint(),
                    unspent.value(),
                    view.scripts().script(unspent.script()),
                    size(type),
                    pending ? 0 : view.height() - unspent.height() + 1,
                    unspent.coinbase(),
                    pending && isTrusted(unspent.outPoint().txid()),
                    isFrozen(unspent.outPoint())));
  }

  private boolean isFrozen(OutPoint coin) {
    return labels.of(LabelRef.of(coin)).frozen();
  }

  /**
   * Whether the change of a pending payment may be spent. A peer must have the payment, or nodes
   * would miss the parent. It and its unconfirmed ancestors must spend only coins of the wallet, as
   * in Core's CachedTxIsTrusted: others could replace an ancestor, and its descendants would
   * vanish.
   */
  private boolean isTrusted(Hash256 txid) {
    Set<Hash256> seen = new HashSet<>();
    Deque<Hash256> open = new ArrayDeque<>(List.of(txid));
    while (!open.isEmpty()) {
      Hash256 next = open.remove();
      Fact fact = view.ledger().fact(next);
      boolean confirmed = fact != null && fact.confirmation() != null;
      if (!confirmed && seen.add(next)) {
        if (fact == null || !fact.isHeard() || !fact.isOfOwner() || !isOurs(next)) {
          return false;
        }
        fact.tx().inputs().forEach(input -> open.add(input.outPoint().txid()));
      }
    }
    return true;
  }

  boolean isHeard(Hash256 txid) {
    Fact fact = view.ledger().fact(txid);
    return fact != null && fact.isHeard();
  }

  /** A coin that a transaction spends. */
  Optional<InputCoin> spent(Effect.Part part) {
    Fact paid = view.ledger().fact(part.outPoint().txid());
    return paid == null
        ? Optional.empty()
        : coin(
            new Unspent(
                part.outPoint(),
                part.value(),
                part.script(),
                paid.height(),
                paid.tx().isCoinbase(),
                false));
  }

  /**
   * Whether all inputs of a transaction are the wallet's, so that only its keys can have signed it:
   * this copy of them or another.
   */
  boolean isOurs(Hash256 txid) {
    Fact fact = view.ledger().fact(txid);
    return fact != null && view.ledger().effect(txid).spent().size() == fact.tx().inputs().size();
  }

  /** Whether this wallet made it, not only another copy of its keys. */
  boolean isMadeHere(Hash256 txid) {
    Fact fact = view.ledger().fact(txid);
    return fact != null && fact.voucher() == Fact.Voucher.WALLET;
  }

  boolean isPending(Hash256 txid) {
    return view.ledger().fact(txid) != null && view.ledger().status(txid) == TxStatus.PENDING;
  }

  /** The payments of the wallet that wait for a block. */
  Set<Hash256> pendingPayments() {
    return view.ledger().unconfirmedNewestFirst().stream()
        .map(fact -> fact.tx().txid())
        .filter(txid -> isPending(txid) && isOurs(txid))
        .collect(Collectors.toSet());
  }

  /**
   * The pending transactions that spend outputs of a transaction, and those that spend theirs, the
   * newest first.
   */
  List<Hash256> dependents(Hash256 txid) {
    List<Fact> pending = new ArrayList<>(view.ledger().unconfirmedNewestFirst());
    pending.removeIf(fact -> !isPending(fact.tx().txid()));
    Set<Hash256> known = new HashSet<>(Set.of(txid));
    boolean more = true;
    while (more) {
      more = false;
      for (Fact fact : pending) {
        more |=
            fact.tx().inputs().stream().anyMatch(input -> known.contains(input.outPoint().txid()))
                && known.add(fact.tx().txid());
      }
    }
    known.remove(txid);
    return pending.stream()
        .map(fact -> fact.tx().txid())
        .filter(known::contains)
        .collect(Collectors.toList());
  }

  /** All transactions that wait for a block. */
  PendingTransactions pending() {
    return PendingTransactions.of(
        view.ledger().unconfirmedNewestFirst().stream()
            .filter(fact -> isPending(fact.tx().txid()))
            .map(this::pending)
            .collect(Collectors.toList()));
  }

  private Pending pending(Fact fact) {
    Tx tx = fact.tx();
    Set<Hash256> parents = new HashSet<>();
    tx.inputs().forEach(input -> parents.add(input.outPoint().txid()));
    return new Pending(tx.txid(), parents, fee(tx).orElse(0), tx.virtualSize());
  }

  /** Whether the wallet knows what a transaction pays. */
  boolean isFeeKnown(Hash256 txid) {
    Fact fact = view.ledger().fact(txid);
    return fact != null && fee(fact.tx()).isPresent();
  }

  /** Known if the wallet has each transaction that it spends an output of: a txid proves values. */
  private OptionalLong fee(Tx tx) {
    OptionalLong fee = view.ledger().fee(tx);
    return fee.orElse(0) < 0 ? OptionalLong.empty() : fee;
  }

  /**
   * An unused script of each type for change, the type of the wallet's receive addresses first. A
   * wallet without chains for change gets it at its own addresses.
   */
  List<ChangeScript> change(Optional<OutputType> wanted) {
    List<ChangeScript> scripts = change(true, wanted);
    return scripts.isEmpty() ? change(false, wanted) : scripts;
  }

  private List<ChangeScript> change(boolean chains, Optional<OutputType> wanted) {
    Optional<OutputType> usual = Optional.empty();
    List<ChangeScript> scripts = new ArrayList<>();
    for (int i = 0; i < view.wallet().chains().size(); i++) {
      Optional<OutputType> type = view.descriptor(i).scriptType();
      boolean change = view.wallet().chains().get(i).change();
      if (!change && !usual.isPresent()) {
        usual = type;
      }
      if (change == chains && type.isPresent() && (!wanted.isPresent() || wanted.equals(type))) {
        ChangeScript script = new ChangeScript(nextScript(i), size(type.get()));
        scripts.add(type.equals(usual) ? 0 : scripts.size(), script);
      }
    }
    return scripts;
  }

  private Bytes nextScript(int chain) {
    int next =
        Math.max(
            view.scripts().used(chain, used).length(),
            view.wallet().chains().get(chain).handedOut());
    Descriptor descriptor = view.descriptor(chain);
    return descriptor.derive(descriptor.ranged() ? next : 0).scriptPubKey();
  }

  /** A warning if a restored wallet would not find the change of a plan. */
  List<PaymentWarning> beyondGap(PaymentPlan plan) {
    int gap = view.wallet().gap();
    return plan.outputs().stream()
        .filter(PaymentPlan.Output::isChange)
        .flatMap(output -> place(output.script()).map(Stream::of).orElseGet(Stream::empty))
        .filter(place -> view.wallet().chains().get(place.chain()).ranged())
        .map(place -> view.unusedBefore(place.chain(), place.child()))
        .filter(unused -> unused >= gap)
        .map(unused -> new PaymentWarning.ChangeBeyondGap(unused, gap))
        .collect(Collectors.toList());
  }

  boolean isUsed(Bytes script) {
    int number = view.scripts().find(script);
    return number != OwnScripts.FOREIGN && used.get(number);
  }

  /** The wallet's place of a script; empty for a foreign one. */
  Optional<Place> place(Bytes script) {
    return view.place(script);
  }

  boolean isChange(Place place) {
    return view.wallet().chains().get(place.chain()).change();
  }

  ChangeScript asChange(Bytes script, Place place) {
    OutputType type = view.descriptor(place.chain()).scriptType().orElseThrow(AssertionError::new);
    return new ChangeScript(script, size(type));
  }

  /** The output that an input spends, with the path of its key; empty without a key. */
  Optional<SpentOutput> output(InputCoin coin) {
    return place(coin.script())
        .flatMap(this::keyPath)
        .map(path -> new SpentOutput(coin.value(), coin.script(), path));
  }

  private Optional<KeyPath> keyPath(Place place) {
    Descriptor descriptor = view.descriptor(place.chain());
    Matcher path = PATH.matcher(descriptor.pathOf(place.child()));
    return path.matches()
        ? descriptor
            .scriptType()
            .map(
                type ->
                    new KeyPath(
                        type,
                        Integer.parseInt(path.group(1)),
                        path.group(2).equals("1"),
                        Integer.parseInt(path.group(3))))
        : Optional.empty();
  }

  private InputSize size(OutputType type) {
    return view.wallet().secret() == null ? InputSize.ofOtherSigner(type) : InputSize.of(type);
  }
}
