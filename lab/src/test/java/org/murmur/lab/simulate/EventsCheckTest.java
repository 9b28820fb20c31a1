package org.murmur.lab.simulate;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.PaymentState.Stage;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/** The check that a copy updated by events equals the wallet: it must notice missing events. */
class EventsCheckTest {

  private static final Hash256 ONE = txid(1);
  private static final Hash256 TWO = txid(2);

  private final EventsCheck check = new EventsCheck(holding(0, 0));

  private static Hash256 txid(int seed) {
    return Hash256.ofInternal(new Dice(seed).bytes(32).toArray());
  }

  private static Holdings holding(long confirmed, long pending, Holdings.Entry... entries) {
    return new Holdings(9, Hash256.ZERO, confirmed, 0, pending, List.of(entries), Set.of());
  }

  private static Holdings.Entry entry(Hash256 txid, int height, long net) {
    return new Holdings.Entry(txid, height, height < 0 ? null : Hash256.ZERO, net);
  }

  private static HistoryEntry told(Hash256 txid, int height, long net) {
    return new HistoryEntry(
        txid,
        height < 0 ? OptionalInt.empty() : OptionalInt.of(height),
        Instant.EPOCH,
        net,
        List.of(),
        height < 0 ? TxStatus.PENDING : TxStatus.CONFIRMED,
        true,
        false,
        List.of(),
        OptionalLong.empty(),
        "",
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void aCopyWithAllEventsEqualsTheWallet() {
    check.heard(new WalletEvent.Payment(Change.SEEN, told(ONE, -1, 700)));
    check.requireSameAtTheEnd(holding(0, 700, entry(ONE, WalletTruth.UNCONFIRMED, 700)));
    check.heard(new WalletEvent.Payment(Change.CONFIRMED, told(ONE, 5, 700)));
    check.requireSameAtTheEnd(holding(700, 0, entry(ONE, 5, 700)));
    check.heard(new WalletEvent.Payment(Change.UNCONFIRMED, told(ONE, -1, 700)));
    check.requireSameAtTheEnd(holding(0, 700, entry(ONE, WalletTruth.UNCONFIRMED, 700)));
    check.heard(new WalletEvent.Payment(Change.REPLACED, told(ONE, -1, 700)));
    check.requireSameAtTheEnd(holding(0, 0));
    check.heard(new WalletEvent.Payment(Change.CONFIRMED, told(TWO, 6, 5)));
    check.heard(new WalletEvent.Payment(Change.GONE, told(TWO, -1, 5)));
    check.requireSameAtTheEnd(holding(0, 0));
  }

  @Test
  void aCopyBeginsWithTheWalletsHoldings() {
    Holdings begin = holding(30, 0, entry(ONE, 3, 30));
    assertThatCode(() -> new EventsCheck(begin).requireSame(begin)).doesNotThrowAnyException();
  }

  @Test
  void aPaymentWithoutAnEventIsNoticed() {
    assertThatThrownBy(() -> check.requireSame(holding(30, 0, entry(ONE, 3, 30))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("did not report {" + ONE);
  }

  @Test
  void aPaymentThatIsGoneWithoutAnEventIsNoticed() {
    check.heard(new WalletEvent.Payment(Change.CONFIRMED, told(ONE, 3, 30)));
    assertThatThrownBy(() -> check.requireSame(holding(0, 0)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("left {" + ONE);
  }

  @Test
  void anotherHeightAndAnotherAmountAreNoticed() {
    check.heard(new WalletEvent.Payment(Change.CONFIRMED, told(ONE, 3, 30)));
    assertThatThrownBy(() -> check.requireSame(holding(30, 0, entry(ONE, 4, 30))))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> check.requireSame(holding(31, 0, entry(ONE, 3, 31))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aBalanceThatIsNotTheSumIsNoticed() {
    check.heard(new WalletEvent.Payment(Change.CONFIRMED, told(ONE, 3, 30)));
    assertThatThrownBy(() -> check.requireSame(holding(29, 0, entry(ONE, 3, 30))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("add up to 30 satoshi, the balance to 29");
  }

  /** Before the end a spend may be known whose coin is not; at the end pending adds up as well. */
  @Test
  void aPendingSumIsHeldAgainstTheBalanceAtTheEndOnly() {
    check.heard(new WalletEvent.Payment(Change.SEEN, told(ONE, -1, 700)));
    Holdings shifted = holding(1, 699, entry(ONE, WalletTruth.UNCONFIRMED, 700));
    assertThatCode(() -> check.requireSame(shifted)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check.requireSameAtTheEnd(shifted))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("leave 700 satoshi pending, the balance says 699");
  }

  private static SyncEvent state(Stage stage, List<NodeAddress> fetched, List<NodeAddress> have) {
    return new WalletEvent.PaymentStateChanged(
        ONE, new PaymentState(stage, fetched, have, Map.of(), true, false));
  }

  @Test
  void aStageThatThePeersContradictIsNoticed() {
    NodeAddress peer = new NodeAddress("10.0.0.1", 18444);
    check.heard(state(Stage.SENT, List.of(peer), List.of()));
    check.heard(state(Stage.RELAYED, List.of(peer), List.of(peer)));
    assertThatThrownBy(() -> check.heard(state(Stage.SENT, List.of(peer), List.of(peer))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("impossible");
    assertThatThrownBy(() -> check.heard(state(Stage.SENT, List.of(), List.of())))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aStageAfterAnEventThatRulesItOutIsNoticed() {
    check.heard(new WalletEvent.Payment(Change.SEEN, told(ONE, -1, 700)));
    check.heard(state(Stage.RELAYED, List.of(), List.of()));
    check.heard(new WalletEvent.Payment(Change.CONFIRMED, told(ONE, 5, 700)));
    assertThatThrownBy(() -> check.heard(state(Stage.RELAYED, List.of(), List.of())))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("is reported after");
  }

  @Test
  void aLastEventThatTheBooksContradictIsNoticed() {
    HistoryEntry entry = told(ONE, -1, 700);
    check.heard(new WalletEvent.Payment(Change.SEEN, entry));
    assertThatCode(() -> check.requireTold(List.of(entry))).doesNotThrowAnyException();
    assertThatThrownBy(() -> check.requireTold(List.of(entry.withLabel("other"))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the books say");
  }
}
