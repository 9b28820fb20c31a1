package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.internal.store.StoredWallet;

/** A million headers in a process with 48 MB: checked, stored, opened again and looked up. */
class SmallHeapTest {

  private static final int COUNT = 1_000_000;

  @TempDir Path folder = Path.of("");

  /** What runs with the small heap. */
  static final class Small {

    private static final int BATCH = 2_000;
    private static final int COMMIT = 20_000;
    private static final long NOW = 2_000_000_000L;

    private final SqliteStore store;
    private Hash256 last = ChainParams.REGTEST.genesisHash();

    private Small(SqliteStore store) {
      this.store = store;
    }

    /**
     * Runs.
     *
     * @param arguments the file
     */
    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      Hash256 tip;
      Hash256 middle;
      try (SqliteStore store = SqliteStore.create(file, wallet(), List.of())) {
        HeaderChain chain = new Small(store).fill();
        tip = chain.tip();
        middle = chain.hashAt(COUNT / 2);
      }
      try (SqliteStore store = SqliteStore.open(file)) {
        HeaderChain chain =
            HeaderChain.restore(ChainParams.REGTEST, store.headers(), store.height());
        boolean same =
            chain.tip().equals(tip)
                && chain.height() == COUNT
                && chain.heightOf(middle) == COUNT / 2
                && chain.heightOf(Hash256.ZERO) < 0
                && chain.hashAt(COUNT / 2).equals(middle)
                && chain.locator().size() > 20
                && chain.firstHeightSince(chain.timeAt(777_777)).getAsInt() == 777_777;
        System.out.println(same ? "the same" : "another chain");
      }
    }

    private static StoredWallet wallet() {
      return new StoredWallet(
          "regtest",
          1_700_000_000L,
          new Birthday.AtHeight(1),
          OptionalInt.empty(),
          20,
          1000,
          List.of(new StoredWallet.Chain("wpkh(a/0/*)", false, true, 0)),
          new StoredWallet.Secret(Bytes.of("words".getBytes(StandardCharsets.UTF_8)), false, true));
    }

    private HeaderChain fill() {
      HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, store.headers(), 0);
      int written = 0;
      while (chain.height() < COUNT) {
        Connect outcome = chain.connect(mine(chain.height()), NOW);
        if (!(outcome instanceof Connect.Extended)) {
          throw new IllegalStateException(outcome.toString());
        }
        if (chain.height() - written == COMMIT) {
          Headers more = chain.headers(written + 1, chain.height() + 1);
          store.write(SqliteStoreTest.headersOnly(written, more));
          written = chain.height();
          chain.stored(written);
        }
      }
      return chain;
    }

    /** The next batch: regtest wants one hash in two. */
    private Headers mine(int height) {
      byte[] run = new byte[BATCH * Headers.HEADER_LENGTH];
      DoubleSha256 sha = new DoubleSha256();
      byte[] hash = new byte[Hash256.LENGTH];
      last.write(hash, 0);
      for (int i = 0; i < BATCH; i++) {
        int at = i * Headers.HEADER_LENGTH;
        run[at] = 4;
        System.arraycopy(hash, 0, run, at + 4, hash.length);
        LittleEndian.putInt32(run, at + 68, 1_400_000_000 + height + i);
        LittleEndian.putInt32(run, at + 72, 0x207fffff);
        int nonce = 0;
        do {
          LittleEndian.putInt32(run, at + 76, nonce++);
          sha.hash(run, at, Headers.HEADER_LENGTH, hash, 0);
        } while (hash[31] < 0);
      }
      last = Hash256.ofInternal(hash);
      return Headers.ofStored(Bytes.wrap(run));
    }
  }

  @Test
  @Tag("long")
  void aMillionHeadersNeedNoMoreThan48Megabytes() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Small.class.getName(),
                folder.resolve("wallet.sqlite").toString())
            .redirectOutput(output.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(output).trim()).isEqualTo("the same");
  }
}
