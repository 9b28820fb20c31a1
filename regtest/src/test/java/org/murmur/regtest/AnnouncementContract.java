package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.TestPeer.Hello;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/** How and when transactions are requested, announced and served. */
public abstract class AnnouncementContract extends NodeContract {

  private static final Bytes ELEMENT = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");
  private static final Bytes OURS = OutputScripts.payToWitnessPubKeyHash(ELEMENT);
  private static final Bytes NOT_THERE = Bytes.ofHex("5011e7b1ed5e7b1e");
  private static final int COINS = 40;
  private static final long VALUE = 1_000_000;

  private final Map<ContractNode.Kind, List<OutPoint>> coins =
      new EnumMap<>(ContractNode.Kind.class);

  @BeforeAll
  void build() {
    for (ContractNode.Kind kind :
        List.of(
            ContractNode.Kind.TRUSTING,
            ContractNode.Kind.UNTRUSTING,
            ContractNode.Kind.MEMPOOL_ONLY)) {
      Chain chain = Chain.ofGenesis();
      List<OutPoint> outPoints = new ArrayList<>();
      try (RegtestNode builder = RegtestNode.start(chain)) {
        TxBuilder fan = Lane.spend(Lane.fund(builder));
        for (int i = 0; i < COINS; i++) {
          fan.pay(VALUE, Lane.PLAIN_SCRIPT);
        }
        Tx coinsToSpend = fan.build();
        builder.mine(List.of(coinsToSpend));
        for (int i = 0; i < COINS; i++) {
          outPoints.add(coinsToSpend.outPoint(i));
        }
      }
      coins.put(kind, outPoints);
      serve(chain, kind);
    }
  }

  private TestPeer peer(ContractNode.Kind kind, Hello hello) {
    return TestPeer.connect("127.0.0.1", node(kind).port(), hello);
  }

  private TestPeer trusted() {
    return peer(ContractNode.Kind.TRUSTING, Hello.LIGHT);
  }

  /** A payment of its own coin: with witness, to {@link #OURS}. */
  private Tx payment(ContractNode.Kind kind) {
    List<OutPoint> left = coins.getOrDefault(kind, List.of());
    return Lane.spendPlain(left.remove(left.size() - 1)).pay(VALUE - 10_000, OURS).build();
  }

  private Tx payment() {
    return payment(ContractNode.Kind.TRUSTING);
  }

  private static Hash256 wtxid(Tx tx) {
    return DoubleSha256.of(tx.raw());
  }

  private static Message announcing(int type, Hash256 hash) {
    return new Message.Inv(List.of(new InventoryItem(type, hash)));
  }

  private static Message load(Bytes element) {
    return new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.ALL, element));
  }

  /** Two rounds: the node's own messages may come after the answer to the first ping. */
  private static List<Message> told(TestPeer peer) {
    List<Message> told = peer.barrier();
    told.addAll(peer.barrier());
    return told;
  }

  /** How a peer announces a transaction, and how it is requested. */
  enum Asking {
    WITHOUT_NODE_WITNESS(0, InventoryItem.TX),
    WITH_NODE_WITNESS(Services.WITNESS, InventoryItem.WITNESS_TX),
    BY_WTXID(Services.WITNESS, InventoryItem.WTX);

    private final long services;
    private final int kind;

    Asking(long services, int kind) {
      this.services = services;
      this.kind = kind;
    }

    Hello hello() {
      return new Hello(70016, services, false, this == BY_WTXID);
    }

    InventoryItem announced(Tx tx) {
      return this == BY_WTXID
          ? new InventoryItem(InventoryItem.WTX, wtxid(tx))
          : new InventoryItem(InventoryItem.TX, tx.txid());
    }

    InventoryItem asked(Tx tx) {
      return new InventoryItem(kind, announced(tx).hash());
    }
  }

  @ParameterizedTest
  @EnumSource
  void asksForAnAnnouncedTransaction(Asking asking) {
    Tx tx = payment();
    try (TestPeer sender = peer(ContractNode.Kind.TRUSTING, asking.hello())) {
      sender.send(new Message.Inv(List.of(asking.announced(tx))));
      assertThat(sender.await(Message.GetData.class).items()).containsExactly(asking.asked(tx));
      sender.send(new Message.TxMessage(tx));
      sender.barrier();
      assertThat(node(ContractNode.Kind.TRUSTING).holds(tx)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesNoTransactionWithoutItsWitness(Asking asking) {
    Tx tx = payment();
    try (TestPeer sender = peer(ContractNode.Kind.TRUSTING, asking.hello())) {
      sender.send(new Message.Inv(List.of(asking.announced(tx))));
      sender.await(Message.GetData.class);
      sender.send(new Message.TxMessage(Tx.parse(tx.stripped())));
      sender.barrier();
      assertThat(node(ContractNode.Kind.TRUSTING).mempool()).doesNotContain(tx.txid());
      // A peer that strips the witness does not keep others from sending it.
      sender.send(new Message.TxMessage(tx));
      sender.barrier();
      assertThat(node(ContractNode.Kind.TRUSTING).holds(tx)).isTrue();
    }
  }

  @Test
  void doesNotRequestKnownTransactions() {
    Tx tx = payment();
    node(ContractNode.Kind.TRUSTING).broadcast(tx);
    Tx other = payment();
    try (TestPeer sender = trusted()) {
      sender.send(
          announcing(InventoryItem.TX, tx.txid()), announcing(InventoryItem.TX, other.txid()));
      assertThat(sender.await(Message.GetData.class).items())
          .containsExactly(new InventoryItem(InventoryItem.TX, other.txid()));
    }
  }

  @Test
  void announcesToPeersWhoseFilterMatches() {
    Tx tx = payment();
    try (TestPeer sender = peer(ContractNode.Kind.TRUSTING, Hello.LISTENER);
        TestPeer concerned = trusted();
        TestPeer unconcerned = trusted();
        TestPeer listener = peer(ContractNode.Kind.TRUSTING, Hello.LISTENER);
        TestPeer silent = trusted()) {
      concerned.send(load(ELEMENT));
      unconcerned.send(load(NOT_THERE));
      List<TestPeer> peers = List.of(sender, concerned, unconcerned, listener, silent);
      peers.forEach(AnnouncementContract::told);
      sender.send(new Message.TxMessage(tx));
      Message inv = announcing(InventoryItem.TX, tx.txid());
      assertThat(told(sender)).isEmpty();
      assertThat(told(concerned)).containsExactly(inv);
      assertThat(told(listener)).containsExactly(inv);
      assertThat(told(unconcerned)).isEmpty();
      assertThat(told(silent)).isEmpty();
    }
  }

  @Test
  void announcesByWtxidOnRequest() {
    Tx tx = payment();
    try (TestPeer modern =
        peer(ContractNode.Kind.TRUSTING, new Hello(70016, Services.WITNESS, true, true))) {
      told(modern);
      node(ContractNode.Kind.TRUSTING).broadcast(tx);
      assertThat(told(modern)).containsExactly(announcing(InventoryItem.WTX, wtxid(tx)));
      modern.ask(InventoryItem.WTX, wtxid(tx));
      assertThat(modern.next()).isEqualTo(new Message.TxMessage(tx));
      modern.send(load(ELEMENT), new Message.Mempool());
      assertThat(((Message.Inv) modern.next()).items())
          .contains(new InventoryItem(InventoryItem.WTX, wtxid(tx)));
    }
  }

  @Test
  void servesATransactionInTheFormAsked() {
    Tx tx = payment();
    try (TestPeer peer = trusted()) {
      node(ContractNode.Kind.TRUSTING).broadcast(tx);
      peer.barrier();
      peer.ask(InventoryItem.TX, tx.txid());
      peer.ask(InventoryItem.WITNESS_TX, tx.txid());
      peer.ask(InventoryItem.WTX, wtxid(tx));
      assertThat(TestPeer.transactions(peer.barrier()))
          .containsExactly(Tx.parse(tx.stripped()), tx, tx);
    }
  }

  @Test
  void announcesItsFeeFilter() {
    try (TestPeer peer = trusted()) {
      told(peer);
      assertThat(peer.greetings()).contains(new Message.FeeFilter(1000));
    }
  }

  @Test
  void announcesNothingBelowThePeersFeeFilter() {
    Tx tx = payment();
    try (TestPeer choosy = peer(ContractNode.Kind.TRUSTING, Hello.LISTENER);
        TestPeer other = peer(ContractNode.Kind.TRUSTING, Hello.LISTENER)) {
      choosy.send(new Message.FeeFilter(1_000_000_000));
      told(choosy);
      told(other);
      node(ContractNode.Kind.TRUSTING).broadcast(tx);
      assertThat(told(other)).containsExactly(announcing(InventoryItem.TX, tx.txid()));
      assertThat(told(choosy)).isEmpty();
      choosy.send(load(ELEMENT), new Message.Mempool());
      assertThat(told(choosy)).isEmpty();
    }
  }

  @Test
  void announcesItsMempoolToATrustedPeerBeforeThePong() {
    Tx tx = payment();
    node(ContractNode.Kind.TRUSTING).broadcast(tx);
    try (TestPeer peer = trusted()) {
      peer.send(load(ELEMENT), new Message.Mempool());
      List<Message> answer = peer.barrier();
      assertThat(answer).singleElement().isInstanceOf(Message.Inv.class);
      assertThat(((Message.Inv) answer.get(0)).items())
          .contains(new InventoryItem(InventoryItem.TX, tx.txid()));
      // A second request gets the whole answer again, but no announcements of it.
      peer.send(new Message.Mempool());
      assertThat(told(peer)).isEqualTo(answer);
    }
  }

  @Test
  void saysNothingToMempoolWhenNothingMatches() {
    node(ContractNode.Kind.TRUSTING).broadcast(payment());
    try (TestPeer peer = trusted()) {
      peer.send(load(NOT_THERE), new Message.Mempool());
      assertThat(told(peer)).isEmpty();
      peer.send(new Message.Mempool());
      assertThat(told(peer)).isEmpty();
    }
  }

  @Test
  void announcesItsWholeMempoolWithoutAFilter() {
    Tx tx = payment();
    node(ContractNode.Kind.TRUSTING).broadcast(tx);
    try (TestPeer peer = trusted()) {
      peer.send(new Message.Mempool());
      List<Message> answer = told(peer);
      // A peer that wants no announcements still gets what it requests.
      assertThat(answer).singleElement().isInstanceOf(Message.Inv.class);
      assertThat(((Message.Inv) answer.get(0)).items())
          .extracting(InventoryItem::hash)
          .containsExactlyInAnyOrderElementsOf(node(ContractNode.Kind.TRUSTING).mempool());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UNTRUSTING", "MEMPOOL_ONLY"})
  void spreadsTheAnswerToMempoolInTime(ContractNode.Kind kind) {
    Tx tx = payment(kind);
    node(kind).broadcast(tx);
    try (TestPeer peer = peer(kind, Hello.LIGHT)) {
      told(peer);
      peer.send(load(ELEMENT));
      int before = 0;
      for (int i = 0; i < 3; i++) {
        peer.send(new Message.Mempool());
        before += peer.barrier().isEmpty() ? 0 : 1;
      }
      // Immediate announcements would show every time; by chance it is one of them.
      assertThat(before).isLessThan(3);
      peer.send(new Message.Mempool());
      assertThat(peer.await(Message.Inv.class).items())
          .contains(new InventoryItem(InventoryItem.TX, tx.txid()));
    }
  }

  @Test
  void doesNotAnswerAPeerWithoutNobanEitherWhenNothingMatches() {
    ContractNode.Kind kind = ContractNode.Kind.UNTRUSTING;
    try (TestPeer peer = peer(kind, Hello.LIGHT)) {
      peer.send(load(new ByteWriter().uint8(7).bytes(NOT_THERE).toBytes()), new Message.Mempool());
      told(peer);
      Tx tx = payment(kind);
      peer.send(load(ELEMENT));
      peer.barrier();
      node(kind).broadcast(tx);
      // The first one is the announcement.
      assertThat(((Message.Inv) peer.next()).items())
          .contains(new InventoryItem(InventoryItem.TX, tx.txid()));
    }
  }

  @Test
  void spreadsAnnouncementsInTimeWithoutNoban() {
    ContractNode.Kind kind = ContractNode.Kind.UNTRUSTING;
    List<Tx> payments = new ArrayList<>();
    int atOnce = 0;
    @Nullable Hash256 lastUnannounced = null;
    try (TestPeer peer = peer(kind, Hello.LISTENER)) {
      told(peer);
      for (int i = 0; i < 4; i++) {
        Tx tx = payment(kind);
        payments.add(tx);
        node(kind).broadcast(tx);
        boolean told = !told(peer).isEmpty();
        atOnce += told ? 1 : 0;
        lastUnannounced = told ? lastUnannounced : tx.txid();
      }
      assertThat(atOnce).isLessThan(4);
      assertThat(lastUnannounced).isNotNull();
      // The peer cannot fetch a transaction that was not announced to it.
      Tx secret = payment(kind);
      payments.add(secret);
      node(kind).broadcast(secret);
      peer.ask(InventoryItem.WITNESS_TX, secret.txid());
      Message answer = peer.await(m -> !(m instanceof Message.Inv));
      assertThat(answer).isInstanceOf(Message.NotFound.class);
      while (peer.await(Message.Inv.class).items().stream()
          .noneMatch(item -> item.hash().equals(secret.txid()))) {
        assertThat(payments).isNotEmpty();
      }
      peer.ask(InventoryItem.WITNESS_TX, secret.txid());
      assertThat(peer.await(Message.TxMessage.class).tx()).isEqualTo(secret);
    }
  }
}
