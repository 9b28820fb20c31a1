package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** The elements of a transaction are exactly those by which a server matches it. */
class TxElementsTest {

  private static List<Bytes> of(Tx tx) {
    List<Bytes> elements = new ArrayList<>();
    TxElements.forEach(tx, elements::add);
    return elements;
  }

  @Test
  void namesTheElementsOfATransaction() {
    OutPoint spent = new OutPoint(Hash256.ZERO, 3);
    Tx tx =
        new TxBytes()
            .spends(spent, "02aabb", Bytes.ofHex("cc"))
            .pays("0014" + "11".repeat(20))
            .pays("a914" + "22".repeat(20) + "87")
            // A push beyond the end of the script: what came before it counts.
            .pays("0133" + "4c")
            .tx();
    assertThat(of(tx))
        .containsExactly(
            Bytes.wrap(tx.txid().toInternal()),
            Bytes.ofHex("11".repeat(20)),
            Bytes.ofHex("22".repeat(20)),
            Bytes.ofHex("33"),
            spent.toBytes(),
            Bytes.ofHex("aabb"));
  }

  @Property(tries = 300)
  void aServerMatchesByEachOfThemAndByNothingElse(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] txid = new byte[32];
    random.nextBytes(txid);
    TxBytes bytes =
        new TxBytes()
            .spends(new OutPoint(Hash256.ofInternal(txid), 1), TxBytes.hex(random, 12))
            .pays("0014" + TxBytes.hex(random, 20))
            .pays(TxBytes.hex(random, random.nextInt(40)));
    Tx tx = bytes.tx();
    FilterParameters parameters =
        FilterParameters.of(10, 1e-9, random.nextInt(), UpdateFlag.NONE, Rounding.BITCOINJ);
    for (Bytes element : of(tx)) {
      BloomFilter filter = BloomFilter.builder(parameters).add(element).build();
      assertThat(new ServerFilter(filter).matchAndUpdate(tx)).isTrue();
    }
    BloomFilter other =
        BloomFilter.builder(parameters).add(Bytes.ofHex(TxBytes.hex(random, 21))).build();
    assertThat(new ServerFilter(other).matchAndUpdate(tx)).isFalse();
  }
}
