package org.murmur.wallet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.books.ScriptBook;
import org.murmur.wallet.books.WalletView;
import org.murmur.wallet.keys.Descriptor;
import org.murmur.wallet.label.Label;
import org.murmur.wallet.label.LabelRef;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Effect;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.OwnScripts;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.ledger.Unspent;
import org.murmur.wallet.store.StoredWallet;
import org.murmur.wallet.sync.PaymentState;
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

  List<Coin> coins() {
    List<Coin> coins = new ArrayList<>();
    Map<LabelRef, Label> labels = view.labels().all();
    for (Unspent unspent : view.ledger().unspent(view.height())) {
      ScriptBook.Place place = view.scripts().place(unspent.script());
      LabelRef ref = LabelRef.of(unspent.outPoint());
      Label label = labels.getOrDefault(ref, Label.about(ref));
      coins.add(
          new Coin(
              unspent.outPoint(),
              unspent.value(),
              unspent.height() < 0 ? OptionalInt.empty() : OptionalInt.of(unspent.height()),
              place.address(),
              path(place.chain(), place.child()),
              unspent.coinbase(),
              unspent.immature(),
              label.frozen(),
              label.text()));
    }
    return coins;
  }

  private String path(int chain, int child) {
    return view.derivation()
        .descriptor(view.wallet().chains().get(chain).descriptor())
        .pathOf(child);
  }

  /** The key of an own script with one key. */
  Optional<Descriptor.PublicKey> ownKey(Bytes scriptPubKey) {
    int number = view.scripts().find(scriptPubKey);
    if (number == OwnScripts.FOREIGN) {
      return Optional.empty();
    }
    ScriptBook.Place place = view.scripts().place(number);
    return view.derivation()
        .descriptor(view.wallet().chains().get(place.chain()).descriptor())
        .key(place.child());
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
    TxStatus status = view.ledger().status(txid);
    Optional<Replacement> replacement = Optional.ofNullable(view.ledger().replacement(txid));
    return Optional.of(
        new TransactionDetail(
            fact.tx(),
            status,
            fact.isHeard(),
            Instant.ofEpochSecond(fact.firstSeen()),
            Optional.ofNullable(fact.confirmation()),
            proof,
            effect.net(),
            parts(effect.received()),
            parts(effect.spent()),
            replacement,
            PaymentState.of(fact, effect, status, replacement)));
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
              path(place.chain(), place.child())));
    }
    return details;
  }

  /**
   * The chain whose addresses are handed out: the first that is not for change and never ends, else
   * a single address that was not given out yet.
   */
  int receiveChain() {
    List<StoredWallet.Chain> chains = view.wallet().chains();
    int first = -1;
    int free = -1;
    for (int i = 0; i < chains.size(); i++) {
      if (chains.get(i).change()) {
        continue;
      }
      if (chains.get(i).ranged()) {
        return i;
      }
      first = first < 0 ? i : first;
      free = free < 0 && !isTaken(i) ? i : free;
    }
    return Math.max(0, free < 0 ? first : free);
  }

  /** Whether a single address is used, or was handed out. */
  private boolean isTaken(int chain) {
    return view.wallet().chains().get(chain).handedOut() > 0 || usedChildren(chain).get(0);
  }

  private BitSet usedChildren(int chain) {
    return view.scripts().used(chain, view.ledger().usedScripts());
  }

  /** The place of the next receive address: after all that are used or were handed out. */
  int nextChild() {
    int chain = receiveChain();
    StoredWallet.Chain facts = view.wallet().chains().get(chain);
    return facts.ranged() ? Math.max(usedChildren(chain).length(), facts.handedOut()) : 0;
  }

  ReceiveAddress receive(int child) {
    int chain = receiveChain();
    StoredWallet.Chain facts = view.wallet().chains().get(chain);
    BitSet used = usedChildren(chain);
    String address =
        child < view.scripts().derived(chain)
            ? view.scripts().address(chain, child)
            : view.derivation().descriptor(facts.descriptor()).derive(child).address();
    return new ReceiveAddress(
        address,
        path(chain, child),
        child,
        used.get(child),
        child < facts.handedOut(),
        warning(chain, child, used));
  }

  private Optional<WalletWarning> warning(int chain, int child, BitSet used) {
    if (!view.wallet().chains().get(chain).ranged()) {
      return isTaken(chain) ? Optional.of(new WalletWarning.AllAddressesTaken()) : Optional.empty();
    }
    int unusedBefore = child - used.length();
    int gap = view.wallet().gap();
    return unusedBefore >= gap
        ? Optional.of(new WalletWarning.BeyondGap(unusedBefore, gap))
        : Optional.empty();
  }

  List<ReceiveAddress> receiveAll() {
    List<ReceiveAddress> addresses = new ArrayList<>();
    int chain = receiveChain();
    if (view.wallet().chains().get(chain).ranged()) {
      int last = nextChild();
      for (int child = 0; child <= last; child++) {
        addresses.add(receive(child));
      }
      return addresses;
    }
    // Single addresses: each is a chain of its own.
    List<StoredWallet.Chain> chains = view.wallet().chains();
    for (int i = 0; i < chains.size(); i++) {
      if (!chains.get(i).ranged()) {
        addresses.add(
            new ReceiveAddress(
                view.scripts().address(i, 0),
                path(i, 0),
                0,
                usedChildren(i).get(0),
                chains.get(i).handedOut() > 0,
                Optional.empty()));
      }
    }
    return addresses;
  }
}
