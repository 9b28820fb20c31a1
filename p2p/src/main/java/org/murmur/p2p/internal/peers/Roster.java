package org.murmur.p2p.internal.peers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.Link;

/** The peers that are called or connected, in the order in which they were called. */
public final class Roster<P extends Peer> {

  /** Makes a peer with what each room knows of it. */
  @FunctionalInterface
  public interface Maker<P> {
    P make(Link link, long nonce, Instant now);
  }

  /** How many peers may fill what one peer may: bounds of each link have a total. */
  private static final int FULL_SHARES = 2;

  private final Maker<P> maker;
  private final Map<Integer, P> peers = new LinkedHashMap<>();

  private boolean wantsOneMore;

  public Roster(Maker<P> maker) {
    this.maker = maker;
  }

  /** Whether one more peer than usual is wanted, which may know blocks that these do not. */
  public boolean wantsOneMore() {
    return wantsOneMore;
  }

  /** Sets whether one more peer than usual is wanted. */
  public void wantOneMore(boolean wanted) {
    wantsOneMore = wanted;
  }

  /** All peers. None may be removed during an iteration. */
  public Collection<P> peers() {
    return peers.values();
  }

  /** The peers that match a predicate. */
  public List<P> peers(Predicate<? super P> which) {
    List<P> found = new ArrayList<>(peers.values());
    found.removeIf(which.negate());
    return found;
  }

  /** The peer at a link, or null if it is gone. */
  public @Nullable P get(int link) {
    return peers.get(link);
  }

  public boolean contains(int link) {
    return peers.containsKey(link);
  }

  /** Adds the peer of a link that is being established. */
  public P add(Link link, long nonce, Instant now) {
    P peer = maker.make(link, nonce, now);
    peers.put(link.id(), peer);
    peer.shares(this::share);
    return peer;
  }

  public @Nullable P remove(int link) {
    return peers.remove(link);
  }

  /**
   * How much one of the peers may have of something that is limited for each of them. Together they
   * have no more than {@value #FULL_SHARES} peers could.
   */
  private long share(long most) {
    return peers.size() <= FULL_SHARES ? most : most * FULL_SHARES / peers.size();
  }

  public void clear() {
    peers.clear();
  }

  public int size() {
    return peers.size();
  }

  public boolean isEmpty() {
    return peers.isEmpty();
  }
}
