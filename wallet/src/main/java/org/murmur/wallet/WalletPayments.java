package org.murmur.wallet;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Amount;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.pay.CatchUp;
import org.murmur.wallet.pay.DisplacedPayment;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Planning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.BroadcastReport.Unsent;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Payments of a wallet: planned, looked at, signed, sent. Thread safe, also while a session runs:
 * it sends them over its connections. All methods throw {@link WalletException} if the file cannot
 * be read.
 *
 * <pre>{@code
 * Proposal proposal = wallet.payments().plan(address, Amount.sat(1_000), FeeRate.satPerVb(2));
 * BroadcastReport report = wallet.payments().pay(proposal, options);
 * }</pre>
 */
public final class WalletPayments {

  /** The most blocks to estimate a fee rate from: a day. */
  public static final int MAX_FEE_BLOCKS = 144;

  private final BooksAccess access;
  private final Sessions sessions;
  private final boolean even;

  WalletPayments(BooksAccess access, Sessions sessions, boolean even) {
    this.access = access;
    this.sessions = sessions;
    this.even = even;
  }

  /**
   * Allows to plan even if the wallet is not {@linkplain ChainState#complete complete}: a coin that
   * it lists may have been spent long ago.
   *
   * @return the same payments, whose plans are not refused for that
   */
  public WalletPayments evenIfIncomplete() {
    return new WalletPayments(access, sessions, true);
  }

  /**
   * Plans a payment. Writes nothing and reserves nothing. If the plan names an {@linkplain
   * Proposal#earlier earlier payment} that pays the same, it is not signed. A wallet that is not
   * {@linkplain ChainState#complete complete} pays only {@linkplain #evenIfIncomplete if that is
   * allowed}.
   *
   * @param order what is to be paid
   * @return the plan, to be looked at and signed
   * @throws PaymentRefusedException if it cannot be made
   */
  public Proposal plan(PaymentOrder order) {
    return planned(planning -> planning.plan(order, even, access.draws()));
  }

  /**
   * Plans a payment to an address, with the usual limits of fees. It can be replaced (BIP-0125).
   *
   * @param address of the wallet's network
   * @param amount what the payee gets
   * @param rate the fee rate
   * @return the payment, to look at, and to sign or not
   * @throws AddressException if the address is of another network
   * @throws IllegalArgumentException if the rate is 0
   * @throws PaymentRefusedException if it cannot be made
   */
  public Proposal plan(Address address, Amount amount, FeeRate rate) {
    return plan(PaymentOrder.of(List.of(Recipient.of(address, amount)), rate));
  }

  /**
   * Plans to raise the fee of a pending transaction. A payment of the wallet is replaced
   * (BIP-0125). An output of a payment to the wallet is spent, with a fee for both.
   *
   * @param txid which
   * @param fees the new fee rate, of both transactions together in the second case, and its limits
   * @return the plan
   * @throws PaymentRefusedException if it cannot be made
   */
  public Proposal planBump(Hash256 txid, FeePolicy fees) {
    return planned(planning -> planning.bump(txid, fees, even, access.draws()));
  }

  /**
   * Plans to take a pending payment back: a replacement (BIP-0125) returns its coins to the wallet.
   *
   * @param txid which
   * @param fees the fee rate and its limits
   * @return the plan
   * @throws PaymentRefusedException if it cannot be made
   */
  public Proposal planCancel(Hash256 txid, FeePolicy fees) {
    return planned(planning -> planning.cancel(txid, fees, even, access.draws()));
  }

  /** Plans with the books as of the last commit. */
  private Proposal planned(Function<Planning, Proposal> plan) {
    return access.read(view -> plan.apply(access.planning(view)));
  }

  /**
   * Signs a payment and writes it to the file. From then on its coins are reserved, its change
   * address is used, and it is in the history. No session announces it before {@link #broadcast},
   * which is the order to send it; {@link #signToSend} writes both at once. {@link #abandon} frees
   * the coins as long as no peer has it.
   *
   * @param proposal made by this wallet
   * @param credentials what opens the words
   * @param listener hears what changed
   * @return the signed transaction
   * @throws PaymentRefusedException if a coin was spent, the change address used or another payment
   *     made since it was planned, or if an earlier payment pays the same; nothing was written
   * @throws WalletException of kind NO_SECRET if the wallet only watches, of kind WRONG_PASSWORD or
   *     WRONG_PASSPHRASE; of kind LOCKED while another process writes, of kind WRONG_THREAD in a
   *     listener; else if the file cannot be written
   */
  public Tx sign(Proposal proposal, Credentials credentials, SyncListener listener) {
    return sign(proposal, credentials, false, listener);
  }

  /**
   * Signs a payment and writes it to the file together with the order to send it, in one commit:
   * each later session announces it, whether {@link #broadcast} follows or not. Else as {@link
   * #sign}.
   *
   * @param proposal made by this wallet
   * @param credentials what opens the words
   * @param listener hears what changed
   * @return the signed transaction
   * @throws PaymentRefusedException as signing does; nothing was written
   * @throws WalletException as signing does; nothing was written
   */
  public Tx signToSend(Proposal proposal, Credentials credentials, SyncListener listener) {
    return sign(proposal, credentials, true, listener);
  }

  private Tx sign(
      Proposal proposal, Credentials credentials, boolean ordered, SyncListener listener) {
    try (WordKeys keys = new WalletKeys(access).open(credentials)) {
      return sessions.sign(
          () ->
              access.read(
                  view -> {
                    Planning planning = access.planning(view);
                    planning.check(proposal);
                    return planning.sign(proposal, keys);
                  }),
          ordered,
          listener);
    }
  }

  /**
   * Checks that options leave a peer to {@link #broadcast} to, without contacting any. Worth doing
   * before {@link #sign}.
   *
   * @param options with whom
   * @throws WalletException of kind KNOWS_FILTER if all named peers have a filter that they must
   *     not have for this; else if the file cannot be read
   */
  public void requireRecipients(SyncOptions options) {
    sessions.requireStrangers(options);
  }

  /**
   * Signs a payment, writes it to the file with the order to send it, and broadcasts it. After a
   * WalletException or a PaymentRefusedException nothing was written. Otherwise the payment is
   * made: if it could not be broadcast, as {@link BroadcastReport#unsent} says, each later sync
   * does it. So do not pay again. An exception of a listener comes through, and says nothing about
   * the payment: if it is in the history, it is sent.
   *
   * @param proposal made by this wallet
   * @param credentials what opens the words
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who fetched it, and who has it
   * @throws PaymentRefusedException as {@link #sign} does
   * @throws WalletException of kind KNOWS_FILTER as {@link #broadcast} does; else as signing does
   */
  public BroadcastReport pay(
      Proposal proposal, Credentials credentials, SyncOptions options, SyncListener listener) {
    requireRecipients(options);
    Tx payment = signToSend(proposal, credentials, listener);
    try {
      return broadcast(payment, options, listener);
    } catch (NoUsablePeerException | WalletException e) {
      return BroadcastReport.withoutPeers(payment.txid(), Optional.empty())
          .unsent(new Unsent(String.valueOf(e.getMessage()), Optional.of(e)));
    }
  }

  /**
   * Pays with a wallet that has neither a password nor a passphrase; else as {@link #pay(Proposal,
   * Credentials, SyncOptions, SyncListener)}.
   *
   * @param proposal made by this wallet
   * @param options with whom, and how long to wait
   * @return who fetched it, and who has it
   * @throws PaymentRefusedException if it cannot be made; nothing was written
   * @throws WalletException if the file cannot be written, or has a password; nothing was written
   */
  public BroadcastReport pay(Proposal proposal, SyncOptions options) {
    return pay(proposal, Credentials.NONE, options, SyncListener.NONE);
  }

  /**
   * Sends a signed transaction to peers and waits for their replies. One that spends the wallet's
   * coins and was fetched stands in the history from then on, and so does what pays the wallet and
   * was accepted. A peer that does not fetch it is asked whether it has it already. Nobody is
   * called for a transaction that the wallet has in a block.
   *
   * <p>While another thread syncs, its session sends the transaction, over the connections that it
   * has: of the options, only the time to wait counts then. Peers that come later get it too.
   *
   * @param tx signed
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who fetched it, who has it, and who could not be asked; or the block that holds it
   * @throws WalletException if the wallet cannot be written; of kind BAD_TRANSACTION if no block
   *     can hold the transaction ({@link Tx#flaw()}), or a signature on a coin of this wallet is
   *     wrong
   * @throws PaymentRefusedException if {@link #earlier} finds another payment; nothing was sent
   * @throws NoUsablePeerException if no peer could be reached
   */
  public BroadcastReport broadcast(Tx tx, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    return broadcast(tx, false, options, listener);
  }

  /**
   * Sends a signed transaction to peers, as {@link #broadcast} does, even if {@link #earlier} finds
   * a payment that pays the same.
   *
   * @param tx signed
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who fetched it, who has it, and who could not be asked; or the block that holds it
   * @throws WalletException as {@link #broadcast} does
   * @throws NoUsablePeerException if no peer could be reached
   */
  public BroadcastReport broadcastAgain(Tx tx, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    return broadcast(tx, true, options, listener);
  }

  private BroadcastReport broadcast(
      Tx tx, boolean again, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    Optional<Tx.Flaw> flaw = tx.flaw();
    if (flaw.isPresent()) {
      throw new WalletException(
          WalletException.Kind.BAD_TRANSACTION,
          "transaction " + tx.txid() + " " + flaw.get().words() + ": no block can hold it");
    }
    if (access.read(view -> !isInBlock(view, tx) && view.ledger().isWrong(tx))) {
      throw new WalletException(
          WalletException.Kind.BAD_TRANSACTION,
          "transaction "
              + tx.txid()
              + ": the signature on a coin of this wallet is missing or wrong, so no node takes it."
              + " Nothing was sent; ask for the signed transaction again");
    }
    give(tx, again);
    return sessions.broadcast(tx, options, listener);
  }

  private static boolean isInBlock(WalletView view, Tx tx) {
    Fact fact = view.ledger().fact(tx.txid());
    return fact != null && fact.confirmation() != null;
  }

  private void give(Tx tx, boolean again) {
    if (!access.read(view -> isNewPayment(view, tx))) {
      return;
    }
    Tx unused =
        sessions.give(
            () -> again ? tx : access.read(view -> access.planning(view).requireOnce(tx)),
            Optional::of);
  }

  /** The user agreed to payments that wait already. Others' payments are theirs. */
  private static boolean isNewPayment(WalletView view, Tx tx) {
    return view.ledger().spendsOwn(tx) && !new Listings(view).counts(tx.txid());
  }

  /**
   * Finds a payment of the wallet that pays the same as a transaction, if both could be mined: one
   * that waits or is in one of the last blocks, one that no longer counts, or one that the wallet
   * gave out, as a PSBT or to be sent.
   *
   * @param tx signed or not
   * @return empty if there is none, if it waits or is in a block itself, or spends nothing of the
   *     wallet
   */
  public Optional<EarlierPayment> earlier(Tx tx) {
    return access.read(
        view -> isNewPayment(view, tx) ? access.planning(view).earlier(tx) : Optional.empty());
  }

  /**
   * Finds the pending payments of the wallet that spend a coin of a transaction.
   *
   * @param tx signed or not
   * @return each once, in the order of its inputs
   */
  public List<DisplacedPayment> displaced(Tx tx) {
    return access.list(listings -> listings.displaced(tx));
  }

  /**
   * Forgets a payment that no peer is known to have: it does not count any more, and its coins are
   * free at once. If a node did accept it in silence, it counts again as soon as a peer announces
   * it or a block holds it.
   *
   * @param txid of a transaction in the books
   * @return what changed, as a session's listener would hear it; nothing if it was abandoned before
   * @throws WalletException of kind NOT_FOUND if the wallet has no such transaction; of kind
   *     TOO_LATE if a block holds it, another replaced it, or a peer announced it or what builds on
   *     it; of kind LOCKED while another process writes, WRONG_THREAD in a listener; else if the
   *     wallet cannot be written
   */
  public List<WalletEvent.Payment> abandon(Hash256 txid) {
    return sessions.abandon(txid);
  }

  /**
   * Brings the wallet to the tip before a payment is planned: a coin may be spent in a block that
   * it has not scanned, or by a pending payment of another copy of this file. If each named peer
   * has got a filter with everything of this wallet, under the fast preset, it syncs, and waits for
   * the peers' pending transactions as long as {@code Limits.mempoolWait} says; not if they all
   * came within the last minute. Else it only asks how high the chain is, and sends no filter.
   *
   * <p>While a sync of this wallet runs, it sends nothing, and waits until that sync has seen all
   * blocks, and its peers' pending transactions, or has waited for them as long. It does so also
   * after the sync was {@linkplain WalletEvent.Complete complete}, which comes before them, and
   * after its peers were away. A sync that asks for none ({@code Limits.mempoolWait} is zero) makes
   * way.
   *
   * @param options with whom; under the private preset with peers that never had a filter
   * @param listener hears what happens
   * @return the peers' terms for payments; empty if none of them said how high the chain is before
   *     the options' time limit, or all of them lack blocks that this wallet has, or a running sync
   *     has not got that far. {@link SpvWallet#chain} says whether blocks are left unscanned
   * @throws WalletException if the wallet cannot be written, or all named peers have a filter that
   *     they must not have for this
   * @throws NoUsablePeerException if no peer could be reached
   */
  public Optional<CatchUp> catchUp(SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    return sessions.catchUp(options, listener);
  }

  /**
   * Estimates the fee rate that gets a payment into one of the next blocks, from what the last
   * blocks paid and from what peers say that they relay. It syncs headers and downloads these
   * blocks whole; nothing that it requests depends on the wallet. A peer may hide the newest
   * blocks, so limit the fee of the payment. Waits for other sessions; a sync that follows makes
   * way, and goes on afterwards.
   *
   * @param blocks how many of the last blocks; each costs up to 4 MB, on the main network about 1.6
   *     MB; fewer are read if the options' {@code Limits.bytes} allows no more
   * @param options with whom; under the private preset with peers that never had a filter
   * @param listener hears what happens
   * @return the estimate; empty if no peer sent a block, or their chain ends long ago
   * @throws WalletException if the wallet cannot be written, or all named peers have a filter that
   *     they must not have for this
   * @throws NoUsablePeerException if no peer could be reached
   * @throws IllegalArgumentException if the number of blocks is less than 1 or more than 144
   */
  public Optional<FeeEstimate> estimateFee(int blocks, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    if (blocks < 1 || blocks > MAX_FEE_BLOCKS) {
      throw new IllegalArgumentException(
          blocks + " blocks, expected 1 to " + MAX_FEE_BLOCKS + " to read fees from");
    }
    return sessions.fees(blocks, options, listener);
  }
}
