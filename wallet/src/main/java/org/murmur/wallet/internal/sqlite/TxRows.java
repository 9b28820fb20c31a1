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
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
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

  private final Table blockTable;
  private final Table unconfirmedTable;
  private final Table placeTable;
  private final HeaderRuns headers;

  TxRows(Tables tables, HeaderRuns headers) {
    blockTable = tables.of("block");
    unconfirmedTable = tables.of("unconfirmed");
    placeTable = tables.of("txid");
    this.headers = headers;
  }

  List<Fact> all() throws SQLException {
    List<Fact> facts = new ArrayList<>();
    for (PackedBlock block : blockTable.all(PackedBlock::of)) {
      facts.addAll(block.facts());
    }
    facts.addAll(unconfirmed());
    return facts;
  }

  List<Fact> unconfirmed() throws SQLException {
    return unconfirmedTable.all(TxRows::unconfirmed);
  }

  private static Fact unconfirmed(long id, ByteReader in) {
    return StoredFacts.read(in, null);
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
      List<Long> heights = blockTable.ids(0, from, most);
      Map<Long, PackedBlock> found = blockTable.rows(heights, PackedBlock::of);
      for (long at : heights) {
        PackedBlock block = found.get(at);
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
    PackedBlock block = blockTable.row(height, PackedBlock::of);
    return block == null ? List.of() : block.facts();
  }

  KeyedHeights heights() throws SQLException {
    KeyedHeights heights = new KeyedHeights();
    for (TxPlaces places : placeTable.all((id, in) -> TxPlaces.of(in))) {
      places.addHeights(heights);
    }
    return heights;
  }

  int mined() throws SQLException {
    return placeTable.all((id, in) -> TxPlaces.mined(in)).stream()
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
    List<Long> heights = blockTable.ids(height + 1L, Integer.MAX_VALUE, Integer.MAX_VALUE);
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
      places.putAll(placeTable.rows(rows, (id, in) -> TxPlaces.of(in)));
      Set<Long> heights = new TreeSet<>();
      Set<Long> ids = new TreeSet<>();
      for (Hash256 txid : txids) {
        places(txid).find(txid).forEach(place -> (place.mined() ? heights : ids).add(place.at()));
      }
      readBlocks(heights);
      unconfirmed.putAll(unconfirmedTable.rows(ids, TxRows::unconfirmed));
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
      blocks.putAll(blockTable.rows(missing, PackedBlock::of));
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
        unconfirmedTable.delete(place.at());
      }
      changedPlaces(txid).remove(txid, place);
    }

    private void update(long id, Fact fact) throws SQLException {
      unconfirmed.put(id, fact);
      unconfirmedTable.put(id, StoredFacts.write(fact, new ByteWriter()).toArray());
    }

    private void insert(Fact fact) throws SQLException {
      long id = unconfirmedTable.next();
      update(id, fact);
      changedPlaces(fact.tx().txid()).add(fact.tx().txid(), new Place(false, id));
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
          blockTable.delete(height);
        } else {
          blockTable.put(height, block.toBytes(hash));
        }
      }
      for (long row : changedPlaces) {
        TxPlaces some = places.getOrDefault(row, TxPlaces.none());
        if (some.isEmpty()) {
          placeTable.delete(row);
        } else {
          placeTable.put(row, some.toBytes());
        }
      }
    }
  }
}
