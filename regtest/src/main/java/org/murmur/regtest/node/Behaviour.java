package org.murmur.regtest.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.v2.Dice;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.internal.wire.Transport;

/**
 * How a node treats its peers: the settings that Core has, how slow it is, and the lies it tells.
 *
 * <p>An immutable value; each method returns a changed copy. Chance is drawn from the seed and the
 * hash concerned, so the same block or transaction always gets the same treatment.
 */
public final class Behaviour implements Cloneable {

  /** A lie about a share of the filtered blocks. */
  record Told(Lie lie, double share) {}

  private static final Behaviour HONEST = new Behaviour();

  private long seed;
  private boolean bloom = true;
  private boolean encrypts = true;
  private @Nullable LineLie lineLie;
  private boolean compactFilters;
  private boolean pruned;
  private boolean uploadLimitReached;
  private boolean relaysAnything;
  private Duration announcementPause = Duration.ZERO;
  private Duration roundTrip = Duration.ZERO;
  private Duration pause = Duration.ZERO;
  private int filteredBlocksPerSecond;
  private int drip;
  private int dropAfterMessages = Integer.MAX_VALUE;
  private List<Told> lies = List.of();

  private Behaviour() {}

  /**
   * Does what Core does for a peer with all permissions ({@code -whitebind=noban,...}), as fast as
   * it can: docs/embedded-node.md has a table.
   */
  public static Behaviour honest() {
    return HONEST;
  }

  /** Sets what chance is drawn from. */
  public Behaviour withSeed(long chosen) {
    return changed(copy -> copy.seed = chosen);
  }

  /** Tells a lie in addition to those before. */
  public Behaviour with(Lie lie) {
    return with(lie, 1);
  }

  /**
   * Tells a lie about filtered blocks, at a share of the blocks only (0 for none, 1 for all), the
   * same ones every time.
   */
  public Behaviour with(Lie lie, double share) {
    List<Told> more = new ArrayList<>(lies);
    more.add(new Told(lie, share));
    return changed(copy -> copy.lies = List.copyOf(more));
  }

  /**
   * Does not serve BIP-0037: the service bit is missing, and a peer that sends a filter is
   * disconnected (BIP-0111).
   */
  public Behaviour withoutBloom() {
    return changed(copy -> copy.bloom = false);
  }

  /**
   * Speaks only the plain protocol, as with {@code -v2transport=0}: the service bit is missing, and
   * a peer that begins with a key is disconnected. Without this the caller chooses (BIP-0324).
   */
  public Behaviour withoutEncryption() {
    return changed(copy -> copy.encrypts = false);
  }

  /**
   * Misbehaves on encrypted connections. Only on a socket: a {@link NodeSession} hands out whole
   * messages.
   */
  public Behaviour with(LineLie lie) {
    return changed(copy -> copy.lineLie = lie);
  }

  /**
   * Serves compact filters (BIP-0157), as with {@code -blockfilterindex=1 -peerblockfilters=1}. No
   * node does so by default.
   */
  public Behaviour withCompactFilters() {
    return changed(copy -> copy.compactFilters = true);
  }

  /**
   * Has deleted old blocks, as with {@code -prune}. It announces NODE_NETWORK_LIMITED without
   * NODE_NETWORK, and disconnects a peer that asks for a block more than 290 below the tip
   * (BIP-0159).
   */
  public Behaviour pruned() {
    return changed(copy -> copy.pruned = true);
  }

  /**
   * Has reached its upload limit of the day, as with {@code -maxuploadtarget}. A peer that asks for
   * a filtered block is disconnected, and one that asks for a whole block more than a week older
   * than the tip.
   */
  public Behaviour withUploadLimitReached() {
    return changed(copy -> copy.uploadLimitReached = true);
  }

  /**
   * Accepts and announces transactions that a node would refuse to relay, such as made-up payments:
   * without signatures, without fees, dust. It sends no {@code feefilter}, as Core with {@code
   * -minrelaytxfee=0}.
   */
  public Behaviour relayingAnything() {
    return changed(copy -> copy.relaysAnything = true);
  }

  /**
   * Treats its peers as Core does without <i>noban</i>: it announces transactions after random
   * pauses. Their mean is 5 seconds with Core for inbound peers; 0 is to announce at once, as Core
   * does to peers with <i>noban</i>.
   */
  public Behaviour spreadingAnnouncements(Duration mean) {
    return changed(copy -> copy.announcementPause = mean);
  }

  /**
   * Answers later by a round trip, as a distant peer does: requests sent together are still
   * answered together.
   */
  public Behaviour withRoundTrip(Duration time) {
    return changed(copy -> copy.roundTrip = time);
  }

  /** Sends slowly: waits before each message. */
  public Behaviour pausing(Duration time) {
    return changed(copy -> copy.pause = time);
  }

  /** Serves filtered blocks no faster than so many a second on each connection, 0 for no limit. */
  public Behaviour limitedTo(int blocks) {
    return changed(copy -> copy.filteredBlocksPerSecond = blocks);
  }

  /**
   * Sends filtered blocks, and all that follows the first of them on a connection, byte by byte at
   * this rate at most, 0 for no limit. Only on a socket: a {@link NodeSession} hands out whole
   * messages.
   */
  public Behaviour dripping(int bytesPerSecond) {
    return changed(copy -> copy.drip = bytesPerSecond);
  }

  /** Closes each connection after some messages. */
  public Behaviour droppingAfter(int messages) {
    return changed(copy -> copy.dropAfterMessages = messages);
  }

  /** Returns whether it relays what real nodes do not, against their relay policy. */
  public boolean relaysAnything() {
    return relaysAnything;
  }

  /** Returns the mean pause between two announcements in nanoseconds, 0 for at once. */
  public long announcementPauseNanos() {
    return announcementPause.toNanos();
  }

  /** Returns the nanoseconds between two bytes; 0 for no limit. */
  public long dripInterval() {
    return interval(drip);
  }

  boolean servesBloom() {
    return bloom;
  }

  boolean encrypts() {
    return encrypts;
  }

  /**
   * Makes the transport of a connection that was accepted.
   *
   * @param magic the network's four bytes, read as a little-endian integer
   * @param dice source of its key
   */
  public Transport transport(int magic, Dice dice) {
    if (!encrypts) {
      return new PlainTransport(magic);
    }
    EncryptedTransport honest = new EncryptedTransport(magic, false, dice);
    return lineLie == null ? honest : lineLie.over(honest);
  }

  boolean servesCompactFilters() {
    return compactFilters;
  }

  boolean isPruned() {
    return pruned;
  }

  boolean uploadLimitReached() {
    return uploadLimitReached;
  }

  long roundTripNanos() {
    return roundTrip.toNanos();
  }

  long pauseNanos() {
    return pause.toNanos();
  }

  /** Nanoseconds between two filtered blocks, 0 for no limit. */
  long filteredBlockInterval() {
    return interval(filteredBlocksPerSecond);
  }

  int dropAfterMessages() {
    return dropAfterMessages;
  }

  long seed() {
    return seed;
  }

  List<Told> lies() {
    return lies;
  }

  private static long interval(int perSecond) {
    return perSecond == 0 ? 0 : 1_000_000_000L / perSecond;
  }

  private Behaviour changed(Consumer<Behaviour> change) {
    try {
      Behaviour copy = (Behaviour) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("it is Cloneable", e);
    }
  }
}
