package org.murmur.p2p.machine;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.dial.Dialer;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.pool.MempoolQuery;
import org.murmur.p2p.pool.Relay;
import org.murmur.p2p.scan.BlockScan;
import org.murmur.p2p.scan.ScanLink;
import org.murmur.p2p.scan.Settlement;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncStart;

/**
 * The sync as a machine you can hold: {@link #step} takes what happened and the time, and returns
 * what to do.
 *
 * <p>It has no clock, no dice and no wires of its own, so every situation is a test that plays
 * messages in. Inside are small parts with one concern each, called in a written order: connections
 * ({@link Dialer}), headers ({@link HeaderSync}), blocks ({@link BlockScan}), unconfirmed
 * transactions ({@link Relay}, {@link MempoolQuery}), and the one road to disk ({@link Journal}).
 * At the end of every step {@link #settle} asks them in turn what there is to do next.
 *
 * <p>One thread at a time.
 */
public final class SyncMachine implements Machine {

  private final Parts parts;
  private final Effects effects;
  private final Links links;
  private final Inbox inbox;
  private final Silence silence;
  private final Ending ending;
  private final Progress progress;

  private boolean stopped;
  private @Nullable Instant wakeAt;

  /**
   * Makes a machine at rest; the first {@link Input.Tick} sets it going.
   *
   * @param start what earlier commits put on disk
   * @param settings how the session is to be run
   */
  public SyncMachine(SyncStart start, SyncSettings settings) {
    this.parts = new Parts(start, settings);
    this.links = new Links(parts);
    this.inbox = new Inbox(parts, links);
    this.silence = new Silence(parts, links);
    this.ending = new Ending(parts);
    this.progress = new Progress(parts, ending);
    this.effects = parts.effects;
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public long mostToRead() {
    return parts.settings.maxBytes() == 0 ? Long.MAX_VALUE : parts.settings.maxBytes();
  }

  /**
   * Returns how much is kept in memory, for those who watch that it stays bounded.
   *
   * @return counts as of the last step
   */
  public Footprint footprint() {
    return Footprint.of(parts);
  }

  @Override
  public List<Output> step(Input input, Instant now) {
    if (input instanceof Input.TimeJumped jumped) {
      effects.timeJumped(jumped.by());
    }
    effects.setTime(now);
    if (!stopped) {
      take(input);
      inbox.follow();
      if (parts.scan.takeFound() && parts.plan.findsAreUrgent()) {
        parts.journal.hurry();
      }
      settle();
    }
    return effects.takeOutputs();
  }

  private void take(Input input) {
    if (parts.dialer.take(input)) {
      // A message to a feeler is no reason to plan blocks.
      if (!(input instanceof Input.Received)) {
        effects.changed();
      }
      return;
    }
    if (input instanceof Input.Received received) {
      inbox.received(received);
      return;
    }
    if (input instanceof Input.HeadersComing coming) {
      Peer peer = parts.roster.get(coming.link().id());
      if (peer != null && peer.isReady()) {
        parts.headers.coming(peer, coming.headers());
      }
      return;
    }
    effects.changed();
    if (input instanceof Input.Committed committed) {
      parts.journal.committed(committed.sequence());
      parts.pending.committed(committed.pending());
      parts.scan.committed(committed.sequence());
      parts.relay.committed();
    } else if (input instanceof Input.WatchSetChanged changed) {
      changed.replaced().forEach(each -> parts.log.replace(each.index(), each.element()));
      parts.log.append(changed.from(), changed.added());
      parts.settlement.logGrew();
    } else if (input instanceof Input.Connected connected) {
      links.connected(connected.link(), connected.at());
    } else if (input instanceof Input.ConnectFailed failed) {
      links.notConnected(failed);
    } else if (input instanceof Input.ProxyFailed failed) {
      links.lost(failed.link(), failed.obstacle(), failed.why());
    } else if (input instanceof Input.Disconnected disconnected) {
      links.disconnected(disconnected.link(), disconnected.why());
    } else if (input instanceof Input.Garbled garbled) {
      links.garbled(garbled);
    } else if (input instanceof Input.Oversized oversized) {
      links.dropFor(oversized.link(), DisconnectReason.OVERSIZED, oversized.why());
    } else if (input instanceof Input.Failed failed) {
      links.failed(failed.link(), failed.why());
    } else if (input instanceof Input.BroadcastTx broadcast) {
      parts.relay.broadcast(broadcast.tx(), broadcast.fee());
    } else if (input instanceof Input.RescanFrom rescan) {
      rescan(rescan);
    } else if (input instanceof Input.LimitReached) {
      ending.limitReached();
    } else if (input instanceof Input.Stop) {
      ending.end();
    } else if (input instanceof Input.TimeJumped jumped) {
      // The alarm was set by the old time.
      wakeAt = null;
      silence.returned(jumped.by());
    } else if (input instanceof Input.Tick) {
      // It carries nothing: what is due is found in settle(). The shell has no other alarm set now.
      wakeAt = null;
    }
  }

  private void rescan(Input.RescanFrom rescan) {
    parts.scanned.birthdays().lower(rescan.from());
    int from = rescan.from().resolve(parts.chain).orElse(Integer.MAX_VALUE);
    if (from < Integer.MAX_VALUE) {
      parts.plan.cutAbove(from - 1);
      effects.changed();
      parts.settlement.forgetLooks(from - 1);
      parts.scanned.voidFrom(from);
    }
  }

  /** What there is to do now, asked of every part in this order. */
  private void settle() {
    if (!ending.isStopping()) {
      silence.expire();
      parts.relay.advance();
      parts.dialer.call(parts.headers.areDone());
      ending.stopIfNobodyIsUsable();
      parts.tips.onOtherChains(parts.headers).forEach(links::drop);
      parts.headers.plan().forEach(links::drop);
      settleDisagreements();
      parts.depths.advance();
      // Before the plan: it forgets what a peer passed over when it asks again.
      letWithholdersGo();
      parts.plan.plan();
      if (letPrunedGo()) {
        parts.plan.plan();
      }
      parts.tips.check();
      parts.stale.look(parts.headers);
      parts.outage.look();
      ending.look();
    }
    if (ending.isStopping()) {
      stop();
    }
    CommitBatch batch =
        parts.journal.take(effects.now(), parts::grownCopies, parts.dialer::takeChanges);
    if (batch != null) {
      effects.output(new Output.Commit(batch));
    }
    if (!stopped) {
      progress.tell();
      wake();
    }
  }

  private void letWithholdersGo() {
    for (Peer peer : List.copyOf(parts.roster.peers())) {
      Refusal refusal = parts.scan.patience(peer);
      if (refusal.isRefusal()) {
        links.drop(peer, refusal);
      }
    }
  }

  /**
   * Disconnects pruned peers when blocks are needed that no peer has. The user's own node is asked
   * first: it disconnects if it does not serve them. Returns whether such a node is to be asked.
   */
  private boolean letPrunedGo() {
    boolean asksMore = false;
    for (Peer peer : List.copyOf(parts.roster.peers())) {
      OptionalInt beyond =
          peer.isPruned() && peer.isReady() && !parts.settings.headersOnly()
              ? parts.plan.beyond(peer)
              : OptionalInt.empty();
      if (!beyond.isPresent() || parts.dialer.hasMore()) {
        continue;
      }
      if (parts.dialer.isOwn(peer)) {
        ScanLink.of(peer).mayKeepMore();
        asksMore = true;
        effects.changed();
      } else {
        links.drop(peer, BlockScan.keepsTooLittle(beyond.getAsInt()));
      }
    }
    return asksMore;
  }

  /** Drops who left something out, and asks for the blocks that decide. */
  private void settleDisagreements() {
    List<Settlement.Conviction> convictions;
    do {
      parts.settlement.advance(parts.dialer.hasMore());
      convictions = parts.settlement.takeConvictions();
      convictions.forEach(links::convict);
      // Who is gone cannot hand over what it was asked for: somebody else is asked at once.
    } while (!convictions.isEmpty());
    if (parts.settlement.isUnsettled()) {
      ending.stop();
    }
  }

  private void stop() {
    parts.settlement.abandon();
    if (!parts.roster.isEmpty()) {
      for (Peer peer : parts.roster.peers()) {
        links.remember(peer, DisconnectReason.DONE);
        String elsewhere = parts.tips.otherChain(peer);
        if (!elsewhere.isEmpty()) {
          // It was of no use, and whoever named it should know why.
          links.reportLost(peer, DisconnectReason.DONE, elsewhere);
        }
        effects.output(new Output.Disconnect(peer.link(), DisconnectReason.DONE, elsewhere));
      }
      parts.dialer.stop();
      parts.roster.clear();
    }
    parts.journal.hurry();
    stopped = parts.journal.isClean();
    if (stopped) {
      ending.sayEnd();
    }
  }

  private void wake() {
    Instant next = earlier(null, parts.dialer.due());
    next = earlier(next, ending.greetingDue());
    next = earlier(next, parts.journal.due());
    next = earlier(next, parts.mempool.deadline());
    next = earlier(next, parts.relay.due());
    next = earlier(next, parts.headers.dueAt());
    next = earlier(next, parts.headers.letInAt());
    next = earlier(next, parts.scan.lookAgainAt());
    next = earlier(next, parts.plan.overdueAt());
    next = earlier(next, parts.tips.due());
    next = earlier(next, parts.stale.due());
    next = earlier(next, parts.outage.due());
    for (Peer peer : parts.roster.peers()) {
      next = earlier(next, silence.deadline(peer));
      next = earlier(next, peer.patience().paceDue());
    }
    if (next != null && !next.equals(wakeAt)) {
      wakeAt = next;
      effects.output(new Output.WakeAt(effects.onTheClock(next)));
    }
  }

  /**
   * The earlier of two times that lie ahead. What was due by now has been seen to in this step; if
   * it is still there it waits for something else, and must not stand before what comes after it.
   */
  private @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (b == null || !b.isAfter(effects.now())) {
      return a;
    }
    return a == null || b.isBefore(a) ? b : a;
  }
}
