package org.murmur.p2p.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.machine.Payments;
import org.murmur.p2p.internal.machine.SimulatedWallet;
import org.murmur.p2p.internal.scan.CrossChecks.Finding;
import org.murmur.p2p.internal.sync.Confirmed;
import org.murmur.p2p.internal.sync.Load;

/** Which peers are convicted of an omission, and that no innocent peer is. */
class CrossChecksTest {

  private static final NodeAddress A = new NodeAddress("10.0.0.1", 1);
  private static final NodeAddress B = new NodeAddress("10.0.0.2", 1);
  private static final NodeAddress C = new NodeAddress("10.0.0.3", 1);

  private final List<Element> elements = new ArrayList<>();
  private final WatchedLog log;
  private final Tx payment = pay(1, SimulatedWallet.script(2));
  private final Tx foreign = pay(2, SimulatedWallet.script(900));
  private final Tx spend = spend(payment.outPoint(0), SimulatedWallet.script(901));

  CrossChecksTest() {
    for (int i = 0; i < 5; i++) {
      elements.add(new Element.Script(SimulatedWallet.element(i)));
    }
    log = new WatchedLog(elements);
  }

  private static Tx pay(int number, Bytes script) {
    byte[] txid = new byte[32];
    txid[0] = (byte) number;
    txid[1] = (byte) (number >> 8);
    return spend(new OutPoint(Hash256.ofInternal(txid), 7), script);
  }

  private static Tx spend(OutPoint coin, Bytes script) {
    return Payments.tx(List.of(coin), List.of(script));
  }

  private CrossChecks checks(Confirmed... known) {
    return new CrossChecks(log, List.of(known));
  }

  private void grow(Element... more) {
    log.append(log.size(), List.of(more));
  }

  private static Element coin(Tx tx, int script, int birth) {
    return new Element.OwnOutPoint(tx.outPoint(0), script, birth, Element.OPEN);
  }

  @Test
  void aPeerThatReportsLessThanAnotherIsCaught() {
    CrossChecks checks = checks();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of()))
        .containsExactly(new Finding.Omitted(B, 10, payment.txid()));
    assertThat(checks.reporters(10, payment.txid())).containsExactly(A);
    assertThat(checks.served(10)).containsExactlyInAnyOrder(A, B);
  }

  @Test
  void theFirstPeerIsCaughtByTheSecond() {
    CrossChecks checks = checks();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of()))
        .isEmpty();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .containsExactly(new Finding.Omitted(B, 10, payment.txid()));
  }

  @Test
  void aFilterWithoutTheScriptHasLeftOutNothing() {
    CrossChecks checks = checks();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(2), true), 10, List.of()))
        .isEmpty();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(3), true), 10, List.of()))
        .containsExactly(new Finding.Omitted(B, 10, payment.txid()));
  }

  @Test
  void foreignTransactionsProveNothing() {
    CrossChecks checks = checks();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(foreign)))
        .isEmpty();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of()))
        .isEmpty();
    assertThat(checks.judge(10, List.of(foreign)).liars()).isEmpty();
  }

  @Test
  void anotherBlockProvesNothing() {
    CrossChecks checks = checks();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 11, List.of()))
        .isEmpty();
  }

  @Test
  void aServerHadToAddTheCoinThatItSawPaid() {
    CrossChecks checks = checks();
    checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment));
    checks.scanned(new View(1, A, new Content.Prefix(5), true), 11, List.of(spend));
    checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of(payment));
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 11, List.of()))
        .isEmpty();
    grow(coin(payment, 2, 10));
    assertThat(checks.logGrew()).containsExactly(new Finding.NotAdded(B, 11, spend.txid()));
    // After another request with the outpoint in the filter it has no excuse.
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(6), true), 11, List.of()))
        .containsExactly(new Finding.Omitted(B, 11, spend.txid()));
  }

  /** The dropped data may have held the spend: the honest B had reported it. */
  @Test
  void noPeerIsBlamedForASpendThatMayHaveBeenForgotten() {
    CrossChecks checks = checks();
    checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of(payment));
    checks.scanned(new View(2, B, new Content.Prefix(5), true), 11, List.of(spend));
    List<Tx> many = new ArrayList<>();
    for (int i = 0; i < 100_000 / 3 + 1; i++) {
      many.add(pay(1_000 + i, SimulatedWallet.script(1_000 + i)));
    }
    checks.scanned(new View(2, B, new Content.Prefix(5), true), 12, many);
    grow(coin(payment, 2, 10));
    checks.logGrew();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(6), true), 11, List.of(spend)))
        .noneMatch(Finding.NotAdded.class::isInstance)
        .noneMatch(Finding.Omitted.class::isInstance);
  }

  /** Another node may be at the address by now. */
  @Test
  void noPeerIsBlamedForMissingAdditionsOfAnEarlierSession() {
    CrossChecks checks = checks(new Confirmed(10, payment));
    checks.earlier(new View(2, B, new Content.Prefix(5), true), new ScanRow(1, 2, 5, 10, 11, 0));
    grow(coin(payment, 2, 10));
    checks.logGrew();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(6), true), 11, List.of(spend)))
        .containsExactly(new Finding.Contradicted(B));
  }

  @Test
  void aServerThatNeverSawThePaymentCouldNotKnowOfTheSpend() {
    CrossChecks checks = checks();
    checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment));
    grow(coin(payment, 2, 10));
    checks.scanned(new View(1, A, new Content.Prefix(6), true), 11, List.of(spend));
    // Not in this load, after the spend, and without growth.
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 11, List.of()))
        .isEmpty();
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
    assertThat(checks.scanned(new View(3, C, new Content.Prefix(5), false), 10, List.of(payment)))
        .isEmpty();
    assertThat(checks.scanned(new View(3, C, new Content.Prefix(5), false), 11, List.of()))
        .isEmpty();
  }

  @Test
  void reportedOnceAndOmittedTheNextTimeIsAnOmission() {
    CrossChecks checks = checks();
    checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment));
    assertThat(checks.scanned(new View(2, A, new Content.Prefix(5), true), 10, List.of()))
        .containsExactly(new Finding.Omitted(A, 10, payment.txid()));
    assertThat(checks.reporters(10, payment.txid())).containsExactly(A);
  }

  @Test
  void transactionsThatTheWalletKnowsHaveToBeReported() {
    CrossChecks checks = checks(new Confirmed(10, payment));
    checks.earlier(new View(1, C, new Content.Prefix(5), true), new ScanRow(1, 1, 5, 0, 20, 0));
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of()))
        .containsExactly(new Finding.Omitted(B, 10, payment.txid()));
    assertThat(checks.scanned(new View(3, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
  }

  @Test
  void anEarlierSessionIsContradictedAndNoPeerBlamed() {
    CrossChecks checks = checks();
    checks.earlier(new View(1, C, new Content.Prefix(5), true), new ScanRow(1, 1, 5, 0, 20, 0));
    // Whether the wallet keeps it, and would have kept it then, is not known yet.
    assertThat(checks.scanned(new View(3, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
    grow(coin(payment, 2, 10));
    assertThat(checks.logGrew()).containsExactly(new Finding.Contradicted(C));
    checks.forget(C);
    assertThat(checks.judge(10, List.of(payment)).findings()).isEmpty();
  }

  @Test
  void aPaymentKnownFromTheMempoolContradictsAnEarlierSessionAtOnce() {
    grow(coin(payment, 2, 10));
    CrossChecks checks = checks();
    checks.earlier(new View(1, C, new Content.Prefix(6), true), new ScanRow(1, 1, 6, 0, 20, 0));
    assertThat(checks.scanned(new View(3, A, new Content.Prefix(6), true), 10, List.of(payment)))
        .containsExactly(new Finding.Contradicted(C));
  }

  @Test
  void aSpendContradictsAnEarlierSession() {
    grow(coin(payment, 2, 10));
    grow(new Element.PendingInput(foreign.outPoint(0), 11, Element.OPEN));
    CrossChecks checks = checks(new Confirmed(10, payment));
    checks.earlier(new View(1, B, new Content.Prefix(7), true), new ScanRow(1, 1, 7, 11, 11, 0));
    checks.earlier(new View(2, C, new Content.Prefix(7), true), new ScanRow(2, 2, 7, 12, 12, 0));
    Tx conflict = spend(foreign.outPoint(0), SimulatedWallet.script(902));
    assertThat(checks.scanned(new View(3, A, new Content.Prefix(7), true), 11, List.of(spend)))
        .containsExactly(new Finding.Contradicted(B));
    assertThat(checks.scanned(new View(3, A, new Content.Prefix(7), true), 12, List.of(conflict)))
        .containsExactly(new Finding.Contradicted(C));
  }

  /** An own script's hash in an output of another kind matches, and is not kept. */
  @Test
  void unkeptTransactionsContradictNoEarlierSession() {
    byte[] script = new byte[25];
    script[0] = 0x76;
    script[1] = (byte) 0xa9;
    script[2] = 20;
    SimulatedWallet.element(2).write(script, 3);
    script[23] = (byte) 0x88;
    script[24] = (byte) 0xac;
    Tx old = pay(3, Bytes.wrap(script));
    CrossChecks checks = checks();
    checks.earlier(new View(1, C, new Content.Prefix(5), true), new ScanRow(1, 1, 5, 0, 20, 0));
    assertThat(checks.scanned(new View(3, A, new Content.Prefix(5), true), 10, List.of(old)))
        .isEmpty();
    grow(coin(payment, 2, 10));
    assertThat(checks.logGrew()).isEmpty();
    // In this session it has to be reported anyway.
    assertThat(checks.scanned(new View(4, B, new Content.Prefix(5), true), 10, List.of()))
        .containsExactly(new Finding.Omitted(B, 10, old.txid()));
  }

  /** Anyone can write an outpoint into a script; the wallet keeps only what spends it. */
  @Test
  void aTransactionThatOnlyNamesACoinContradictsNoEarlierSession() {
    Bytes coin = payment.outPoint(0).toBytes();
    Tx naming = pay(3, new ByteWriter().uint8(0x6a).varBytes(coin).toBytes());
    grow(coin(payment, 2, 10));
    CrossChecks checks = checks(new Confirmed(10, payment));
    checks.earlier(new View(1, C, new Content.Prefix(6), true), new ScanRow(1, 1, 6, 11, 20, 0));
    assertThat(checks.scanned(new View(2, A, new Content.Prefix(6), true), 15, List.of(naming)))
        .isEmpty();
    // In this session it has to be reported anyway.
    assertThat(checks.scanned(new View(3, B, new Content.Prefix(6), true), 15, List.of()))
        .containsExactly(new Finding.Omitted(B, 15, naming.txid()));
    // And named by a log that grows.
    Tx both =
        Payments.tx(
            naming.inputs().stream().map(Tx.Input::outPoint).toList(),
            List.of(
                SimulatedWallet.script(2).slice(1, 22),
                new ByteWriter().uint8(0x6a).varBytes(foreign.outPoint(0).toBytes()).toBytes()));
    assertThat(checks.scanned(new View(2, A, new Content.Prefix(6), true), 16, List.of(both)))
        .isEmpty();
    grow(coin(foreign, 2, 12));
    assertThat(checks.logGrew()).isEmpty();
  }

  @Test
  void theWholeBlockConvictsEveryPeerThatOmittedAMatch() {
    CrossChecks checks = checks();
    Tx other = pay(3, SimulatedWallet.script(4));
    checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment));
    checks.scanned(new View(2, B, new Content.Prefix(3), true), 10, List.of());
    checks.scanned(new View(3, C, new Content.Prefix(3), true), 10, List.of(payment));
    CrossChecks.Judgement judgement = checks.judge(10, List.of(foreign, payment, other));
    assertThat(judgement.liars())
        .containsOnly(Map.entry(A, other.txid()), Map.entry(B, payment.txid()));
    assertThat(judgement.ours()).isEqualTo(BitSet.valueOf(new long[] {0b110}));
    assertThat(judgement.unheardOf()).isTrue();
    assertThat(checks.isOpened(10)).isTrue();
    // Later answers are compared with the block.
    assertThat(checks.scanned(new View(3, C, new Content.Prefix(5), true), 10, List.of(payment)))
        .containsExactly(new Finding.Omitted(C, 10, other.txid()));
  }

  @Test
  void aReorganisationForgetsEarlierAnswers() {
    CrossChecks checks = checks();
    checks.scanned(new View(2, B, new Content.Prefix(5), true), 9, List.of());
    checks.scanned(new View(2, B, new Content.Prefix(5), true), 10, List.of());
    checks.cutAbove(9);
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 10, List.of(payment)))
        .isEmpty();
    assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), 9, List.of(payment)))
        .containsExactly(new Finding.Omitted(B, 9, payment.txid()));
  }

  @Test
  void anInjectorFillsNoMemory() {
    CrossChecks checks = checks();
    byte[] long1 = new byte[100_000];
    for (int i = 0; i < 300; i++) {
      Tx big = pay(1_000 + i, Bytes.of(long1));
      assertThat(checks.scanned(new View(1, A, new Content.Prefix(5), true), i, List.of(big)))
          .isEmpty();
    }
    assertThat(checks.rememberedBytes()).isBetween(1L, CrossChecks.MAX_FOREIGN_BYTES);
    byte[] small = new byte[4_000];
    for (int i = 0; i < 350; i++) {
      for (int push = 0; push < small.length; push += 4) {
        small[push] = 3;
        small[push + 1] = (byte) i;
        small[push + 2] = (byte) (push >> 2);
        small[push + 3] = (byte) ((push >> 10) + (i >> 8) * 16);
      }
      checks.scanned(
          new View(1, A, new Content.Prefix(5), true),
          400 + i,
          List.of(pay(2_000 + i, Bytes.of(small))));
    }
    assertThat(checks.remembered()).isBetween(1, CrossChecks.MAX_FOREIGN);
    // And nothing that is ours was forgotten for it.
    checks.scanned(new View(1, A, new Content.Prefix(5), true), 1000, List.of(payment));
    assertThat(checks.scanned(new View(2, B, new Content.Prefix(5), true), 1000, List.of()))
        .hasSize(1);
  }

  /** One answer of a peer, as it was and as it should have been. */
  private record Answer(NodeAddress peer, int held, int height, Set<Tx> told, Set<Tx> owed) {}

  /**
   * Peers answer in any order, split and growth of the log, as servers of BIP-0037 do. No honest
   * peer is blamed; every peer is that omitted a match of its filter as sent which another
   * reported.
   */
  @Property(tries = 1500)
  void catchesLiarsAndNoOtherPeer(@ForAll long seed) {
    Random random = new Random(seed);
    WatchedLog watched = new WatchedLog(elements);
    CrossChecks checks = new CrossChecks(watched, List.of());
    List<List<Tx>> blocks = blocks(random);
    List<NodeAddress> peers = List.of(A, B, C);
    Map<NodeAddress, Load> loads = new HashMap<>();
    Map<NodeAddress, ServerFilter> servers = new HashMap<>();
    Set<NodeAddress> liars = new HashSet<>();
    List<Answer> answers = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (int step = 0; step < 12; step++) {
      NodeAddress peer = peers.get(random.nextInt(peers.size()));
      Load load = loads.get(peer);
      if (load == null || random.nextInt(4) == 0) {
        load = load(step, peer, watched, random);
        loads.put(peer, load);
        servers.put(peer, new ServerFilter(load.filter()));
      }
      int from = random.nextInt(blocks.size());
      int to = from + random.nextInt(blocks.size() - from);
      boolean adds = load.filter().parameters().flag() == UpdateFlag.ALL;
      for (int height = from; height <= to; height++) {
        Set<Tx> owed = new HashSet<>();
        for (Tx tx : blocks.get(height)) {
          if (Objects.requireNonNull(servers.get(peer)).matchAndUpdate(tx)) {
            owed.add(tx);
          }
        }
        Set<Tx> told = new HashSet<>(owed);
        // The first peer never lies.
        if (!peer.equals(A) && told.removeIf(tx -> random.nextInt(5) == 0)) {
          liars.add(peer);
        }
        answers.add(new Answer(peer, load.elements(), height, told, owed));
        findings.addAll(
            checks.scanned(
                new View(load.id(), peer, load.content(), adds), height, List.copyOf(told)));
        if (random.nextBoolean()) {
          grow(watched, told, height);
          findings.addAll(checks.logGrew());
        }
      }
    }
    Set<NodeAddress> caught = new HashSet<>();
    for (Finding finding : findings) {
      if (finding instanceof Finding.Omitted omitted) {
        caught.add(omitted.peer());
        assertThat(answers)
            .anyMatch(
                answer ->
                    answer.peer().equals(omitted.peer())
                        && answer.height() == omitted.height()
                        && leftOut(answer, omitted.txid()));
      }
    }
    assertThat(liars).containsAll(caught);
    for (Answer answer : answers) {
      for (Tx tx : answer.owed()) {
        boolean provable = first(tx, watched) < answer.held();
        boolean toldByAnother =
            answers.stream()
                .anyMatch(other -> other.height() == answer.height() && other.told().contains(tx));
        if (!answer.told().contains(tx) && provable && toldByAnother) {
          assertThat(caught).contains(answer.peer());
        }
      }
    }
    // The whole blocks convict every peer that omitted a match of its filter as sent.
    Set<NodeAddress> convicted = new HashSet<>(caught);
    for (int height = 0; height < blocks.size(); height++) {
      convicted.addAll(checks.judge(height, blocks.get(height)).liars().keySet());
    }
    assertThat(liars).containsAll(convicted);
    for (Answer answer : answers) {
      if (answer.owed().stream()
          .anyMatch(tx -> !answer.told().contains(tx) && first(tx, watched) < answer.held())) {
        assertThat(convicted).contains(answer.peer());
      }
    }
    assertThat(findings).noneMatch(f -> f instanceof Finding.Contradicted);
    assertThat(findings)
        .noneMatch(f -> f instanceof Finding.NotAdded not && !liars.contains(not.peer()));
  }

  private static boolean leftOut(Answer answer, Hash256 txid) {
    return answer.owed().stream().anyMatch(tx -> tx.txid().equals(txid))
        && answer.told().stream().noneMatch(tx -> tx.txid().equals(txid));
  }

  private static int first(Tx tx, WatchedLog watched) {
    Set<Bytes> data = new HashSet<>();
    TxElements.forEach(tx, data::add);
    for (int i = 0; i < watched.size(); i++) {
      if (data.contains(watched.get(i).data())) {
        return i;
      }
    }
    return Integer.MAX_VALUE;
  }

  private static Load load(int id, NodeAddress peer, WatchedLog watched, Random random) {
    UpdateFlag flag = random.nextInt(3) == 0 ? UpdateFlag.NONE : UpdateFlag.ALL;
    int held = 1 + random.nextInt(watched.size());
    BloomFilter.Builder filter =
        BloomFilter.builder(
            FilterParameters.of(200, 1e-9, random.nextInt(), flag, Rounding.BITCOINJ));
    watched.view().subList(0, held).forEach(element -> filter.add(element.data()));
    return new Load(id, peer, held, filter.build(), 0);
  }

  private static List<List<Tx>> blocks(Random random) {
    List<List<Tx>> blocks = new ArrayList<>();
    List<OutPoint> coins = new ArrayList<>();
    int number = 0;
    for (int height = 0; height < 8; height++) {
      List<Tx> block = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        Bytes to = SimulatedWallet.script(random.nextInt(4) == 0 ? 900 : random.nextInt(7));
        boolean spends = !coins.isEmpty() && random.nextBoolean();
        Tx tx =
            spends
                ? spend(coins.remove(random.nextInt(coins.size())), to)
                : pay(10_000 + number++, to);
        coins.add(tx.outPoint(0));
        block.add(tx);
      }
      blocks.add(block);
    }
    return blocks;
  }

  /** A wallet's part: names the coins it learns of, and now and then another script. */
  private static void grow(WatchedLog watched, Set<Tx> told, int height) {
    List<Element> more = new ArrayList<>();
    for (Tx tx : told) {
      for (int script = 0; script < 5; script++) {
        Element coin = coin(tx, script, height);
        if (tx.outputs().get(0).script().equals(SimulatedWallet.script(script))
            && watched.view().stream().noneMatch(known -> known.data().equals(coin.data()))) {
          more.add(coin);
        }
      }
    }
    if (more.size() > 1 && watched.view().size() % 2 == 0) {
      Bytes next = SimulatedWallet.element(5 + watched.size() % 2);
      if (watched.view().stream().noneMatch(known -> known.data().equals(next))) {
        more.add(new Element.Script(next));
      }
    }
    watched.append(watched.size(), more);
  }
}
