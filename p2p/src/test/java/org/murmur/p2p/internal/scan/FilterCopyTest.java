package org.murmur.p2p.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.machine.Payments;
import org.murmur.p2p.internal.machine.SimulatedWallet;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.wire.Message;

/** The recorded model of a server-side filter agrees with the server's own rules. */
final class FilterCopyTest {

  private static final Bytes KEY = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");

  private static Tx payment(int salt) {
    OutPoint coin = new OutPoint(Hash256.ofDisplay(String.format("%064x", salt)), 0);
    Bytes script = Bytes.ofHex("0014" + KEY.toHex());
    return Payments.tx(List.of(coin), List.of(script));
  }

  private static BloomFilter filter(UpdateFlag flag) {
    return BloomFilter.builder(FilterParameters.of(100, 1e-6, 7, flag, Rounding.CORE))
        .add(KEY)
        .build();
  }

  @Test
  void countsTheServersAdditions() {
    BloomFilter sent = filter(UpdateFlag.ALL);
    ServerFilter server = new ServerFilter(sent);
    FilterCopy copy = new FilterCopy(sent, null);
    assertThat(copy.hasGrown()).isFalse();
    for (int i = 1; i <= 3; i++) {
      server.matchAndUpdate(payment(i));
      copy.matches(payment(i), new WatchedLog(List.of(new Element.Script(KEY))));
    }
    Bytes added = Bytes.ofHex("cafe");
    server.add(added);
    FilterCopy.after(copy, new Message.FilterAdd(added));
    assertThat(copy.hasGrown()).isTrue();
    assertThat(copy.asOf(9)).isEqualTo(new ServerCopy(9, 3, server.filter().bitsSet()));
    assertThat(copy.hasGrown()).isFalse();
  }

  @Test
  void aFixedCopyNeverGrows() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.NONE), null);
    copy.matches(payment(1), new WatchedLog(List.of(new Element.Script(KEY))));
    assertThat(copy.hasGrown()).isFalse();
  }

  /** Otherwise a guard could send a transaction and learn from our answer whether it is ours. */
  @Test
  void underAFixedFilterTheWalletsOwnIsJudgedLikeAnyOther() {
    WatchedLog own = new WatchedLog(List.of(new Element.Script(SimulatedWallet.element(1))));
    Tx ours = Payments.tx(List.of(coin(new Random(8))), List.of(SimulatedWallet.script(1)));
    assertThat(new FilterCopy(filter(UpdateFlag.ALL), null).matches(ours, own)).isTrue();
    assertThat(new FilterCopy(filter(UpdateFlag.NONE), null).matches(ours, own)).isFalse();
  }

  @Test
  void matchesOfThePreviousFilterMayStillCome() {
    WatchedLog own = new WatchedLog(List.of());
    FilterCopy before = new FilterCopy(filter(UpdateFlag.NONE), null);
    BloomFilter other =
        BloomFilter.builder(FilterParameters.of(100, 1e-6, 7, UpdateFlag.NONE, Rounding.CORE))
            .add(Bytes.ofHex("cafe"))
            .build();
    assertThat(new FilterCopy(other, null).matches(payment(1), own)).isFalse();
    assertThat(new FilterCopy(other, before).matches(payment(1), own)).isTrue();
  }

  // ---- whole transactions through an honest server-side filter ----

  private static OutPoint coin(Random random) {
    return new OutPoint(Hash256.ofInternal(bytes(random, 32)), random.nextInt(3));
  }

  private static Tx tx(Random random, List<OutPoint> spent) {
    boolean spends = !spent.isEmpty() && random.nextInt(3) == 0;
    OutPoint input = spends ? spent.get(random.nextInt(spent.size())) : coin(random);
    // Every tenth transaction pays the same busy address.
    Bytes busy = SimulatedWallet.script(5_000);
    Bytes script = random.nextInt(10) == 0 ? busy : p2wpkh(bytes(random, 20));
    return Payments.tx(List.of(input), List.of(script, p2wpkh(bytes(random, 20))));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Bytes p2wpkh(byte[] hash) {
    return Bytes.ofHex("0014" + Bytes.wrap(hash).toHex());
  }

  /**
   * A noisy filter feeds on itself: it grows by what it relays, busy addresses recur, and coins
   * that matched by chance are spent. The model matches all that an honest server sends.
   */
  @Property(tries = 40)
  void anHonestServerIsNeverAccused(
      @ForAll long seed, @ForAll @DoubleRange(min = -6, max = -1.7) double exponent) {
    Random random = new Random(seed);
    WatchedLog own = new WatchedLog(List.of(new Element.Script(SimulatedWallet.element(0))));
    BloomFilter sent =
        BloomFilter.builder(
                FilterParameters.of(
                    50,
                    Math.pow(10, exponent),
                    random.nextInt(),
                    UpdateFlag.ALL,
                    Rounding.BITCOINJ))
            .add(SimulatedWallet.element(0))
            .add(SimulatedWallet.element(5_000))
            .build();
    ServerFilter server = new ServerFilter(sent);
    FilterCopy copy = new FilterCopy(sent, null);
    List<OutPoint> coins = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Tx tx = tx(random, coins);
      if (server.matchAndUpdate(tx)) {
        coins.add(tx.outPoint(0));
        coins.add(tx.outPoint(1));
        assertThat(copy.matches(tx, own)).as("transaction %d, seed %d", i, seed).isTrue();
      }
    }
    assertThat(copy.asOf(1).bitsSet()).isEqualTo(server.filter().bitsSet());
  }
}
