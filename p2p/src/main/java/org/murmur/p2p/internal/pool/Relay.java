package org.murmur.p2p.internal.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.PeerReaction;
import org.murmur.p2p.sync.SyncFact;

/** Unconfirmed transactions: those that peers announce, and those the user sends. */
public final class Relay extends Part<PoolPeer> implements Alarm.Timed, ChangeListener {

  /** Maximum announced transactions requested at a time. */
  public static final int MAX_WANTED = 10_000;

  /** Maximum announced transactions that wait for a request: one more full {@code inv}. */
  public static final int MAX_WAITING = 50_000;

  /** Remembered transactions of this session, so that they are not fetched twice. */
  static final int MAX_KNOWN = 50_000;

  /** The same under a preset that fetches all (Core's MAX_PEER_TX_REQUEST_IN_FLIGHT). */
  static final int MAX_HEARD = 100;

  /**
   * Maximum weight of a transaction that nodes relay (BIP-0141 weight units; Core's
   * MAX_STANDARD_TX_WEIGHT). A peer can invent a larger one, with inputs that fill every later
   * filter. A real one will be in a block.
   */
  public static final int MAX_WEIGHT = 400_000;

  private static final String TAKES_NOTHING =
      "takes no transaction while it downloads blocks (feefilter)";

  /** Maximum length of a peer's text that we show: twice Core's own limit. */
  private static final int MAX_WORDS = 222;

  private final WatchedLog log;
  // The guards, if only some peers may get filters.
  private final @Nullable Guards guards;
  // Whether all that is announced is fetched and tested here. That begins when the coins are known.
  private final boolean hearsAll;
  private boolean listening;
  private final Pending pending;
  private final Outgoing outgoing = new Outgoing();
  private final Receipts receipts = new Receipts();
  private final Mentions mentions;
  // A held-back message waits until the guards are chosen.
  private boolean heldBack;
  // The wallet's transactions that it got in this session; all that were heard, if it hears all.
  private final Set<Hash256> known =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Hash256, Boolean> eldest) {
              return size() > MAX_KNOWN;
            }
          });

  public Relay(Part<PoolPeer> machine, WatchedLog log, Pending pending, @Nullable Guards guards) {
    super(machine);
    this.log = log;
    this.pending = pending;
    this.guards = guards;
    this.hearsAll = settings.preset().hearsAll() && !settings.headersOnly();
    this.mentions = new Mentions(this, outgoing);
  }

  /** Whether all that peers announce is fetched, and tested here. */
  public boolean hearsAll() {
    return hearsAll;
  }

  /** The wallet's coins are known: fetches what was announced, from now on at once. */
  void listen() {
    listening = true;
    roster.peers().forEach(this::askWaiting);
  }

  /** Scripts or coins are new: tests what came before them, even if the session is ending. */
  @Override
  public void hear(Change change) {
    if (hearsAll && change instanceof Change.Watched) {
      for (PoolPeer peer : roster.peers()) {
        peer.scan()
            .seen()
            .take(this::namesOurs)
            .forEach(tx -> journal.unconfirmed(tx, effects.now()));
      }
    }
  }

  /** Whether the user sent something in this session. */
  public boolean isSending() {
    return outgoing.isSending();
  }

  /** Whether a peer may still fetch a transaction of the user, or report whether it accepted it. */
  public boolean isHandingOver(PoolPeer peer) {
    return mentions.holdsFor(peer) || receipts.isOpen(peer);
  }

  /** Whether this is true of any peer. */
  boolean isHandingOver() {
    return roster.peers().stream().anyMatch(this::isHandingOver);
  }

  /** Announces held-back transactions; checks whether peers have the ones we announced. */
  public void advance() {
    if (heldBack && !mayChooseGuards()) {
      heldBack = false;
      roster.peers().stream().filter(Peer::isReady).forEach(this::announceTo);
    }
    for (Receipts.Question question : receipts.takeDue(effects.now())) {
      PoolPeer peer = roster.get(question.link());
      if (peer != null && mayLearn(peer)) {
        ask(peer, List.of(question.txid()));
      }
    }
  }

  /**
   * A batch is on disk: sends the messages that it records. A transaction that the wallet refused
   * may have come with witness data of the peer's own invention. So it is fetched from the others
   * that announced it.
   */
  public void committed(Collection<Hash256> refused) {
    outgoing.committed(pending.txids());
    mentions.committed();
    List<Hash256> again = new ArrayList<>(refused);
    again.removeIf(txid -> !known.remove(txid));
    askOthers(again);
  }

  /** Requests transactions from peers that announced them, and were not asked then. */
  private void askOthers(Collection<Hash256> txids) {
    for (PoolPeer peer : roster.peers()) {
      List<InventoryItem> asks = new ArrayList<>();
      for (Hash256 txid : txids) {
        if (peer.isReady() && isWanted(peer, txid) && peer.pool().takeUp(txid)) {
          want(peer, txid, asks);
        }
      }
      send(peer, asks);
    }
  }

  @Override
  public void setAlarm(Alarm alarm) {
    receipts.setAlarm(alarm);
  }

  public void lost(PoolPeer peer) {
    receipts.lost(peer);
    mentions.lost(peer);
    if (hearsAll) {
      List<Hash256> open = new ArrayList<>(peer.pool().wanted());
      open.addAll(peer.pool().waiting);
      askOthers(open);
    }
  }

  public void broadcast(Tx tx, OptionalLong fee) {
    outgoing.send(tx, fee);
    for (PoolPeer peer : roster.peers()) {
      if (peer.isReady()) {
        announce(peer, tx.txid());
      }
    }
  }

  /** Announces the user's outgoing transactions to a new peer. */
  public void announceTo(PoolPeer peer) {
    outgoing.forNewPeers().forEach(txid -> announce(peer, txid));
  }

  /** Announces transactions of earlier sessions to the peers that are not known to have them. */
  void sendAgain(List<Tx> transactions) {
    for (Tx tx : transactions) {
      outgoing.sendAgain(tx);
      for (PoolPeer peer : roster.peers()) {
        if (peer.isReady() && mayLearn(peer) && !peer.pool().isHolding(tx.txid())) {
          mentions.tell(peer, tx.txid(), () -> announceAgain(peer, tx.txid()));
        }
      }
    }
  }

  private void announceAgain(PoolPeer peer, Hash256 txid) {
    if (mayLearn(peer) && outgoing.contains(txid)) {
      offer(peer, txid);
      effects.emit(new PeerReaction(txid, peer.link().address(), PeerReaction.Kind.OFFERED));
      receipts.announcedAgain(peer, txid, effects.now());
    }
  }

  /** Processes announcements; returns whether one of them is a block. */
  public boolean inv(PoolPeer peer, Message.Inv inv) {
    boolean block = false;
    List<InventoryItem> asks = new ArrayList<>();
    for (InventoryItem item : inv.items()) {
      if (item.type() == InventoryItem.BLOCK) {
        block |= !chain.knowsRecent(item.hash());
      } else if (item.type() == InventoryItem.TX) {
        announced(peer, item.hash());
        if (peer.pool().isOfProbe(item.hash())) {
          continue;
        }
        if (isWanted(peer, item.hash())) {
          want(peer, item.hash(), asks);
        } else if (hearsAll || known.contains(item.hash())) {
          peer.pool().leave(item.hash());
        }
      }
    }
    send(peer, asks);
    return block;
  }

  /**
   * A peer that announces the user's transaction has it, even if it is not fetched from that peer.
   * One that learnt of it from us may only repeat our announcement: {@link Receipts} ask it.
   */
  private void announced(PoolPeer peer, Hash256 txid) {
    if (mentions.isFromUs(peer, txid)) {
      return;
    }
    Tx ours = outgoing.find(txid);
    if (ours != null) {
      effects.emit(new PeerReaction(txid, peer.link().address(), PeerReaction.Kind.ANNOUNCED));
      if (!isWanted(peer, txid) && known.add(txid)) {
        journal.unconfirmed(ours, effects.now());
      }
    }
    if (ours != null || pending.txids().contains(txid)) {
      peer.pool().holds(txid);
    }
  }

  /**
   * Whether to fetch an announced transaction. All are fetched once, from the first peer, if it
   * hears all. Otherwise a peer without a filter is asked for nothing: its announcements are not
   * specific to us, and what we leave out would tell it which one we know. Guards' announcements
   * are all fetched: skipping those that the other guard sent would reveal the wallet's.
   */
  private boolean isWanted(PoolPeer peer, Hash256 txid) {
    if (hearsAll) {
      return !known.contains(txid)
          && roster.peers().stream().noneMatch(each -> each.pool().isAwaiting(txid));
    }
    if (peer.filter().load() == null) {
      return false;
    }
    if (guards != null) {
      return guards.isGuard(peer) && !peer.scan().hasSeen(txid);
    }
    return !known.contains(txid);
  }

  private void want(PoolPeer peer, Hash256 txid, List<InventoryItem> asks) {
    if (peer.pool().wanted().size() < mostWanted(peer)) {
      // Once: more answers than requests would look unrequested.
      if (peer.pool().want(txid)) {
        asks.add(ask(peer, txid));
      }
    } else if (peer.pool().waiting.size() < peer.share(MAX_WAITING)) {
      peer.pool().waiting.add(txid);
    } else {
      peer.pool().truncated = true;
      peer.pool().leave(txid);
    }
  }

  private long mostWanted(PoolPeer peer) {
    return hearsAll ? listening ? MAX_HEARD : 0 : peer.share(MAX_WANTED);
  }

  /** Some requested ones have come: sends the requests that had to wait. */
  private void askWaiting(PoolPeer peer) {
    if (peer.pool().waiting.isEmpty() || peer.pool().wanted().size() > mostWanted(peer) / 2) {
      return;
    }
    List<InventoryItem> asks = new ArrayList<>();
    Iterator<Hash256> next = peer.pool().waiting.iterator();
    while (next.hasNext() && peer.pool().wanted().size() < mostWanted(peer)) {
      Hash256 txid = next.next();
      next.remove();
      if (isWanted(peer, txid) && peer.pool().want(txid)) {
        asks.add(ask(peer, txid));
      }
    }
    send(peer, asks);
  }

  /**
   * Requests transactions by txid, announced or not. A request by name reveals that they are the
   * wallet's, so its record goes to disk first. They count as wanted from now on.
   */
  void ask(PoolPeer peer, Collection<Hash256> txids) {
    List<Hash256> asks = new ArrayList<>();
    for (Hash256 txid : txids) {
      if (peer.pool().name(txid)) {
        asks.add(txid);
      }
    }
    if (!asks.isEmpty()) {
      mentions.ask(peer, asks, () -> askNow(peer, asks));
    }
  }

  private void askNow(PoolPeer peer, List<Hash256> txids) {
    List<InventoryItem> asks = new ArrayList<>();
    for (Hash256 txid : txids) {
      // It may have come meanwhile.
      if (peer.pool().isUnasked(txid)) {
        asks.add(ask(peer, txid));
      }
    }
    send(peer, asks);
  }

  /** With witness data, where the peer has it: a spend of the wallet's coins is checked with it. */
  private static InventoryItem ask(PoolPeer peer, Hash256 txid) {
    Message.Version version = peer.version();
    boolean witness = version != null && Services.has(version.services(), Services.WITNESS);
    return new InventoryItem(witness ? InventoryItem.WITNESS_TX : InventoryItem.TX, txid);
  }

  private void send(PoolPeer peer, List<InventoryItem> asks) {
    if (!asks.isEmpty()) {
      Message request = new Message.GetData(asks);
      Question question = effects.ask(peer, Question.Kind.TRANSACTIONS, asks.size(), request);
      asks.forEach(asked -> peer.pool().asked(asked.hash(), question));
    }
  }

  /** Processes a transaction outside a block; returns why the peer sends it. */
  public PoolLink.Cause transaction(PoolPeer peer, Tx tx) {
    PoolLink.Cause cause = peer.pool().answered(tx.txid(), effects.now());
    boolean asked = cause != PoolLink.Cause.PUSHED;
    boolean ours = namesOurs(tx);
    if (hearsAll && asked) {
      forgetReplacedBy(tx);
    }
    if (!hearsAll) {
      peer.scan().see(tx.withoutWitness());
    } else if (!ours) {
      peer.scan().see(tx);
    }
    if (isOurs(tx) || pending.txids().contains(tx.txid())) {
      peer.pool().holds(tx.txid());
    }
    if (asked && isOurs(tx) && receipts.accepted(peer, tx.txid())) {
      effects.emit(new PeerReaction(tx.txid(), peer.link().address(), PeerReaction.Kind.ACCEPTED));
    }
    if (asked && journal.isFull()) {
      // The disk is slower than the peer: drop some rather than fill the memory.
      peer.pool().truncated = true;
    } else if (asked && isBelieved(tx) && (guards != null || !known.contains(tx.txid()))) {
      // A guard's are all written: a write takes time, which must not tell which one is ours.
      if (ours || hearsAll) {
        known.add(tx.txid());
      }
      if (ours || !hearsAll) {
        journal.unconfirmed(tx, effects.now());
      }
    }
    askWaiting(peer);
    return cause;
  }

  /** A peer announces no transaction that contradicts its memory pool: it replaced the earlier. */
  private void forgetReplacedBy(Tx tx) {
    Set<OutPoint> spent = new HashSet<>();
    tx.inputs().forEach(input -> spent.add(input.outPoint()));
    for (PoolPeer peer : roster.peers()) {
      peer.scan()
          .seen()
          .take(other -> other.inputs().stream().anyMatch(in -> spent.contains(in.outPoint())));
    }
  }

  /** Whether nodes would relay it, as far as is known without its inputs. */
  private boolean isBelieved(Tx tx) {
    return isOurs(tx) || tx.weight() <= MAX_WEIGHT;
  }

  /**
   * Whether it is known to be the wallet's by now. It may prove so later, if it spends a coin that
   * is not found yet. So it is fetched again from every other peer that announces it.
   */
  private boolean namesOurs(Tx tx) {
    boolean[] ours = {false};
    TxElements.forEach(tx, element -> ours[0] |= log.contains(element));
    return ours[0];
  }

  /** Returns the requested transactions that the peer does not have. */
  public List<Hash256> notFound(PoolPeer peer, Message.NotFound notFound) {
    List<Hash256> asked = new ArrayList<>();
    for (InventoryItem item : notFound.items()) {
      if (!peer.pool().isUnasked(item.hash())
          && peer.pool().answered(item.hash(), effects.now()) != PoolLink.Cause.PUSHED) {
        asked.add(item.hash());
      }
    }
    if (hearsAll) {
      askOthers(asked);
    } else if (!asked.isEmpty()) {
      isGone();
    }
    askWaiting(peer);
    return asked;
  }

  /**
   * The peers no longer have a transaction. Later announcements of it count as new, and so do all
   * others: it may have replaced them.
   */
  void isGone() {
    known.clear();
  }

  /** Whether the user sends it: then it is relevant whatever the filter matches. */
  public boolean isOurs(Tx tx) {
    return outgoing.contains(tx.txid());
  }

  /**
   * Serves a requested transaction if the user sends it, with witness data for either kind of
   * request. Our version message lacks NODE_WITNESS, so a node requests plain MSG_TX; without the
   * witness it would silently refuse the payment.
   *
   * <p>Only what was announced on the same link is served, and its parents, as Core does: a peer
   * that suspects a transaction to be ours gets the same answer as for any unknown one.
   */
  public void getData(PoolPeer peer, Message.GetData getData) {
    List<InventoryItem> missing = new ArrayList<>();
    for (InventoryItem item : getData.items()) {
      boolean offered = mayLearn(peer) && peer.pool().wasOffered(item.hash());
      Tx tx = offered ? sentByUser(item.hash()) : null;
      if (tx == null) {
        missing.add(item);
      } else {
        mentions.tell(peer, tx.txid(), () -> handOver(peer, tx));
      }
    }
    if (!missing.isEmpty()) {
      effects.send(peer, new Message.NotFound(missing));
    }
  }

  private void handOver(PoolPeer peer, Tx tx) {
    // The user may have abandoned it while the message waited for its record.
    if (!mayLearn(peer) || sentByUser(tx.txid()) == null) {
      return;
    }
    effects.send(peer, new Message.TxMessage(tx));
    // A node may omit from a block's matches a transaction that it knows we have.
    peer.scan().see(tx);
    effects.emit(new PeerReaction(tx.txid(), peer.link().address(), PeerReaction.Kind.FETCHED));
    receipts.fetched(peer, tx.txid(), effects.now());
  }

  /** A rejection of a transaction that the user sends, or of another message of ours. */
  public void reject(PoolPeer peer, Message.Reject reject) {
    String text = "rejects our " + printable(reject.message()) + ": " + printable(reject.reason());
    peer.objects(text);
    if (reject.data().length() == Hash256.LENGTH) {
      Bytes data = reject.data();
      Hash256 txid = Hash256.read(data.unsafeArray(), 0);
      if (outgoing.contains(txid)) {
        effects.emit(
            new PeerReaction(
                txid,
                peer.link().address(),
                PeerReaction.Kind.REFUSED,
                printable(reject.reason())));
        return;
      }
    }
    effects.note(SyncEvent.Note.Topic.REJECT, peer, text);
  }

  /** A peer's text in printable form: limited in length, without control characters. */
  private static String printable(String words) {
    String line = words.replaceAll("[^\\x20-\\x7e]", "?");
    return line.length() <= MAX_WORDS ? line : line.substring(0, MAX_WORDS) + "...";
  }

  /** A peer's fee filter: it neither accepts nor relays transactions that pay less. */
  public void feeFilter(PoolPeer peer, Message.FeeFilter filter) {
    boolean news = peer.pool().feeFilter != filter.feeRate();
    peer.pool().feeFilter = filter.feeRate();
    if (news) {
      effects.emit(new SyncFact.LeastFeeRate(peer.link().address(), filter.feeRate()));
      effects.note(
          SyncEvent.Note.Topic.FEE,
          peer,
          filter.wantsNothing()
              ? TAKES_NOTHING
              : "relays nothing below " + rate((double) filter.feeRate()));
      for (Hash256 txid : outgoing.txids()) {
        if (isTooCheap(peer, txid)) {
          tellTooCheap(peer, txid);
        }
      }
    }
  }

  /** Rates are in satoshi for 1,000 virtual bytes; users know them for one. */
  private static String rate(double perThousand) {
    return String.format(Locale.ROOT, "%.2f sat/vB", perThousand / 1000);
  }

  private boolean isTooCheap(PoolPeer peer, Hash256 txid) {
    OptionalDouble paid = outgoing.feeRate(txid);
    return paid.isPresent() && paid.getAsDouble() < (double) peer.pool().feeFilter;
  }

  private void tellTooCheap(PoolPeer peer, Hash256 txid) {
    OptionalDouble paid = outgoing.feeRate(txid);
    if (paid.isPresent()) {
      effects.emit(
          new PeerReaction(
              txid,
              peer.link().address(),
              PeerReaction.Kind.REFUSED,
              new Message.FeeFilter(peer.pool().feeFilter).wantsNothing()
                  ? "it " + TAKES_NOTHING
                  : "it relays nothing below "
                      + rate((double) peer.pool().feeFilter)
                      + " (feefilter), and this pays "
                      + rate(paid.getAsDouble())));
    }
  }

  private void announce(PoolPeer peer, Hash256 txid) {
    if (!mayLearn(peer)) {
      heldBack |= mayChooseGuards();
      return;
    }
    if (isTooCheap(peer, txid)) {
      tellTooCheap(peer, txid);
      return;
    }
    mentions.tell(peer, txid, () -> announceNow(peer, txid));
  }

  private void announceNow(PoolPeer peer, Hash256 txid) {
    if (mayLearn(peer) && outgoing.contains(txid) && !isTooCheap(peer, txid)) {
      offer(peer, txid);
      receipts.announced(peer, txid, effects.now());
    }
  }

  private void offer(PoolPeer peer, Hash256 txid) {
    peer.pool().offers(txid);
    offerParents(peer, Objects.requireNonNull(outgoing.find(txid)));
    effects.send(peer, new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, txid))));
  }

  /**
   * A node that lacks the parent of an announced transaction requests it by txid, and judges the
   * fees of both together (Core since 28.0). So a parent that pays less than its fee filter is
   * served there, although it was not announced.
   */
  private void offerParents(PoolPeer peer, Tx child) {
    for (Tx.Input input : child.inputs()) {
      Hash256 parent = input.outPoint().txid();
      if (sentByUser(parent) != null) {
        peer.pool().offers(parent);
      }
    }
  }

  /** A transaction that the user sends, or sent in an earlier session; null if it is none. */
  private @Nullable Tx sentByUser(Hash256 txid) {
    Input.Pending earlier = pending.waiting().get(txid);
    return earlier != null && earlier.sent() ? earlier.tx() : outgoing.find(txid);
  }

  /**
   * Whether a peer may learn that a transaction is ours. A peer that holds or held a filter of this
   * wallet gets no announcement, no transaction and no request by name. While a role has no guard
   * with a filter, any peer may still be chosen.
   */
  private boolean mayLearn(PoolPeer peer) {
    return !knowsAFilter(peer) && !mayChooseGuards();
  }

  /** Whether a peer ever got a filter, even if it was dismissed later: it knows what is ours. */
  private boolean knowsAFilter(PoolPeer peer) {
    return guards != null && guards.knows(peer);
  }

  /** Whether any peer may still become a guard in this session. */
  private boolean mayChooseGuards() {
    return guards != null && !settings.headersOnly() && !guards.areSettled();
  }
}
