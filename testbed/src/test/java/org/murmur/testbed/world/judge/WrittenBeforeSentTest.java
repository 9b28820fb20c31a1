package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Scenery.assertBreach;
import static org.murmur.testbed.world.judge.Scenery.loading;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.world.network.ConversationLog;

/** A message that leaves before its record is on disk is a breach. */
class WrittenBeforeSentTest {

  private static final Bytes ELEMENT = Bytes.ofHex("0102030405");
  private static final BloomFilter EMPTY = Scenery.filter(List.of());
  private static final Tx TX =
      new TxBuilder()
          .spend(new OutPoint(Hash256.ZERO, 1))
          .pay(1_000, OutputScripts.payToWitnessPubKeyHash(Bytes.ofHex("00".repeat(20))))
          .build();

  private final WrittenBeforeSent disk = new WrittenBeforeSent(false);
  private final ConversationLog one = new ConversationLog(Scenery.peer(0));
  private final ConversationLog two = new ConversationLog(Scenery.peer(1));

  private static Load load(long id, ConversationLog line, BloomFilter filter) {
    return new Load(id, line.peer, 0, filter, 0);
  }

  @Test
  void filterIsSentWhenItsLoadIsWritten() {
    Message.FilterLoad message = new Message.FilterLoad(EMPTY);
    assertBreach("before it is on disk", () -> disk.sent(one, message));
    disk.written(loading(load(1, one, EMPTY)));
    disk.sent(one, message);
    assertBreach("before it is on disk", () -> disk.sent(two, message));
    Message.FilterLoad other = new Message.FilterLoad(EMPTY.with(ELEMENT));
    assertBreach("before it is on disk", () -> disk.sent(one, other));
  }

  @Test
  void elementIsAddedWhenTheLoadWithItIsWritten() {
    Message.FilterAdd add = new Message.FilterAdd(ELEMENT);
    assertBreach("added to the filter", () -> disk.sent(one, add));
    disk.written(loading(load(1, one, EMPTY)));
    disk.sent(one, new Message.FilterLoad(EMPTY));
    assertBreach("added to the filter", () -> disk.sent(one, add));
    // Another load that holds it does not count.
    disk.written(loading(load(2, one, EMPTY.with(ELEMENT))));
    assertBreach("added to the filter", () -> disk.sent(one, add));
    disk.written(loading(load(1, one, EMPTY.with(ELEMENT))));
    disk.sent(one, add);
  }

  @Test
  void peerLearnsOfATransactionOnceItIsRecorded() {
    InventoryItem item = new InventoryItem(InventoryItem.TX, TX.txid());
    List<Message> words =
        List.of(
            new Message.Inv(List.of(item)),
            new Message.TxMessage(TX),
            new Message.GetData(List.of(item)));
    for (Message message : words) {
      assertBreach("before that is on disk", () -> disk.sent(one, message));
    }
    disk.written(
        Scenery.batch(
            List.of(), List.of(), List.of(new CommitBatch.Mention(one.peer, TX.txid(), TX, 0))));
    assertBreach("was not announced to it", () -> disk.sent(one, new Message.TxMessage(TX)));
    for (Message message : words) {
      disk.sent(one, message);
      assertBreach("before that is on disk", () -> disk.sent(two, message));
    }
  }

  @Test
  void aPeersOwnAnnouncementsAreNoSecretBeforeIt() {
    one.announced.add(TX.txid());
    Message ask = new Message.GetData(List.of(new InventoryItem(InventoryItem.TX, TX.txid())));
    assertBreach("has no filter", () -> disk.sent(one, ask));
    disk.written(loading(load(1, one, EMPTY)));
    disk.sent(one, new Message.FilterLoad(EMPTY));
    disk.sent(one, ask);
  }
}
