package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.sqlite.TxPlaces.Place;
import org.murmur.wallet.internal.store.KeyedHeights;
import org.murmur.wallet.internal.store.StoredProof;
import org.murmur.wallet.ledger.Confirmation;

/**
 * Transactions: those in blocks stand together with the others of their block and their proof
 * ({@link PackedBlock}), the unconfirmed in a row each, and {@link TxPlaces} says where each is.
 */
final class TxRows {

  /** Blocks of which the heights are read at once, for a page. */
  private static final int MAX_BLOCKS = 64;

  private final Database db;
  private final RowChecksums sums;
  private final HeaderRuns headers;

  TxRows(Database db, RowChecksums sums, HeaderRuns headers) {
    this.db = db;
    this.sums = sums;
    this.headers = headers;
  }

  private static PackedBlock block(Row row) {
    return PackedBlock.of(
        row.small(0), Hash256.ofInternal(row.bytes(1)), row.number(2), row.bytes(3));
  }

  private static Fact unconfirmed(Row row) {
    return StoredFacts.fact(
        row.small(5),
        row.number(2),
        row.number(3),
        row.isNull(4) ? Fact.NEVER_PENDING : row.small(4),
        null,
        Bytes.wrap(row.bytes(1)));
  }

  List<Fact> all() throws SQLException {
    List<Fact> facts = new ArrayList<>();
    for (PackedBlock block : sums.rows("block", TxRows::block)) {
      facts.addAll(block.facts());
    }
    facts.addAll(unconfirmed());
    return facts;
  }

  List<Fact> unconfirmed() throws SQLException {
    return sums.rows("unconfirmed", TxRows::unconfirmed);
  }

  @Nullable Fact fact(Hash256 txid) throws SQLException {
    return facts(List.of(txid)).get(txid);
  }

  /** Those of them that are stored, by txid. */
  Map<Hash256, Fact> facts(Collection<Hash256> txids) throws SQLException {
    Change change = new Change();
    change.read(txids);
    Map<Hash256, Fact> facts = new LinkedHashMap<>();
    for (Hash256 txid : txids) {
      Place place = change.place(txid);
      Fact fact = place == null ? null : change.fact(place, txid);
      if (fact != null) {
        facts.put(txid, fact);
      }
    }
    return facts;
  }

  /** The last ones before a place, highest first. */
  List<Fact> before(int height, int position, int limit) throws SQLException {
    List<Fact> page = new ArrayList<>();
    int from = height;
    boolean more = true;
    while (more && page.size() < limit) {
      int most = Math.min(limit - page.size(), MAX_BLOCKS - 1) + 1;
      List<Long> heights = sums.ids("block", 0, from, most);
      Map<Long, PackedBlock> blocks = sums.rows("block", heights, TxRows::block);
      for (long at : heights) {
        PackedBlock block = blocks.get(at);
        if (block != null) {
          addBefore(block, at == height ? position : Integer.MAX_VALUE, limit, page);
        }
        from = (int) at - 1;
      }
      more = heights.size() == most;
    }
    return page;
  }

  List<Fact> at(int height) throws SQLException {
    PackedBlock block =
        sums.rows("block", List.of((long) height), TxRows::block).get((long) height);
    return block == null ? List.of() : block.facts();
  }

  KeyedHeights heights() throws SQLException {
    KeyedHeights heights = new KeyedHeights();
    for (TxPlaces places : sums.rows("txid", row -> TxPlaces.of(row.bytes(1)))) {
      places.addHeights(heights);
    }
    return heights;
  }

  int mined() throws SQLException {
    return sums.rows("txid", row -> TxPlaces.mined(row.bytes(1))).stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  private static void addBefore(PackedBlock block, int position, int limit, List<Fact> page) {
    List<Fact> facts = new ArrayList<>(block.facts());
    Collections.reverse(facts);
    for (Fact fact : facts) {
      Confirmation where = fact.confirmation();
      if (where != null && where.position() < position && page.size() < limit) {
        page.add(fact);
      }
    }
  }

  @Nullable MerkleBlock proof(Hash256 txid) throws SQLException {
    Change change = new Change();
    change.read(List.of(txid));
    Place place = change.place(txid);
    if (place == null || !place.mined()) {
      return null;
    }
    PackedBlock block = change.block((int) place.at());
    PartialMerkleTree tree = block.proof(txid);
    if (tree == null) {
      return null;
    }
    Bytes header = headers.read(block.height(), block.height() + 1).header(0);
    MerkleBlock proof = MerkleBlock.of(header, tree);
    if (!Objects.equals(block.hash(), proof.blockHash())) {
      throw new IllegalArgumentException(
          "the header of height " + block.height() + " is not the one of its transactions");
    }
    return proof;
  }

  /** Takes in one commit's changes. */
  void apply(List<Fact> facts, List<Hash256> forgotten, List<StoredProof> proofs)
      throws SQLException {
    if (facts.isEmpty() && forgotten.isEmpty() && proofs.isEmpty()) {
      return;
    }
    Change change = new Change();
    change.put(facts);
    change.forget(forgotten);
    change.prove(proofs);
    change.write();
  }

  /** Forgets proofs of blocks that left the chain. */
  void dropProofsAbove(int height) throws SQLException {
    Change change = new Change();
    List<Long> heights = sums.ids("block", height + 1L, Integer.MAX_VALUE, Integer.MAX_VALUE);
    change.readBlocks(heights);
    for (long at : heights) {
      change.changed((int) at).dropProofs();
    }
    change.write();
  }

  /** The rows of one reading, or of one change. */
  private final class Change {

    private final Map<Long, TxPlaces> places = new TreeMap<>();
    private final Set<Long> changedPlaces = new TreeSet<>();
    private final Map<Long, PackedBlock> blocks = new TreeMap<>();
    private final Map<Long, Fact> unconfirmed = new TreeMap<>();
    private final Set<Integer> changed = new TreeSet<>();

    /** Reads all that may hold one of these. */
    void read(Collection<Hash256> txids) throws SQLException {
      Set<Long> rows = new TreeSet<>();
      txids.forEach(txid -> rows.add(TxPlaces.row(txid)));
      rows.removeAll(places.keySet());
      rows.forEach(row -> places.put(row, TxPlaces.none()));
      places.putAll(sums.rows("txid", rows, row -> TxPlaces.of(row.bytes(1))));
      Set<Long> heights = new TreeSet<>();
      Set<Long> ids = new TreeSet<>();
      for (Hash256 txid : txids) {
        places(txid).find(txid).forEach(place -> (place.mined() ? heights : ids).add(place.at()));
      }
      readBlocks(heights);
      unconfirmed.putAll(sums.rows("unconfirmed", ids, TxRows::unconfirmed));
    }

    private TxPlaces places(Hash256 txid) {
      return places.computeIfAbsent(TxPlaces.row(txid), row -> TxPlaces.none());
    }

    private TxPlaces changedPlaces(Hash256 txid) {
      changedPlaces.add(TxPlaces.row(txid));
      return places(txid);
    }

    void readBlocks(Collection<Long> heights) throws SQLException {
      Set<Long> missing = new TreeSet<>(heights);
      missing.removeAll(blocks.keySet());
      blocks.putAll(sums.rows("block", missing, TxRows::block));
    }

    PackedBlock block(int height) {
      return blocks.computeIfAbsent((long) height, at -> new PackedBlock(height));
    }

    PackedBlock changed(int height) {
      changed.add(height);
      return block(height);
    }

    /** Where a transaction is, after {@link #read}; null if it is not stored. */
    @Nullable Place place(Hash256 txid) {
      for (Place place : places(txid).find(txid)) {
        if (fact(place, txid) != null) {
          return place;
        }
      }
      return null;
    }

    @Nullable Fact fact(Place place, Hash256 txid) {
      if (place.mined()) {
        return block((int) place.at()).fact(txid);
      }
      Fact fact = unconfirmed.get(place.at());
      return fact != null && fact.tx().txid().equals(txid) ? fact : null;
    }

    void put(List<Fact> facts) throws SQLException {
      List<Hash256> txids = new ArrayList<>();
      Set<Long> heights = new TreeSet<>();
      for (Fact fact : facts) {
        txids.add(fact.tx().txid());
        if (fact.confirmation() != null) {
          heights.add((long) fact.height());
        }
      }
      read(txids);
      readBlocks(heights);
      // All leave their places first: another block takes the place of one that left the chain.
      for (Fact fact : facts) {
        take(fact.tx().txid(), fact);
      }
      for (Fact fact : facts) {
        Confirmation where = fact.confirmation();
        if (where != null) {
          if (changed(where.height()).fact(fact.tx().txid()) == null) {
            changedPlaces(fact.tx().txid()).add(fact.tx().txid(), new Place(true, where.height()));
          }
          changed(where.height()).put(fact, where);
        } else if (place(fact.tx().txid()) == null) {
          insert(fact);
        }
      }
    }

    /** Takes a transaction from where it is, unless it stays there. */
    private void take(Hash256 txid, Fact now) throws SQLException {
      Place place = place(txid);
      if (place == null) {
        return;
      }
      Confirmation where = now.confirmation();
      if (!place.mined() && where == null) {
        update(place.at(), now);
      } else if (where == null
          || !place.mined()
          || where.height() != place.at()
          || !Objects.equals(block(where.height()).hash(), where.block())) {
        remove(txid, place);
      }
    }

    private void remove(Hash256 txid, Place place) throws SQLException {
      if (place.mined()) {
        changed((int) place.at()).remove(txid);
      } else {
        unconfirmed.remove(place.at());
        db.change("DELETE FROM unconfirmed WHERE id = ?", place.at());
      }
      changedPlaces(txid).remove(txid, place);
    }

    private void update(long id, Fact fact) throws SQLException {
      unconfirmed.put(id, fact);
      db.change(
          "UPDATE unconfirmed SET raw = ?, seen = ?, first_seen = ?, since = ?, missing = ?"
              + " WHERE id = ?",
          fact.tx().raw().unsafeArray(),
          fact.seen(),
          fact.firstSeen(),
          since(fact),
          StoredFacts.code(fact),
          id);
    }

    private void insert(Fact fact) throws SQLException {
      List<Long> last = sums.ids("unconfirmed", 0, Long.MAX_VALUE, 1);
      long id = last.isEmpty() ? 1 : last.get(0) + 1;
      unconfirmed.put(id, fact);
      db.change(
          "INSERT INTO unconfirmed VALUES (?, ?, ?, ?, ?, ?)",
          id,
          fact.tx().raw().unsafeArray(),
          fact.seen(),
          fact.firstSeen(),
          since(fact),
          StoredFacts.code(fact));
      changedPlaces(fact.tx().txid()).add(fact.tx().txid(), new Place(false, id));
    }

    private @Nullable Integer since(Fact fact) {
      return fact.pendingSince() == Fact.NEVER_PENDING ? null : fact.pendingSince();
    }

    void forget(List<Hash256> txids) throws SQLException {
      read(txids);
      for (Hash256 txid : txids) {
        Place place = place(txid);
        if (place != null) {
          remove(txid, place);
        }
      }
    }

    /** Each proof once, however many transactions it proves: they share it. */
    void prove(List<StoredProof> proofs) throws SQLException {
      Map<Integer, Set<MerkleBlock>> byHeight = new TreeMap<>();
      for (StoredProof proof : proofs) {
        byHeight
            .computeIfAbsent(
                proof.height(), h -> Collections.newSetFromMap(new IdentityHashMap<>()))
            .add(proof.block());
      }
      Set<Long> heights = new TreeSet<>();
      byHeight.keySet().forEach(height -> heights.add((long) height));
      readBlocks(heights);
      byHeight.forEach(
          (height, blocks) -> {
            PackedBlock block = changed(height);
            blocks.forEach(proof -> block.prove(proof.tree()));
          });
    }

    void write() throws SQLException {
      for (int height : changed) {
        PackedBlock block = block(height);
        Hash256 hash = block.hash();
        if (hash == null) {
          db.change("DELETE FROM block WHERE height = ?", height);
        } else {
          db.change(
              "INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?)",
              height,
              hash.toInternal(),
              block.time(),
              block.toBytes());
        }
      }
      for (long row : changedPlaces) {
        TxPlaces some = places.getOrDefault(row, TxPlaces.none());
        if (some.isEmpty()) {
          db.change("DELETE FROM txid WHERE first = ?", row);
        } else {
          db.change("INSERT OR REPLACE INTO txid VALUES (?, ?)", row, some.toBytes());
        }
      }
    }
  }
}
