package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Scenery.assertBreach;
import static org.murmur.testbed.world.judge.Scenery.peer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.plan.WorldPlan;
import org.murmur.testbed.world.plan.WorldPlan.Kind;

/** The judge of a client that uses the filters of blocks. */
class CompactPresetTest {

  private final Scenery scenery = new Scenery(1, Kind.HONEST, Kind.HIDING);
  private final CompactPreset preset = new CompactPreset(scenery.plan, scenery.economy);
  private final Invariants judge =
      new Invariants(scenery.plan, scenery.economy, preset, scenery::who);
  private final ConversationLog honest = new ConversationLog(peer(0));
  private final ConversationLog liar = new ConversationLog(peer(1));

  private void complete(Holdings holdings) {
    List<Block> chain = new ArrayList<>(scenery.blocks());
    chain.add(0, scenery.economy.chain.blockAt(0));
    preset.whenComplete(holdings, chain, WorldPlan.BASE_HEIGHT + 1, holdings.height());
  }

  @Test
  void completeWalletHoldsEveryPaymentInItsBlock() {
    Holdings all = scenery.holdings();
    complete(all);
    for (Holdings.Entry entry : all.transactions()) {
      List<Holdings.Entry> fewer = new ArrayList<>(all.transactions());
      fewer.remove(entry);
      Holdings without =
          new Holdings(all.height(), all.tip(), 0, 0, 0, List.copyOf(fewer), all.coins());
      if (entry.height() == WalletTruth.UNCONFIRMED) {
        complete(without);
      } else {
        assertBreach(entry.txid() + " at height " + entry.height(), () -> complete(without));
      }
    }
  }

  @Test
  void noPeerLearnsAScriptOrACoin() {
    Block block = scenery.economy.chain.tip();
    assertBreach("under the compact", () -> judge.sent(honest, new Message.Mempool()));
    assertBreach(
        "under the compact", () -> judge.sent(honest, ask(InventoryItem.FILTERED_BLOCK, block)));
    assertBreach(
        "under the compact",
        () -> judge.sent(honest, new Message.FilterLoad(Scenery.filter(scenery.elements()))));
  }

  @Test
  void onlyTheNodeWhosePoolIsAskedLearnsThem() {
    Preset.Pool own = Preset.Pool.of(peer(0));
    MessageRules rules = new CompactPreset(scenery.plan, scenery.economy, own).rules();
    rules.sent(honest, new Message.Mempool());
    rules.sent(honest, new Message.FilterLoad(Scenery.filter(scenery.elements())));
    assertBreach("under the compact", () -> rules.sent(liar, new Message.Mempool()));
    assertBreach(
        "under the compact",
        () -> rules.sent(liar, new Message.FilterLoad(Scenery.filter(scenery.elements()))));
    assertBreach(
        "filtered block",
        () -> rules.sent(honest, ask(InventoryItem.FILTERED_BLOCK, scenery.economy.chain.tip())));
  }

  @Test
  void blockIsRequestedOnceItsFetchIsOnDisk() {
    Block block = scenery.economy.chain.tip();
    int height = scenery.economy.chain.height();
    preset.rules().written(Scenery.fetching(peer(0), height - 1));
    preset.rules().written(Scenery.fetching(peer(1), height));
    assertBreach("on disk", () -> judge.sent(honest, ask(InventoryItem.BLOCK, block)));
    preset.rules().written(Scenery.fetching(peer(0), height));
    judge.sent(honest, ask(InventoryItem.BLOCK, block));
  }

  private static Message ask(int type, Block block) {
    return new Message.GetData(List.of(new InventoryItem(type, block.hash())));
  }

  /** Except for those of its end, of which the wallet may have learned too late. */
  @Test
  void processHoldsThePaymentsThatItGot() {
    Holdings all = scenery.holdings();
    Holdings none = new Holdings(all.height(), all.tip(), 0, 0, 0, List.of(), all.coins());
    Tx payment = Objects.requireNonNull(scenery.economy.tx(all.transactions().get(0).txid()));
    MessageRules rules = preset.rules();
    for (int batches = 0; batches < 4; batches++) {
      complete(all);
      rules.received(honest, new Message.TxMessage(payment), Instant.EPOCH);
      for (int i = 0; i < batches; i++) {
        rules.written(Scenery.batch(List.of(), List.of(), List.of()));
      }
      if (batches < 2) {
        rules.begins(none);
      } else {
        assertBreach("has it not", () -> rules.begins(none));
        rules.begins(all);
        // Without all blocks it does not know all coins and scripts.
        rules.received(honest, new Message.TxMessage(payment), Instant.EPOCH);
        rules.written(Scenery.batch(List.of(), List.of(), List.of()));
        rules.written(Scenery.batch(List.of(), List.of(), List.of()));
        rules.begins(none);
      }
    }
    rules.received(honest, new Message.TxMessage(payment), Instant.EPOCH);
    rules.lost();
    rules.begins(none);
  }

  @Test
  void onlyLiarsAreConvictedAndDisowned() {
    judge.dropped(liar, falseFilter());
    assertBreach("whose filters are true", () -> judge.dropped(honest, falseFilter()));
    judge.handedOut(Scenery.batch(List.of(), List.of(peer(1)), List.of()));
    assertBreach(
        "it omitted nothing",
        () -> judge.handedOut(Scenery.batch(List.of(), List.of(peer(0)), List.of())));
    // A liar contradicted it, and it left before a block decided.
    judge.peerLost(new SyncEvent.PeerLost(peer(0), DisconnectReason.DONE, ""), true);
    judge.handedOut(Scenery.batch(List.of(), List.of(peer(0)), List.of()));
  }

  private static Output.Disconnect falseFilter() {
    return new Output.Disconnect(new Link(1, peer(0)), DisconnectReason.FALSE_FILTER, "false");
  }
}
