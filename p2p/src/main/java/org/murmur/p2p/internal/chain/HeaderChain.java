package org.murmur.p2p.internal.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.wire.Headers;

/**
 * The headers of a network: the active branch, which has the most work, and valid side branches.
 *
 * <p>Every header is checked completely before it is stored: linkage, proof of work, required
 * target, median time past, two hours into the future. Of two branches with equal work, the one
 * seen first stays active. For rules that headers cannot show see {@link ConsensusRules}.
 *
 * <p>The active chain is in memory, or its end is in memory and all of it on disk (see {@link
 * HeaderArchive}). Side branches are limited to {@value #SIDE_LIMIT} headers of about 400 bytes;
 * above that, tips with the least work are removed. This bounds memory, not the cost of checking a
 * flood of cheap headers.
 *
 * <p>It does not write to disk. Not thread safe: even reads update indexes.
 */
public final class HeaderChain {

  /** Maximum number of headers on side branches. */
  public static final int SIDE_LIMIT = 20_000;

  /** Locators contain this many consecutive headers before their steps double. */
  private static final int LOCATOR_SINGLE_STEPS = 10;

  private final ChainParams network;
  private final ActiveChain active;
  private final SideHeaders side;
  private final HeaderRules rules;
  private final DoubleSha256 sha = new DoubleSha256();
  private final byte[] hash = new byte[Hash256.LENGTH];
  private final byte[] header = new byte[BlockHeader.LENGTH];

  /**
   * The branch at whose tip the rules' state is, so that its next header needs no look-back. In a
   * block storm headers arrive one by one, and a look-back through a period for each would dominate
   * the cost. Null if there is none.
   */
  private @Nullable Ancestors standing;

  private HeaderChain(ChainParams network, ChainBase base, int sideLimit) {
    this(network, sideLimit, new ActiveChain(base, genesis(network)));
  }

  private HeaderChain(ChainParams network, int sideLimit, ActiveChain active) {
    this.network = network;
    this.active = active;
    this.side = new SideHeaders(sideLimit);
    this.rules = new HeaderRules(network.rules(), active);
  }

  /** Starts with the genesis block. */
  public static HeaderChain ofGenesis(ChainParams network) {
    return ofGenesis(network, SIDE_LIMIT);
  }

  /** The same with another limit for side branches. */
  static HeaderChain ofGenesis(ChainParams network, int sideLimit) {
    return new HeaderChain(network, ChainBase.ofGenesis(network), sideLimit);
  }

  /**
   * Starts with a built-in block. Headers above it are checked completely; headers below it do not
   * exist for this chain.
   */
  public static HeaderChain from(ChainParams network, ChainBase base) {
    return new HeaderChain(network, base, SIDE_LIMIT);
  }

  private static BlockHeader genesis(ChainParams network) {
    return BlockHeader.of(network.genesisHeader());
  }

  /**
   * Restores stored headers without checking them again.
   *
   * @param stored the active chain from height 1 on without gaps; it is copied
   * @throws IllegalArgumentException if the first one does not follow the network's genesis
   */
  public static HeaderChain restore(ChainParams network, Headers stored) {
    return restore(network, List.of(stored));
  }

  /**
   * Restores stored headers without checking them again.
   *
   * @param runs runs of headers that together are the active chain from height 1 on without gaps;
   *     they are copied one after another and not held
   */
  public static HeaderChain restore(ChainParams network, Iterable<Headers> runs) {
    HeaderChain chain = ofGenesis(network);
    int height = 0;
    for (Headers run : runs) {
      if (height == 0 && !run.isEmpty()) {
        requireBehind(chain.base(), network, run);
      }
      chain.active.write(run, height + 1);
      height += run.count();
    }
    if (height > 0) {
      chain.restoreTip(height);
    }
    return chain;
  }

  /**
   * Restores a stored chain. It reads the last difficulty period now, and other headers on demand.
   *
   * @param height how many it has, genesis not counted
   */
  public static HeaderChain restore(ChainParams network, HeaderArchive archive, int height) {
    return restore(network, ChainBase.ofGenesis(network), archive, height);
  }

  /**
   * Restores a stored chain that begins with a built-in block, reading most headers on demand.
   *
   * @param base the block that the first stored header follows
   * @param height height of the last of them; the base's if there are none
   * @return a chain as it was when these were its active headers; {@link #stored} tells it what has
   *     come to the archive since
   * @throws IllegalArgumentException if the first one does not follow the base
   */
  public static HeaderChain restore(
      ChainParams network, ChainBase base, HeaderArchive archive, int height) {
    boolean any = height > base.height();
    if (any) {
      requireBehind(base, network, archive.read(base.height() + 1, base.height() + 2));
    }
    HeaderChain chain =
        new HeaderChain(
            network, SIDE_LIMIT, new ActiveChain(base, genesis(network), archive, height));
    if (any) {
      chain.restoreTip(height);
    }
    return chain;
  }

  private static void requireBehind(ChainBase base, ChainParams network, Headers first) {
    if (!first.previous(0).equals(base.hash())) {
      throw new IllegalArgumentException(
          "stored headers follow "
              + first.previous(0)
              + ", expected the "
              + (base.isGenesis() ? "genesis" : "block at height " + base.height())
              + " of "
              + network);
    }
  }

  private void restoreTip(int height) {
    sha.hash(active.chunk(height), ActiveChain.offset(height), BlockHeader.LENGTH, hash, 0);
    active.grow(height, hash);
  }

  /**
   * Records that the archive has the active headers up to a height, so that they can leave memory.
   * Does nothing without an archive.
   */
  public void stored(int height) {
    active.stored(height);
  }

  public ChainParams network() {
    return network;
  }

  /**
   * Returns the base of the chain and all its branches.
   *
   * @return genesis, or a built-in block
   */
  public ChainBase base() {
    return active.base();
  }

  /** {@return the height of the active chain, the base's height if there are no other headers} */
  public int height() {
    return active.height();
  }

  /** {@return the hash of the active chain's last header} */
  public Hash256 tip() {
    return active.tip();
  }

  /**
   * Returns the hash of an active header.
   *
   * @param height 0 to {@link #height()}
   */
  public Hash256 hashAt(int height) {
    return active.hashAt(height);
  }

  /**
   * Returns the height of a header on the active chain. The first call that does not find it near
   * the tip reads all headers to build an index.
   *
   * @return the height, or -1 if it is not on the active chain
   */
  public int heightOf(Hash256 hash) {
    return active.heightOf(hash);
  }

  /** Returns whether a header is known, on any branch. */
  public boolean knows(Hash256 hash) {
    return side.get(hash) != null || active.heightOf(hash) >= 0;
  }

  /**
   * Returns the height of a header on the active chain, if it is near the tip (about the last
   * difficulty period). Fast and in memory, while {@link #heightOf} builds an index of the whole
   * chain.
   *
   * @return the height, or -1 if it is not there
   */
  public int recentHeightOf(Hash256 hash) {
    return active.recentHeightOf(hash);
  }

  /**
   * Returns whether a header is known and near the tip. Fast and in memory; it cannot distinguish
   * old headers from unknown ones.
   *
   * @return true if it is on a side branch, or in the last periods of the active chain
   */
  public boolean knowsRecent(Hash256 hash) {
    return side.get(hash) != null || active.recentHeightOf(hash) >= 0;
  }

  /** Returns the side branch that ends in a header. */
  public Optional<Connect.SideBranch> beside(Hash256 hash) {
    SideHeader tip = side.get(hash);
    if (tip == null) {
      return Optional.empty();
    }
    return Optional.of(new Connect.SideBranch(tip.fork, hash, tip.height, tip.work));
  }

  /**
   * Returns an active header.
   *
   * @param height 0 to {@link #height()}, and above a base that is not genesis
   */
  public BlockHeader headerAt(int height) {
    return BlockHeader.of(active.header(height));
  }

  /**
   * Returns a run of active headers, to store or to serve.
   *
   * @param to height behind the last
   * @return a copy that later changes do not touch
   */
  public Headers headers(int from, int to) {
    return active.headers(from, to);
  }

  /**
   * Returns an active header's time.
   *
   * @return seconds since 1970
   */
  public long timeAt(int height) {
    active.requireKnown(height);
    return active.time(height);
  }

  /**
   * Returns the median time of an active header and the ten before it.
   *
   * @return seconds since 1970. Less than ten headers above a base that is not genesis: the lowest
   *     possible value, or -1 if nothing is known
   */
  public long medianTimePast(int height) {
    MedianTime median = new MedianTime();
    active.requireKnown(height);
    median.begin(active, height);
    return median.median();
  }

  /**
   * Returns the first active header dated at a time or later. Times are not monotonic; headers
   * above it may be dated earlier.
   *
   * @param seconds since 1970
   * @return its height; empty if all are dated earlier
   */
  public OptionalInt firstHeightSince(long seconds) {
    return active.firstHeightSince(seconds);
  }

  /**
   * Returns the height of the first block that may concern a wallet of this birthday: the height
   * itself, even if the chain does not reach it yet, or that of the first header dated at most two
   * hours before the time. Header times are not monotonic; the first one that reaches the time
   * counts, so the result is rather too early.
   *
   * @return the height, above the base unless that is genesis: blocks at or below the base cannot
   *     be requested. Empty if the chain does not reach that time yet
   */
  public OptionalInt heightOf(Birthday birthday) {
    OptionalInt first =
        birthday instanceof Birthday.AtTime at
            ? firstHeightSince(at.time().getEpochSecond() - Birthday.MARGIN_SECONDS)
            : OptionalInt.of(((Birthday.AtHeight) birthday).height());
    int base = base().height();
    return first.isPresent() && base > 0
        ? OptionalInt.of(Math.max(base + 1, first.getAsInt()))
        : first;
  }

  /** {@return the work of the active chain, from genesis to the tip, both included} */
  public ChainWork work() {
    return active.workThrough(height());
  }

  /**
   * Returns the work of the active chain up to a height.
   *
   * @return from genesis to that height, both included
   */
  public ChainWork workAt(int height) {
    active.requireKnown(height);
    return active.workThrough(height);
  }

  /**
   * {@return a block locator for {@code getheaders}: the tip and the ten headers before it, then
   * doubling steps, and the base last; at most a few dozen hashes; nodes accept up to 101}
   */
  public List<Hash256> locator() {
    return locator(new SideBranch(active, height(), null));
  }

  /**
   * {@return a short locator of the headers near the tip, and the base, for a peer that was just on
   * our chain}
   */
  public List<Hash256> recentLocator() {
    List<Hash256> hashes = new ArrayList<>();
    int lowest = Math.max(base().height() + 1, active.keptFrom());
    for (int height = height(), step = 1; height > lowest; height -= step, step *= 2) {
      hashes.add(hashAt(height));
    }
    hashes.add(base().hash());
    return hashes;
  }

  /**
   * Returns a locator for a branch that ends in a known header, to request the headers after it.
   *
   * @throws IllegalArgumentException if the header is not known
   */
  public List<Hash256> locatorFrom(Hash256 hash) {
    SideHeader tip = side.get(hash);
    int height = tip == null ? active.heightOf(hash) : tip.height;
    if (height < 0) {
      throw new IllegalArgumentException("header " + hash + ", expected a known one");
    }
    return locator(new SideBranch(active, height, tip));
  }

  /**
   * Returns the fork with a peer's chain, by its locator.
   *
   * @return the height of the first of them that is on our active chain; the base's if none is
   */
  public int commonHeight(List<Hash256> locator) {
    for (Hash256 hash : locator) {
      int height = heightOf(hash);
      if (height >= 0) {
        return height;
      }
    }
    return base().height();
  }

  /**
   * Connects a batch of linked headers. The batch may begin with known headers and on any branch.
   *
   * @param now seconds since 1970
   * @return the result; a batch is connected completely or not at all
   */
  public Connect connect(Headers batch, long now) {
    if (batch.isEmpty()) {
      return new Connect.Known();
    }
    Hash256 previous = batch.previous(0);
    if (previous.equals(tip())) {
      return extend(batch, 0, now);
    }
    SideHeader parent = side.get(previous);
    if (parent != null) {
      return branch(batch, 0, parent.height, parent, now);
    }
    int height = active.heightOf(previous);
    int known = 0;
    if (height < 0) {
      if (!batch.hash(0).equals(base().hash())) {
        return new Connect.Orphan(previous);
      }
      height = base().height();
      known = 1;
    }
    while (known < batch.count() && height < height() && isActive(batch, known, height + 1)) {
      known++;
      height++;
    }
    if (known == batch.count()) {
      return new Connect.Known();
    }
    return height == height() ? extend(batch, known, now) : branch(batch, known, height, null, now);
  }

  private boolean isActive(Headers batch, int index, int height) {
    batch.copy(index, header, 0);
    return active.holds(height, header);
  }

  /**
   * Connects headers to the active tip: the fast path. They are copied to their final place and
   * checked there. In a linked batch, a header's hash is the next one's previous hash.
   */
  private Connect extend(Headers batch, int from, long now) {
    Headers.Linkage linkage = batch.linkage();
    int oldHeight = height();
    active.write(batch.slice(from, batch.count()), oldHeight + 1);
    linkage.last().write(hash, 0);
    standAt(active, oldHeight);
    int height = oldHeight;
    for (int i = from; i < batch.count(); i++) {
      if (i >= linkage.links()) {
        return new Connect.Invalid(HeaderFault.NOT_LINKED, i);
      }
      height++;
      HeaderFault reason =
          i == linkage.links() - 1
              ? rules.check(active.chunk(height), ActiveChain.offset(height), hash, 0, now)
              : rules.check(
                  active.chunk(height),
                  ActiveChain.offset(height),
                  active.chunk(height + 1),
                  ActiveChain.offset(height + 1) + BlockHeader.PREVIOUS,
                  now);
      if (reason != null) {
        return new Connect.Invalid(reason, i);
      }
    }
    active.grow(height, hash);
    standing = active;
    return new Connect.Extended(oldHeight, height - oldHeight);
  }

  /** Starts the rules after a header. The position is stored when the next header is valid. */
  private void standAt(Ancestors branch, int height) {
    if (standing != branch) {
      rules.begin(branch, height);
    }
    standing = null;
  }

  /** Number of look-backs so far, the extra cost of connecting headers. */
  long lookedBack() {
    return rules.lookedBack();
  }

  /** Connects headers to a side header, or to an active header below the tip. */
  private Connect branch(
      Headers batch, int from, int height, @Nullable SideHeader parent, long now) {
    Hash256 previous = parent == null ? hashAt(height) : parent.hash;
    SideHeader tip = parent;
    int index = from;
    while (index < batch.count()) {
      if (!batch.previous(index).equals(previous)) {
        return new Connect.Invalid(HeaderFault.NOT_LINKED, index);
      }
      SideHeader known = side.get(batch.hash(index));
      if (known == null) {
        break;
      }
      tip = known;
      previous = known.hash;
      index++;
    }
    if (index == batch.count()) {
      return new Connect.Known();
    }
    return grow(sideBranch(height, tip), batch, index, now);
  }

  private SideBranch sideBranch(int height, @Nullable SideHeader tip) {
    return tip != null && standing instanceof SideBranch last && tip.equals(last.tip())
        ? last
        : new SideBranch(active, height, tip);
  }

  private Connect grow(SideBranch branch, Headers batch, int from, long now) {
    int height = branch.height();
    SideHeader tip = branch.tip();
    Hash256 previous = tip == null ? hashAt(height) : tip.hash;
    ChainWork work = tip == null ? workAt(height) : tip.work;
    List<SideHeader> grown = new ArrayList<>(batch.count() - from);
    standAt(branch, height);
    for (int i = from; i < batch.count(); i++) {
      if (!batch.previous(i).equals(previous)) {
        return new Connect.Invalid(HeaderFault.NOT_LINKED, i);
      }
      Bytes bytes = batch.header(i);
      sha.hash(bytes.unsafeArray(), 0, BlockHeader.LENGTH, hash, 0);
      HeaderFault reason = rules.check(bytes.unsafeArray(), 0, hash, 0, now);
      if (reason != null) {
        return new Connect.Invalid(reason, i);
      }
      previous = Hash256.read(hash, 0);
      work = work.plus(rules.work());
      tip = new SideHeader(bytes, previous, ++height, work, tip);
      branch.add(tip);
      grown.add(tip);
    }
    return work.isMoreThan(work()) ? activate(branch) : keep(branch, grown, from, work);
  }

  private Connect keep(SideBranch branch, List<SideHeader> grown, int from, ChainWork work) {
    int tooMany = branch.headers().size() - side.limit();
    if (tooMany > 0) {
      int index = from + Math.max(0, grown.size() - tooMany);
      return new Connect.Invalid(HeaderFault.BRANCH_TOO_LONG, index);
    }
    side.add(grown);
    standing = branch;
    SideHeader tip = grown.get(grown.size() - 1);
    return new Connect.SideBranch(branch.forkHeight(), tip.hash, tip.height, work);
  }

  /** Activates a branch; the former active headers above the fork become a side branch. */
  private Connect activate(SideBranch branch) {
    int fork = branch.forkHeight();
    List<SideHeader> old = demoted(fork);
    side.exchange(fork, branch.headers(), old);
    active.truncate(fork);
    int height = fork;
    for (SideHeader next : branch.headers()) {
      height++;
      next.bytes.write(active.chunk(height), ActiveChain.offset(height));
      next.hash.write(hash, 0);
    }
    active.grow(height, hash);
    return new Connect.Extended(fork, height - fork);
  }

  private List<SideHeader> demoted(int fork) {
    List<SideHeader> headers = new ArrayList<>();
    ChainWork work = workAt(fork);
    SideHeader parent = null;
    long last = Math.min(height(), (long) fork + side.limit());
    for (int at = fork + 1; at <= last; at++) {
      work = work.plus(Target.ofBits(active.bits(at)).work());
      parent = new SideHeader(active.header(at), hashAt(at), at, work, parent);
      headers.add(parent);
    }
    return headers;
  }

  private List<Hash256> locator(SideBranch branch) {
    List<Hash256> hashes = new ArrayList<>();
    int step = 1;
    for (int height = branch.height(); height > base().height(); height -= step) {
      hashes.add(hashOn(branch, height));
      if (hashes.size() > LOCATOR_SINGLE_STEPS) {
        step *= 2;
      }
    }
    hashes.add(base().hash());
    return hashes;
  }

  private Hash256 hashOn(SideBranch branch, int height) {
    int above = height - branch.forkHeight();
    return above > 0 ? branch.headers().get(above - 1).hash : hashAt(height);
  }
}
