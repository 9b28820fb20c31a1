package org.murmur.testbed.world.judge;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.network.FilterSnapshot;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The judge: the rules that must hold after every step. It keeps its own record of what was served,
 * written and claimed. A broken invariant is an {@link AssertionError}.
 */
public final class Invariants {

  private final WorldPlan plan;
  private final ClientPreset preset;
  private final Function<NodeAddress, WorldPlan.Neighbour> who;
  private final Served served = new Served();
  private final WrittenBeforeSent diskFirst;
  private final ClientChain chain;
  private final CoverageClaims coverage;
  private final Set<NodeAddress> left = new HashSet<>();

  public Invariants(
      WorldPlan plan,
      Economy economy,
      ClientPreset preset,
      Function<NodeAddress, WorldPlan.Neighbour> who) {
    this.plan = plan;
    this.preset = preset;
    this.who = who;
    this.diskFirst = new WrittenBeforeSent(preset.rules().hearsAll());
    this.chain = new ClientChain(economy);
    this.coverage = new CoverageClaims(plan, economy, served, chain, preset.duty(plan));
  }

  // ---------------------------------------------------------------- one step

  /** Memory stays bounded under any input. */
  public void bounded(Footprint footprint) {
    Bounds.hold(footprint, plan.peers().size());
  }

  /** The client sends a message. */
  public void sent(ConversationLog line, Message message) {
    preset.rules().sent(line, message);
    diskFirst.sent(line, message);
  }

  /** A message has reached the client; its sender had a filter when it sent it. */
  public void received(ConversationLog line, Message message, FilterSnapshot filter, Instant now) {
    preset.rules().received(line, message, now);
    if (message instanceof Message.MerkleBlockMessage block) {
      boolean honest =
          who.apply(line.peer).kind() != WorldPlan.Kind.CORRUPT
              || block.merkleBlock().verify() instanceof Verdict.Proven;
      if (honest) {
        served.delivered(block.merkleBlock().blockHash(), line.peer, filter);
      }
    } else if (message instanceof Message.CFHeaders hashes) {
      for (Block block : chain.to(hashes.stop())) {
        served.delivered(block.hash(), line.peer, FilterSnapshot.OF_BLOCKS);
      }
    } else if (message instanceof Message.Inv inv) {
      inv.items().forEach(item -> line.announced.add(item.hash()));
    }
  }

  /** The client has taken a message, and the connection stands. */
  public void answered(ConversationLog line) {
    preset.rules().answered(line);
  }

  /** The client ends a connection. No peer is convicted whose filters are true. */
  public void dropped(ConversationLog line, Output.Disconnect disconnect) {
    Require.require(
        disconnect.reason() != DisconnectReason.FALSE_FILTER || who.apply(line.peer).lies(),
        "%s, whose filters are true, is convicted: %s",
        line,
        disconnect.detail());
    preset.rules().dropped(line, disconnect.reason(), disconnect.detail());
  }

  /** How long an honest peer may be avoided, whatever happened to its messages. */
  private static final Duration SHORT = Duration.ofMinutes(1);

  /**
   * No honest peer is banned. Peers that get blocks later than others are honest, so a client that
   * follows must not drop them for it within minutes. A client that ends with its sync waits one
   * minute for them.
   */
  public void peerLost(SyncEvent.PeerLost lost, boolean follows) {
    left.add(lost.address());
    WorldPlan.Neighbour peer = who.apply(lost.address());
    Require.require(
        !peer.isHonest() || lost.reason().backOff().compareTo(SHORT) <= 0,
        "%s, which is honest, is banned for %s: %s %s",
        lost.address(),
        lost.reason().backOff(),
        lost.reason(),
        lost.detail());
    boolean slow = peer.kind() == WorldPlan.Kind.LAGGING && follows;
    Require.require(
        !slow || lost.reason() != DisconnectReason.LACKS_BLOCKS,
        "%s, which is only slow, is dropped: %s",
        lost.address(),
        lost.detail());
  }

  // ---------------------------------------------------------------- the disk

  /** The client hands out a batch. */
  public void handedOut(CommitBatch batch) {
    for (NodeAddress disowned : batch.disowned()) {
      Require.require(
          mayDisown(disowned), "the answers of %s are discarded, and it omitted nothing", disowned);
    }
    served.batched(batch.disowned());
  }

  /** It omits something, or a liar contradicts it and it left before a block decided. */
  private boolean mayDisown(NodeAddress peer) {
    WorldPlan.Neighbour known = who.apply(peer);
    return known.kind() == WorldPlan.Kind.OMITTING
        || known.lies()
        || (left.contains(peer) && plan.peers().stream().anyMatch(WorldPlan.Neighbour::lies));
  }

  /** A batch is on disk. */
  public void written(CommitBatch batch, TestedClient client) throws IOException {
    diskFirst.written(batch);
    preset.rules().written(batch);
    served.written();
    // Nothing else can change what is reported as confirmed.
    if (!batch.blocks().isEmpty()
        || !batch.connected().isEmpty()
        || !batch.unconfirmed().isEmpty()) {
      proven(client.holdings());
    }
  }

  /** A process crashed: unwritten data are lost. */
  public void lost() {
    served.lost();
    preset.rules().lost();
  }

  /** A process begins with what is on disk. */
  public void begins(TestedClient client) throws IOException {
    Holdings holdings = client.holdings();
    preset.rules().begins(holdings);
    proven(holdings);
    claimed(client.claims(), holdings, -1);
  }

  private void proven(Holdings holdings) {
    BooksCheck.proven(holdings, chain.to(holdings.tip()));
  }

  // ---------------------------------------------------------------- what it says

  /** A process calls itself complete. */
  public void complete(SyncFact.Complete complete, TestedClient client, boolean follows)
      throws IOException {
    TestedClient.Claims claims = client.claims();
    Holdings holdings = client.holdings();
    Require.require(
        preset.mayClaim(complete, holdings.tip(), chain),
        "complete to %s is claimed, but %s is on disk",
        complete.tip(),
        holdings.tip());
    // A wallet whose birthday lies ahead is complete without having looked.
    if (claims.birthday() >= 0) {
      coverage.covered(
          complete.tip(),
          complete.height(),
          claims.birthday(),
          plan.verify(),
          preset.mustCover(follows));
      preset.whenComplete(holdings, chain.to(complete.tip()), claims.birthday(), complete.height());
    }
    claimed(claims, holdings, complete.height());
  }

  /**
   * Compares the client's claims with what was served; those up to a height were compared before.
   */
  private void claimed(TestedClient.Claims claims, Holdings holdings, int already) {
    if (plan.has(WorldPlan.Kind.OMITTING) || plan.has(WorldPlan.Kind.HIDING)) {
      // A single peer may lie: only what the client calls complete after asking enough of them is a
      // claim.
      return;
    }
    if (claims.birthday() >= 0 && claims.completeTo() >= claims.birthday()) {
      if (claims.completeTo() > already) {
        coverage.covered(
            holdings.tip(), claims.completeTo(), claims.birthday(), 1, CoverageClaims.EVERYTHING);
        preset.whenComplete(
            holdings, chain.to(holdings.tip()), claims.birthday(), claims.completeTo());
      }
      coverage.seenBy(holdings.tip(), claims);
    }
  }

  /** A process that had to get everything right has ended. */
  public void atEnd(ProcessEvents heard, Holdings holdings) {
    Require.require(
        heard.isComplete(), "an honest peer can be reached, and the sync is not complete");
    preset.atEnd(heard, holdings, who);
  }
}
