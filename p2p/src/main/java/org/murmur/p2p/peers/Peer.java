package org.murmur.p2p.peers;

import java.time.Instant;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/**
 * A link and who is at its other end. What a part of the machine remembers of the peer besides, it
 * keeps for itself: see {@code PerPeer}.
 */
public final class Peer {

  public final Link link;

  // Handshake.
  public final long nonce;
  public Message.@Nullable Version version;
  public Instant since;
  // Where the connection leads to, when there is one; the address may be a name.
  public @Nullable PeerAddress at;
  public final Patience patience;
  // When anything at all came.
  public Instant lastHeard;
  // Since when it is to give a sign of life, because this end was away; null if it need not.
  public @Nullable Instant doubtedSince;

  // Found and not named: where, and whether it is there for its headers only and shown no filter.
  public @Nullable Endpoint found;
  public boolean forHeaders;

  public final Conduct conduct;
  // What it said against us; empty if nothing.
  public String objection = "";

  // Keep-alive.
  public final Map<Long, Instant> pings = new LinkedHashMap<>();
  public long latencyMillis = -1;
  public boolean mempoolAtOnce;

  private final Map<Object, Object> kept = new IdentityHashMap<>();
  private final Map<Owing, IntSupplier> owing = new EnumMap<>(Owing.class);

  public Peer(Link link, long nonce, Instant now) {
    this.link = link;
    this.nonce = nonce;
    this.since = now;
    this.conduct = new Conduct(now);
    this.patience = new Patience(now);
    this.lastHeard = now;
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

  /**
   * Whether the user named it and it is on this machine or in the local network. Such a node may
   * serve more blocks than its service bits say, to peers with the permission noban.
   */
  public boolean isOwn() {
    return found == null && link.address().isLocal();
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
