package org.murmur.p2p.internal.sync;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Everything that changes together, written to disk in one database transaction. The order is that
 * of the fields: headers, cut rows, loads and rows, then transactions.
 *
 * @param sequence 1, 2, 3 … within a machine's life
 * @param forkHeight the last height whose header stays; below the stored height it is a
 *     reorganisation, and all rows, confirmations and headers above it are void
 * @param connected headers of heights forkHeight + 1 and up, possibly none
 * @param birthdayHeight the height of the wallet's birthday, when it just became known
 * @param loads filters about to be sent; they are sent only after this batch is committed
 * @param views views that no filter made, new or grown (same id)
 * @param rows scan rows, new or grown (same id, larger {@code to})
 * @param voidRowsFrom rows at and above this height are void before {@code rows} are added: a
 *     rescan; {@link Integer#MAX_VALUE} otherwise
 * @param disowned peers that omitted a transaction: all rows of their views are void before {@code
 *     rows} are added
 * @param blocks blocks with matched transactions, ascending within a pass
 * @param unconfirmed transactions that a peer relayed, unproven
 * @param missing pending transactions that are not in the mempool of a peer that sent all of it
 * @param peers new facts about peers
 * @param copies changed server-side filters; they alone do not cause a batch
 * @param addresses how the table of known addresses changed
 * @param mentions transactions about to be announced, sent or requested outside every filter; this
 *     happens only after this batch is committed
 * @param fetches whole blocks about to be requested because they may be the wallet's; this happens
 *     only after this batch is committed
 * @param folded rows of earlier batches that become fewer or shorter, after headers, rescan and
 *     disowned peers
 * @param inUse views that may still get rows; any other load that no row names may be counted with
 *     the next one of the same filter and peer, and any other view is gone
 */
public record CommitBatch(
    long sequence,
    int forkHeight,
    Headers connected,
    OptionalInt birthdayHeight,
    List<Load> loads,
    List<View> views,
    List<ScanRow> rows,
    int voidRowsFrom,
    List<NodeAddress> disowned,
    List<MatchedBlock> blocks,
    List<Tx> unconfirmed,
    List<Hash256> missing,
    List<PeerFacts> peers,
    List<ServerCopy> copies,
    AddressChanges addresses,
    List<Mention> mentions,
    List<Fetch> fetches,
    Folded folded,
    Set<Long> inUse) {

  /** Copies the lists. */
  public CommitBatch {
    loads = List.copyOf(loads);
    views = List.copyOf(views);
    rows = List.copyOf(rows);
    disowned = List.copyOf(disowned);
    blocks = List.copyOf(blocks);
    unconfirmed = List.copyOf(unconfirmed);
    missing = List.copyOf(missing);
    peers = List.copyOf(peers);
    copies = List.copyOf(copies);
    mentions = List.copyOf(mentions);
    fetches = List.copyOf(fetches);
    inUse = Set.copyOf(inUse);
  }

  /**
   * Makes a batch without other views, changed server-side filters, addresses, mentions, fetches or
   * folded rows.
   */
  public CommitBatch(
      long sequence,
      int forkHeight,
      Headers connected,
      OptionalInt birthdayHeight,
      List<Load> loads,
      List<ScanRow> rows,
      int voidRowsFrom,
      List<NodeAddress> disowned,
      List<MatchedBlock> blocks,
      List<Tx> unconfirmed,
      List<Hash256> missing,
      List<PeerFacts> peers) {
    this(
        sequence,
        forkHeight,
        connected,
        birthdayHeight,
        loads,
        List.of(),
        rows,
        voidRowsFrom,
        disowned,
        blocks,
        unconfirmed,
        missing,
        peers,
        List.of(),
        AddressChanges.NONE,
        List.of(),
        List.of(),
        Folded.NOTHING,
        Set.of());
  }

  /** Makes a batch that brings nothing: what changes comes from the user. */
  public static CommitBatch nothingAbove(int height) {
    return new CommitBatch(
        0,
        height,
        Headers.NONE,
        OptionalInt.empty(),
        List.of(),
        List.of(),
        Integer.MAX_VALUE,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  /**
   * A transaction that a peer learns of outside every filter: we announce it, send it, or request
   * it by txid.
   *
   * @param peer the peer, in the spelling that its other records use
   * @param sent the transaction if the user sends it, since the wallet may not have it; null if it
   *     is requested, since the wallet has it then
   * @param time when, seconds since 1970
   */
  public record Mention(NodeAddress peer, Hash256 txid, @Nullable Tx sent, long time) {}

  /**
   * A whole block that a peer serves: it learns that this block may be the wallet's.
   *
   * @param peer the peer, in the spelling that its other records use
   * @param height the block's
   * @param time when, seconds since 1970
   */
  public record Fetch(NodeAddress peer, int height, long time) {}

  /**
   * A block of the active chain with transactions that matched the filter, true or false positives.
   *
   * @param time its header's time in seconds since 1970
   * @param proof the merkleblock, already verified against the header
   * @param transactions the matched ones in block order, each proven and not 64 bytes long
   */
  public record MatchedBlock(int height, long time, MerkleBlock proof, List<Tx> transactions) {
    /** Copies the list. */
    public MatchedBlock {
      transactions = List.copyOf(transactions);
    }
  }

  /**
   * Facts about a peer after a session with it.
   *
   * @param latencyMillis the fastest ping's round trip, or -1
   * @param lastSeen seconds since 1970
   * @param mempoolAtOnce whether it answered {@code mempool} before the pong
   * @param misbehaviour the reason for dropping it, or empty
   */
  public record PeerFacts(
      NodeAddress address,
      long services,
      String userAgent,
      int startHeight,
      long latencyMillis,
      long lastSeen,
      boolean mempoolAtOnce,
      String misbehaviour) {}
}
