package org.murmur.lab.simulate;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncReport;

/** The check of reports must notice a report that differs from the events in one point. */
class ReportsCheckTest {

  private static final int BEGAN = 4;
  private static final Hash256 TIP = Hash256.ofInternal(new Dice(1).bytes(32).toArray());
  private static final Holdings HELD =
      new Holdings(
          9, TIP, 50, 7, -3, List.of(new Holdings.Entry(Hash256.ZERO, 5, TIP, 57)), Set.of());
  private static final Balance BALANCE = new Balance(50, -3, 7, 0);
  private static final Link ONE = new Link(1, new NodeAddress("10.0.0.1", 8333));
  private static final Link TWO = new Link(2, new NodeAddress("10.0.0.2", 8333));
  private static final Tx PAYMENT = payment();

  private final ReportsCheck check = new ReportsCheck(BEGAN);

  private static Tx payment() {
    // One input, one output of nothing to an empty script.
    return Tx.parse(
        Bytes.ofHex(
            "01000000"
                + "01"
                + "11".repeat(32)
                + "00000000"
                + "00"
                + "ffffffff"
                + "01"
                + "0000000000000000"
                + "00"
                + "00000000"));
  }

  private static SyncReport.Participant took(Link link, int blocks, int headers) {
    return new SyncReport.Participant(
        link.address(), "/a/", false, blocks, headers, Optional.empty(), Optional.empty());
  }

  private static SyncReport report(
      boolean complete,
      SyncReport.Ending ending,
      int height,
      Hash256 tip,
      int scanned,
      int transactions,
      Balance balance,
      SyncReport.Participant... peers) {
    return new SyncReport(
        ChainParams.REGTEST,
        complete,
        ending,
        new ChainState(
            0,
            height,
            tip,
            Instant.EPOCH,
            OptionalInt.empty(),
            OptionalInt.of(height),
            complete,
            1,
            List.of()),
        1,
        false,
        scanned,
        transactions,
        balance,
        SyncEvent.MempoolAnswered.Answer.SKIPPED,
        Optional.empty(),
        0,
        0,
        0,
        0,
        Duration.ZERO,
        List.of(peers),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  /** A report whose peers served headers only, with the given ending. */
  private static SyncReport ended(boolean complete, SyncReport.Ending ending) {
    return report(complete, ending, 9, TIP, 0, 1, BALANCE, took(ONE, 0, 5));
  }

  private static SyncReport holds(int height, Hash256 tip, int transactions, Balance balance) {
    return report(
        false, SyncReport.Ending.DONE, height, tip, 0, transactions, balance, took(ONE, 0, 5));
  }

  private static SyncReport served(int scanned, SyncReport.Participant... peers) {
    return report(false, SyncReport.Ending.DONE, 9, TIP, scanned, 1, BALANCE, peers);
  }

  private void block(Link from) {
    PartialMerkleTree tree = PartialMerkleTree.build(List.of(Hash256.ZERO), new BitSet());
    MerkleBlock block = MerkleBlock.of(new Dice(3).bytes(80), tree);
    check.came(new Input.Received(from, new Message.MerkleBlockMessage(block), 0));
  }

  private void emitted(SyncEvent event) {
    check.went(new Output.Emit(event));
  }

  private void accepts(SyncReport report) {
    assertThatCode(() -> check.requireTrue(report, HELD)).doesNotThrowAnyException();
  }

  private void refuses(SyncReport report, String complaint) {
    assertThatThrownBy(() -> check.requireTrue(report, HELD))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void theHoldingsMustBeTheWallets() {
    accepts(holds(9, TIP, 1, BALANCE));
    String complaint = "of another wallet";
    refuses(holds(8, TIP, 1, BALANCE), complaint);
    refuses(holds(9, Hash256.ZERO, 1, BALANCE), complaint);
    refuses(holds(9, TIP, 2, BALANCE), complaint);
    refuses(holds(9, TIP, 1, new Balance(51, -3, 7, 0)), complaint);
    refuses(holds(9, TIP, 1, new Balance(50, 3, 7, 0)), complaint);
    refuses(holds(9, TIP, 1, new Balance(50, -3, 0, 0)), complaint);
  }

  @Test
  void aPeerIsCreditedWithNoMoreBlocksThanItServed() {
    block(ONE);
    block(ONE);
    block(TWO);
    accepts(served(3, took(ONE, 2, 3), took(TWO, 1, 2)));
    // A block that did not verify counts for no peer.
    accepts(served(2, took(ONE, 1, 3), took(TWO, 1, 2)));
    refuses(served(3, took(ONE, 1, 3), took(TWO, 2, 2)), TWO.address() + " served fewer blocks");
    refuses(served(2, took(ONE, 2, 3), took(TWO, 1, 2)), "blocks do not add up");
  }

  @Test
  void everyNewHeaderIsCreditedToAPeer() {
    // From height 4 to 9.
    accepts(served(0, took(ONE, 0, 3), took(TWO, 0, 2)));
    refuses(served(0, took(ONE, 0, 3), took(TWO, 0, 1)), "no peer served some of the headers");
  }

  @Test
  void completeRefersToThisTip() {
    refuses(ended(true, SyncReport.Ending.DONE), "it is not complete");
    emitted(new SyncFact.Complete(8, Hash256.ZERO));
    refuses(ended(true, SyncReport.Ending.DONE), "it is not complete");
    emitted(new SyncFact.Complete(9, TIP));
    accepts(ended(true, SyncReport.Ending.DONE));
  }

  @ParameterizedTest
  @EnumSource(
      value = SyncReport.Ending.class,
      names = {"STOPPED", "TIMEOUT", "MAX_BYTES", "PEERS_DISAGREE", "NO_USABLE_PEER"})
  void aSessionThatEndsByItselfSaysSo(SyncReport.Ending ending) {
    refuses(ended(false, ending), "it ended otherwise, by itself");
  }

  private void requireEnding(SyncReport.Ending expected) {
    for (SyncReport.Ending ending : SyncReport.Ending.values()) {
      if (ending == expected) {
        accepts(ended(false, ending));
      } else {
        refuses(ended(false, ending), "it ended otherwise, " + expected);
      }
    }
  }

  @Test
  void aLostPeerADisagreementAndAStopAreReportedInThisOrderOfWeight() {
    emitted(new SyncFact.NoUsablePeer(Obstacle.Kind.UNREACHABLE, Map.of(), ""));
    requireEnding(SyncReport.Ending.NO_USABLE_PEER);
    emitted(new SyncWarning.PeersDisagree(5, Hash256.ZERO, ONE.address(), List.of()));
    requireEnding(SyncReport.Ending.PEERS_DISAGREE);
    check.came(new Input.Stop());
    requireEnding(SyncReport.Ending.STOPPED);
  }

  @Test
  void aPeerThatCameBackEndsTheOutage() {
    emitted(new SyncFact.NoUsablePeer(Obstacle.Kind.UNREACHABLE, Map.of(), ""));
    emitted(new SyncFact.Complete(9, TIP));
    accepts(ended(true, SyncReport.Ending.DONE));
    refuses(ended(true, SyncReport.Ending.NO_USABLE_PEER), "by itself");
  }

  private void broadcast() {
    check.came(new Input.BroadcastTx(PAYMENT));
  }

  private void sendsTo(Link link) {
    check.went(new Output.Send(link, new Message.TxMessage(PAYMENT)));
  }

  private void comesFrom(Link link, Message message) {
    check.came(new Input.Received(link, message, 0));
  }

  private static Message inv() {
    return new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, PAYMENT.txid())));
  }

  private static BroadcastReport fate(List<Link> taken, List<Link> accepted, List<Link> announced) {
    return new BroadcastReport(
        PAYMENT.txid(),
        addresses(taken),
        addresses(accepted),
        addresses(announced),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static List<NodeAddress> addresses(List<Link> links) {
    List<NodeAddress> addresses = new ArrayList<>();
    links.forEach(link -> addresses.add(link.address()));
    return addresses;
  }

  private void refuses(BroadcastReport report, String complaint) {
    assertThatThrownBy(() -> check.requireTrue(report))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void thePeersThatFetchedAPaymentAreThoseItWasSentTo() {
    broadcast();
    sendsTo(ONE);
    check.requireTrue(fate(List.of(ONE), List.of(), List.of()));
    refuses(fate(List.of(), List.of(), List.of()), "sent to [" + ONE.address() + "]");
    refuses(fate(List.of(ONE, TWO), List.of(), List.of()), "sent to");
    refuses(fate(List.of(TWO), List.of(), List.of()), "sent to");
  }

  @Test
  void aPeerAcceptedTransactionsItSentBackAndAnnouncedThoseInItsInv() {
    broadcast();
    comesFrom(ONE, new Message.TxMessage(PAYMENT));
    comesFrom(TWO, inv());
    check.requireTrue(fate(List.of(), List.of(ONE), List.of(TWO)));
    check.requireTrue(fate(List.of(), List.of(), List.of()));
    refuses(fate(List.of(), List.of(ONE, TWO), List.of()), "only these sent it back");
    refuses(fate(List.of(), List.of(), List.of(ONE, TWO)), "only these announced it");
  }

  @Test
  void anEarlierAnnouncementIsNoAnswerToABroadcast() {
    comesFrom(ONE, new Message.TxMessage(PAYMENT));
    comesFrom(ONE, inv());
    broadcast();
    refuses(fate(List.of(), List.of(ONE), List.of()), "only these sent it back");
    refuses(fate(List.of(), List.of(), List.of(ONE)), "only these announced it");
  }

  @Test
  void aSecondOrderToSendForgetsNothing() {
    broadcast();
    sendsTo(ONE);
    broadcast();
    check.requireTrue(fate(List.of(ONE), List.of(), List.of()));
  }
}
