package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoreChanges;
import org.murmur.wallet.internal.store.StoredProof;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.store.sql.SqlEngine;

/**
 * Drawn lives of a wallet, written to a store in memory and to a file: both tell the same of them,
 * also when the file was one of an old format in between.
 */
class StoreContractTest {

  private static final int SCRIPTS = 30;
  private static final int OPEN = Integer.MAX_VALUE;

  /** The SQLite that these tests are about. */
  SqlEngine engine() {
    return JdbcEngine.INSTANCE;
  }

  /** A block, and which of its transactions are ours. */
  private record Block(Bytes header, List<Tx> txs) {

    Hash256 hash() {
      return DoubleSha256.of(header);
    }

    MerkleBlock proof(BitSet positions) {
      List<Hash256> txids = new ArrayList<>();
      txs.forEach(tx -> txids.add(tx.txid()));
      return MerkleBlock.of(header, MerkleTree.of(txids).prove(positions));
    }
  }

  /** Draws what happens to a wallet. */
  private static final class Life {

    private static final List<Fact.Voucher> VOUCHERS = List.of(Fact.Voucher.values());
    private static final List<Repute> REPUTES = List.of(Repute.values());
    private static final List<LabelType> TYPES = List.of(LabelType.values());

    private final Random dice;
    private final List<Block> chain = new ArrayList<>();
    private final Map<Hash256, Fact> facts = new LinkedHashMap<>();
    private final Map<OutPoint, LoggedOutPoint> log = new LinkedHashMap<>();
    private long drawn;

    Life(long seed) {
      dice = new Random(seed);
    }

    private Tx tx(@Nullable OutPoint spent) {
      byte[] txid = new byte[32];
      dice.nextBytes(txid);
      OutPoint from = spent == null ? new OutPoint(Hash256.ofInternal(txid), 1) : spent;
      TxBuilder builder = new TxBuilder().spend(from);
      for (int i = dice.nextInt(3); i >= 0; i--) {
        builder.pay(++drawn, Bytes.ofHex("51"));
      }
      return builder.build();
    }

    /** Blocks go and come; what was in those that go is pending, or in others. */
    StoreChanges blocks() {
      int fork = chain.size() - (dice.nextInt(4) == 0 ? dice.nextInt(3) : 0);
      fork = Math.max(0, fork);
      List<Tx> homeless = new ArrayList<>();
      Map<Hash256, Fact> changed = new LinkedHashMap<>();
      for (Fact fact : facts.values()) {
        if (fact.height() > fork) {
          changed.put(fact.tx().txid(), pending(fact.tx(), fact.seen(), fork + 1));
        }
        if (fact.height() > fork || fact.confirmation() == null) {
          homeless.add(fact.tx());
        }
      }
      chain.subList(fork, chain.size()).clear();
      List<StoredProof> proofs = new ArrayList<>();
      byte[] headers = new byte[80 * dice.nextInt(4)];
      for (int at = 0; at < headers.length; at += 80) {
        List<Tx> txs = new ArrayList<>();
        for (int i = dice.nextInt(12); i >= 0; i--) {
          boolean known = !homeless.isEmpty() && dice.nextInt(3) == 0;
          txs.add(known ? homeless.remove(0) : tx(null));
        }
        chain.add(block(txs));
        chain.get(chain.size() - 1).header().write(headers, at);
        serve(chain.size(), changed, proofs);
      }
      return change(fork, changed, proofs).connected(Headers.ofStored(Bytes.wrap(headers)));
    }

    /** A later session looks for more in a block. */
    StoreChanges again() {
      Map<Hash256, Fact> changed = new LinkedHashMap<>();
      List<StoredProof> proofs = new ArrayList<>();
      if (!chain.isEmpty()) {
        serve(1 + dice.nextInt(chain.size()), changed, proofs);
      }
      return change(chain.size(), changed, proofs);
    }

    /** The user notes something: what came before is replaced, or goes. */
    List<Label> labels() {
      List<Label> labels = new ArrayList<>();
      for (int i = dice.nextInt(3); i > 0; i--) {
        LabelType type = TYPES.get(dice.nextInt(TYPES.size()));
        LabelRef ref = new LabelRef(type, "thing " + dice.nextInt(4));
        Optional<Boolean> spendable =
            dice.nextBoolean() ? Optional.empty() : Optional.of(dice.nextBoolean());
        labels.add(new Label(ref, drawn(), drawn(), spendable, drawn()));
      }
      return labels;
    }

    /** Nothing, or a text with odd characters. */
    private String drawn() {
      return dice.nextBoolean()
          ? ""
          : List.of("a", "b\n\"\u0000", "\ud83d\ude00\u202e").get(dice.nextInt(3));
    }

    /** Payments are announced, and others forgotten. */
    StoreChanges mempool() {
      Map<Hash256, Fact> changed = new LinkedHashMap<>();
      List<Hash256> forgotten = new ArrayList<>();
      for (Fact fact : facts.values()) {
        if (fact.confirmation() == null && dice.nextInt(3) == 0) {
          if (dice.nextBoolean()) {
            forgotten.add(fact.tx().txid());
          } else {
            changed.put(fact.tx().txid(), pending(fact.tx(), fact.seen() + 1, 1));
          }
        }
      }
      forgotten.forEach(facts::remove);
      for (int i = dice.nextInt(4); i > 0; i--) {
        Tx tx = tx(log.isEmpty() ? null : log.keySet().iterator().next());
        changed.put(tx.txid(), pending(tx, drawn, chain.size() + 1));
      }
      return change(chain.size(), changed, List.of()).forgotten(forgotten);
    }

    private Fact pending(Tx tx, long seen, int since) {
      Repute repute = REPUTES.get(dice.nextInt(REPUTES.size()));
      Fact.Voucher by = VOUCHERS.get((int) (seen % 4));
      return new Fact(tx, seen, 1_700_000_000L, since, repute, null, by);
    }

    private Block block(List<Tx> txs) {
      byte[] header = new byte[80];
      dice.nextBytes(header);
      List<Hash256> txids = new ArrayList<>();
      txs.forEach(tx -> txids.add(tx.txid()));
      MerkleTree.root(txids).write(header, 36);
      return new Block(Bytes.wrap(header), txs);
    }

    /** A peer shows some of a block's transactions, of which some are ours. */
    private void serve(int height, Map<Hash256, Fact> changed, List<StoredProof> proofs) {
      Block block = chain.get(height - 1);
      BitSet matches = new BitSet();
      for (int i = 0; i < block.txs().size(); i++) {
        matches.set(i, dice.nextInt(3) > 0);
      }
      MerkleBlock proof = block.proof(matches);
      matches.stream()
          .filter(position -> dice.nextInt(4) > 0)
          .forEach(
              position -> {
                Tx tx = block.txs().get(position);
                Confirmation where = new Confirmation(height, block.hash(), position, height * 9L);
                changed.put(
                    tx.txid(),
                    new Fact(
                        tx,
                        ++drawn,
                        5,
                        Fact.NEVER_PENDING,
                        Repute.HEARD,
                        where,
                        VOUCHERS.get((int) (drawn % 4))));
                proofs.add(new StoredProof(tx.txid(), height, proof));
              });
    }

    /** The outpoints follow, as the element log has them: each whose state changed is written. */
    private StoreChanges change(int fork, Map<Hash256, Fact> changed, List<StoredProof> proofs) {
      facts.putAll(changed);
      Map<OutPoint, Integer> ends = new LinkedHashMap<>();
      for (Fact fact : facts.values()) {
        OutPoint input = fact.tx().inputs().get(0).outPoint();
        if (fact.confirmation() != null) {
          ends.put(input, fact.height());
        }
      }
      List<LoggedOutPoint> written = new ArrayList<>();
      for (Fact fact : changed.values()) {
        for (int i = 0; i < fact.tx().outputs().size(); i++) {
          log(fact, fact.tx().outPoint(i), i, ends, written);
        }
      }
      for (Map.Entry<OutPoint, LoggedOutPoint> entry : log.entrySet()) {
        LoggedOutPoint old = entry.getValue();
        int end = ends.getOrDefault(entry.getKey(), OPEN);
        if (old.end() != end) {
          LoggedOutPoint now =
              new LoggedOutPoint(
                  old.index(), old.outPoint(), old.script(), old.birth(), end, old.mined());
          entry.setValue(now);
          written.add(now);
        }
      }
      return StoreChanges.above(fork)
          .facts(new ArrayList<>(changed.values()))
          .proofs(proofs)
          .outPoints(written);
    }

    private void log(
        Fact fact,
        OutPoint outPoint,
        int output,
        Map<OutPoint, Integer> ends,
        List<LoggedOutPoint> written) {
      LoggedOutPoint old = log.get(outPoint);
      int index = old == null ? SCRIPTS + log.size() : old.index();
      int birth = fact.confirmation() == null ? Math.max(0, fact.pendingSince()) : fact.height();
      int script = output == 2 ? -1 : (int) (fact.tx().outputs().get(output).value() % SCRIPTS);
      LoggedOutPoint now =
          new LoggedOutPoint(
              index,
              outPoint,
              script,
              birth,
              ends.getOrDefault(outPoint, OPEN),
              script >= 0 && fact.confirmation() != null);
      log.put(outPoint, now);
      written.add(now);
    }
  }

  private static ScriptRun scripts() {
    List<Bytes> elements = new ArrayList<>();
    for (int i = 0; i < SCRIPTS; i++) {
      elements.add(Bytes.of(new byte[] {1, (byte) i}));
    }
    List<String> addresses = new ArrayList<>();
    elements.forEach(element -> addresses.add("address " + element));
    return new ScriptRun(0, 0, 0, elements, elements, addresses);
  }

  private static StoredWallet wallet() {
    return new StoredWallet(
        "regtest",
        1_700_000_000L,
        new Birthday.AtHeight(1),
        OptionalInt.empty(),
        20,
        20,
        List.of(new StoredWallet.Chain("wpkh(a/0/*)", false, true, 0)),
        null);
  }

  private static void assertSame(WalletStore store, WalletStore memory, Life life)
      throws Exception {
    assertThat(store.scripts(true)).isEqualTo(memory.scripts(true));
    assertThat(store.facts()).containsExactlyInAnyOrderElementsOf(memory.facts());
    assertThat(store.unconfirmed()).containsExactlyInAnyOrderElementsOf(memory.unconfirmed());
    assertThat(store.outPoints()).isEqualTo(memory.outPoints());
    for (Fact fact : memory.facts()) {
      assertThat(store.fact(fact.tx().txid())).isEqualTo(fact);
      MerkleBlock expected = memory.proof(fact.tx().txid());
      MerkleBlock proof = store.proof(fact.tx().txid());
      assertThat(proof == null).isEqualTo(expected == null);
      if (proof != null && expected != null) {
        assertProves(proof, fact, life);
        assertProves(expected, fact, life);
      }
    }
    assertThat(store.labels()).isEqualTo(memory.labels());
    for (Label label : memory.labels()) {
      List<LabelRef> some = List.of(label.ref(), new LabelRef(LabelType.TX, "thing 0"));
      assertThat(store.labels(some)).isEqualTo(memory.labels(some));
    }
    assertThat(store.fact(Hash256.ZERO)).isNull();
    assertThat(store.proof(Hash256.ZERO)).isNull();
    List<Fact> pages = new ArrayList<>();
    int height = OPEN;
    int position = 0;
    int limit = 1 + life.dice.nextInt(7);
    List<Fact> page;
    do {
      page = store.confirmedBefore(height, position, limit);
      assertThat(page).isEqualTo(memory.confirmedBefore(height, position, limit));
      pages.addAll(page);
      if (!page.isEmpty()) {
        height = page.get(page.size() - 1).height();
        position = where(page.get(page.size() - 1)).position();
      }
    } while (page.size() == limit);
    assertThat(pages)
        .hasSize(memory.facts().size() - memory.unconfirmed().size())
        .hasSize(store.minedCount())
        .hasSize(memory.minedCount())
        .isSortedAccordingTo(Comparator.comparingInt(Fact::height).reversed());
  }

  private static Confirmation where(Fact fact) {
    return Objects.requireNonNull(fact.confirmation());
  }

  private static void assertProves(MerkleBlock proof, Fact fact, Life life) {
    Match match = new Match(fact.tx().txid(), where(fact).position());
    assertThat(proof.header()).isEqualTo(life.chain.get(fact.height() - 1).header());
    assertThat(((Verdict.Proven) proof.verify()).matches()).contains(match);
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void reportTheSameLife(@ForAll long seed) throws Exception {
    Path folder = Files.createTempDirectory("murmur-contract");
    Path file = folder.resolve("w");
    Life life = new Life(seed);
    MemoryStore memory = new MemoryStore(wallet(), List.of(scripts()));
    SqliteStore.create(engine(), file, wallet(), List.of(scripts())).close();
    for (int session = 0; session < 4; session++) {
      try (SqliteStore store = SqliteStore.open(engine(), file)) {
        store.lock();
        for (int i = 0; i < 6; i++) {
          StoreChange change =
              switch (life.dice.nextInt(4)) {
                case 0 -> life.mempool().build();
                case 1 -> life.again().build();
                default -> life.blocks().build();
              };
          memory.write(change);
          store.write(change);
          List<Label> labels = life.labels();
          memory.putLabels(labels);
          store.putLabels(labels);
        }
        assertSame(store, memory, life);
      }
      try (SqliteStore store = SqliteStore.open(engine(), file)) {
        assertSame(store, memory, life);
      }
    }
    for (String suffix : List.of("", ".lock")) {
      Files.delete(folder.resolve("w" + suffix));
    }
    Files.delete(folder);
  }

  /** Peers whose views begin and grow, with rows, forks, convictions and sessions that end. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void keepTheSameViews(@ForAll long seed) throws Exception {
    Path folder = Files.createTempDirectory("murmur-contract");
    Path file = folder.resolve("w");
    Random dice = new Random(seed);
    MemoryStore memory = new MemoryStore(wallet(), List.of(scripts()));
    try (SqliteStore store = SqliteStore.create(engine(), file, wallet(), List.of(scripts()))) {
      long row = 0;
      List<View> open = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        List<View> grown = new ArrayList<>();
        if (!open.isEmpty() && dice.nextInt(3) == 0) {
          View one = open.get(0);
          grown.add(one.at(one.content().size() + 1));
          open.set(0, grown.get(0));
        } else if (dice.nextInt(3) == 0) {
          NodeAddress peer = new NodeAddress("p" + dice.nextInt(3), 1);
          Map<Integer, Hash256> headers = new TreeMap<>();
          for (int more = dice.nextInt(4); more > 0; more--) {
            byte[] header = new byte[Hash256.LENGTH];
            dice.nextBytes(header);
            headers.put(dice.nextInt(900_000), Hash256.ofInternal(header));
          }
          Content content = new Content.Scripts(dice.nextInt(9), dice.nextBoolean(), headers);
          open.add(new View(memory.lastView() + 1, peer, content, false));
          grown.add(open.get(open.size() - 1));
        }
        List<ScanRow> rows = new ArrayList<>();
        for (View view : open) {
          int from = 1 + dice.nextInt(9);
          rows.add(new ScanRow(++row, view.id(), view.content().size(), from, from + 1, 5));
        }
        boolean ends = dice.nextInt(4) == 0;
        Set<Long> inUse = new HashSet<>();
        open.forEach(view -> inUse.add(view.id()));
        if (ends) {
          open.clear();
        }
        List<Fetch> fetched = new ArrayList<>();
        for (int more = dice.nextInt(3); more > 0; more--) {
          NodeAddress peer = new NodeAddress("p" + dice.nextInt(3), 1);
          fetched.add(new Fetch(peer, dice.nextInt(5), 7L + i));
        }
        boolean lied = dice.nextInt(6) == 0;
        StoreChange change =
            StoreChanges.above(dice.nextInt(8))
                .views(grown)
                .fetches(fetched)
                .rows(rows)
                .disowned(lied ? List.of(new NodeAddress("p" + dice.nextInt(3), 1)) : List.of())
                .folded(Folded.NOTHING, ends ? Set.of() : inUse)
                .build();
        memory.write(change);
        store.write(change);
        assertThat(store.views()).isEqualTo(memory.views());
        assertThat(store.rows()).isEqualTo(memory.rows());
        assertThat(store.fetches()).isEqualTo(memory.fetches());
        assertThat(store.lastView()).isEqualTo(memory.lastView());
      }
    }
    for (String suffix : List.of("", ".lock")) {
      Files.delete(folder.resolve("w" + suffix));
    }
    Files.delete(folder);
  }
}
