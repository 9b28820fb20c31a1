package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/** Rations, score and pace of one peer, without a machine around. */
class ConductTest {

  private static final Instant START = Instant.ofEpochSecond(1_700_000_000L);

  private final Payments payments = new Payments();
  private final Conduct conduct = new Conduct(START);

  private static Message.Inv inv(int items) {
    return new Message.Inv(
        Collections.nCopies(items, new InventoryItem(InventoryItem.TX, Hash256.ZERO)));
  }

  /** One message of each ration, and how much of it that is. */
  private static Message one(Conduct.Ration ration) {
    return switch (ration) {
      case ANNOUNCEMENTS -> inv(1);
      case ADDRESSES -> new Message.Addr(List.of());
      case PINGS -> new Message.Ping(1);
      case QUESTIONS ->
          new Message.GetData(List.of(new InventoryItem(InventoryItem.TX, Hash256.ZERO)));
      case NOISE -> new Message.Unknown("hum", Bytes.EMPTY);
    };
  }

  @Test
  void noiseIsNoPace() {
    conduct.pace(true, START);
    conduct.heard(new Message.Unknown("hum", Bytes.EMPTY), 100_000, START.plusSeconds(30));
    conduct.heard(new Message.Ping(1), 32, START.plusSeconds(31));
    assertThat(conduct.pace(true, START.plus(Conduct.PACE_TAKEN_OVER)).reason())
        .isEqualTo(DisconnectReason.SLOW);
  }

  @ParameterizedTest
  @EnumSource
  void refusesWhatExceedsItsRationAndNotTheOneBefore(Conduct.Ration ration) {
    for (int i = 0; i < ration.most(); i++) {
      assertThat(conduct.heard(one(ration), 24, START).isRefusal()).isFalse();
    }
    assertThat(conduct.heard(one(ration), 24, START).reason()).isEqualTo(DisconnectReason.FLOODING);
  }

  @ParameterizedTest
  @EnumSource
  void rationsComeBackWithTime(Conduct.Ration ration) {
    Instant now = START;
    for (int i = 0; i < 3 * ration.most(); i++) {
      now = now.plusSeconds(1);
      assertThat(conduct.heard(one(ration), 24, now).isRefusal()).isFalse();
    }
  }

  @Test
  void takesTwoFullAnnouncementsAndNotAThird() {
    assertThat(conduct.heard(inv(50_000), 1_800_000, START).isRefusal()).isFalse();
    assertThat(conduct.heard(inv(50_000), 1_800_000, START).isRefusal()).isFalse();
    assertThat(conduct.heard(inv(50_000), 1_800_000, START).reason())
        .isEqualTo(DisconnectReason.FLOODING);
  }

  @Test
  void aHundredQuestionsForHeadersAreTooMany() {
    Message ask = new Message.GetHeaders(List.of(), Hash256.ZERO);
    int answered = 0;
    while (!conduct.heard(ask, 61, START).isRefusal()) {
      answered++;
    }
    assertThat(answered).isEqualTo(100);
  }

  @Test
  void largeMessagesOfNoUseCountByTheirBytes() {
    int taken = 0;
    while (!conduct.heard(one(Conduct.Ration.NOISE), 4_000_000, START).isRefusal()) {
      taken++;
    }
    assertThat(taken).isEqualTo(2);
  }

  @Test
  void forgivesWhatHappensSeldom() {
    Instant now = START;
    for (int i = 0; i < 10_000; i++) {
      now = now.plusSeconds(300);
      assertThat(conduct.commits(Conduct.Offence.FOREIGN_TRANSACTION, "", now).isRefusal())
          .isFalse();
    }
  }

  @Test
  void neverForgivesBelowNothing() {
    conduct.commits(Conduct.Offence.UNASKED_TRANSACTION, "", START.plus(Duration.ofDays(1)));
    int more = 0;
    while (!conduct
        .commits(Conduct.Offence.UNASKED_TRANSACTION, "", START.plus(Duration.ofDays(1)))
        .isRefusal()) {
      more++;
    }
    assertThat(more).isEqualTo(18);
  }

  // ---- what the filter there can have matched ----

  private static BloomFilter filter(UpdateFlag flag, Bytes... elements) {
    BloomFilter.Builder builder =
        BloomFilter.builder(FilterParameters.of(200, 1e-9, 7, flag, Rounding.BITCOINJ));
    for (Bytes element : elements) {
      builder.add(element);
    }
    return builder.build();
  }

  private static WatchedLog log(int scripts) {
    return new WatchedLog(
        IntStream.range(0, scripts)
            .mapToObj(i -> (Element) new Element.Script(SimulatedWallet.element(i)))
            .toList());
  }

  private Tx foreign() {
    return Payments.tx(List.of(payments.foreignCoin()), List.of(Payments.FOREIGN));
  }

  private Refusal sent(FilterCopy copy, Tx tx, boolean asked) {
    return conduct.sent(tx, copy, asked, false, log(2), START);
  }

  /** A server that adds outpoints may have added those of what it was not asked for. */
  @Test
  void whatSpendsWhatWasNotAskedForIsForeignToAFixedFilterOnly() {
    FilterCopy growing = new FilterCopy(filter(UpdateFlag.ALL), null, START);
    for (int i = 0; i < 100; i++) {
      assertThat(conduct.sent(foreign(), growing, true, true, log(2), START).isRefusal()).isFalse();
    }
    FilterCopy fixed = new FilterCopy(filter(UpdateFlag.NONE), null, START);
    assertThat(conduct.sent(foreign(), fixed, true, true, log(2), START).reason())
        .isEqualTo(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void fiveForeignTransactionsAreTooManyUnderAFilterThatGrows() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.ALL), null, START);
    for (int i = 0; i < 4; i++) {
      assertThat(sent(copy, foreign(), true).isRefusal()).isFalse();
    }
    assertThat(sent(copy, foreign(), true).reason()).isEqualTo(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void oneForeignTransactionIsProofUnderAFilterThatDoesNotGrow() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.NONE), null, START);
    assertThat(sent(copy, foreign(), true).reason()).isEqualTo(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void ownTransactionsThatWereAskedForCostNothing() {
    FilterCopy copy =
        new FilterCopy(filter(UpdateFlag.ALL, SimulatedWallet.element(0)), null, START);
    for (int i = 0; i < 1_000; i++) {
      assertThat(sent(copy, payments.pay(i % 2), true).isRefusal()).isFalse();
    }
  }

  @Test
  void twentyTransactionsThatNobodyAskedForAreTooMany() {
    FilterCopy copy =
        new FilterCopy(filter(UpdateFlag.ALL, SimulatedWallet.element(0)), null, START);
    for (int i = 0; i < 19; i++) {
      assertThat(sent(copy, payments.pay(0), false).isRefusal()).isFalse();
    }
    assertThat(sent(copy, payments.pay(0), false).reason()).isEqualTo(DisconnectReason.UNASKED);
  }

  // ---- pings and pace ----

  private static Chunk chunk(long ping, int passed) {
    Hash256[] hashes = new Hash256[3];
    Arrays.fill(hashes, Hash256.ZERO);
    Load load = new Load(1, new PeerAddress("a", 1), 0, filter(UpdateFlag.ALL), 0);
    Chunk chunk = new Chunk(load, 0, 1, hashes, ping);
    chunk.pass(passed);
    return chunk;
  }

  @Test
  void blocksBehindAPingThatWasNotAnsweredGiveItAway() {
    ArrayDeque<Chunk> second = new ArrayDeque<>(List.of(chunk(22, 1)));
    assertThat(Conduct.pings(second, List.of(11L, 22L)).reason())
        .isEqualTo(DisconnectReason.PING_TIMEOUT);
    assertThat(Conduct.pings(second, List.of(22L, 33L)).isRefusal()).isFalse();
  }

  @Test
  void thePingOfTheChunkBeforeMayBeOnItsWay() {
    ArrayDeque<Chunk> untouched = new ArrayDeque<>(List.of(chunk(22, 0)));
    assertThat(Conduct.pings(untouched, List.of(11L, 22L)).isRefusal()).isFalse();
    assertThat(Conduct.pings(new ArrayDeque<>(), List.of(11L)).isRefusal()).isFalse();
  }

  /** Drips of any size, for a minute: it goes exactly if they come to too little. */
  @Property(tries = 200)
  void dripsAreTooLittleBelowThePaceAndEnoughAboveIt(
      @ForAll @IntRange(min = 1, max = 120) int bytesASecond, @ForAll long seed) {
    Conduct dripping = new Conduct(START);
    Random random = new Random(seed);
    Instant now = START;
    dripping.pace(true, now);
    Refusal refusal = Refusal.NONE;
    int bytes = 0;
    for (int second = 1; second <= 60; second++) {
      now = START.plusSeconds(second);
      int drip = random.nextInt(2 * bytesASecond + 1);
      bytes += drip;
      dripping.heard(new Message.Pong(0), drip, now);
      refusal = dripping.pace(true, now);
      assertThat(second == 60 || !refusal.isRefusal()).isTrue();
    }
    boolean enough = bytes >= 60 * Conduct.LEAST_BYTES_A_SECOND;
    assertThat(refusal.reason()).isEqualTo(enough ? DisconnectReason.DONE : DisconnectReason.SLOW);
  }

  @Test
  void whoOwesNothingMaySayNothing() {
    for (int minute = 0; minute < 100; minute++) {
      Instant now = START.plus(Duration.ofMinutes(minute));
      assertThat(conduct.pace(true, now).isRefusal()).isFalse();
      assertThat(conduct.pace(false, now.plusSeconds(30)).isRefusal()).isFalse();
      assertThat(conduct.paceDue()).isNull();
    }
  }
}
