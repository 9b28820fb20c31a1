package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Chain;

/** How a node with an upload limit, and one without old blocks, answers requests for blocks. */
public abstract class LimitsContract extends NodeContract {

  private static final Bytes ELEMENT = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");

  /** A block every ten minutes: a week and a bit. */
  private static final int BLOCKS = 1_020;

  private static final int WEEK = 1_008;

  private final Chain chain = Chain.ofGenesis();

  @BeforeAll
  void build() {
    try (RegtestNode builder = RegtestNode.start(chain)) {
      builder.mine(BLOCKS);
    }
    serve(chain, ContractNode.Kind.UPLOADED_ENOUGH, ContractNode.Kind.PRUNED);
  }

  private TestPeer peer(ContractNode.Kind kind) {
    TestPeer peer = TestPeer.connect("127.0.0.1", node(kind).port());
    peer.send(new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.ALL, ELEMENT)));
    peer.barrier();
    return peer;
  }

  private TestPeer limited() {
    return peer(ContractNode.Kind.UPLOADED_ENOUGH);
  }

  private TestPeer pruned() {
    return peer(ContractNode.Kind.PRUNED);
  }

  private Hash256 deep(int blocks) {
    return chain.blockAt(BLOCKS - blocks).hash();
  }

  @Test
  void anUploadLimitShowsInNoServiceBit() {
    try (TestPeer peer = limited()) {
      assertThat(Services.has(peer.version().services(), Services.NETWORK | Services.BLOOM))
          .isTrue();
    }
  }

  @Test
  void afterTheUploadLimitAFilteredBlockEndsTheConnection() {
    for (int depth : new int[] {0, WEEK + 5}) {
      try (TestPeer peer = limited()) {
        peer.ask(InventoryItem.FILTERED_BLOCK, deep(depth));
        assertThat(peer.untilClosed()).isEmpty();
      }
    }
  }

  @Test
  void afterTheUploadLimitAWholeBlockIsServedForAWeek() {
    try (TestPeer peer = limited()) {
      peer.ask(InventoryItem.WITNESS_BLOCK, deep(0), deep(WEEK));
      assertThat(peer.barrier()).hasSize(2);
      peer.ask(InventoryItem.WITNESS_BLOCK, deep(WEEK + 1));
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  @Test
  void afterTheUploadLimitHeadersAreServed() {
    try (TestPeer peer = limited()) {
      peer.send(new Message.GetHeaders(List.of(chain.blockAt(0).hash()), Hash256.ZERO));
      assertThat(peer.await(Message.HeadersMessage.class).headers().count()).isEqualTo(BLOCKS);
    }
  }

  @Test
  void aPrunedNodeSaysSo() {
    try (TestPeer peer = pruned()) {
      long services = peer.version().services();
      assertThat(Services.has(services, Services.NETWORK)).isFalse();
      assertThat(Services.has(services, Services.NETWORK_LIMITED | Services.BLOOM)).isTrue();
    }
  }

  @Test
  void aPrunedNodeServesHeadersAndLateBlocks() {
    try (TestPeer peer = pruned()) {
      peer.send(new Message.GetHeaders(List.of(chain.blockAt(0).hash()), Hash256.ZERO));
      assertThat(peer.await(Message.HeadersMessage.class).headers().count()).isEqualTo(BLOCKS);
      peer.ask(InventoryItem.FILTERED_BLOCK, deep(0), deep(288), deep(290));
      peer.ask(InventoryItem.WITNESS_BLOCK, deep(290));
      assertThat(peer.barrier()).hasSize(4);
    }
  }

  @Test
  void aPrunedNodeHangsUpOnEarlierBlocks() {
    for (int kind : new int[] {InventoryItem.FILTERED_BLOCK, InventoryItem.WITNESS_BLOCK}) {
      try (TestPeer peer = pruned()) {
        peer.ask(kind, deep(291));
        assertThat(peer.untilClosed()).isEmpty();
      }
    }
  }
}
