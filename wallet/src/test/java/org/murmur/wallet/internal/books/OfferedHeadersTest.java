package org.murmur.wallet.internal.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.failure.WalletException;

/** What a wallet offers, and that nobody reads a file that is closed. */
@Timeout(60)
class OfferedHeadersTest {

  private final List<String> reads = new ArrayList<>();

  private Headers read(int from, int to) {
    reads.add(from + "-" + (to - 1));
    return Headers.ofStored(Bytes.wrap(new byte[(to - from) * Headers.HEADER_LENGTH]));
  }

  @Test
  void wholePeriodsAndNoneOfTheLastDay() {
    OfferedHeaders offered = new OfferedHeaders(this::read);
    assertThat(offered.asOfNow().has(1)).isFalse();
    offered.moved(2_016, 6_048 + 143);
    assertThat(offered.asOfNow().has(4_033)).isFalse();
    HeaderSource before = offered.asOfNow();
    offered.moved(2_016, 6_048 + 144);
    HeaderSource source = offered.asOfNow();
    assertThat(source.has(2_016)).isFalse();
    assertThat(source.has(2_017)).isTrue();
    assertThat(source.has(6_048)).isTrue();
    assertThat(source.has(6_049)).isFalse();
    assertThat(before.has(6_048)).as("what it says does not change").isFalse();
    assertThat(source.after(2_016, Hash256.ZERO).count()).isEqualTo(2_016);
    assertThat(source.after(2_015, Hash256.ZERO).isEmpty()).isTrue();
    assertThat(source.after(4_031, Hash256.ZERO).count()).isEqualTo(1);
    assertThat(source.after(6_048, Hash256.ZERO).isEmpty()).isTrue();
    assertThat(reads).containsExactly("2017-4032", "4032-4032");
    Hash256 other = ChainParams.REGTEST.genesisHash();
    assertThat(source.after(2_016, other).isEmpty()).as("on another branch").isTrue();
  }

  @Test
  void aFileThatCannotBeReadGivesNothing() {
    OfferedHeaders offered =
        new OfferedHeaders(
            (from, to) -> {
              throw WalletException.damaged("file", "a test", null);
            });
    offered.moved(0, 9_000);
    assertThat(offered.asOfNow().after(0, Hash256.ZERO).isEmpty()).isTrue();
  }

  @Test
  void closingWaitsForAReaderAndNobodyReadsAfterIt() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    OfferedHeaders offered =
        new OfferedHeaders(
            (from, to) -> {
              reading.countDown();
              await(go);
              return read(from, to);
            });
    offered.moved(0, 9_000);
    HeaderSource source = offered.asOfNow();
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(() -> source.after(0, Hash256.ZERO).count());
    reading.await();
    Thread closer =
        new Thread(
            () -> {
              offered.close();
              reads.add("closed");
            });
    closer.start();
    while (closer.getState() != Thread.State.BLOCKED) {
      assertThat(closer.isAlive()).as("waits for the reader").isTrue();
      Thread.onSpinWait();
    }
    go.countDown();
    assertThat(reader.get()).isEqualTo(2_016);
    closer.join();
    assertThat(source.after(0, Hash256.ZERO).isEmpty()).isTrue();
    assertThat(reads).containsExactly("1-2016", "closed");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
