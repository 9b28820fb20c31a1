package org.murmur.regtest.node;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.regtest.chain.Dice;

/**
 * How a node treats its peers: honest, or lying and failing in chosen ways that can be combined.
 *
 * <p>An immutable value; each method returns a changed copy. Chance is drawn from the seed and the
 * hash concerned, so the same block or transaction always gets the same treatment.
 */
public final class Behaviour implements Cloneable {

  private static final Behaviour HONEST = new Behaviour();

  private long seed;
  private boolean bloom = true;
  private boolean servesBlocks = true;
  private boolean servesWholeBlocks = true;
  private boolean answersPings = true;
  private Set<Hash256> omitted = Set.of();
  private double omittedShare;
  private double injectedShare;
  private double corruptShare;
  private int stallAfterBlocks = Integer.MAX_VALUE;
  private int dropAfterMessages = Integer.MAX_VALUE;
  private int wrongHeaderAt = -1;
  private int tipAt = Integer.MAX_VALUE;
  private int drip;
  private Set<Misdeed> misdeeds = Set.of();
  private double misdeedShare = 1;
  private int filteredBlocksPerSecond;
  private Duration roundTrip = Duration.ZERO;
  private Duration pause = Duration.ZERO;
  private Duration announcementPause = Duration.ZERO;
  private boolean endsMempoolAnswers;
  private boolean relaysAnything;
  private boolean uploadLimitReached;
  private boolean pruned;

  private Behaviour() {}

  /**
   * Does what Core does for a peer with all permissions ({@code -whitebind=noban,...}), as fast as
   * it can: docs/embedded-node.md has a table.
   *
   * @return the behaviour to start from
   */
  public static Behaviour honest() {
    return HONEST;
  }

  /**
   * Sets what chance is drawn from.
   *
   * @param chosen any number
   * @return a changed copy
   */
  public Behaviour withSeed(long chosen) {
    Behaviour changed = copy();
    changed.seed = chosen;
    return changed;
  }

  /**
   * Does not serve BIP-0037: the service bit is missing, and a peer that sends a filter is
   * disconnected (BIP-0111).
   *
   * @return a changed copy
   */
  public Behaviour withoutBloom() {
    Behaviour changed = copy();
    changed.bloom = false;
    return changed;
  }

  /**
   * Leaves a transaction out of filtered blocks, of the mempool's answer and of relay, although it
   * matches.
   *
   * @param txid which
   * @return a changed copy
   */
  public Behaviour omitting(Hash256 txid) {
    Set<Hash256> more = new HashSet<>(omitted);
    more.add(txid);
    Behaviour changed = copy();
    changed.omitted = Set.copyOf(more);
    return changed;
  }

  /**
   * Leaves out a share of the transactions that match, the same ones every time.
   *
   * @param share 0 for none, 1 for all
   * @return a changed copy
   */
  public Behaviour omittingShare(double share) {
    Behaviour changed = copy();
    changed.omittedShare = share;
    return changed;
  }

  /**
   * Adds a transaction that does not match to a share of the filtered blocks, with a valid proof.
   *
   * @param share 0 for none, 1 for all blocks that have one
   * @return a changed copy
   */
  public Behaviour injectingShare(double share) {
    Behaviour changed = copy();
    changed.injectedShare = share;
    return changed;
  }

  /**
   * Sends a wrong Merkle proof with a share of the filtered blocks.
   *
   * @param share 0 for none, 1 for all
   * @return a changed copy
   */
  public Behaviour corruptingProofs(double share) {
    Behaviour changed = copy();
    changed.corruptShare = share;
    return changed;
  }

  /**
   * Stops answering on a connection for good, without closing it, after some filtered blocks.
   *
   * @param blocks how many it serves
   * @return a changed copy
   */
  public Behaviour stallingAfter(int blocks) {
    Behaviour changed = copy();
    changed.stallAfterBlocks = blocks;
    return changed;
  }

  /**
   * Closes each connection after some messages.
   *
   * @param messages how many it sends
   * @return a changed copy
   */
  public Behaviour droppingAfter(int messages) {
    Behaviour changed = copy();
    changed.dropAfterMessages = messages;
    return changed;
  }

  /**
   * Serves one header with a broken Merkle root, so that the next one does not connect to it.
   *
   * @param height which
   * @return a changed copy
   */
  public Behaviour withWrongHeaderAt(int height) {
    Behaviour changed = copy();
    changed.wrongHeaderAt = height;
    return changed;
  }

  /**
   * Commits a misdeed in addition to its other behaviour.
   *
   * @param misdeed which
   * @return a changed copy
   */
  public Behaviour committing(Misdeed misdeed) {
    Set<Misdeed> more = new TreeSet<>(misdeeds);
    more.add(misdeed);
    Behaviour changed = copy();
    changed.misdeeds = Collections.unmodifiableSet(more);
    return changed;
  }

  /**
   * Commits a misdeed of the kind that concerns filtered blocks, at a share of the blocks only, the
   * same ones every time.
   *
   * @param misdeed which
   * @param share 0 for none, 1 for all; of all such misdeeds
   * @return a changed copy
   */
  public Behaviour committing(Misdeed misdeed, double share) {
    Behaviour changed = committing(misdeed);
    changed.misdeedShare = share;
    return changed;
  }

  /**
   * Knows no block above a height and gets no later one, as a node that has lost its peers.
   *
   * @param height of its tip
   * @return a changed copy
   */
  public Behaviour withStaleTip(int height) {
    Behaviour changed = copy();
    changed.tipAt = height;
    return changed;
  }

  /**
   * Sends filtered blocks, and all that follows the first of them on a connection, byte by byte.
   * Only on a socket: a {@link NodeSession} hands out whole messages.
   *
   * @param bytesPerSecond the highest rate, 0 for no limit
   * @return a changed copy
   */
  public Behaviour dripping(int bytesPerSecond) {
    Behaviour changed = copy();
    changed.drip = bytesPerSecond;
    return changed;
  }

  /**
   * Treats its peers as Core does without <i>noban</i>: it announces transactions after random
   * pauses.
   *
   * @param mean of the pauses; Core's is 5 seconds for inbound peers. 0 to announce at once, as
   *     Core does to peers with <i>noban</i>
   * @return a changed copy
   */
  public Behaviour spreadingAnnouncements(Duration mean) {
    Behaviour changed = copy();
    changed.announcementPause = mean;
    return changed;
  }

  /**
   * Marks the end of its answer to {@code mempool}: an {@code inv} without entries when nothing
   * matches. <em>No real node does</em>; a client need not wait then, so this is for tests of other
   * subjects.
   *
   * @return a changed copy
   */
  public Behaviour endingMempoolAnswers() {
    Behaviour changed = copy();
    changed.endsMempoolAnswers = true;
    return changed;
  }

  /**
   * Accepts and announces transactions that a node would refuse to relay, such as made-up payments:
   * without signatures, without fees, dust. It sends no {@code feefilter}, as Core with {@code
   * -minrelaytxfee=0}.
   *
   * @return a changed copy
   */
  public Behaviour relayingAnything() {
    Behaviour changed = copy();
    changed.relaysAnything = true;
    return changed;
  }

  /**
   * Has reached its upload limit of the day, as with {@code -maxuploadtarget}. A peer that asks for
   * a filtered block is disconnected, and one that asks for a whole block more than a week older
   * than the tip.
   *
   * @return a changed copy
   */
  public Behaviour withUploadLimitReached() {
    Behaviour changed = copy();
    changed.uploadLimitReached = true;
    return changed;
  }

  /**
   * Has deleted old blocks, as with {@code -prune}. It announces NODE_NETWORK_LIMITED without
   * NODE_NETWORK, and disconnects a peer that asks for a block more than 290 below the tip
   * (BIP-0159).
   *
   * @return a changed copy
   */
  public Behaviour pruned() {
    Behaviour changed = copy();
    changed.pruned = true;
    return changed;
  }

  /**
   * Does not answer pings.
   *
   * @return a changed copy
   */
  public Behaviour withoutPongs() {
    Behaviour changed = copy();
    changed.answersPings = false;
    return changed;
  }

  /**
   * Announces blocks and sends their headers, but drops every request for a block in silence.
   *
   * @return a changed copy
   */
  public Behaviour withoutServingBlocks() {
    Behaviour changed = copy();
    changed.servesBlocks = false;
    return changed;
  }

  /**
   * Serves filtered blocks, but drops every request for a whole one in silence.
   *
   * @return a changed copy
   */
  public Behaviour withoutServingWholeBlocks() {
    Behaviour changed = copy();
    changed.servesWholeBlocks = false;
    return changed;
  }

  /**
   * Serves filtered blocks no faster than this on each connection.
   *
   * @param blocks filtered blocks a second, 0 for no limit
   * @return a changed copy
   */
  public Behaviour limitedTo(int blocks) {
    Behaviour changed = copy();
    changed.filteredBlocksPerSecond = blocks;
    return changed;
  }

  /**
   * Answers later, as a distant peer does: requests sent together are still answered together.
   *
   * @param time of a round trip
   * @return a changed copy
   */
  public Behaviour withRoundTrip(Duration time) {
    Behaviour changed = copy();
    changed.roundTrip = time;
    return changed;
  }

  /**
   * Sends slowly: waits before each message.
   *
   * @param time between two messages
   * @return a changed copy
   */
  public Behaviour pausing(Duration time) {
    Behaviour changed = copy();
    changed.pause = time;
    return changed;
  }

  /**
   * Returns whether BIP-0037 is served.
   *
   * @return true unless refused
   */
  public boolean servesBloom() {
    return bloom;
  }

  boolean servesBlocks() {
    return servesBlocks;
  }

  boolean servesWholeBlocks() {
    return servesWholeBlocks;
  }

  boolean answersPings() {
    return answersPings;
  }

  boolean omits(Hash256 txid) {
    return omitted.contains(txid) || (omittedShare > 0 && Dice.share(seed, txid) < omittedShare);
  }

  boolean injects(Hash256 block) {
    return injectedShare > 0 && Dice.share(~seed, block) < injectedShare;
  }

  boolean corrupts(Hash256 block) {
    return corruptShare > 0 && Dice.share(seed, block) < corruptShare;
  }

  int stallAfterBlocks() {
    return stallAfterBlocks;
  }

  int dropAfterMessages() {
    return dropAfterMessages;
  }

  /** The height above which it knows no block. */
  int tipAt() {
    return tipAt;
  }

  /**
   * Returns how slowly bytes leave.
   *
   * @return nanoseconds between two bytes; 0 for no limit
   */
  public long dripInterval() {
    return drip == 0 ? 0 : 1_000_000_000L / drip;
  }

  Misdeeds misdeeds() {
    return new Misdeeds(misdeeds, misdeedShare, seed);
  }

  int wrongHeaderAt() {
    return wrongHeaderAt;
  }

  /** Nanoseconds between two filtered blocks, 0 for no limit. */
  long filteredBlockInterval() {
    return filteredBlocksPerSecond == 0 ? 0 : 1_000_000_000L / filteredBlocksPerSecond;
  }

  long roundTripNanos() {
    return roundTrip.toNanos();
  }

  long pauseNanos() {
    return pause.toNanos();
  }

  /** A seed for the random numbers of one of its connections. */
  long seedOf(long nonce) {
    return seed ^ nonce;
  }

  /**
   * Returns the pause between two announcements.
   *
   * @return nanoseconds on average, 0 for at once
   */
  public long announcementPauseNanos() {
    return announcementPause.toNanos();
  }

  boolean endsMempoolAnswers() {
    return endsMempoolAnswers;
  }

  /**
   * Returns whether it relays what real nodes do not.
   *
   * @return false if it keeps to their relay policy
   */
  public boolean relaysAnything() {
    return relaysAnything;
  }

  boolean uploadLimitReached() {
    return uploadLimitReached;
  }

  boolean isPruned() {
    return pruned;
  }

  private Behaviour copy() {
    try {
      return (Behaviour) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("it is Cloneable", e);
    }
  }
}
