package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Recorded headers of every network with one field of one header changed: refused for the right
 * reason, and the chain is as before. The naive chain gives the right reason.
 */
class TamperedHeadersTest {

  /** Where the fields of a header begin. */
  private enum Field {
    VERSION(0),
    PREVIOUS(BlockHeader.PREVIOUS),
    MERKLE_ROOT(BlockHeader.MERKLE_ROOT),
    TIME(BlockHeader.TIME),
    BITS(BlockHeader.BITS),
    NONCE(BlockHeader.NONCE);

    final int offset;

    Field(int offset) {
      this.offset = offset;
    }
  }

  static Stream<HeaderVectors> fromGenesis() {
    return HeaderVectors.all().stream().filter(v -> v.firstHeight() == 0);
  }

  @ParameterizedTest
  @MethodSource("fromGenesis")
  void everyFieldOfEveryNetwork(HeaderVectors vector) {
    int count = Math.min(vector.headers().count(), 120);
    Headers good = vector.headers().slice(1, count);
    long now = vector.headers().time(count - 1);
    Map<Field, Integer> refused = new EnumMap<>(Field.class);
    for (Field field : Field.values()) {
      for (int index : new int[] {0, 1, 17, count / 2, count - 2}) {
        Headers bad = changed(good, index, field, 1);
        HeaderChain chain = HeaderChain.ofGenesis(vector.network());
        Connect outcome = chain.connect(bad, now);
        assertThat(outcome).isEqualTo(new NaiveChain(vector.network()).connect(list(bad), now));
        if (!(outcome instanceof Connect.Extended)) {
          refused.merge(field, 1, Integer::sum);
          assertThat(chain.height()).isZero();
        }
        if (!vector.network().equals(ChainParams.REGTEST)) {
          assertThat(outcome)
              .as(field + " of header " + index)
              .isEqualTo(expected(field, index, bad));
        }
      }
    }
    // On regtest every second hash reaches the target, and the last header has no successor to
    // disagree with; even so no field can be changed at will.
    assertThat(refused).hasSize(Field.values().length);
  }

  private static Connect expected(Field field, int index, Headers bad) {
    return switch (field) {
      case VERSION, MERKLE_ROOT, NONCE, TIME ->
          new Connect.Invalid(HeaderFault.BAD_PROOF_OF_WORK, index);
      case BITS -> new Connect.Invalid(HeaderFault.WRONG_BITS, index);
      case PREVIOUS ->
          index == 0
              ? new Connect.Orphan(bad.previous(0))
              : new Connect.Invalid(HeaderFault.NOT_LINKED, index);
    };
  }

  /** At the twenty-minute mark a changed time asks for another target than the header has. */
  @Test
  void aTimeBeyondTwentyMinutesNeedsTheLimit() {
    HeaderVectors vector = HeaderVectors.of(ChainParams.TESTNET4, 145_142);
    Headers headers = vector.headers();
    // The ninth is a hard one. Twenty minutes after its parent it had to be at the limit.
    assertThat(headers.bits(9)).isNotEqualTo(ChainParams.TESTNET4.rules().limitBits());
    Ancestors branch =
        new Ancestors() {
          @Override
          public int bits(int height) {
            return height < 145_142 ? headers.bits(9) : headers.bits(height - 145_142);
          }

          @Override
          public long time(int height) {
            return height < 145_142
                ? headers.time(0) - 600L * (145_142 - height)
                : headers.time(height - 145_142);
          }
        };
    HeaderRules rules = new HeaderRules(ChainParams.TESTNET4.rules(), branch);
    rules.begin(branch, 145_150);
    long parent = headers.time(8);
    for (long time : new long[] {parent + 1_201, parent + 100_000}) {
      byte[] header = headers.header(9).toArray();
      LittleEndian.putInt32(header, BlockHeader.TIME, (int) time);
      byte[] hash = headers.hash(9).toInternal();
      assertThat(rules.check(header, 0, hash, 0, time)).isEqualTo(HeaderFault.WRONG_BITS);
    }
  }

  /** Two of them swapped, one left out, one twice: not linked. */
  @ParameterizedTest
  @MethodSource("fromGenesis")
  void theirOrder(HeaderVectors vector) {
    List<BlockHeader> good = list(vector.headers().slice(1, 60));
    long now = vector.headers().time(59);
    List<BlockHeader> swapped = new ArrayList<>(good);
    swapped.set(20, good.get(21));
    swapped.set(21, good.get(20));
    assertThat(connect(vector, swapped, now))
        .isEqualTo(new Connect.Invalid(HeaderFault.NOT_LINKED, 20));
    List<BlockHeader> shorter = new ArrayList<>(good);
    shorter.remove(30);
    assertThat(connect(vector, shorter, now))
        .isEqualTo(new Connect.Invalid(HeaderFault.NOT_LINKED, 30));
    List<BlockHeader> twice = new ArrayList<>(good);
    twice.add(40, good.get(40));
    assertThat(connect(vector, twice, now))
        .isEqualTo(new Connect.Invalid(HeaderFault.NOT_LINKED, 41));
  }

  /** Every network's headers are refused by all others, from the first one on. */
  @Test
  void headersOfAnotherNetwork() {
    for (ChainParams network : ChainParams.all()) {
      fromGenesis()
          .filter(vector -> !vector.network().equals(network))
          .forEach(
              vector ->
                  assertThat(
                          HeaderChain.ofGenesis(network)
                              .connect(vector.headers().slice(1, 50), Long.MAX_VALUE / 2))
                      .isEqualTo(new Connect.Orphan(vector.network().genesisHash())));
    }
  }

  private static Connect connect(HeaderVectors vector, List<BlockHeader> headers, long now) {
    return HeaderChain.ofGenesis(vector.network()).connect(Mining.headers(headers), now);
  }

  private static Headers changed(Headers headers, int index, Field field, int flip) {
    byte[] bytes = headers.toStored().toArray();
    bytes[index * BlockHeader.LENGTH + field.offset] ^= (byte) flip;
    return Headers.ofStored(Bytes.wrap(bytes));
  }

  private static List<BlockHeader> list(Headers headers) {
    List<BlockHeader> list = new ArrayList<>();
    for (int i = 0; i < headers.count(); i++) {
      list.add(BlockHeader.of(headers.header(i)));
    }
    return list;
  }
}
