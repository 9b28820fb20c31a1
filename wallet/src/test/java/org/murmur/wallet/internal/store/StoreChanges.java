package org.murmur.wallet.internal.store;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerChange;

/** Changes of a store, of which a test names the parts that it is about. */
public final class StoreChanges {

  private final int forkHeight;
  private Headers connected = Headers.NONE;
  private OptionalInt birthdayHeight = OptionalInt.empty();
  private int voidRowsFrom = Integer.MAX_VALUE;
  private List<NodeAddress> disowned = List.of();
  private List<Load> loads = List.of();
  private List<View> views = List.of();
  private List<Fetch> fetches = List.of();
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

  /** Begins a change that changes nothing yet. */
  public static StoreChanges above(int forkHeight) {
    return new StoreChanges(forkHeight);
  }

  private StoreChanges(int forkHeight) {
    this.forkHeight = forkHeight;
  }

  public StoreChanges connected(Headers headers) {
    connected = headers;
    return this;
  }

  public StoreChanges birthdayHeight(OptionalInt height) {
    birthdayHeight = height;
    return this;
  }

  public StoreChanges voidRowsFrom(int height) {
    voidRowsFrom = height;
    return this;
  }

  public StoreChanges disowned(List<NodeAddress> changed) {
    disowned = changed;
    return this;
  }

  public StoreChanges loads(List<Load> changed) {
    loads = changed;
    return this;
  }

  public StoreChanges views(List<View> changed) {
    views = changed;
    return this;
  }

  public StoreChanges fetches(List<Fetch> changed) {
    fetches = changed;
    return this;
  }

  public StoreChanges rows(List<ScanRow> changed) {
    rows = changed;
    return this;
  }

  public StoreChanges facts(List<Fact> changed) {
    facts = changed;
    return this;
  }

  public StoreChanges forgotten(List<Hash256> gone) {
    forgotten = gone;
    return this;
  }

  public StoreChanges proofs(List<StoredProof> changed) {
    proofs = changed;
    return this;
  }

  public StoreChanges scripts(List<ScriptRun> changed) {
    scripts = changed;
    return this;
  }

  public StoreChanges outPoints(List<LoggedOutPoint> changed) {
    outPoints = changed;
    return this;
  }

  public StoreChanges peers(List<PeerFacts> changed) {
    peers = changed;
    return this;
  }

  public StoreChanges copies(List<ServerCopy> changed) {
    copies = changed;
    return this;
  }

  public StoreChanges addresses(AddressChanges changed) {
    addresses = changed;
    return this;
  }

  public StoreChanges disclosed(List<DisclosedScripts> changed) {
    disclosed = changed;
    return this;
  }

  public StoreChanges folded(Folded rows, Set<Long> loads) {
    folded = rows;
    inUse = loads;
    return this;
  }

  public StoreChange build() {
    CommitBatch batch =
        new CommitBatch(
            1,
            forkHeight,
            connected,
            birthdayHeight,
            loads,
            views,
            rows,
            voidRowsFrom,
            disowned,
            List.of(),
            List.of(),
            List.of(),
            peers,
            copies,
            addresses,
            List.of(),
            fetches,
            folded,
            inUse);
    LedgerChange ledger = new LedgerChange(facts, List.of(), List.of(), 0, forgotten, List.of());
    return new StoreChange(batch, ledger, proofs, scripts, outPoints, disclosed);
  }
}
