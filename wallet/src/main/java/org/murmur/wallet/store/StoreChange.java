package org.murmur.wallet.store;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.cover.Folded;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.p2p.wire.Headers;
import org.murmur.wallet.ledger.Fact;

/**
 * One commit, as it is written: all of it or nothing, in this order.
 *
 * @param forkHeight headers, rows and proofs above this height go away first
 * @param connected headers of the heights that follow
 * @param birthdayHeight the birthday's height, when it just became known
 * @param voidRowsFrom rows at and above this height go away before {@code rows} are written; {@link
 *     Integer#MAX_VALUE} for none
 * @param disowned peers whose rows, all of them, go away before {@code rows} are written; the
 *     filters they were sent stay known
 * @param loads filters, new or grown
 * @param rows scan rows, new or grown
 * @param facts transactions, new or changed
 * @param forgotten transactions that go away; none of them is confirmed
 * @param proofs of transactions that were confirmed
 * @param scripts new in the element log
 * @param outPoints new in the element log, or with another birth or end
 * @param peers what became known of peers
 * @param copies what servers' copies of filters have become
 * @param addresses how the table of known addresses changed
 * @param disclosed own scripts that peers are about to be sent outside every filter
 * @param folded rows that become fewer, before {@code rows} are written
 * @param inUse loads that may still get rows; others that no row names are counted with the next
 *     one of the same filter and peer
 */
public record StoreChange(
    int forkHeight,
    Headers connected,
    OptionalInt birthdayHeight,
    int voidRowsFrom,
    List<NodeAddress> disowned,
    List<Load> loads,
    List<ScanRow> rows,
    List<Fact> facts,
    List<Hash256> forgotten,
    List<StoredProof> proofs,
    List<ScriptRun> scripts,
    List<LoggedOutPoint> outPoints,
    List<PeerFacts> peers,
    List<ServerCopy> copies,
    AddressChanges addresses,
    List<DisclosedScripts> disclosed,
    Folded folded,
    Set<Long> inUse) {

  /** Copies the lists. */
  public StoreChange {
    disowned = List.copyOf(disowned);
    loads = List.copyOf(loads);
    rows = List.copyOf(rows);
    facts = List.copyOf(facts);
    forgotten = List.copyOf(forgotten);
    proofs = List.copyOf(proofs);
    scripts = List.copyOf(scripts);
    outPoints = List.copyOf(outPoints);
    peers = List.copyOf(peers);
    copies = List.copyOf(copies);
    disclosed = List.copyOf(disclosed);
    inUse = Set.copyOf(inUse);
  }

  /**
   * Returns whether loads may be counted with others: there are new ones, or no row names them any
   * more.
   *
   * @param height of the chain before this change, as it may leave blocks
   * @return whether it is worth looking
   */
  public boolean freesLoads(int height) {
    return !loads.isEmpty()
        || !folded.isEmpty()
        || !disowned.isEmpty()
        || voidRowsFrom != Integer.MAX_VALUE
        || height > forkHeight;
  }

  /**
   * Begins a change that changes nothing yet.
   *
   * @param forkHeight headers, rows and proofs above this height go away first; the height of the
   *     last header for none
   * @return a builder, for one thread
   */
  public static Builder above(int forkHeight) {
    return new Builder(forkHeight);
  }

  /** Collects changes. Data that is not named stays as it is. Belongs to one thread. */
  public static final class Builder {

    private final int forkHeight;
    private Headers connected = Headers.NONE;
    private OptionalInt birthdayHeight = OptionalInt.empty();
    private int voidRowsFrom = Integer.MAX_VALUE;
    private List<NodeAddress> disowned = List.of();
    private List<Load> loads = List.of();
    private List<ScanRow> rows = List.of();
    private List<Fact> facts = List.of();
    private List<Hash256> forgotten = List.of();
    private List<StoredProof> proofs = List.of();
    private List<ScriptRun> scripts = List.of();
    private List<LoggedOutPoint> outPoints = List.of();
    private List<PeerFacts> peers = List.of();
    private List<ServerCopy> copies = List.of();
    private AddressChanges addresses = AddressChanges.NONE;
    private List<DisclosedScripts> disclosed = List.of();
    private Folded folded = Folded.NOTHING;
    private Set<Long> inUse = Set.of();

    private Builder(int forkHeight) {
      this.forkHeight = forkHeight;
    }

    /**
     * Sets {@link StoreChange#connected}.
     *
     * @param headers headers of the heights that follow the fork
     * @return this builder
     */
    public Builder connected(Headers headers) {
      connected = headers;
      return this;
    }

    /**
     * Sets {@link StoreChange#birthdayHeight}.
     *
     * @param height the birthday's height, which just became known
     * @return this builder
     */
    public Builder birthdayHeight(OptionalInt height) {
      birthdayHeight = height;
      return this;
    }

    /**
     * Sets {@link StoreChange#voidRowsFrom}.
     *
     * @param height rows at and above this height go away before others are written
     * @return this builder
     */
    public Builder voidRowsFrom(int height) {
      voidRowsFrom = height;
      return this;
    }

    /**
     * Sets {@link StoreChange#disowned}.
     *
     * @param changed peers whose rows go away before others are written
     * @return this builder
     */
    public Builder disowned(List<NodeAddress> changed) {
      disowned = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#loads}.
     *
     * @param changed filters, new or grown
     * @return this builder
     */
    public Builder loads(List<Load> changed) {
      loads = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#rows}.
     *
     * @param changed scan rows, new or grown
     * @return this builder
     */
    public Builder rows(List<ScanRow> changed) {
      rows = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#facts}.
     *
     * @param changed transactions, new or changed
     * @return this builder
     */
    public Builder facts(List<Fact> changed) {
      facts = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#forgotten}.
     *
     * @param gone transactions that go away; none of them is confirmed
     * @return this builder
     */
    public Builder forgotten(List<Hash256> gone) {
      forgotten = gone;
      return this;
    }

    /**
     * Sets {@link StoreChange#proofs}.
     *
     * @param changed of transactions that were confirmed
     * @return this builder
     */
    public Builder proofs(List<StoredProof> changed) {
      proofs = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#scripts}.
     *
     * @param changed new in the element log
     * @return this builder
     */
    public Builder scripts(List<ScriptRun> changed) {
      scripts = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#outPoints}.
     *
     * @param changed new in the element log, or with another birth or end
     * @return this builder
     */
    public Builder outPoints(List<LoggedOutPoint> changed) {
      outPoints = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#peers}.
     *
     * @param changed what became known of peers
     * @return this builder
     */
    public Builder peers(List<PeerFacts> changed) {
      peers = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#copies}.
     *
     * @param changed what servers' copies of filters have become
     * @return this builder
     */
    public Builder copies(List<ServerCopy> changed) {
      copies = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#addresses}.
     *
     * @param changed how the table of known addresses changed
     * @return this builder
     */
    public Builder addresses(AddressChanges changed) {
      addresses = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#disclosed}.
     *
     * @param changed own scripts that peers are about to be sent outside every filter
     * @return this builder
     */
    public Builder disclosed(List<DisclosedScripts> changed) {
      disclosed = changed;
      return this;
    }

    /**
     * Sets {@link StoreChange#folded} and {@link StoreChange#inUse}.
     *
     * @param rows rows that become fewer
     * @param loads loads that may still get rows
     * @return this builder
     */
    public Builder folded(Folded rows, Set<Long> loads) {
      folded = rows;
      inUse = loads;
      return this;
    }

    /**
     * Makes the change of what was named.
     *
     * @return the change
     */
    public StoreChange build() {
      return new StoreChange(
          forkHeight,
          connected,
          birthdayHeight,
          voidRowsFrom,
          disowned,
          loads,
          rows,
          facts,
          forgotten,
          proofs,
          scripts,
          outPoints,
          peers,
          copies,
          addresses,
          disclosed,
          folded,
          inUse);
    }
  }
}
