package org.murmur.wallet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.psbt.PsbtUpdater;
import org.murmur.coins.psbt.UnsignedTx;
import org.murmur.wallet.internal.books.Payments;
import org.murmur.wallet.internal.books.ScriptBook;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Unspent;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.DisplacedPayment;
import org.murmur.wallet.pay.PsbtReview;
import org.murmur.wallet.pay.ReservedCoin;
import org.murmur.wallet.sync.WalletWarning;

/** Makes coins, addresses and transaction details from the books. */
final class Listings {

  private final WalletView view;

  Listings(WalletView view) {
    this.view = view;
  }

  Balance balance() {
    return view.ledger().balance(view.height());
  }

  List<WalletCoin> coins() {
    List<WalletCoin> coins = new ArrayList<>();
    LabelMap labels = view.labels().all();
    for (Unspent unspent : view.ledger().unspent(view.height())) {
      ScriptBook.Place place = view.scripts().place(unspent.script());
      coins.add(
          new WalletCoin(
              unspent.outPoint(),
              unspent.value(),
              unspent.height() < 0 ? OptionalInt.empty() : OptionalInt.of(unspent.height()),
              place.address(),
              path(place.chain(), place.child()),
              unspent.coinbase(),
              unspent.immature(),
              labels.of(LabelRef.of(unspent.outPoint())).frozen(),
              labels.ofCoin(unspent.outPoint(), place.address())));
    }
    return coins;
  }

  private String path(int chain, int child) {
    return view.descriptor(chain).pathOf(child);
  }

  /** The key of an own script with one key. */
  Optional<Descriptor.PublicKey> ownKey(Bytes scriptPubKey) {
    return view.place(scriptPubKey)
        .flatMap(place -> view.descriptor(place.chain()).key(place.child()));
  }

  /**
   * The wallet's review of a PSBT, with its own transactions.
   *
   * @throws PsbtException if it contradicts itself or the wallet, or has a wrong signature
   */
  PsbtReview review(Psbt psbt) {
    PsbtReview review = PsbtReview.of(psbt, this::ownKey, this::stored, view.keyNetwork());
    UnsignedTx tx = review.summary().tx();
    List<OutPoint> coins =
        tx.inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList());
    return review.reserving(reserved(coins, tx.txid()));
  }

  /**
   * Adds what the wallet knows.
   *
   * @throws PsbtException if it contradicts itself or the wallet
   */
  Psbt updated(Psbt psbt) {
    return PsbtUpdater.update(psbt, this::ownKey, this::stored);
  }

  /** Whether a transaction is in a block, or waits for one. */
  boolean counts(Hash256 txid) {
    return view.ledger().fact(txid) != null && view.ledger().status(txid).counts();
  }

  /** Which of the coins are frozen, or spent by a pending payment of the wallet but this one. */
  private List<ReservedCoin> reserved(Collection<OutPoint> coins, Hash256 by) {
    Map<OutPoint, Fact> spenders = spenders(by);
    List<ReservedCoin> reserved = new ArrayList<>();
    for (OutPoint coin : coins) {
      boolean frozen = view.labels().of(Set.of(LabelRef.of(coin))).of(LabelRef.of(coin)).frozen();
      Optional<Hash256> spentBy =
          Optional.ofNullable(spenders.get(coin)).map(fact -> fact.tx().txid());
      if (frozen || spentBy.isPresent()) {
        reserved.add(new ReservedCoin(coin, frozen, spentBy));
      }
    }
    return reserved;
  }

  /** The pending payments that spend coins of the wallet, other than one. */
  private Map<OutPoint, Fact> spenders(Hash256 by) {
    Map<OutPoint, Fact> spenders = new HashMap<>();
    for (Fact fact : view.ledger().unconfirmedNewestFirst()) {
      Hash256 txid = fact.tx().txid();
      if (!txid.equals(by) && view.ledger().status(txid) == TxStatus.PENDING) {
        view.ledger()
            .effect(txid)
            .spent()
            .forEach(part -> spenders.putIfAbsent(part.outPoint(), fact));
      }
    }
    return spenders;
  }

  /** The pending payments that spend a coin of a transaction. */
  List<DisplacedPayment> displaced(Tx tx) {
    Map<OutPoint, Fact> spenders = spenders(tx.txid());
    Set<Fact> payments = new LinkedHashSet<>();
    for (Tx.Input input : tx.inputs()) {
      Fact fact = spenders.get(input.outPoint());
      if (fact != null) {
        payments.add(fact);
      }
    }
    List<DisplacedPayment> displaced = new ArrayList<>();
    for (Fact fact : payments) {
      boolean stays = fact.repute().isHeld() && !paysMore(tx, fact.tx());
      displaced.add(new DisplacedPayment(fact.tx().txid(), stays));
    }
    return displaced;
  }

  private boolean paysMore(Tx tx, Tx than) {
    OptionalLong fee = view.ledger().fee(tx);
    OptionalLong other = view.ledger().fee(than);
    return fee.isPresent() && other.isPresent() && fee.getAsLong() > other.getAsLong();
  }

  /** A transaction that the wallet has. */
  Optional<Tx> stored(Hash256 txid) {
    return Optional.ofNullable(view.ledger().fact(txid)).map(Fact::tx);
  }

  Optional<TransactionDetail> transaction(Hash256 txid, Optional<MerkleBlock> proof) {
    Fact fact = view.ledger().fact(txid);
    if (fact == null || !view.ledger().effect(txid).concernsWallet()) {
      return Optional.empty();
    }
    Effect effect = view.ledger().effect(txid);
    return Optional.of(
        new TransactionDetail(
            new Payments(view).listed(fact),
            fact.tx(),
            Instant.ofEpochSecond(fact.firstSeen()),
            Optional.ofNullable(fact.confirmation()),
            proof,
            parts(effect.received()),
            parts(effect.spent()),
            paid(fact.tx(), effect),
            fact.height() < 0 ? 0 : view.height() - fact.height() + 1));
  }

  private List<TransactionDetail.Paid> paid(Tx tx, Effect effect) {
    List<TransactionDetail.Paid> paid = new ArrayList<>();
    for (int i : effect.paid(tx)) {
      Tx.Output output = tx.outputs().get(i);
      paid.add(
          new TransactionDetail.Paid(
              i, output.value(), Address.of(output.script(), view.keyNetwork())));
    }
    return paid;
  }

  private List<TransactionDetail.Part> parts(List<Effect.Part> parts) {
    List<TransactionDetail.Part> details = new ArrayList<>();
    for (Effect.Part part : parts) {
      ScriptBook.Place place = view.scripts().place(part.script());
      details.add(
          new TransactionDetail.Part(
              part.index(),
              part.outPoint(),
              part.value(),
              place.address(),
              path(place.chain(), place.child()),
              view.wallet().chains().get(place.chain()).change()));
    }
    return details;
  }

  /**
   * The chain whose addresses are handed out: the first that never ends, else a single address that
   * was not given out yet.
   *
   * @throws NoSuchElementException if the wallet has no addresses of this choice
   */
  int chain(AddressChoice choice) {
    List<StoredWallet.Chain> chains = view.wallet().chains();
    int first = -1;
    int free = -1;
    for (int i = 0; i < chains.size(); i++) {
      if (!fits(i, choice)) {
        continue;
      }
      if (chains.get(i).ranged()) {
        return i;
      }
      first = first < 0 ? i : first;
      free = free < 0 && !isTaken(i) ? i : free;
    }
    if (first < 0 && !choice.equals(AddressChoice.USUAL)) {
      throw new NoSuchElementException(missing(choice));
    }
    return Math.max(0, free < 0 ? first : free);
  }

  private boolean fits(int chain, AddressChoice choice) {
    return view.wallet().chains().get(chain).change() == choice.change()
        && (!choice.type().isPresent() || choice.type().equals(type(chain)));
  }

  private Optional<OutputType> type(int chain) {
    return view.descriptor(chain).scriptType();
  }

  private String missing(AddressChoice choice) {
    Set<String> types = new LinkedHashSet<>();
    for (int i = 0; i < view.wallet().chains().size(); i++) {
      if (view.wallet().chains().get(i).change() == choice.change()) {
        types.add(type(i).map(OutputType::bip).orElse("other scripts"));
      }
    }
    return "the wallet has no "
        + choice.type().map(type -> type.bip() + " ").orElse("")
        + (choice.change() ? "addresses for change" : "addresses")
        + (types.isEmpty() ? "" : "; it has " + String.join(", ", types));
  }

  /** Whether a single address is used, or was handed out. */
  private boolean isTaken(int chain) {
    return view.wallet().chains().get(chain).handedOut() > 0 || usedChildren(chain).get(0);
  }

  private BitSet usedChildren(int chain) {
    return view.scripts().used(chain, view.ledger().usedScripts());
  }

  /** The place of a chain's next address: after all that are used or were handed out. */
  private int nextChild(int chain) {
    StoredWallet.Chain facts = view.wallet().chains().get(chain);
    return facts.ranged() ? Math.max(usedChildren(chain).length(), facts.handedOut()) : 0;
  }

  /** The address to show: the one that is kept for that, else the next one. */
  ReceiveAddress shown(int chain) {
    return labelled(address(chain, kept(chain).orElse(nextChild(chain))));
  }

  /** An address to give out, its chain, and which one is kept from then on, to be shown. */
  record Fresh(int chain, ReceiveAddress address, OptionalInt kept) {}

  /** Never the one that is shown: it may have been given to somebody. */
  Fresh fresh(AddressChoice choice) {
    int shown = chain(choice);
    if (!view.wallet().chains().get(shown).ranged()) {
      return freshSingle(shown, choice);
    }
    int next = nextChild(shown);
    boolean keeps = !kept(shown).isPresent();
    return new Fresh(
        shown,
        labelled(address(shown, keeps ? next + 1 : next)),
        keeps ? OptionalInt.of(next) : kept(shown));
  }

  /**
   * Another single address that is free; if there is none, the one that is shown, with a warning.
   */
  private Fresh freshSingle(int shown, AddressChoice choice) {
    for (int i = shown + 1; i < view.wallet().chains().size(); i++) {
      if (fits(i, choice) && !isTaken(i)) {
        return new Fresh(i, labelled(address(i, 0)), OptionalInt.empty());
      }
    }
    ReceiveAddress last = labelled(address(shown, 0));
    return new Fresh(
        shown, last.withWarning(new WalletWarning.AllAddressesTaken()), OptionalInt.empty());
  }

  /** Empty if none is kept, or if it is not after all used ones any more. */
  private OptionalInt kept(int chain) {
    return kept(view.wallet().chains().get(chain), usedChildren(chain));
  }

  private static OptionalInt kept(StoredWallet.Chain facts, BitSet used) {
    OptionalInt kept = facts.kept();
    return kept.orElse(Integer.MAX_VALUE) < used.length() ? OptionalInt.empty() : kept;
  }

  private ReceiveAddress labelled(ReceiveAddress address) {
    return address.withLabel(view.labels().of(ref(address)).text());
  }

  private static LabelRef ref(ReceiveAddress address) {
    return new LabelRef(LabelType.ADDR, address.address());
  }

  private ReceiveAddress address(int chain, int child) {
    StoredWallet.Chain facts = view.wallet().chains().get(chain);
    BitSet used = usedChildren(chain);
    String address =
        child < view.scripts().derived(chain)
            ? view.scripts().address(chain, child)
            : view.descriptor(chain).derive(child).address();
    return new ReceiveAddress(
        address,
        path(chain, child),
        child,
        used.get(child),
        child < facts.handedOut() && kept(facts, used).orElse(-1) != child,
        "",
        warning(chain, child));
  }

  private Optional<WalletWarning> warning(int chain, int child) {
    if (!view.wallet().chains().get(chain).ranged()) {
      return isTaken(chain) ? Optional.of(new WalletWarning.AllAddressesTaken()) : Optional.empty();
    }
    int unusedBefore = view.unusedBefore(chain, child);
    int gap = view.wallet().gap();
    return unusedBefore >= gap
        ? Optional.of(new WalletWarning.BeyondGap(unusedBefore, gap))
        : Optional.empty();
  }

  List<ReceiveAddress> addresses(AddressChoice choice) {
    List<ReceiveAddress> addresses = new ArrayList<>();
    int chain = chain(choice);
    List<StoredWallet.Chain> chains = view.wallet().chains();
    if (chains.get(chain).ranged()) {
      int last = nextChild(chain) - (kept(chain).isPresent() ? 1 : 0);
      for (int child = 0; child <= last; child++) {
        addresses.add(address(chain, child));
      }
    } else {
      // Single addresses: each is a chain of its own.
      for (int i = 0; i < chains.size(); i++) {
        if (!chains.get(i).ranged() && fits(i, choice)) {
          addresses.add(address(i, 0).withoutWarning());
        }
      }
    }
    LabelMap labels = view.labels().all();
    return addresses.stream()
        .map(address -> address.withLabel(labels.of(ref(address)).text()))
        .collect(Collectors.toList());
  }
}
