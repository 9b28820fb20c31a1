package org.murmur.p2p.internal.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
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
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.machine.Payments;
import org.murmur.p2p.internal.machine.SimulatedWallet;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.scan.FilterCopy;
import org.murmur.p2p.internal.scan.TxCheck;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;

/** Rations and score of one peer, without a machine around. */
class ConductTest {

  private static final Instant START = Instant.ofEpochSecond(1_700_000_000L);

  private final Payments payments = new Payments();
  private final Conduct conduct = new Conduct(START);

  private static Message.Inv inv(int items) {
    return new Message.Inv(
        Collections.nCopies(items, new InventoryItem(InventoryItem.TX, Hash256.ZERO)));
  }

  /** Takes the smallest amount of a ration. */
  private Refusal one(Conduct.Ration ration, Instant now) {
    return switch (ration) {
      case ANNOUNCEMENTS -> conduct.heard(inv(1), 24, now);
      case ADDRESSES -> conduct.heard(new Message.Addr(List.of()), 24, now);
      case PINGS -> conduct.heard(new Message.Ping(1), 24, now);
      case QUESTIONS ->
          conduct.heard(
              new Message.GetData(List.of(new InventoryItem(InventoryItem.TX, Hash256.ZERO))),
              24,
              now);
      case TRANSACTIONS -> conduct.handedOver(300, now);
      case STRANGER -> conduct.heardEarly(new Message.Pong(1), 24, now);
      case ANSWERS -> throw new AssertionError("has a test of its own");
      case NOISE -> conduct.heard(new Message.Unknown("hum", Bytes.EMPTY), 24, now);
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ANSWERS")
  void refusesTheFirstMessageAboveItsRation(Conduct.Ration ration) {
    for (int i = 0; i < ration.most(); i++) {
      assertThat(one(ration, START).isRefusal()).isFalse();
    }
    assertThat(one(ration, START).reason()).isEqualTo(DisconnectReason.FLOODING);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ANSWERS")
  void rationsComeBackWithTime(Conduct.Ration ration) {
    Instant now = START;
    for (int i = 0; i < 3 * ration.most(); i++) {
      now = now.plusSeconds(1);
      assertThat(one(ration, now).isRefusal()).isFalse();
    }
  }

  /** An announcement of 61 bytes, a question of a thousand, an empty answer: without end. */
  @Test
  void aPeerThatMakesUsSendMoreThanItSendsIsAFlood() {
    Message ask = new Message.GetHeaders(Collections.nCopies(30, Hash256.ZERO), Hash256.ZERO);
    Instant now = START;
    int rounds = 0;
    while (!conduct.answered(now).isRefusal()) {
      conduct.heard(inv(1), 61, now);
      conduct.sends(ask, now);
      conduct.heard(new Message.HeadersMessage(Headers.NONE), 25, now);
      now = now.plusMillis(10);
      rounds++;
    }
    assertThat(conduct.answered(now).reason()).isEqualTo(DisconnectReason.FLOODING);
    assertThat(rounds).isLessThan(2_200);
  }

  /** Blocks are asked for with 36 bytes, and answered with more. */
  @Test
  void questionsThatArePaidBackAreNoFlood() {
    List<InventoryItem> blocks =
        Collections.nCopies(500, new InventoryItem(InventoryItem.FILTERED_BLOCK, Hash256.ZERO));
    for (int i = 0; i < 2_000; i++) {
      conduct.sends(new Message.GetData(blocks), START);
      for (int j = 0; j < 500; j++) {
        conduct.heard(new Message.Pong(j), 117, START);
      }
      assertThat(conduct.answered(START).isRefusal()).isFalse();
    }
  }

  /** Before the handshake nothing is asked, so whole blocks are no answers. */
  @Test
  void whoHasSaidNothingYetMaySendLittle() {
    Message block = new Message.Pong(1);
    int taken = 0;
    while (!conduct.heardEarly(block, 400_000, START).isRefusal()) {
      taken++;
    }
    assertThat(taken).isEqualTo(2);
  }

  @Test
  void takesTwoFullAnnouncementsAndNotAThird() {
    assertThat(conduct.heard(inv(50_000), 1_800_000, START).isRefusal()).isFalse();
    assertThat(conduct.heard(inv(50_000), 1_800_000, START).isRefusal()).isFalse();
    assertThat(conduct.heard(inv(50_000), 1_800_000, START).reason())
        .isEqualTo(DisconnectReason.FLOODING);
  }

  /** A whole memory pool of a busy wallet, and then ten times what the network can confirm. */
  @Test
  void aBusyWalletsTransactionsAreNoFlood() {
    for (int i = 0; i < Relay.MAX_WANTED + Relay.MAX_WAITING; i++) {
      assertThat(conduct.handedOver(600, START).isRefusal()).isFalse();
    }
    for (int second = 1; second <= 7_200; second++) {
      for (int i = 0; i < 7; i++) {
        Instant now = START.plusSeconds(second);
        assertThat(conduct.handedOver(10_000, now).isRefusal()).isFalse();
      }
    }
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
    Message hum = new Message.Unknown("hum", Bytes.EMPTY);
    while (!conduct.heard(hum, 4_000_000, START).isRefusal()) {
      taken++;
    }
    assertThat(taken).isEqualTo(2);
  }

  @Test
  void forgivesRareOffences() {
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

  // ---- possible matches of the filter ----

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
    return TxCheck.sent(conduct, tx, copy, asked, false, log(2), START);
  }

  /** A server that adds outpoints may have added those of transactions that were not requested. */
  @Test
  void spendsOfUnrequestedOutputsMismatchOnlyAFixedFilter() {
    FilterCopy growing = new FilterCopy(filter(UpdateFlag.ALL), null);
    for (int i = 0; i < 100; i++) {
      assertThat(TxCheck.sent(conduct, foreign(), growing, true, true, log(2), START).isRefusal())
          .isFalse();
    }
    FilterCopy fixed = new FilterCopy(filter(UpdateFlag.NONE), null);
    assertThat(TxCheck.sent(conduct, foreign(), fixed, true, true, log(2), START).reason())
        .isEqualTo(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void fiveForeignTransactionsAreTooManyUnderAFilterThatGrows() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.ALL), null);
    for (int i = 0; i < 4; i++) {
      assertThat(sent(copy, foreign(), true).isRefusal()).isFalse();
    }
    assertThat(sent(copy, foreign(), true).reason()).isEqualTo(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void oneForeignTransactionIsProofUnderAFilterThatDoesNotGrow() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.NONE), null);
    assertThat(sent(copy, foreign(), true).reason()).isEqualTo(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void ownTransactionsThatWereAskedForCostNothing() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.ALL, SimulatedWallet.element(0)), null);
    for (int i = 0; i < 1_000; i++) {
      assertThat(sent(copy, payments.pay(i % 2), true).isRefusal()).isFalse();
    }
  }

  @Test
  void twentyUnsolicitedTransactionsAreTooMany() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.ALL, SimulatedWallet.element(0)), null);
    for (int i = 0; i < 19; i++) {
      assertThat(sent(copy, payments.pay(0), false).isRefusal()).isFalse();
    }
    assertThat(sent(copy, payments.pay(0), false).reason()).isEqualTo(DisconnectReason.UNASKED);
  }
}
