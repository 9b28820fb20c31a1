package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.murmur.testbed.world.judge.Scenery.assertBreach;
import static org.murmur.testbed.world.judge.Scenery.peer;

import java.io.IOException;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.network.FilterSnapshot;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.WorldOptions;
import org.murmur.testbed.world.plan.WorldPlan;
import org.murmur.testbed.world.plan.WorldPlan.Kind;

/** The judge's input on the way, and its checks when a process calls itself complete. */
class InvariantsTest {

  private static final int BIRTHDAY = WorldPlan.BASE_HEIGHT + 1;

  private final Scenery scenery =
      new Scenery(1, Kind.HONEST, Kind.CORRUPT, Kind.LAGGING, Kind.FORKED);
  private final Economy economy = scenery.economy;
  private final int height = economy.chain.height();
  private final SyncFact.Complete complete =
      new SyncFact.Complete(height, economy.chain.tip().hash());
  private final Invariants judge = judge(scenery);

  private static Invariants judge(Scenery scenery) {
    return new Invariants(
        scenery.plan,
        scenery.economy,
        new FastPreset(scenery.plan, scenery.economy, WorldOptions.ALL),
        scenery::who);
  }

  /** A wallet on a disk with a given content. */
  private record Books(Holdings holdings, Claims claims) implements TestedClient {
    @Override
    public Machine start(SyncSettings settings) {
      throw new AssertionError("it has no machine");
    }

    @Override
    public List<Input> commit(CommitBatch batch, Instant now) {
      return List.of();
    }

    @Override
    public Footprint footprint() {
      throw new AssertionError("it has no machine");
    }

    @Override
    public void close() {}
  }

  private TestedClient books(int completeTo, int seenBy) {
    return new Books(scenery.holdings(), new TestedClient.Claims(BIRTHDAY, completeTo, seenBy));
  }

  private void serve(int peer, boolean genuine) {
    FilterSnapshot filter = FilterSnapshot.NONE.next(Scenery.filter(scenery.elements()));
    for (int at = BIRTHDAY; at <= height; at++) {
      judge.received(
          new ConversationLog(peer(peer)), merkleBlock(at, genuine), filter, Instant.EPOCH);
    }
  }

  private Message merkleBlock(int at, boolean genuine) {
    Block block = economy.chain.blockAt(at);
    List<Hash256> txids = genuine ? block.txids() : List.of(Hash256.ZERO);
    return new Message.MerkleBlockMessage(
        MerkleBlock.of(block.header().bytes(), PartialMerkleTree.build(txids, new BitSet())));
  }

  private void write() throws IOException {
    CommitBatch batch = Scenery.batch(List.of(), List.of(), List.of());
    judge.handedOut(batch);
    judge.written(batch, books(-1, 0));
  }

  @Test
  void completeAfterEverythingWasServedAndWritten() throws Exception {
    serve(0, true);
    write();
    judge.complete(complete, books(height, 1), false);
    judge.begins(books(height, 1));
  }

  @Test
  void notCompleteBeforeItIsWritten() {
    serve(0, true);
    assertBreach("is claimed", () -> judge.complete(complete, books(height, 1), false));
  }

  @Test
  void notCompleteAfterACrashBeforeItWasWritten() throws Exception {
    serve(0, true);
    judge.lost();
    write();
    assertBreach("is claimed", () -> judge.complete(complete, books(height, 1), false));
    assertBreach("is claimed", () -> judge.begins(books(height, 1)));
  }

  @Test
  void proofsThatAreWrongServeNothing() throws Exception {
    serve(1, false);
    write();
    assertBreach("is claimed", () -> judge.complete(complete, books(height, 1), false));
    serve(1, true);
    write();
    judge.complete(complete, books(height, 1), false);
  }

  @Test
  void completeToTheTipThatIsOnDisk() throws Exception {
    serve(0, true);
    write();
    SyncFact.Complete lower =
        new SyncFact.Complete(height - 1, economy.chain.blockAt(height - 1).hash());
    assertBreach("on disk", () -> judge.complete(lower, books(height, 1), false));
  }

  @Test
  void booksSayNoMoreThanWasSeen() throws Exception {
    serve(0, true);
    write();
    assertBreach("seen by 2", () -> judge.begins(books(height, 2)));
    assertBreach("seen by 2", () -> judge.complete(complete, books(height, 2), false));
  }

  /** A single peer may lie there, so books are no claim; calling itself complete is one. */
  @Test
  void amongPeersThatOmitOnlyCompleteIsAClaim() throws Exception {
    Scenery omitting = new Scenery(1, Kind.HONEST, Kind.OMITTING);
    TestedClient client =
        new Books(omitting.holdings(), new TestedClient.Claims(BIRTHDAY, height, 2));
    judge(omitting).begins(client);
    assertThat(omitting.economy.chain.height()).isEqualTo(height);
    assertBreach("is claimed", () -> judge(omitting).complete(complete, client, false));
  }

  @Test
  void confirmedATransactionOfNoBlock() {
    CommitBatch news =
        new CommitBatch(
            1,
            0,
            Headers.NONE,
            OptionalInt.empty(),
            List.of(),
            List.of(),
            Integer.MAX_VALUE,
            List.of(),
            List.of(),
            List.of(economy.noise()),
            List.of(),
            List.of());
    Holdings right = scenery.holdings();
    Holdings wrong =
        new Holdings(
            right.height(),
            right.tip(),
            right.confirmedSat(),
            right.immatureSat(),
            right.unconfirmedSat(),
            List.of(new Holdings.Entry(Hash256.ZERO, 3, economy.chain.blockAt(3).hash(), 5)),
            right.coins());
    TestedClient client = new Books(wrong, new TestedClient.Claims(BIRTHDAY, -1, 0));
    assertBreach("is not in that block", () -> judge.written(news, client));
    assertBreach("is not in that block", () -> judge.begins(client));
  }

  @Test
  void onlyPeersThatLeftSomethingOutAreDisowned() {
    CommitBatch batch = Scenery.batch(List.of(), List.of(peer(0)), List.of());
    assertBreach("it omitted nothing", () -> judge.handedOut(batch));
    judge(new Scenery(1, Kind.OMITTING)).handedOut(batch);
  }

  @Test
  void peerThatIsOnlySlowIsNotDropped() {
    judge.peerLost(lost(0, DisconnectReason.DONE), true);
    judge.peerLost(lost(3, DisconnectReason.LACKS_BLOCKS), true);
    judge.peerLost(lost(2, DisconnectReason.LACKS_BLOCKS), false);
    assertBreach("only slow", () -> judge.peerLost(lost(2, DisconnectReason.LACKS_BLOCKS), true));
  }

  @Test
  void honestPeerIsNotBanned() {
    judge.peerLost(lost(0, DisconnectReason.DAMAGED), true);
    assertBreach("is banned", () -> judge.peerLost(lost(0, DisconnectReason.LACKS_BLOCKS), false));
    assertBreach("is banned", () -> judge.peerLost(lost(0, DisconnectReason.UNASKED), true));
  }

  private static SyncEvent.PeerLost lost(int peer, DisconnectReason reason) {
    return new SyncEvent.PeerLost(peer(peer), reason, "");
  }

  @Test
  void announcedTransactionsAreNoSecretToAPeerWithAFilter() throws Exception {
    ConversationLog line = new ConversationLog(peer(0));
    InventoryItem item = new InventoryItem(InventoryItem.TX, Hash256.ZERO);
    Message ask = new Message.GetData(List.of(item));
    assertBreach("before that is on disk", () -> judge.sent(line, ask));
    judge.received(line, new Message.Inv(List.of(item)), FilterSnapshot.NONE, Instant.EPOCH);
    assertBreach("has no filter", () -> judge.sent(line, ask));
    BloomFilter filter = Scenery.filter(List.of());
    judge.written(Scenery.loading(new Load(1, line.peer, 0, filter, 0)), books(-1, 0));
    judge.sent(line, new Message.FilterLoad(filter));
    judge.sent(line, ask);
  }

  /** The judge passes its input on to the preset's rules and to those of the disk. */
  @Test
  void everyRuleGetsMessagesAndWrites() throws Exception {
    ConversationLog line = new ConversationLog(peer(0));
    BloomFilter filter = Scenery.filter(List.of());
    CommitBatch batch = Scenery.loading(new Load(1, line.peer, 0, filter, 0));
    judge.written(batch, books(-1, 0));
    judge.sent(line, new Message.FilterLoad(filter));
    Guarding guarding = Guarding.of(scenery.plan, WorldOptions.GUARDED);
    ClientPreset preset = new GuardedPreset(guarding, economy, false);
    Invariants guarded = new Invariants(scenery.plan, economy, preset, scenery::who);
    assertBreach("is no epoch", () -> guarded.written(batch, books(-1, 0)));
    assertBreach("is changed", () -> guarded.sent(line, new Message.FilterClear()));
  }

  @Test
  void lastProcessIsComplete() {
    ProcessEvents heard = new ProcessEvents();
    assertBreach("the sync is not complete", () -> judge.atEnd(heard, scenery.holdings()));
    heard.complete();
    judge.atEnd(heard, scenery.holdings());
  }
}
