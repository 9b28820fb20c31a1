package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;

/**
 * A link and the peer at its other end. Later rooms extend it by what they know of a peer, so each
 * room sees its own and that of earlier ones. All of it ends with the link.
 */
public class Peer {

  private final Link link;
  private final long nonce;
  private final Patience patience;
  private final Questions questions;
  private final Conduct conduct;
  private final Pace pace = new Pace();
  private Message.@Nullable Version version;
  private Instant since;
  private @Nullable NodeAddress at;
  private boolean encrypted;
  private Instant lastHeard;
  private @Nullable Instant doubtedSince;
  private boolean forHeaders;
  private String objection = "";
  private long latencyMillis = -1;
  private boolean mempoolAtOnce;

  // This peer's share of a bound, among the others.
  private LongUnaryOperator share = most -> most;

  public Peer(Link link, long nonce, Instant now) {
    this.link = link;
    this.nonce = nonce;
    this.since = now;
    this.conduct = new Conduct(now);
    this.patience = new Patience(now);
    this.questions = new Questions(patience);
    questions.open(Question.Kind.CONNECTION, 1, null, Question.Owner.NOBODY, now);
    this.lastHeard = now;
  }

  public final Link link() {
    return link;
  }

  /** It is one of several, which share bounds. */
  final void shares(LongUnaryOperator bound) {
    share = bound;
  }

  /**
   * How much may be kept of what it sends: less than the limit for one peer if there are many, so
   * that there is a limit for all of them together.
   */
  public final long share(long most) {
    return share.applyAsLong(most);
  }

  /** The nonce of our version message, to recognise a connection to ourselves. */
  public final long nonce() {
    return nonce;
  }

  /** Its version message; null before that comes. */
  public final Message.@Nullable Version version() {
    return version;
  }

  /** Its version message has come: the version handshake is over. */
  public final void greeted(Message.Version message) {
    version = message;
    questions.drop(Question.Kind.CONNECTION);
    questions.drop(Question.Kind.HANDSHAKE);
  }

  /** When the connection was started or established. */
  public final Instant since() {
    return since;
  }

  /** The connection is established: the peer owes its version message. */
  public final void connected(Instant now) {
    since = now;
    questions.drop(Question.Kind.CONNECTION);
    questions.drop(Question.Kind.HANDSHAKE);
    questions.open(Question.Kind.HANDSHAKE, 1, null, Question.Owner.NOBODY, now);
  }

  /**
   * The address that the connection leads to, when there is one; the peer's address may be a name.
   */
  public final @Nullable NodeAddress at() {
    return at;
  }

  /** The connection leads there. */
  public final void leadsTo(NodeAddress address) {
    at = address;
  }

  /** The connection is encrypted, or not. */
  public final void encrypts(boolean does) {
    encrypted = does;
  }

  public final boolean isEncrypted() {
    return encrypted;
  }

  public final Patience patience() {
    return patience;
  }

  /** The requests it has not answered. */
  public final Questions questions() {
    return questions;
  }

  public final Conduct conduct() {
    return conduct;
  }

  public final Pace pace() {
    return pace;
  }

  /** When its last bytes came. */
  public final Instant lastHeard() {
    return lastHeard;
  }

  /** Bytes came. */
  public final void heard(Instant now) {
    lastHeard = now;
  }

  /** Since when it owes a sign of life, because this computer slept; null if it owes none. */
  public final @Nullable Instant doubtedSince() {
    return doubtedSince;
  }

  /** It has to prove that it is still there. */
  public final void doubt(Instant now) {
    doubtedSince = now;
  }

  /** It proved that it is there. */
  public final void trust() {
    doubtedSince = null;
  }

  /** Whether it is used for its headers only, and gets no filter. */
  public final boolean forHeaders() {
    return forHeaders;
  }

  public final void useForHeaders(boolean only) {
    forHeaders = only;
  }

  /** The rejection it sent us; empty if none. */
  public final String objection() {
    return objection;
  }

  /** It sent a rejection. */
  public final void objects(String words) {
    objection = words;
  }

  /** The shortest round trip in milliseconds; -1 before any was measured. */
  public final long latencyMillis() {
    return latencyMillis;
  }

  /** A ping was answered after this time; the shortest counts. */
  public final void measured(Duration roundTrip) {
    long millis = roundTrip.toMillis();
    latencyMillis = latencyMillis < 0 ? millis : Math.min(latencyMillis, millis);
  }

  /** Whether it answers {@code mempool} before the next pong. */
  public final boolean mempoolAtOnce() {
    return mempoolAtOnce;
  }

  /** It answers {@code mempool} at once, or not, as observed now or stored earlier. */
  public final void answersMempoolAtOnce(boolean atOnce) {
    mempoolAtOnce = atOnce;
  }

  public final boolean isReady() {
    return version != null;
  }

  /** Its services say that it keeps the last blocks only (BIP-0159). */
  public final boolean isPruned() {
    return version != null && !Services.has(version.services(), Services.NETWORK);
  }
}
