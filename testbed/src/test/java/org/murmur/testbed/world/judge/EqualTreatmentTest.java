package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Scenery.assertBreach;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.plan.WorldPlan;

/** Each rule about a guard's view is broken once, and kept once in a close case. */
class EqualTreatmentTest {

  private static final String PUSHED = "transaction 00 was not requested";

  private final Scenery scenery = new Scenery(1, WorldPlan.Kind.HONEST);
  private final EqualTreatment treatment = new EqualTreatment();
  private final ConversationLog line = new ConversationLog(Scenery.peer(0));
  private final Tx one = scenery.economy.noise();
  private final Tx two = scenery.economy.noise();
  private Instant now = Instant.EPOCH;

  @BeforeEach
  void peerIsAGuard() {
    line.shown = Bytes.EMPTY;
    treatment.received(line, new Message.Version(70016, 0, 0, 1, "/t/", 0, true), now);
  }

  private static List<InventoryItem> items(Tx... txs) {
    return Stream.of(txs).map(tx -> new InventoryItem(InventoryItem.TX, tx.txid())).toList();
  }

  private void announces(Tx... txs) {
    treatment.received(line, new Message.Inv(items(txs)), now);
  }

  private void isAskedFor(Tx... txs) {
    treatment.sent(line, new Message.GetData(items(txs)));
  }

  private void sends(Tx tx) {
    treatment.received(line, new Message.TxMessage(tx), now);
  }

  @Test
  void allThatIsAnnouncedIsRequested() {
    announces(one, two);
    isAskedFor(one, two);
    treatment.answered(line);

    announces(scenery.economy.noise(), one);
    assertBreach("it can tell that we know it", () -> treatment.answered(line));
  }

  @Test
  void noneIsLeftOut() {
    announces(one, two);
    assertBreach("it can tell them apart", () -> isAskedFor(one));
  }

  @Test
  void nothingElseIsRequested() {
    announces(one);
    assertBreach("it can tell them apart", () -> isAskedFor(one, two));
  }

  @Test
  void whatCameOnThisLineIsNotRequestedAgain() {
    announces(one);
    isAskedFor(one);
    sends(one);
    announces(one);
    treatment.answered(line);
    assertBreach("it can tell them apart", () -> isAskedFor(one));
  }

  @Test
  void whatItDidNotHaveIsRequestedAgain() {
    announces(one);
    isAskedFor(one);
    treatment.received(line, new Message.NotFound(items(one)), now);
    announces(one);
    assertBreach("it can tell that we know it", () -> treatment.answered(line));
    announces(one);
    isAskedFor(one);
    treatment.answered(line);
  }

  @Test
  void peerWithoutAFilterIsOutsideThisRule() {
    line.shown = null;
    announces(one);
    treatment.answered(line);
  }

  @Test
  void pushesEndTheConnectionWhoseverTheyAre() {
    for (int i = 1; i < EqualTreatment.PUSHES; i++) {
      sends(one);
      treatment.answered(line);
    }
    sends(one);
    assertBreach("it can tell that they are ours", () -> treatment.answered(line));
    treatment.dropped(line, DisconnectReason.UNASKED, PUSHED);
  }

  @Test
  void pushesBeforeTheVersionMessageAreIgnored() {
    ConversationLog silent = new ConversationLog(Scenery.peer(1));
    silent.shown = Bytes.EMPTY;
    for (int i = 0; i < 2 * EqualTreatment.PUSHES; i++) {
      treatment.received(silent, new Message.TxMessage(one), now);
      treatment.answered(silent);
    }
  }

  @Test
  void pushesAreForgivenWithTime() {
    for (int i = 0; i < 3 * EqualTreatment.PUSHES; i++) {
      sends(one);
      treatment.answered(line);
      now = now.plus(EqualTreatment.FORGIVEN);
    }
    assertBreach(
        "it can tell whose they are",
        () -> treatment.dropped(line, DisconnectReason.UNASKED, PUSHED));
  }

  @Test
  void fewerPushesEndNothing() {
    for (int i = 1; i < EqualTreatment.PUSHES; i++) {
      sends(one);
    }
    treatment.dropped(line, DisconnectReason.UNASKED, "block 00 was not requested");
    for (int i = 1; i < EqualTreatment.PUSHES; i++) {
      sends(one);
      now = now.plus(Duration.ofMillis(1));
    }
    assertBreach(
        "it can tell whose they are",
        () -> treatment.dropped(line, DisconnectReason.UNASKED, PUSHED));
  }

  @Test
  void requestedTransactionsAreNoPushes() {
    for (int i = 0; i < 2 * EqualTreatment.PUSHES; i++) {
      Tx tx = scenery.economy.noise();
      announces(tx);
      isAskedFor(tx);
      sends(tx);
      treatment.answered(line);
    }
    Hash256 block = scenery.economy.chain.tip().hash();
    treatment.sent(
        line, new Message.GetData(List.of(new InventoryItem(InventoryItem.FILTERED_BLOCK, block))));
  }
}
