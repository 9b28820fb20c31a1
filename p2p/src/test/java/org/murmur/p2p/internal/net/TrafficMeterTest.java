package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;

/** Bytes by cause. */
class TrafficMeterTest {

  /** A transaction of one input and one output, without meaning. */
  private static final Tx TX =
      Tx.parse(
          Bytes.ofHex(
              "01000000"
                  + "01"
                  + "11".repeat(32)
                  + "00000000"
                  + "00"
                  + "ffffffff"
                  + "01"
                  + "e803000000000000"
                  + "01"
                  + "51"
                  + "00000000"));

  private final TrafficMeter meter = new TrafficMeter();

  private BytesByCause.Part of(TrafficCause cause) {
    return meter.traffic().of(cause);
  }

  private static Message.MerkleBlockMessage block() {
    String tree = "01000000" + "01" + "22".repeat(32) + "01" + "00";
    return new Message.MerkleBlockMessage(
        MerkleBlock.parse(Bytes.ofHex("00".repeat(MerkleBlock.HEADER_BYTES) + tree)));
  }

  @Test
  void aBlockWithoutAMatchHasNoProof() {
    Message.MerkleBlockMessage empty = block();
    meter.received(empty, BytesByCause.EMPTY_BLOCK_BYTES);
    assertThat(of(TrafficCause.BLOCKS).received()).isEqualTo(143);
    assertThat(of(TrafficCause.PROOFS).received()).isZero();
    meter.received(empty, 207);
    assertThat(of(TrafficCause.BLOCKS).received()).isEqualTo(286);
    assertThat(of(TrafficCause.PROOFS).received()).isEqualTo(64);
  }

  @Test
  void aTransactionThatWasNotRequestedBelongsToABlock() {
    meter.received(new Message.TxMessage(TX), 85);
    assertThat(of(TrafficCause.MATCHES).received()).isEqualTo(85);
    InventoryItem item = new InventoryItem(InventoryItem.TX, TX.txid());
    meter.received(new Message.Inv(List.of(item)), 61);
    meter.sent(new Message.GetData(List.of(item)), 61);
    meter.received(new Message.TxMessage(TX), 85);
    meter.received(new Message.TxMessage(TX), 85);
    assertThat(of(TrafficCause.UNCONFIRMED)).isEqualTo(new BytesByCause.Part(61 + 85, 61));
    assertThat(of(TrafficCause.MATCHES).received()).isEqualTo(170);
  }

  @Test
  void aMixedRequestIsDividedAndNothingIsLost() {
    InventoryItem filtered = new InventoryItem(InventoryItem.FILTERED_BLOCK, Hash256.ZERO);
    InventoryItem whole = new InventoryItem(InventoryItem.BLOCK, Hash256.ZERO);
    meter.sent(new Message.GetData(List.of(filtered, filtered, whole)), 24 + 1 + 3 * 36);
    assertThat(of(TrafficCause.BLOCKS).sent()).isGreaterThanOrEqualTo(2 * 36);
    assertThat(of(TrafficCause.WHOLE_BLOCKS).sent()).isGreaterThanOrEqualTo(36);
    assertThat(meter.traffic().sent()).isEqualTo(133);
  }

  @Test
  void announcedBlocksCountAsHeadersAndTheRestAsOther() {
    InventoryItem block = new InventoryItem(InventoryItem.BLOCK, Hash256.ZERO);
    meter.received(new Message.Inv(List.of(block)), 61);
    meter.received(new Message.Pong(1), 32);
    meter.sent(new Message.Mempool(), 24);
    meter.sent(new Message.FilterClear(), 24);
    meter.sent(new Message.GetAddr(), 24);
    assertThat(of(TrafficCause.HEADERS).received()).isEqualTo(61);
    assertThat(of(TrafficCause.OTHER).received()).isEqualTo(32);
    assertThat(of(TrafficCause.UNCONFIRMED).sent()).isEqualTo(24);
    assertThat(of(TrafficCause.FILTERS).sent()).isEqualTo(24);
    assertThat(of(TrafficCause.ADDRESSES).sent()).isEqualTo(24);
    assertThat(meter.traffic().received()).isEqualTo(93);
    assertThat(meter.traffic().sent()).isEqualTo(72);
  }

  @Test
  void falsePositivesAreAPartOfTheMatches() {
    BytesByCause traffic = BytesByCause.NONE.plus(TrafficCause.MATCHES, 100, 0).falsePositives(30);
    assertThat(traffic.of(TrafficCause.MATCHES).received()).isEqualTo(70);
    assertThat(traffic.of(TrafficCause.FALSE_POSITIVES).received()).isEqualTo(30);
    assertThat(traffic.falsePositives(1_000).received()).isEqualTo(100);
    assertThat(traffic.falsePositives(1_000).of(TrafficCause.MATCHES).received()).isZero();
  }

  @Test
  void filtersOfBlocksAndTheirRequestsAreOneCause() {
    meter.sent(new Message.GetCFilters(Message.BASIC_FILTER, 1, Hash256.ZERO), 61);
    meter.received(new Message.CFilter(Message.BASIC_FILTER, Hash256.ZERO, Bytes.EMPTY), 58);
    meter.received(new Message.CFCheckpt(Message.BASIC_FILTER, Hash256.ZERO, List.of()), 58);
    assertThat(of(TrafficCause.BLOCK_FILTERS)).isEqualTo(new BytesByCause.Part(116, 61));
    assertThat(of(TrafficCause.FILTERS)).isEqualTo(BytesByCause.Part.NONE);
  }
}
