package org.murmur.wallet.internal.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Confirmed;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;

/** The initial state of a machine, after batches that it did not see. */
class BooksTest {

  private static final Bytes ELSEWHERE = Bytes.of(new byte[] {0x51});

  private final Descriptor descriptor =
      Accounts.descriptors(
              Mnemonic.parse(
                  "abandon abandon abandon abandon abandon abandon abandon abandon abandon"
                      + " abandon abandon about"),
              "",
              KeyNetwork.REGTEST,
              List.of(OutputType.P2WPKH),
              0)
          .get(0);
  private final Bytes own = descriptor.derive(0, 1).get(0).scriptPubKey();
  private final List<Bytes> headers = new ArrayList<>();
  private final Books books = books();
  private long sequence;
  private int serial;
  private long now;

  private Books books() {
    Derivation derivation = new Derivation(KeyNetwork.REGTEST);
    List<StoredWallet.Chain> chains =
        List.of(new StoredWallet.Chain(descriptor.canonical(), false, true, 0));
    StoredWallet wallet =
        new StoredWallet(
            ChainParams.REGTEST.name(),
            0,
            new Birthday.AtHeight(1),
            OptionalInt.of(1),
            5,
            5,
            chains,
            null);
    return new Books(
        new MemoryStore(wallet, derivation.begin(chains, 5, 5)), ChainParams.REGTEST, derivation);
  }

  private static OutPoint foreignCoin(int number) {
    byte[] txid = new byte[32];
    txid[0] = (byte) number;
    txid[31] = 1;
    return new OutPoint(Hash256.ofInternal(txid), 0);
  }

  /** Puts a block with one matched transaction on the chain, above a height. */
  private CommitOutcome mine(int fork, Tx tx) throws Exception {
    MerkleTree tree = MerkleTree.of(List.of(tx.txid()));
    while (headers.size() > fork) {
      headers.remove(headers.size() - 1);
    }
    Hash256 previous =
        headers.isEmpty()
            ? ChainParams.REGTEST.genesisHash()
            : Headers.ofStored(headers.get(headers.size() - 1)).hash(0);
    Bytes header =
        new ByteWriter()
            .int32(0x20000000)
            .hash(previous)
            .hash(MerkleTree.root(List.of(tx.txid())))
            .int32(1_700_000_000 + (int) sequence)
            .int32(0x207fffff)
            .int32(0)
            .toBytes();
    headers.add(header);
    BitSet matches = new BitSet();
    matches.set(0);
    MerkleBlock proof = MerkleBlock.of(header, tree.prove(matches));
    return commit(
        fork,
        Headers.ofStored(header),
        List.of(new CommitBatch.MatchedBlock(fork + 1, 0, proof, List.of(tx))),
        List.of());
  }

  private CommitOutcome commit(
      int fork, Headers connected, List<CommitBatch.MatchedBlock> blocks, List<Tx> unconfirmed)
      throws Exception {
    return books.commit(
        new CommitBatch(
            ++sequence,
            fork,
            connected,
            OptionalInt.empty(),
            List.of(),
            List.of(),
            Integer.MAX_VALUE,
            List.of(),
            blocks,
            unconfirmed,
            List.of(),
            List.of()),
        now);
  }

  /** A payment that lost its coins stays where it came, on each page of any size. */
  @Test
  void displacedPaymentsAreListedWhereTheyCame() throws Exception {
    books.lock();
    Tx first = new TxBuilder().spend(foreignCoin(1)).pay(1_000, own).build();
    Tx lost = new TxBuilder().spend(foreignCoin(2)).pay(2_000, own).build();
    Tx spend = new TxBuilder().spend(foreignCoin(2)).pay(1_900, ELSEWHERE).build();
    Tx later = new TxBuilder().spend(foreignCoin(3)).pay(3_000, own).build();
    Tx slow = new TxBuilder().spend(foreignCoin(4)).pay(4_000, own).pay(10, ELSEWHERE).build();
    Tx fast = new TxBuilder().spend(foreignCoin(4)).pay(4_000, own).build();
    mine(0, first);
    now = 1_700_000_002;
    commit(1, Headers.NONE, List.of(), List.of(lost));
    mine(1, spend);
    mine(2, later);
    now = 1_700_000_005;
    commit(3, Headers.NONE, List.of(), List.of(slow));
    commit(3, Headers.NONE, List.of(), List.of(fast));
    List<Hash256> usual = List.of(first.txid(), lost.txid(), later.txid(), fast.txid());
    List<Hash256> all = List.of(first.txid(), lost.txid(), later.txid(), slow.txid(), fast.txid());
    assertThat(txids(books.read(view -> new Payments(view).history(true)))).isEqualTo(all);
    assertThat(txids(books.read(view -> new Payments(view).history(false))))
        .containsExactly(first.txid(), later.txid(), fast.txid());
    for (int limit = 1; limit <= 6; limit++) {
      assertThat(pages(limit, false)).as("pages of " + limit).isEqualTo(usual);
      assertThat(pages(limit, true)).as("pages of " + limit).isEqualTo(all);
    }
  }

  /** All pages, put together as a user does who goes back. */
  private List<Hash256> pages(int limit, boolean full) throws Exception {
    List<Hash256> txids = new ArrayList<>();
    Optional<Hash256> before = Optional.empty();
    boolean older = true;
    while (older) {
      Optional<Hash256> end = before;
      HistoryPage page =
          books.read(view -> new Payments(view).page(limit, end, full)).orElseThrow();
      assertThat(page.entries()).isNotEmpty();
      assertThat(page.hidden()).isEqualTo(full ? 0 : 1);
      txids.addAll(0, txids(page.entries()));
      before = Optional.of(txids.get(0));
      older = page.older();
    }
    return txids;
  }

  private static List<Hash256> txids(List<HistoryEntry> entries) {
    return entries.stream().map(HistoryEntry::txid).collect(Collectors.toList());
  }

  /** The answers of this session's peers are compared with those of the next one's. */
  @Test
  void theReplacementOfAPaymentIsKnownToTheNextSession() throws Exception {
    books.lock();
    Tx payment = new TxBuilder().spend(foreignCoin(1)).pay(1_000, own).build();
    Tx conflict = new TxBuilder().spend(foreignCoin(1)).pay(900, ELSEWHERE).build();
    mine(0, payment);
    assertThat(books.start(Preset.Fast.USUAL.verify(2)).confirmed())
        .containsExactly(new Confirmed(1, payment));
    // A reorganisation: a payment to a foreign script replaces the payment.
    mine(0, conflict);
    assertThat(books.start(Preset.Fast.USUAL.verify(2)).confirmed())
        .containsExactly(new Confirmed(1, conflict));
    assertThat(books.start(Preset.Fast.USUAL).confirmed()).isEmpty();
    // And one whose payment was never in a block.
    Tx pending = new TxBuilder().spend(foreignCoin(2)).pay(2_000, own).build();
    commit(1, Headers.NONE, List.of(), List.of(pending));
    Tx other = new TxBuilder().spend(foreignCoin(2)).pay(1_900, ELSEWHERE).build();
    mine(1, other);
    assertThat(books.start(Preset.Fast.USUAL.verify(2)).confirmed())
        .containsExactlyInAnyOrder(new Confirmed(1, conflict), new Confirmed(2, other));
  }

  /** The input of a pending payment is in the filter: its spend is watched, so no chance match. */
  @Test
  void aDoubleSpendOfAWatchedInputIsNoFalsePositive() throws Exception {
    books.lock();
    Tx pending = new TxBuilder().spend(foreignCoin(1)).pay(1_000, own).build();
    assertThat(falsePositives(commit(0, Headers.NONE, List.of(), List.of(pending)))).isZero();
    Tx other = new TxBuilder().spend(foreignCoin(1)).pay(900, ELSEWHERE).build();
    assertThat(falsePositives(commit(0, Headers.NONE, List.of(), List.of(other)))).isZero();
    assertThat(falsePositives(mine(0, other))).isZero();
    Tx strangers = new TxBuilder().spend(foreignCoin(2)).pay(900, ELSEWHERE).build();
    assertThat(falsePositives(mine(1, strangers))).isEqualTo(1);
  }

  private static int falsePositives(CommitOutcome outcome) {
    return outcome.falsePositives();
  }

  /**
   * A payment to a known key and, in the same transaction, to one that is only derived after more
   * addresses were handed out: both coins count, and both are watched.
   */
  @Test
  void aScriptDerivedLaterOwnsEarlierPayments() throws Exception {
    books.lock();
    Bytes far = descriptor.derive(12, 13).get(0).scriptPubKey();
    Tx payment = new TxBuilder().spend(foreignCoin(1)).pay(1_000, own).pay(500, far).build();
    mine(0, payment);
    assertThat(confirmed()).isEqualTo(1_000);
    books.writeStore(store -> store.handOut(0, 10, OptionalInt.empty()));
    books.grow();
    assertThat(confirmed()).isEqualTo(1_500);
    assertThat(books.start(Preset.Fast.USUAL).log())
        .filteredOn(Element.OwnOutPoint.class::isInstance)
        .extracting(Element::data)
        .contains(payment.outPoint(0).toBytes(), payment.outPoint(1).toBytes());
  }

  /** A long session learns of it with its next commit, though nothing matched. */
  @Test
  void addressesHandedOutMeanwhileAreWatched() throws Exception {
    books.lock();
    // A witness program of 20 bytes: the element follows version and length.
    Bytes far = descriptor.derive(12, 13).get(0).scriptPubKey().slice(2, 22);
    books.grow();
    books.start(Preset.Fast.USUAL.verify(2));
    assertThat(watched(commit(0, Headers.NONE, List.of(), List.of()))).isEmpty();
    books.writeStore(store -> store.handOut(0, 10, OptionalInt.empty()));
    List<Element> added = watched(commit(0, Headers.NONE, List.of(), List.of()));
    assertThat(added)
        .filteredOn(Element.Script.class::isInstance)
        .extracting(Element::data)
        .contains(far);
    // Once.
    assertThat(watched(commit(0, Headers.NONE, List.of(), List.of()))).isEmpty();
  }

  /** An address that is also watched by itself is still used in its chain. */
  @Test
  void anAddressOfTwoChainsIsUsedInBoth() throws Exception {
    Derivation derivation = new Derivation(KeyNetwork.REGTEST);
    List<StoredWallet.Chain> chains = new ArrayList<>();
    for (int child = 0; child < 5; child++) {
      String address = descriptor.derive(child, 1).get(0).address();
      String single = Accounts.ofAddress(Address.parse(address), KeyNetwork.REGTEST).canonical();
      chains.add(new StoredWallet.Chain(single, false, false, 0));
    }
    chains.add(new StoredWallet.Chain(descriptor.canonical(), false, true, 0));
    StoredWallet wallet =
        new StoredWallet(
            ChainParams.REGTEST.name(),
            0,
            new Birthday.AtHeight(1),
            OptionalInt.of(1),
            5,
            5,
            chains,
            null);
    Books both =
        new Books(
            new MemoryStore(wallet, derivation.begin(chains, 5, 5)),
            ChainParams.REGTEST,
            derivation);
    both.lock();
    Tx payment =
        new TxBuilder()
            .spend(foreignCoin(1))
            .pay(1_000, descriptor.derive(4, 1).get(0).scriptPubKey())
            .build();
    both.send(payment, false, 0);
    Bytes next = descriptor.derive(9, 1).get(0).scriptPubKey();
    assertThat(both.<Integer>read(view -> view.scripts().find(next))).isNotNegative();
  }

  private static List<Element> watched(CommitOutcome outcome) {
    List<Element> added = new ArrayList<>();
    for (Input input : outcome.inputs()) {
      if (input instanceof Input.WatchSetChanged changed) {
        added.addAll(changed.added());
      }
    }
    return added;
  }

  /**
   * Anyone who knows an address near the end of an epoch can pay it for nothing, with a transaction
   * that no block takes. The next epoch would tell the guard of the scripts that it is ours.
   */
  @Test
  void onlyConfirmedPaymentsOpenAnEpoch() throws Exception {
    books.lock();
    books.wantEpochs(true);
    books.grow();
    int keys = books.start(Preset.Fast.USUAL).log().size();
    Bytes last = descriptor.derive(keys - 1, keys).get(0).scriptPubKey();
    Tx payment = new TxBuilder().spend(foreignCoin(1)).pay(1_000, last).build();
    commit(0, Headers.NONE, List.of(), List.of(payment));
    assertThat(scripts()).isEqualTo(keys);
    mine(0, payment);
    assertThat(scripts()).isEqualTo(2L * keys);
  }

  private void serve(Load load, ScanRow row) throws Exception {
    serve(List.of(load), List.of(), row);
  }

  private void serve(List<Load> loads, List<View> views, ScanRow row) throws Exception {
    books.commit(
        new CommitBatch(
            ++sequence,
            headers.size(),
            Headers.NONE,
            OptionalInt.empty(),
            loads,
            views,
            List.of(row),
            Integer.MAX_VALUE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            AddressChanges.NONE,
            List.of(),
            List.of(),
            Folded.NOTHING,
            Set.of()),
        0);
  }

  /**
   * A wallet that was private once is not complete after a fast session was cut off: that session's
   * further elements, besides scripts and coins, were not scanned for.
   */
  @Test
  void elementsOfAFastSessionAreUncoveredAfterAPrivateOne() throws Exception {
    books.lock();
    NodeAddress peer = new NodeAddress("10.0.0.1", 18444);
    BloomFilter filter =
        BloomFilter.builder(FilterParameters.of(10, 1e-6, 0, UpdateFlag.NONE, Rounding.BITCOINJ))
            .build();
    books.wantEpochs(true);
    books.grow();
    mine(0, madeUp(1, 0));
    int keys = books.elements().size();
    BitSet scripts = new BitSet();
    scripts.set(0, keys);
    serve(
        new Load(1, peer, new Content.Epoch(FilterRole.SCRIPTS, 0, scripts), filter, 0),
        new ScanRow(1, 1, keys, 1, 1, 0));
    assertThat(books.scans().completeTo()).isEqualTo(1);
    commit(1, Headers.NONE, List.of(), List.of(madeUp(1, 1)));
    mine(1, madeUp(1, 0));
    serve(new Load(2, peer, keys, filter, 0), new ScanRow(2, 2, keys, 1, 2, 0));
    assertThat(books.scans().completeTo()).isEqualTo(1);
    // Filters of blocks that only check it do not change that.
    View witness = new View(3, peer, new Content.Scripts(keys, true, Map.of()), false);
    serve(List.of(), List.of(witness), new ScanRow(3, 3, keys, 1, 2, 0));
    assertThat(books.scans().completeTo()).isEqualTo(1);
    // Measured by the private preset's elements it would be.
    serve(
        new Load(4, peer, new Content.Epoch(FilterRole.SCRIPTS, 0, scripts), filter, 0),
        new ScanRow(4, 4, keys, 1, 2, 0));
    assertThat(books.scans().completeTo()).isEqualTo(2);
  }

  private long scripts() throws Exception {
    return books.start(Preset.Fast.USUAL).log().stream()
        .filter(Element.Script.class::isInstance)
        .count();
  }

  private long confirmed() throws Exception {
    return books.read(view -> view.ledger().balance(view.height()).confirmed());
  }

  private Tx madeUp(int inputs, int outputs) {
    TxBuilder builder = new TxBuilder();
    for (int i = 0; i < inputs; i++) {
      builder.spend(new OutPoint(foreignCoin(100).txid(), ++serial));
    }
    for (int i = 0; i < outputs; i++) {
      builder.pay(1, own);
    }
    return builder.build();
  }

  private long outPoints() throws Exception {
    return books.elements().stream().filter(e -> !(e instanceof Element.Script)).count();
  }

  /**
   * Anyone who knows an address can invent payments to it for nothing. The log's elements are in
   * every later filter, so neither their inputs nor their outputs may fill it without end. Omitted
   * outpoints are added as soon as a block holds them.
   */
  @Test
  void inventedPaymentsDoNotFillTheLog() throws Exception {
    books.lock();
    commit(0, Headers.NONE, List.of(), List.of(madeUp(2_000, 2_000), madeUp(1, 1)));
    assertThat(outPoints()).isEqualTo(ElementLog.MAX_UNVOUCHED);
    for (int i = 0; i < 20; i++) {
      commit(0, Headers.NONE, List.of(), List.of(madeUp(100, 1), madeUp(1, 100)));
    }
    assertThat(outPoints()).isEqualTo(ElementLog.MAX_UNVOUCHED);
    assertThat(
            FilterPolicy.fresh(books.elements().size(), 1e-9).expectedRate(books.elements().size()))
        .isLessThan(2e-9);
    Tx payment = madeUp(1, 1);
    commit(0, Headers.NONE, List.of(), List.of(payment));
    assertThat(books.elementOf(payment.outPoint(0))).isNegative();
    mine(0, payment);
    int index = books.elementOf(payment.outPoint(0));
    assertThat(books.elements().get(index))
        .isEqualTo(
            new Element.OwnOutPoint(payment.outPoint(0), scriptOf(own), 1, Element.OPEN, true));
    assertThat(confirmed()).isEqualTo(1);
    // A coin that a block paid makes more room.
    commit(1, Headers.NONE, List.of(), List.of(madeUp(50, 0), madeUp(50, 1)));
    assertThat(outPoints())
        .isEqualTo(ElementLog.MAX_UNVOUCHED + 1 + ElementLog.UNVOUCHED_FOR_A_COIN);
  }

  private List<Fact> kept() throws Exception {
    return books.readStore(WalletStore::facts);
  }

  private int scriptOf(Bytes script) throws Exception {
    return books.read(view -> view.scripts().find(script));
  }

  /** Evicted transactions are gone from the store too. */
  @Test
  void forgottenTransactionsAreNotReadAgain() throws Exception {
    books.lock();
    List<Tx> flood = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      flood.add(madeUp(1, 1));
    }
    commit(0, Headers.NONE, List.of(), flood);
    books.commit(
        new CommitBatch(
            ++sequence,
            0,
            Headers.NONE,
            OptionalInt.empty(),
            List.of(),
            List.of(),
            Integer.MAX_VALUE,
            List.of(),
            List.of(),
            List.of(),
            flood.stream().map(Tx::txid).toList(),
            List.of()),
        0);
    Tx payment = madeUp(1, 1);
    commit(0, Headers.NONE, List.of(), List.of(payment));
    assertThat(kept())
        .hasSize(1_000)
        .extracting(fact -> fact.tx().txid())
        .contains(payment.txid())
        .doesNotContain(flood.get(0).txid());
    // A broadcast is always kept.
    Tx sent = madeUp(1, 1);
    books.send(sent, false, 0);
    assertThat(kept()).hasSize(1_001);
  }
}
