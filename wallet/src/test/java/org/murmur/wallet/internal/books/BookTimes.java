package org.murmur.wallet.internal.books;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.DerivedScript;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.StoredWallet;

/**
 * Prints how long a whole commit takes, from a batch of the machine to the disk, in wallets of
 * several sizes: a block without payments, with ten payments, and with ten coins spent.
 *
 * <pre>{@code
 * mvn -o -q -pl wallet -am test-compile
 * java -cp ... org.murmur.wallet.internal.books.BookTimes [FOLDER]
 * }</pre>
 */
final class BookTimes {

  private static final int[] SIZES = {1_000, 10_000, 100_000};
  private static final int ADDRESSES = 2_000;
  private static final int PER_BLOCK = 40;
  private static final int PAYMENTS = 10;
  private static final int WARM_UP = 60;
  private static final int COMMITS = 30;

  private final Random random = new Random(7);
  private final List<Bytes> own = new ArrayList<>();
  private final List<OutPoint> coins = new ArrayList<>();
  private final Books books;
  private Hash256 tip = ChainParams.REGTEST.genesisHash();
  private int height;

  private BookTimes(Books books, Descriptor descriptor) {
    this.books = books;
    for (DerivedScript script : descriptor.derive(0, ADDRESSES)) {
      own.add(script.scriptPubKey());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path parent = Path.of(arguments.length > 0 ? arguments[0] : ".");
    // The first measures the compiler, too.
    for (int size : IntStream.concat(IntStream.of(SIZES[0]), IntStream.of(SIZES)).toArray()) {
      Path folder = Files.createTempDirectory(parent, "murmur-books");
      Path file = folder.resolve("w");
      try {
        measure(file, size);
      } finally {
        for (String name : List.of("w", "w.lock", "w-wal", "w-shm")) {
          Files.deleteIfExists(folder.resolve(name));
        }
        Files.delete(folder);
      }
    }
  }

  private static void measure(Path file, int size) throws Exception {
    Descriptor descriptor =
        Accounts.descriptors(
                Mnemonic.parse("abandon ".repeat(11) + "about"),
                "",
                KeyNetwork.REGTEST,
                List.of(OutputType.P2WPKH),
                0)
            .get(0);
    List<StoredWallet.Chain> chains =
        List.of(new StoredWallet.Chain(descriptor.canonical(), false, true, 0));
    StoredWallet wallet =
        new StoredWallet(
            "regtest", 0, new Birthday.AtHeight(1), OptionalInt.of(1), 20, 1_000, chains, null);
    Derivation derivation = new Derivation(KeyNetwork.REGTEST);
    try (SqliteStore store =
        SqliteStore.create(file, wallet, derivation.begin(chains, 20, ADDRESSES + 1_000))) {
      Books books = new Books(store, ChainParams.REGTEST, derivation);
      books.lock();
      new BookTimes(books, descriptor).print(size);
    }
  }

  private void print(int size) throws Exception {
    long began = System.nanoTime();
    int blocks = (size - PAYMENTS * WARM_UP) / PER_BLOCK;
    commit(blocks, PER_BLOCK, 0);
    double each = (System.nanoTime() - began) / 1e6 / blocks;
    commit(WARM_UP, PAYMENTS, 0);
    System.out.printf(
        Locale.ROOT,
        "%,d payments: %.1f ms a block of %d; median of %d: empty %.1f, %d paid %.1f, %d spent"
            + " %.1f%n",
        size,
        each,
        PER_BLOCK,
        COMMITS,
        commit(COMMITS, 0, 0),
        PAYMENTS,
        commit(COMMITS, PAYMENTS, 0),
        PAYMENTS,
        commit(COMMITS, 0, PAYMENTS));
  }

  private double commit(int times, int payments, int spends) throws Exception {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      CommitBatch batch = batch(payments, spends);
      long began = System.nanoTime();
      books.commit(batch, 1_700_000_000L);
      nanos.add(System.nanoTime() - began);
    }
    nanos.sort(null);
    return nanos.get(times / 2) / 1e6;
  }

  private Hash256 hash() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Hash256.ofInternal(bytes);
  }

  private CommitBatch batch(int payments, int spends) {
    List<Tx> matched = new ArrayList<>();
    for (int i = 0; i < payments; i++) {
      Tx tx =
          new TxBuilder()
              .spend(new OutPoint(hash(), 0))
              .pay(100_000, own.get(random.nextInt(ADDRESSES)))
              .build();
      matched.add(tx);
      coins.add(tx.outPoint(0));
    }
    for (int i = 0; i < spends; i++) {
      OutPoint coin = coins.remove(random.nextInt(coins.size()));
      matched.add(new TxBuilder().spend(coin).pay(90_000, Bytes.wrap(hash().toInternal())).build());
    }
    List<Hash256> txids = new ArrayList<>(List.of(hash()));
    matched.forEach(tx -> txids.add(tx.txid()));
    BitSet matches = new BitSet();
    matches.set(1, txids.size());
    MerkleTree tree = MerkleTree.of(txids);
    Bytes header =
        new ByteWriter()
            .int32(0x20000000)
            .hash(tip)
            .hash(tree.root())
            .int32(1_700_000_000 + height)
            .int32(0x207fffff)
            .int32(0)
            .toBytes();
    Headers connected = Headers.ofStored(header);
    tip = connected.hash(0);
    height++;
    List<CommitBatch.MatchedBlock> blocks =
        matched.isEmpty()
            ? List.of()
            : List.of(
                new CommitBatch.MatchedBlock(
                    height, 0, MerkleBlock.of(header, tree.prove(matches)), matched));
    return new CommitBatch(
        height,
        height - 1,
        connected,
        OptionalInt.empty(),
        List.of(),
        List.of(),
        Integer.MAX_VALUE,
        List.of(),
        blocks,
        List.of(),
        List.of(),
        List.of());
  }
}
