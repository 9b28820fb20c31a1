package org.murmur.regtest.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.Lane;
import org.murmur.regtest.NodeProtocolTest;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.TestPeer;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.lies.WrongHeader;
import org.murmur.regtest.lies.WrongProofs;

/** The session by itself, in virtual time: every way to lie, fail or be slow. */
class NodeSessionTest {

  private static final long MILLI = 1_000_000;

  /** How many messages each peer gets besides version and verack. */
  private static final int SETTINGS = 5;

  /** The node's; its first ping has the same. */
  private static final long NONCE = 1;

  private static final Bytes KEY_HASH = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");
  private static final Bytes OURS = OutputScripts.payToWitnessPubKeyHash(KEY_HASH);

  private final Chain chain = Chain.ofGenesis();
  private final Mempool mempool = new Mempool(chain);
  private final List<Tx> payments = new ArrayList<>();
  private Hash256 paid = Hash256.ZERO;
  private long now = 5_000;

  /** A message of a session, and its time. */
  private record Said(Message message, long at) {}

  @BeforeEach
  void buildChain() {
    try (RegtestNode node = RegtestNode.start(chain)) {
      OutPoint lane = Lane.fund(node);
      long value = 50_0000_0000L;
      for (int i = 0; i < 10; i++) {
        value -= 2_000;
        Tx tx = Lane.spend(lane).pay(value, Lane.SCRIPT).pay(1_000 + i, OURS).build();
        payments.add(tx);
        lane = tx.outPoint(0);
      }
      Tx foreign = Lane.spend(lane).pay(value - 500, Lane.SCRIPT).build();
      List<Tx> all = new ArrayList<>(payments);
      all.add(foreign);
      paid = node.mine(all).hash();
      node.mine(20);
    }
  }

  private NodeSession session(Behaviour behaviour) {
    NodeSession session = new NodeSession(chain, mempool, behaviour, "/test/", NONCE);
    session.receive(new Message.Version(70016, 0, 0, 7, "/t/", 0, false), now);
    session.receive(new Message.Verack(), now);
    return session;
  }

  private NodeSession loaded(Behaviour behaviour) {
    NodeSession session = session(behaviour);
    session.receive(
        new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.NONE, KEY_HASH)), now);
    return session;
  }

  /**
   * Runs until there is nothing to do, jumping to the times the session names. Leaves out {@link
   * #SETTINGS} messages, which every peer gets.
   */
  private List<Said> run(NodeSession session) {
    List<Said> said = new ArrayList<>();
    while (true) {
      NodeSession.Step step = session.next(now);
      if (step instanceof NodeSession.Send send) {
        if (!isSetting(send.message())) {
          said.add(new Said(send.message(), now));
        }
      } else if (step instanceof NodeSession.WaitUntil wait) {
        assertThat(wait.nanos()).isGreaterThan(now);
        now = wait.nanos();
      } else {
        return said;
      }
    }
  }

  private static boolean isSetting(Message message) {
    return TestPeer.isGreeting(message)
        && !(message instanceof Message.Ping ping && ping.nonce() != NONCE);
  }

  private static List<Message> answers(List<Said> said) {
    return said.stream()
        .map(Said::message)
        .filter(m -> !(m instanceof Message.Version) && !(m instanceof Message.Verack))
        .toList();
  }

  private static Message filtered(Hash256... hashes) {
    List<InventoryItem> items = new ArrayList<>();
    for (Hash256 hash : hashes) {
      items.add(new InventoryItem(InventoryItem.FILTERED_BLOCK, hash));
    }
    return new Message.GetData(items);
  }

  private Message lastBlocks(int count) {
    Hash256[] hashes = new Hash256[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = chain.blockAt(chain.height() - count + 1 + i).hash();
    }
    return filtered(hashes);
  }

  private static List<Hash256> proven(List<Message> answers) {
    Message.MerkleBlockMessage block = (Message.MerkleBlockMessage) answers.get(0);
    return ((Verdict.Proven) block.merkleBlock().verify())
        .matches().stream().map(match -> match.txid()).toList();
  }

  @Test
  void honestProvesAndSendsEveryMatch() {
    NodeSession session = loaded(Behaviour.honest());
    session.receive(filtered(paid), now);
    List<Message> answers = answers(run(session));
    assertThat(proven(answers)).isEqualTo(payments.stream().map(Tx::txid).toList());
    assertThat(TestPeer.transactions(answers)).hasSize(10);
  }

  @Test
  void withoutBloomItSaysSoAndDisconnects() {
    NodeSession session = session(Behaviour.honest().withoutBloom());
    Message.Version version = (Message.Version) run(session).get(0).message();
    assertThat(Services.has(version.services(), Services.BLOOM)).isFalse();
    session.receive(
        new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.NONE, KEY_HASH)), now);
    assertThat(session.next(now)).isInstanceOf(NodeSession.Close.class);
    NodeSession other = session(Behaviour.honest().withoutBloom());
    run(other);
    // No peer can have loaded a filter, so there is nothing to answer, as at the real node.
    other.receive(filtered(paid), now);
    assertThat(other.next(now)).isInstanceOf(NodeSession.Idle.class);
  }

  @Test
  void omitsOneTransactionWithAValidProofOfTheOthers() {
    Hash256 omitted = payments.get(3).txid();
    NodeSession session = loaded(Behaviour.honest().with(new Omits(omitted)));
    session.receive(filtered(paid), now);
    List<Message> answers = answers(run(session));
    assertThat(proven(answers)).hasSize(9).doesNotContain(omitted);
    assertThat(TestPeer.transactions(answers)).hasSize(9);
  }

  @Test
  void omitsAShareAndAlwaysTheSame() {
    Behaviour liar = Behaviour.honest().withSeed(3).with(new Omits(0.5));
    List<List<Hash256>> proofs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      NodeSession session = loaded(liar);
      session.receive(filtered(paid), now);
      proofs.add(proven(answers(run(session))));
    }
    assertThat(proofs.get(0)).hasSizeBetween(1, 9).isEqualTo(proofs.get(1));
    NodeSession all = loaded(liar.with(new Omits(1.0)));
    all.receive(filtered(paid), now);
    assertThat(answers(run(all))).hasSize(1);
  }

  @Test
  void injectsATransactionThatDoesNotMatch() {
    NodeSession session = loaded(Behaviour.honest().with(new Injects(1)));
    session.receive(filtered(paid), now);
    List<Message> answers = answers(run(session));
    assertThat(proven(answers)).hasSize(11);
    assertThat(TestPeer.transactions(answers)).hasSize(11);
  }

  @Test
  void corruptsProofs() {
    NodeSession session = loaded(Behaviour.honest().with(new WrongProofs()));
    session.receive(filtered(paid, chain.tip().hash()), now);
    List<Message> blocks =
        answers(run(session)).stream()
            .filter(Message.MerkleBlockMessage.class::isInstance)
            .toList();
    assertThat(blocks)
        .hasSize(2)
        .allSatisfy(
            block ->
                assertThat(((Message.MerkleBlockMessage) block).merkleBlock().verify())
                    .isInstanceOf(Verdict.Refused.class));
  }

  /** A session's answer to a request for two blocks, the first with matches, and a ping. */
  private List<Message> cheating(Misdeed misdeed) {
    NodeSession session = loaded(Behaviour.honest().with(misdeed));
    session.receive(filtered(paid, chain.tip().hash()), now);
    session.receive(new Message.Ping(9), now);
    List<Message> answers = answers(run(session));
    assertThat(proven(answers)).isEqualTo(payments.stream().map(Tx::txid).toList());
    return answers;
  }

  private static List<Hash256> txids(List<Message> messages) {
    return TestPeer.transactions(messages).stream().map(Tx::txid).toList();
  }

  private static String shape(List<Message> messages) {
    StringBuilder shape = new StringBuilder();
    for (Message message : messages) {
      shape.append(message.getClass().getSimpleName().charAt(0));
    }
    return shape.toString();
  }

  @Test
  void provesTransactionsAndCheats() {
    String ten = "T".repeat(10);
    assertThat(shape(cheating(Misdeed.WITHHELD_TRANSACTIONS))).isEqualTo("MMP");
    assertThat(shape(cheating(Misdeed.LATE_TRANSACTIONS))).isEqualTo("MM" + ten + "P");
    assertThat(shape(cheating(Misdeed.TRANSACTIONS_AFTER_PONG))).isEqualTo("MMP" + ten);
    assertThat(shape(cheating(Misdeed.UNASKED_TRANSACTIONS))).isEqualTo("M" + ten + ten + "MP");
    List<Message> replaced = cheating(Misdeed.REPLACED_TRANSACTIONS);
    assertThat(shape(replaced)).isEqualTo("M" + ten + "MP");
    assertThat(txids(replaced)).hasSize(10).doesNotContainAnyElementsOf(proven(replaced));
  }

  @Test
  void cheatsAtAShareOfTheBlocks() {
    Behaviour liar = Behaviour.honest().with(Misdeed.WITHHELD_TRANSACTIONS, 0);
    NodeSession session = loaded(liar);
    session.receive(filtered(paid), now);
    assertThat(shape(answers(run(session)))).isEqualTo("M" + "T".repeat(10));
  }

  @Test
  void sendsOneTransactionEachSecondAndNothingElse() {
    NodeSession session = loaded(Behaviour.honest().with(Misdeed.REPEATED_TRANSACTION));
    session.receive(filtered(paid, chain.tip().hash()), now);
    session.receive(new Message.Ping(9), now);
    List<Message> said = new ArrayList<>();
    long begin = now;
    while (said.size() < 40) {
      NodeSession.Step step = session.next(now);
      if (step instanceof NodeSession.Send send) {
        said.add(send.message());
      } else if (step instanceof NodeSession.WaitUntil wait) {
        now = wait.nanos();
      }
    }
    List<Message> repeated = said.subList(said.size() - 30, said.size());
    assertThat(txids(repeated)).hasSize(30).containsOnly(payments.get(0).txid());
    assertThat(now - begin).isGreaterThan(30_000 * MILLI);
  }

  @Test
  void stallsForGood() {
    NodeSession session = loaded(Behaviour.honest().with(new StallsAfter(3)));
    session.receive(lastBlocks(5), now);
    session.receive(new Message.Ping(9), now);
    assertThat(answers(run(session))).hasSize(3);
    session.receive(new Message.Ping(10), now);
    assertThat(answers(run(session))).isEmpty();
  }

  @Test
  void dropsTheConnection() {
    NodeSession session = loaded(Behaviour.honest().droppingAfter(4 + SETTINGS));
    session.receive(lastBlocks(5), now);
    assertThat(run(session)).hasSize(4);
    assertThat(session.next(now)).isInstanceOf(NodeSession.Close.class);
  }

  @Test
  void limitsFilteredBlocksPerSecond() {
    NodeSession session = loaded(Behaviour.honest().limitedTo(300));
    long start = now;
    for (int i = 0; i < 60; i++) {
      session.receive(lastBlocks(20), now);
    }
    List<Message> answers = answers(run(session));
    assertThat(answers).hasSize(1200);
    // 1,200 blocks at 300 a second are four seconds, less what may be caught up.
    assertThat(now - start).isBetween(3_960 * MILLI, 4_000 * MILLI);
  }

  @Test
  void answersAfterARoundTripAndKeepsPipelinesFull() {
    NodeSession session = session(Behaviour.honest().withRoundTrip(Duration.ofMillis(100)));
    run(session);
    long start = now;
    session.receive(new Message.Ping(1), now);
    session.receive(new Message.Ping(2), now + 10 * MILLI);
    List<Said> said = run(session);
    assertThat(said)
        .containsExactly(
            new Said(new Message.Pong(1), start + 100 * MILLI),
            new Said(new Message.Pong(2), start + 110 * MILLI));
  }

  @Test
  void announcesAfterHalfARoundTrip() {
    NodeSession session = session(Behaviour.honest().withRoundTrip(Duration.ofMillis(100)));
    run(session);
    long start = now;
    session.chainChanged(List.of(chain.tip()), now);
    assertThat(run(session)).singleElement().extracting(Said::at).isEqualTo(start + 50 * MILLI);
  }

  @Test
  void feedsByDrips() {
    NodeSession session = loaded(Behaviour.honest().pausing(Duration.ofMillis(7)));
    long start = now;
    session.receive(lastBlocks(8), now);
    assertThat(run(session)).hasSize(10);
    assertThat(now - start).isEqualTo((10 + SETTINGS) * 7 * MILLI);
  }

  @Test
  void doesNotAnswerPings() {
    NodeSession session = session(Behaviour.honest().with(Ignores.PINGS));
    session.receive(new Message.Ping(1), now);
    session.receive(new Message.GetAddr(), now);
    assertThat(answers(run(session))).containsExactly(new Message.Addr(List.of()));
  }

  @Test
  void asksForASignOfLifeBehindAllThatWasAskedFor() {
    NodeSession session = loaded(Behaviour.honest().withRoundTrip(Duration.ofMillis(80)));
    session.receive(filtered(paid), now);
    session.ping(42);
    session.chainChanged(List.of(chain.tip()), now);
    session.receive(new Message.Ping(1), now);
    List<Message> answers = answers(run(session));
    // Announcements, the block and its ten payments, the answer to a ping; nothing comes after it.
    assertThat(answers).hasSize(1 + 11 + 1 + 1);
    assertThat(answers.get(13)).isEqualTo(new Message.Ping(42));
  }

  @Test
  void announcesButDoesNotServe() {
    NodeSession session = loaded(Behaviour.honest().with(Ignores.BLOCKS));
    session.chainChanged(List.of(chain.tip()), now);
    session.receive(lastBlocks(3), now);
    session.receive(new Message.Ping(1), now);
    assertThat(answers(run(session)))
        .containsExactly(
            new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, chain.tip().hash()))),
            new Message.Pong(1));
  }

  @Test
  void servesAWrongHeader() {
    NodeSession session = session(Behaviour.honest().with(new WrongHeader(50)));
    session.receive(new Message.GetHeaders(List.of(chain.blockAt(0).hash()), Hash256.ZERO), now);
    Message.HeadersMessage headers = (Message.HeadersMessage) answers(run(session)).get(0);
    assertThat(headers.headers().count()).isEqualTo(chain.height());
    assertThat(headers.headers().hash(48)).isEqualTo(chain.blockAt(49).hash());
    assertThat(headers.headers().hash(49)).isNotEqualTo(chain.blockAt(50).hash());
    assertThat(
            HeaderChain.ofGenesis(ChainParams.REGTEST)
                .connect(headers.headers(), chain.tip().time()))
        .isInstanceOf(Connect.Invalid.class);
  }

  @Test
  void knowsNoBlockAboveAStaleTip() {
    NodeSession session = loaded(Behaviour.honest().with(new StaleTip(15)));
    assertThat(run(session).get(0).message())
        .isInstanceOfSatisfying(
            Message.Version.class, version -> assertThat(version.startHeight()).isEqualTo(15));
    Hash256 top = chain.blockAt(15).hash();
    session.receive(new Message.GetHeaders(List.of(chain.blockAt(12).hash()), Hash256.ZERO), now);
    session.receive(new Message.GetHeaders(List.of(chain.blockAt(18).hash()), Hash256.ZERO), now);
    session.receive(filtered(chain.tip().hash(), top), now);
    session.receive(new Message.GetBlocks(List.of(chain.blockAt(13).hash()), Hash256.ZERO), now);
    session.chainChanged(List.of(chain.tip()), now);
    List<Message> answers = answers(run(session));
    assertThat(shape(answers)).isEqualTo("HHMI");
    assertThat(((Message.HeadersMessage) answers.get(0)).headers())
        .isEqualTo(chain.headers(13, 16));
    assertThat(((Message.HeadersMessage) answers.get(1)).headers().isEmpty()).isTrue();
    assertThat(((Message.Inv) answers.get(3)).items())
        .extracting(InventoryItem::hash)
        .containsExactly(chain.blockAt(14).hash(), top);
  }

  @Test
  void endsItsAnswerToMempool() {
    NodeSession session = session(Behaviour.honest().with(new EndsMempool()));
    session.receive(new Message.Mempool(), now);
    assertThat(answers(run(session))).containsExactly(new Message.Inv(List.of()));
    mempool.accept(Lane.spend(payments.get(9).outPoint(1)).pay(500, OURS).build());
    session.receive(new Message.Mempool(), now);
    assertThat(answers(run(session)))
        .singleElement()
        .isInstanceOfSatisfying(Message.Inv.class, inv -> assertThat(inv.items()).hasSize(1));
  }

  @Test
  void servesRequestsUnderTheFilterLoadedBefore() {
    NodeSession session = loaded(Behaviour.honest());
    session.receive(filtered(paid), now);
    session.receive(
        new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.NONE, Bytes.ofHex("aa"))), now);
    session.receive(filtered(paid), now);
    session.receive(
        new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.NONE, KEY_HASH)), now);
    session.receive(filtered(paid), now);
    assertThat(answers(run(session))).hasSize(11 + 1 + 11);
  }

  @Test
  void aBlockThatGoesAwayWhileItIsAskedForIsDroppedInSilence() {
    NodeSession session = loaded(Behaviour.honest().limitedTo(1));
    session.receive(lastBlocks(10), now);
    session.receive(new Message.Ping(1), now);
    run(session, 2);
    chain.replace(chain.height() - 3, List.of());
    assertThat(answers(run(session))).hasSize(7 + 1 - 2 + 2);
  }

  private void run(NodeSession session, int messages) {
    int sent = 0;
    while (sent < messages) {
      NodeSession.Step step = session.next(now);
      if (step instanceof NodeSession.Send) {
        sent++;
      } else if (step instanceof NodeSession.WaitUntil wait) {
        now = wait.nanos();
      } else {
        throw new AssertionError("idle after " + sent + " messages");
      }
    }
  }
}
