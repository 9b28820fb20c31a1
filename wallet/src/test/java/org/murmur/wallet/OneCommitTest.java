package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;

/** Answers are of one commit, even if another process writes while they are put together. */
final class OneCommitTest {

  private static final NodeAddress PEER = new NodeAddress("10.0.0.1", 18444);

  @TempDir Path folder = Path.of("");

  // What another process writes after the first read.
  private final Deque<Work> meanwhile = new ArrayDeque<>();
  private long sequence;

  private interface Work {
    void run() throws Exception;
  }

  private WalletStore interrupted(WalletStore store) {
    WalletStore mock = mock(WalletStore.class, delegatesTo(store));
    doAnswer(
            call -> {
              store.endRead();
              if (!meanwhile.isEmpty()) {
                meanwhile.remove().run();
              }
              return null;
            })
        .when(mock)
        .endRead();
    return mock;
  }

  /** Puts a block with one transaction on the genesis block, replacing any other. */
  private Hash256 mine(Books books, Tx tx, boolean served) throws Exception {
    sequence++;
    Hash256 root = MerkleTree.root(List.of(tx.txid()));
    Bytes header =
        new ByteWriter()
            .int32(0x20000000)
            .hash(ChainParams.REGTEST.genesisHash())
            .hash(root)
            .int32(1_700_000_000 + (int) sequence)
            .int32(0x207fffff)
            .int32(0)
            .toBytes();
    BitSet matches = new BitSet();
    matches.set(0);
    MerkleBlock proof = MerkleBlock.of(header, MerkleTree.of(List.of(tx.txid())).prove(matches));
    BloomFilter filter =
        BloomFilter.builder(FilterParameters.of(10, 1e-6, 0, UpdateFlag.ALL, Rounding.BITCOINJ))
            .build();
    int elements = books.elements().size();
    books.lock();
    books.commit(
        new CommitBatch(
            sequence,
            0,
            Headers.ofStored(header),
            OptionalInt.of(1),
            served ? List.of(new Load(sequence, PEER, elements, filter, 0)) : List.of(),
            served ? List.of(new ScanRow(sequence, sequence, elements, 1, 1, 0)) : List.of(),
            Integer.MAX_VALUE,
            List.of(),
            served ? List.of(new CommitBatch.MatchedBlock(1, 0, proof, List.of(tx))) : List.of(),
            List.of(),
            List.of(),
            List.of()),
        0);
    books.unlock();
    return Headers.ofStored(header).hash(0);
  }

  @Test
  void anEarlierCompletenessDoesNotCoverANewBranch() throws Exception {
    Path file = folder.resolve("w");
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH).withBirthday(new Birthday.AtHeight(1));
    SpvWallet.create(file, recipe).close();
    Books other =
        new Books(
            SqliteStore.open(file),
            ChainParams.REGTEST,
            WalletRecipe.keyNetwork(ChainParams.REGTEST));
    try (SpvWallet wallet =
        new SpvWallet(file, interrupted(SqliteStore.open(file)), Environment.REAL)) {
      Bytes own = Bytes.of(new byte[] {0x51});
      Tx foreign =
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofDisplay("aa".repeat(32)), 0))
              .pay(1_000, own)
              .build();
      Hash256 first = mine(other, foreign, true);
      assertThat(wallet.chain().complete()).isTrue();
      meanwhile.add(() -> mine(other, foreign, false));
      ChainState before = wallet.chain();
      assertThat(before.tip().equals(first)).isEqualTo(before.complete());
      assertThat(meanwhile).isEmpty();
      ChainState after = wallet.chain();
      assertThat(after.tip()).isNotEqualTo(first);
      assertThat(after.complete()).isFalse();
      // The other way round: a sync ends between the reads of balance and chain.
      Tx payment =
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofDisplay("ab".repeat(32)), 0))
              .pay(1_000, Lives.scripts(recipe, 0, 1).get(0))
              .build();
      meanwhile.add(() -> mine(other, payment, true));
      AsOf<Balance> standing = wallet.asOf(SpvWallet::balance);
      assertThat(standing.value().confirmed()).isEqualTo(standing.chain().complete() ? 1_000 : 0);
      assertThat(wallet.balance().confirmed()).isEqualTo(1_000);
      assertThat(wallet.chain().complete()).isTrue();
    } finally {
      other.close();
    }
  }
}
