package org.murmur.p2p.peers;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/**
 * A link and who is at its other end. What a part of the machine remembers of the peer besides, it
 * keeps for itself: see {@code PerPeer}.
 */
public final class Peer {

  private final Link link;
  private final long nonce;
  private final Patience patience;
  private final Conduct conduct;
  private Message.@Nullable Version version;
  private Instant since;
  private @Nullable PeerAddress at;
  private Instant lastHeard;
  private @Nullable Instant doubtedSince;
  private boolean forHeaders;
  private String objection = "";
  private final Map<Long, Instant> pings = new LinkedHashMap<>();
  private long latencyMillis = -1;
  private boolean mempoolAtOnce;

  private final Map<Object, Object> kept = new HashMap<>();
  private final Map<Owing, IntSupplier> owing = new EnumMap<>(Owing.class);

  public Peer(Link link, long nonce, Instant now) {
    this.link = link;
    this.nonce = nonce;
    this.since = now;
    this.conduct = new Conduct(now);
    this.patience = new Patience(now);
    this.lastHeard = now;
  }

  public Link link() {
    return link;
  }

  /** What our hello holds, so that we know ourselves. */
  public long nonce() {
    return nonce;
  }

  /** What it said of itself; null before it says hello. */
  public Message.@Nullable Version version() {
    return version;
  }

  /** It says hello. */
  public void greeted(Message.Version hello) {
    version = hello;
  }

  /** When the connection was begun, or came about. */
  public Instant since() {
    return since;
  }

  /** The connection has come about. */
  public void connected(Instant now) {
    since = now;
  }

  /** Where the connection leads to, when there is one; the address may be a name. */
  public @Nullable PeerAddress at() {
    return at;
  }

  /** The connection leads there. */
  public void leadsTo(PeerAddress address) {
    at = address;
  }

  public Patience patience() {
    return patience;
  }

  public Conduct conduct() {
    return conduct;
  }

  /** When anything at all came. */
  public Instant lastHeard() {
    return lastHeard;
  }

  /** Something came. */
  public void heard(Instant now) {
    lastHeard = now;
  }

  /** Since when it is to give a sign of life, because this end was away; null if it need not. */
  public @Nullable Instant doubtedSince() {
    return doubtedSince;
  }

  /** It is to give a sign of life. */
  public void doubt(Instant now) {
    doubtedSince = now;
  }

  /** It gave one. */
  public void trust() {
    doubtedSince = null;
  }

  /** Whether it is there for its headers only, and shown no filter. */
  public boolean forHeaders() {
    return forHeaders;
  }

  /** Gives it its use. */
  public void useForHeaders(boolean only) {
    forHeaders = only;
  }

  /** What it said against us; empty if nothing. */
  public String objection() {
    return objection;
  }

  /** It says something against us. */
  public void objects(String words) {
    objection = words;
  }

  /** When pings were sent that are not answered, by nonce, the oldest first. */
  public Map<Long, Instant> pings() {
    return Collections.unmodifiableMap(pings);
  }

  /** A ping was sent. */
  void pinged(long ping, Instant now) {
    pings.put(ping, now);
  }

  /** A pong came; returns when its ping was sent, or null if there was none. */
  public @Nullable Instant ponged(long ping) {
    return pings.remove(ping);
  }

  /** The shortest round trip in milliseconds; -1 before any was measured. */
  public long latencyMillis() {
    return latencyMillis;
  }

  /** A round trip was shorter than those before. */
  public void measured(long millis) {
    latencyMillis = millis;
  }

  /** Whether it answers {@code mempool} before the next pong. */
  public boolean mempoolAtOnce() {
    return mempoolAtOnce;
  }

  /** It was found out, or is known from before, whether it answers {@code mempool} at once. */
  public void answersMempoolAtOnce(boolean atOnce) {
    mempoolAtOnce = atOnce;
  }

  /**
   * What one part keeps of it.
   *
   * @param by what only that part has
   * @param make how it begins
   */
  @SuppressWarnings("unchecked")
  <T> T kept(Object by, Function<Peer, T> make) {
    Object known = kept.get(by);
    if (known == null) {
      known = Objects.requireNonNull(make.apply(this));
      kept.put(by, known);
    }
    return (T) known;
  }

  public boolean isReady() {
    return version != null;
  }

  /** Whether it serves BIP-0037, and is there to. */
  public boolean servesBloom() {
    return !forHeaders && version != null && Services.has(version.services(), Services.BLOOM);
  }

  /** Its services say that it keeps the last blocks only (BIP-0159). */
  public boolean isPruned() {
    return version != null && !Services.has(version.services(), Services.NETWORK);
  }

  /** A part of the machine counts here what the peer owes it. */
  public void mayOwe(Owing what, IntSupplier count) {
    owing.put(what, count);
  }

  /** How much of a kind it owes: questions, blocks or transactions. */
  public int owes(Owing what) {
    IntSupplier count = owing.get(what);
    return count == null ? 0 : count.getAsInt();
  }

  /** Whether it owes us an answer, so that silence is a stall. */
  public boolean owes() {
    if (!isReady()) {
      return true;
    }
    for (IntSupplier count : owing.values()) {
      if (count.getAsInt() > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean owesBlocks() {
    return owes(Owing.BLOCKS) > 0 || owes(Owing.WHOLE_BLOCK) > 0;
  }

  /**
   * It is about to be asked for something: the time to answer begins now, not when it last spoke.
   */
  public void beginsToOwe(Instant now) {
    if (!owes()) {
      patience.begins(now);
    }
  }

  /** The message at hand answers an open question, and brings something that had not come yet. */
  public void brings(Patience.Answer answer, Instant now) {
    Patience.Answer urgent =
        owesBlocks()
            ? Patience.Answer.PROGRESS
            : owes(Owing.HEADERS) > 0 ? Patience.Answer.HEADERS : Patience.Answer.NEWS;
    patience.earns(answer, urgent, now);
  }
}
