package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.node.Behaviour;

public class NodeProtocolTest {

  private static final Bytes KEY_HASH = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");
  private static final Bytes OURS = OutputScripts.payToWitnessPubKeyHash(KEY_HASH);
  private static final Bytes FOREIGN =
      OutputScripts.payToPubKeyHash(Bytes.ofHex("ffffffffffffffffffffffffffffffffffffffff"));

  private final RegtestNode node = RegtestNode.start(Chain.ofGenesis(), Behaviour.honest());

  @AfterEach
  void stop() {
    node.close();
  }

  public static BloomFilter filter(UpdateFlag flag, Bytes... elements) {
    BloomFilter.Builder builder = BloomFilter.builder(new FilterParameters(1000, 20, 0x5eed, flag));
    for (Bytes element : elements) {
      builder.add(element);
    }
    return builder.build();
  }

  @Test
  void greetsWithHeightAndServices() {
    node.mine(3);
    try (TestPeer peer = TestPeer.connect(node)) {
      assertThat(peer.version().startHeight()).isEqualTo(3);
      assertThat(peer.version().services())
          .isEqualTo(
              Services.NETWORK
                  | Services.NETWORK_LIMITED
                  | Services.WITNESS
                  | Services.BLOOM
                  | Services.P2P_V2);
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void letsAnObserverSeeMessagesAndDepartures() throws InterruptedException {
    BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
    node.watch(
        new RegtestNode.Onlooker() {
          @Override
          public void received(Message message) {
            seen.add(message);
          }

          @Override
          public void left() {
            seen.add("left");
          }
        });
    Message.Pong answer = new Message.Pong(42);
    try (TestPeer peer = TestPeer.connect(node)) {
      assertThat(seen.poll(20, TimeUnit.SECONDS)).isInstanceOf(Message.Version.class);
      assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(new Message.Verack());
      node.ping(42);
      peer.send(answer);
      assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(answer);
    }
    assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("left");
    assertThat(node.connections()).isZero();
  }

  @Test
  void startsAtTheGenesisBlockOfRegtest() {
    assertThat(node.tip()).isEqualTo(ChainParams.REGTEST.genesisHash());
    assertThat(node.blockAt(0).txid(0)).isEqualTo(node.blockAt(0).header().merkleRoot());
  }

  @Test
  void servesHeadersInBatchesFromTheLocator() {
    node.mine(2005);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.GetHeaders(List.of(node.blockAt(0).hash()), Hash256.ZERO));
      Message.HeadersMessage first = peer.await(Message.HeadersMessage.class);
      assertThat(first.headers().count()).isEqualTo(2000);
      assertThat(first.headers().hash(1999)).isEqualTo(node.blockAt(2000).hash());
      peer.send(
          new Message.GetHeaders(
              List.of(Hash256.ZERO, first.headers().hash(1999), node.blockAt(7).hash()),
              Hash256.ZERO));
      Message.HeadersMessage rest = peer.await(Message.HeadersMessage.class);
      assertThat(rest.headers().count()).isEqualTo(5);
      assertThat(rest.headers().hash(4)).isEqualTo(node.tip());
      peer.send(new Message.GetHeaders(List.of(node.tip()), Hash256.ZERO));
      assertThat(peer.await(Message.HeadersMessage.class).headers().count()).isZero();
    }
  }

  @Test
  void stopsHeadersWhereAsked() {
    node.mine(20);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.GetHeaders(List.of(node.blockAt(2).hash()), node.blockAt(9).hash()));
      assertThat(peer.await(Message.HeadersMessage.class).headers().count()).isEqualTo(7);
      peer.send(new Message.GetHeaders(List.of(), node.blockAt(9).hash()));
      assertThat(peer.await(Message.HeadersMessage.class).headers().hash(0))
          .isEqualTo(node.blockAt(9).hash());
    }
  }

  @Test
  void provesMatchesAndSendsThemWithoutWitness() {
    OutPoint funds = Lane.fund(node);
    Tx pays = Lane.spend(funds).pay(1000, FOREIGN).pay(2000, OURS).build();
    Tx other = Lane.spend(pays.outPoint(0)).pay(500, FOREIGN).build();
    Block block = node.mine(List.of(pays, other));
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterLoad(filter(UpdateFlag.NONE, KEY_HASH)));
      peer.ask(InventoryItem.FILTERED_BLOCK, block.hash());
      List<Message> answer = peer.barrier();
      assertThat(answer).hasSize(2);
      MerkleBlock merkleBlock = ((Message.MerkleBlockMessage) answer.get(0)).merkleBlock();
      assertThat(merkleBlock.blockHash()).isEqualTo(block.hash());
      assertThat(((Verdict.Proven) merkleBlock.verify()).matches())
          .singleElement()
          .satisfies(match -> assertThat(match.txid()).isEqualTo(pays.txid()));
      Tx served = ((Message.TxMessage) answer.get(1)).tx();
      assertThat(served.txid()).isEqualTo(pays.txid());
      assertThat(served.hasWitness()).isFalse();
      peer.ask(InventoryItem.FILTERED_WITNESS_BLOCK, block.hash());
      assertThat(TestPeer.transactions(peer.barrier())).containsExactly(pays);
    }
  }

  @Test
  void servesWholeBlocksInBothForms() {
    OutPoint funds = Lane.fund(node);
    Block block = node.mine(List.of(Lane.spend(funds).pay(1000, FOREIGN).build()));
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.ask(InventoryItem.WITNESS_BLOCK, block.hash());
      assertThat(peer.await(Message.BlockMessage.class).raw()).isEqualTo(block.raw());
      peer.ask(InventoryItem.BLOCK, block.hash());
      Block stripped = Block.parse(peer.await(Message.BlockMessage.class).raw());
      assertThat(stripped.txids()).isEqualTo(block.txids());
      assertThat(stripped.transactions()).noneMatch(Tx::hasWitness);
    }
  }

  @Test
  void dropsUnknownAndInvalidatedBlocksInSilence() {
    node.mine(5);
    Hash256 gone = node.tip();
    node.reorg(1, 2, RegtestNode.Orphaned.TO_MEMPOOL);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterLoad(filter(UpdateFlag.ALL, KEY_HASH)));
      peer.ask(InventoryItem.FILTERED_BLOCK, gone, Hash256.ZERO, node.tip());
      assertThat(peer.barrier()).hasSize(1);
    }
  }

  @Test
  void ignoresFilteredBlocksWithoutAFilter() {
    node.mine(1);
    try (TestPeer peer = TestPeer.connect(node)) {
      assertThat(peer.filtered(node.tip())).isEmpty();
      peer.send(
          new Message.FilterLoad(filter(UpdateFlag.ALL, KEY_HASH)), new Message.FilterClear());
      peer.ask(InventoryItem.FILTERED_BLOCK, node.tip());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void remembersItsFilters() {
    BloomFilter filter = filter(UpdateFlag.NONE, KEY_HASH);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterLoad(filter), new Message.FilterAdd(Bytes.ofHex("abcd")));
      peer.barrier();
      assertThat(node.filtersShown()).containsExactly(filter);
      assertThat(node.elementsShown()).containsExactly(Bytes.ofHex("abcd"));
    }
  }

  /** As Core does, which reads what it knows of a message and leaves the rest. */
  @Test
  void leavesBytesBehindAFilter() {
    BloomFilter filter = filter(UpdateFlag.NONE, KEY_HASH);
    byte[] frame = FrameEncoder.encode(0, new Message.FilterLoad(filter));
    byte[] longer = Arrays.copyOf(frame, frame.length + 2);
    Bytes payload = Bytes.of(longer, Frame.HEADER_LENGTH, longer.length);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.Unknown("filterload", payload));
      peer.barrier();
      assertThat(node.filtersShown()).containsExactly(filter);
    }
  }

  @Test
  void hangsUpOnFilterAddWithoutAFilter() {
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterAdd(KEY_HASH));
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  @Test
  void hangsUpOnAnOversizeElement() {
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterLoad(filter(UpdateFlag.ALL, KEY_HASH)));
      assertThat(peer.barrier()).isEmpty();
      Bytes tooLong = new ByteWriter().varBytes(Bytes.wrap(new byte[521])).toBytes();
      peer.send(new Message.Unknown("filteradd", tooLong));
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  /** A node that encrypts takes any other first message for a key, as Core does. */
  @Test
  void answersNothingBeforeTheHandshake() {
    try (RegtestNode plain =
            RegtestNode.start(Chain.ofGenesis(), Behaviour.honest().withoutEncryption());
        TestPeer peer = TestPeer.open(plain.host(), plain.port())) {
      peer.send(new Message.Ping(1), new Message.Version(70016, 0, 0, 7, "/x/", 0, false));
      assertThat(peer.next()).isInstanceOf(Message.Version.class);
      assertThat(peer.next()).isInstanceOf(Message.Verack.class);
      peer.send(new Message.Verack());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void announcesBlocksAsThePeerPrefers() {
    node.mine(1);
    try (TestPeer plain = TestPeer.connect(node);
        TestPeer modern = TestPeer.connect(node)) {
      modern.send(new Message.SendHeaders(), askFrom(node.tip()));
      plain.barrier();
      modern.barrier();
      Block block = node.mine(1).get(0);
      assertThat(plain.next())
          .isEqualTo(
              new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, block.hash()))));
      assertThat(((Message.HeadersMessage) modern.next()).headers().hash(0))
          .isEqualTo(block.hash());
    }
  }

  @Test
  void announcesAReorganisationByTheHeadersOfTheNewBranch() {
    node.mine(10);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.SendHeaders(), askFrom(node.tip()));
      peer.barrier();
      node.reorg(2, 3, RegtestNode.Orphaned.TO_MEMPOOL);
      Message.HeadersMessage headers = (Message.HeadersMessage) peer.next();
      assertThat(headers.headers().count()).isEqualTo(3);
      assertThat(headers.headers().previous(0)).isEqualTo(node.blockAt(8).hash());
      assertThat(headers.headers().hash(2)).isEqualTo(node.tip());
    }
  }

  @Test
  void announcesUnconnectedBlocksByInv() {
    node.mine(10);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.SendHeaders(), askFrom(node.blockAt(3).hash()));
      assertThat(peer.barrier()).hasSize(1);
      node.reorg(2, 20, RegtestNode.Orphaned.TO_MEMPOOL);
      assertThat(peer.next()).isInstanceOf(Message.Inv.class);
      node.mine(1);
      assertThat(peer.next()).isInstanceOf(Message.Inv.class);
      peer.send(askFrom(node.blockAt(8).hash()));
      assertThat(peer.next()).isInstanceOf(Message.HeadersMessage.class);
      node.mine(1);
      assertThat(((Message.HeadersMessage) peer.next()).headers().hash(0)).isEqualTo(node.tip());
    }
  }

  private static Message askFrom(Hash256 known) {
    return new Message.GetHeaders(List.of(known), Hash256.ZERO);
  }

  @Test
  void walksAlongWithGetBlocks() {
    node.mine(510);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.GetBlocks(List.of(node.blockAt(0).hash()), Hash256.ZERO));
      Message.Inv inv = (Message.Inv) peer.next();
      assertThat(inv.items()).hasSize(500);
      peer.ask(InventoryItem.BLOCK, inv.items().get(499).hash());
      assertThat(peer.next()).isInstanceOf(Message.BlockMessage.class);
      // The tip's announcement makes the peer ask for what is left.
      assertThat(((Message.Inv) peer.next()).items().get(0).hash()).isEqualTo(node.tip());
    }
  }

  @Test
  void answersMempoolAtOnceIfThereIsSomethingToSay() {
    OutPoint funds = Lane.fund(node);
    Tx pays = Lane.spend(funds).pay(1000, OURS).build();
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterLoad(filter(UpdateFlag.ALL, KEY_HASH)), new Message.Mempool());
      assertThat(peer.barrier()).isEmpty();
      node.broadcast(pays);
      assertThat(peer.next())
          .isEqualTo(new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, pays.txid()))));
      peer.send(new Message.Mempool());
      assertThat(((Message.Inv) peer.next()).items()).hasSize(1);
      peer.ask(InventoryItem.WITNESS_TX, pays.txid(), Hash256.ZERO);
      assertThat(peer.next()).isEqualTo(new Message.TxMessage(pays));
      assertThat(((Message.NotFound) peer.next()).items())
          .containsExactly(new InventoryItem(InventoryItem.WITNESS_TX, Hash256.ZERO));
    }
  }

  @Test
  void acceptsTransactionsAndAnnouncesThemToMatchingPeers() {
    OutPoint funds = Lane.fund(node);
    Tx pays = Lane.spend(funds).pay(1000, OURS).build();
    try (TestPeer sender = TestPeer.connect(node);
        TestPeer concerned = TestPeer.connect(node);
        TestPeer unconcerned = TestPeer.connect(node);
        TestPeer silent = TestPeer.connect(node)) {
      concerned.send(new Message.FilterLoad(filter(UpdateFlag.ALL, KEY_HASH)));
      unconcerned.send(new Message.FilterLoad(filter(UpdateFlag.ALL, Bytes.ofHex("abcd"))));
      for (TestPeer peer : List.of(concerned, unconcerned, silent)) {
        peer.barrier();
      }
      sender.send(new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, pays.txid()))));
      assertThat(((Message.GetData) sender.next()).items())
          .containsExactly(new InventoryItem(InventoryItem.TX, pays.txid()));
      sender.send(new Message.TxMessage(pays));
      assertThat(concerned.next())
          .isEqualTo(new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, pays.txid()))));
      assertThat(node.mempool().transactions()).containsExactly(pays);
      for (TestPeer peer : List.of(sender, unconcerned, silent)) {
        assertThat(peer.barrier()).isEmpty();
      }
      assertThat(node.mine(1).get(0).txids()).contains(pays.txid());
      assertThat(node.mempool().size()).isZero();
    }
  }

  @Test
  void servesManyBlocksInTheOrderAsked() {
    node.mine(300);
    List<Hash256> hashes = new ArrayList<>();
    for (int i = 0; i <= 300; i++) {
      hashes.add(node.blockAt(i).hash());
    }
    Collections.reverse(hashes);
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.FilterLoad(filter(UpdateFlag.ALL, KEY_HASH)));
      peer.ask(InventoryItem.FILTERED_BLOCK, hashes.toArray(new Hash256[0]));
      assertThat(peer.barrier())
          .extracting(m -> ((Message.MerkleBlockMessage) m).merkleBlock().blockHash())
          .isEqualTo(hashes);
    }
  }

  @Test
  void saysItHasNoAddresses() {
    try (TestPeer peer = TestPeer.connect(node)) {
      peer.send(new Message.GetAddr());
      assertThat(peer.next()).isEqualTo(new Message.Addr(List.of()));
    }
  }
}
