package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Headers;

class BirthdayTest {

  private static final long START = BlockHeader.of(ChainParams.REGTEST.genesisHeader()).time();

  @Test
  void atHeightIsThatHeight() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    assertThat(chain.heightOf(new Birthday.AtHeight(0))).hasValue(0);
    assertThat(chain.heightOf(new Birthday.AtHeight(700_000))).hasValue(700_000);
    assertThatThrownBy(() -> new Birthday.AtHeight(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void atTimeLeavesTwoHours() {
    HeaderChain chain = chain(100, 600, 0, 1);
    assertThat(at(chain, START)).hasValue(0);
    assertThat(at(chain, START + 7200)).hasValue(0);
    assertThat(at(chain, START + 7201)).hasValue(1);
    assertThat(at(chain, START + 7200 + 600)).hasValue(1);
    assertThat(at(chain, START + 7200 + 600 * 100)).hasValue(100);
    assertThat(at(chain, START + 7200 + 600 * 100 + 1)).isEmpty();
  }

  /** A machine in the wrong time zone is up to 14 hours ahead. */
  @Test
  void aNewWalletIsADayOldForClocksThatRunAhead() {
    Instant now = Instant.parse("2025-03-01T11:00:00Z");
    assertThat(Birthday.ofNewWallet(ChainParams.TESTNET4, now))
        .isEqualTo(new Birthday.AtTime(Instant.parse("2025-02-28T11:00:00Z")));
    assertThat(Birthday.ofNewWallet(ChainParams.REGTEST, now)).isEqualTo(new Birthday.AtHeight(0));
  }

  /** With any block times, no block dated at the birthday or later is below the height. */
  @Property(tries = 100)
  void nothingDatedAfterTheBirthdayIsLeftOut(@ForAll long seed) {
    Random random = new Random(seed);
    int blocks = 1 + random.nextInt(7000);
    HeaderChain chain = chain(blocks, 600, 9000, seed);
    for (int i = 0; i < 20; i++) {
      long time = START + (long) (random.nextDouble() * 1.1 * 600 * blocks);
      OptionalInt height = at(chain, time);
      int first = 0;
      while (first <= blocks && chain.timeAt(first) < time - 7200) {
        first++;
      }
      assertThat(height).isEqualTo(first > blocks ? OptionalInt.empty() : OptionalInt.of(first));
    }
  }

  private static OptionalInt at(HeaderChain chain, long seconds) {
    return chain.heightOf(new Birthday.AtTime(Instant.ofEpochSecond(seconds)));
  }

  /** A chain from storage, which is trusted: only times matter here. */
  private static HeaderChain chain(int blocks, int spacing, int disorder, long seed) {
    Random random = new Random(seed);
    byte[] headers = new byte[blocks * BlockHeader.LENGTH];
    ChainParams.REGTEST.genesisHash().write(headers, BlockHeader.PREVIOUS);
    for (int i = 0; i < blocks; i++) {
      int at = i * BlockHeader.LENGTH;
      if (i > 0) {
        LittleEndian.putInt64(headers, at + BlockHeader.PREVIOUS, random.nextLong());
      }
      long time = START + (i + 1L) * spacing - (disorder == 0 ? 0 : random.nextInt(disorder));
      LittleEndian.putInt32(headers, at + BlockHeader.TIME, (int) time);
      LittleEndian.putInt32(headers, at + BlockHeader.BITS, 0x207fffff);
    }
    return HeaderChain.restore(
        ChainParams.REGTEST, Headers.view(headers, 0, BlockHeader.LENGTH, blocks));
  }
}
