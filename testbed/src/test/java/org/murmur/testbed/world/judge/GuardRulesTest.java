package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.murmur.testbed.world.judge.Scenery.assertBreach;
import static org.murmur.testbed.world.judge.Scenery.loading;

import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.plan.WorldPlan;

/** Each rule of the private preset is broken once, and kept once in a close case. */
class GuardRulesTest {

  private static final BloomFilter SCRIPTS = epoch(1);
  private static final BloomFilter OUTPOINTS = epoch(2);

  private final Scenery scenery = new Scenery(1, WorldPlan.Kind.HONEST);
  private GuardRules rules = new GuardRules(scenery.economy, false);
  private final ConversationLog one = new ConversationLog(Scenery.peer(0));
  private final ConversationLog two = new ConversationLog(Scenery.peer(1));
  private final ConversationLog three = new ConversationLog(Scenery.peer(2));
  private final Tx tx = scenery.economy.noise();

  private static BloomFilter epoch(int tweak) {
    return BloomFilter.builder(SizeClass.holding(SizeClass.THRIFTY, 10).parameters(tweak)).build();
  }

  private static Load load(FilterRole role, int number, BloomFilter filter) {
    return new Load(1, Scenery.peer(0), new Content.Epoch(role, number, new BitSet()), filter, 0);
  }

  @BeforeEach
  void twoEpochsAreOnDisk() {
    writeEpochs();
  }

  private void writeEpochs() {
    rules.written(
        loading(load(FilterRole.SCRIPTS, 0, SCRIPTS), load(FilterRole.OUTPOINTS, 0, OUTPOINTS)));
  }

  private void shows(ConversationLog line, BloomFilter filter) {
    rules.sent(line, new Message.FilterLoad(filter));
  }

  private void asks(ConversationLog line, int type, Hash256... hashes) {
    rules.sent(
        line,
        new Message.GetData(Stream.of(hashes).map(hash -> new InventoryItem(type, hash)).toList()));
  }

  private Hash256 block(int height) {
    return scenery.economy.chain.blockAt(height).hash();
  }

  // ---------------------------------------------------------------- what is written

  @Test
  void filterIsAnEpoch() {
    Load prefix = new Load(1, Scenery.peer(0), 3, SCRIPTS, 0);
    assertBreach("is no epoch", () -> rules.written(loading(prefix)));
  }

  @Test
  void epochStaysWhatItWas() {
    rules.written(loading(load(FilterRole.SCRIPTS, 0, SCRIPTS)));
    assertBreach(
        "is not what it was", () -> rules.written(loading(load(FilterRole.SCRIPTS, 0, epoch(9)))));
  }

  @Test
  void rolesHaveDifferentFilters() {
    assertBreach(
        "both roles have the same filter",
        () -> rules.written(loading(load(FilterRole.OUTPOINTS, 1, SCRIPTS))));
  }

  // ---------------------------------------------------------------- what is said at first

  @Test
  void handshakeRevealsNoMoreThanItMust() {
    rules.sent(one, version(SyncSettings.USER_AGENT, 0, false));
    assertBreach("reveals more", () -> rules.sent(one, version("/other/", 0, false)));
    assertBreach("reveals more", () -> rules.sent(one, version(SyncSettings.USER_AGENT, 7, false)));
    assertBreach("reveals more", () -> rules.sent(one, version(SyncSettings.USER_AGENT, 0, true)));
  }

  private static Message.Version version(String agent, int height, boolean relay) {
    return new Message.Version(70016, 0, 0, 1, agent, height, relay);
  }

  // ---------------------------------------------------------------- whom filters are shown to

  @Test
  void filterIsOnDiskFirst() {
    assertBreach("not on disk", () -> shows(one, epoch(9)));
  }

  @Test
  void filterIsOfAPublicClassAndStaysAsItIs() {
    FilterParameters usual = SCRIPTS.parameters();
    BloomFilter growing =
        BloomFilter.builder(
                new FilterParameters(usual.bytes(), usual.hashFunctions(), 5, UpdateFlag.ALL))
            .build();
    BloomFilter larger =
        BloomFilter.builder(
                new FilterParameters(usual.bytes() + 1, usual.hashFunctions(), 5, UpdateFlag.NONE))
            .build();
    BloomFilter deeper =
        BloomFilter.builder(
                new FilterParameters(usual.bytes(), usual.hashFunctions() + 1, 5, UpdateFlag.NONE))
            .build();
    int number = 1;
    for (BloomFilter odd : List.of(growing, larger, deeper)) {
      rules.written(loading(load(FilterRole.SCRIPTS, number++, odd)));
      assertBreach("of a unique size or flag", () -> shows(one, odd));
    }
  }

  @Test
  void roleStaysAtOnePeer() {
    shows(one, SCRIPTS);
    shows(one, SCRIPTS);
    assertBreach("all got", () -> shows(two, SCRIPTS));
  }

  @Test
  void roleMovesOnWhenItsGuardIsGivenUp() {
    shows(one, SCRIPTS);
    rules.dismissed(one.peer);
    // No peer has taken over yet.
    shows(one, SCRIPTS);
    shows(two, SCRIPTS);
    assertThat(rules.guards()).containsExactly(two.peer);
    assertThat(rules.guardsReplaced()).isOne();
    assertBreach("all got", () -> shows(one, SCRIPTS));
  }

  @Test
  void noPeerHasBothRoles() {
    shows(one, SCRIPTS);
    assertBreach("both roles", () -> shows(one, OUTPOINTS));
  }

  @Test
  void onePeerHasBothRolesIfTheUserNamesOneOnly() {
    rules = new GuardRules(scenery.economy, true);
    writeEpochs();
    shows(one, SCRIPTS);
    shows(one, OUTPOINTS);
    assertThat(rules.wasShownAnything(one.peer)).isTrue();
    assertThat(rules.wasShownAnything(two.peer)).isFalse();
  }

  @Test
  void filterIsNotChanged() {
    shows(one, SCRIPTS);
    assertBreach("is changed", () -> rules.sent(one, new Message.FilterAdd(Bytes.ofHex("0102"))));
    assertBreach("is changed", () -> rules.sent(one, new Message.FilterClear()));
  }

  @Test
  void mempoolIsAskedForOnceUnderEachFilter() {
    assertBreach("for its mempool", () -> rules.sent(one, new Message.Mempool()));
    shows(one, SCRIPTS);
    rules.sent(one, new Message.Mempool());
    assertBreach("for its mempool", () -> rules.sent(one, new Message.Mempool()));
    shows(one, SCRIPTS);
    rules.sent(one, new Message.Mempool());
  }

  // ---------------------------------------------------------------- what the user sends

  @Test
  void noFilterHolderLearnsWhatTheWalletSends() {
    shows(one, SCRIPTS);
    Message.Inv inv = new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid())));
    assertBreach("learned what the wallet sends", () -> rules.sent(one, inv));
    assertBreach("learned what the wallet sends", () -> rules.sent(one, new Message.TxMessage(tx)));
    // On another line it is the same peer.
    ConversationLog again = new ConversationLog(one.peer);
    assertBreach("learned what the wallet sends", () -> rules.sent(again, inv));
    rules.sent(three, inv);
  }

  @Test
  void aPeerThatLearnedOfATransactionNeverGuards() {
    rules.sent(one, new Message.TxMessage(tx));
    assertBreach("is a guard, and learned what the wallet sends", () -> shows(one, SCRIPTS));
    shows(new ConversationLog(one.peer), SCRIPTS);
  }

  // ---------------------------------------------------------------- what is asked for

  @Test
  void blocksAreAskedForUnderAFilter() {
    assertBreach(
        "has no filter", () -> asks(one, InventoryItem.FILTERED_BLOCK, block(1), block(2)));
  }

  @Test
  void blocksAreAskedForFromTheGridOnAndThenInOrder() {
    shows(one, SCRIPTS);
    assertBreach(
        "neither on the grid", () -> asks(one, InventoryItem.FILTERED_BLOCK, block(5), block(6)));
    // A refused block is not the one before the next.
    ConversationLog line = new ConversationLog(one.peer);
    shows(line, SCRIPTS);
    asks(line, InventoryItem.FILTERED_BLOCK, block(1), block(2), block(3));
    asks(line, InventoryItem.FILTERED_BLOCK, block(4));
    asks(line, InventoryItem.FILTERED_BLOCK, block(1));
    assertBreach("neither on the grid", () -> asks(line, InventoryItem.FILTERED_BLOCK, block(3)));
  }

  @Test
  void questionIsForOneThing() {
    one.announced.add(tx.txid());
    Message.GetData mixed =
        new Message.GetData(
            List.of(
                new InventoryItem(InventoryItem.TX, tx.txid()),
                new InventoryItem(InventoryItem.WITNESS_TX, tx.txid())));
    assertBreach("different things", () -> rules.sent(one, mixed));
  }

  @Test
  void wholeBlocksAreNotAskedFor() {
    assertBreach("of type 2", () -> asks(one, InventoryItem.BLOCK, block(1)));
  }

  @Test
  void transactionIsNotAskedForByNameUnlessItWasAnnounced() {
    assertBreach("by name", () -> asks(one, InventoryItem.TX, tx.txid()));
    one.announced.add(tx.txid());
    asks(one, InventoryItem.TX, tx.txid());
    asks(one, InventoryItem.WITNESS_TX, tx.txid());
    assertBreach("by name", () -> asks(two, InventoryItem.TX, tx.txid()));
  }

  @Test
  void peerWithoutFilterIsAskedWhetherItAcceptedOurTransaction() {
    rules.sent(three, new Message.TxMessage(tx));
    asks(three, InventoryItem.TX, tx.txid());
    shows(new ConversationLog(three.peer), SCRIPTS);
    assertBreach("by name", () -> asks(three, InventoryItem.TX, tx.txid()));
  }

  // ---------------------------------------------------------------- who would know

  @Test
  void theNewestFilterOfARoleDecidesItsGuardsAnnouncements() {
    Tx paying =
        new TxBuilder()
            .spend(tx.outPoint(0))
            .pay(1_000, scenery.economy.receiveScripts().get(3))
            .build();
    BloomFilter holding =
        BloomFilter.builder(SizeClass.holding(SizeClass.THRIFTY, 10).parameters(8))
            .add(Economy.element(scenery.economy.receiveScripts().get(3)))
            .build();
    assertThat(rules.isTold(paying, EnumSet.allOf(FilterRole.class))).isFalse();
    rules.written(loading(load(FilterRole.SCRIPTS, 1, holding)));
    assertThat(rules.isTold(paying, EnumSet.of(FilterRole.SCRIPTS))).isTrue();
    assertThat(rules.isTold(paying, EnumSet.of(FilterRole.OUTPOINTS))).isFalse();
    assertThat(rules.scriptEpochs()).isEqualTo(2);
  }
}
