package org.murmur.p2p.internal.machine;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Journal;
import org.murmur.p2p.internal.pool.MempoolQuery;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * The sync as a state machine: {@link #step} takes an input and the time, and returns outputs.
 *
 * <p>It has no clock, no randomness and no sockets of its own, so a test can replay every situation
 * as messages. Inside are small parts with one concern each, called in a fixed order: connections
 * ({@link Dialer}), headers ({@link HeaderSync}), blocks ({@link BlockScan}), unconfirmed
 * transactions ({@link Relay}, {@link MempoolQuery}), and writes to disk ({@link Journal}). At the
 * end of every step {@link #settle} calls them in turn for their next actions.
 *
 * <p>One thread at a time.
 */
public final class SyncMachine implements Machine {

  final Parts parts;
  final PresetParts preset;
  private final Effects effects;
  private final Links links;
  final Inbox inbox;
  private final Silence silence;
  private final Ending ending;
  private final Progress progress;
  final List<Alarm.Timed> timed;

  private boolean stopped;
  private boolean callsStopped;
  private @Nullable Instant wakeAt;

  /**
   * Makes an idle machine on the state that earlier commits put on disk; the first {@link
   * Input.Tick} starts it.
   */
  public SyncMachine(SyncStart start, SyncSettings settings) {
    this.parts = new Parts(start, settings);
    this.preset = PresetParts.of(parts, start);
    this.links = new Links(parts, preset);
    this.inbox = new Inbox(parts, preset, links);
    this.silence = new Silence(parts, links);
    this.progress = new Progress(parts, preset);
    this.ending = new Ending(parts, preset, progress);
    this.effects = parts.effects;
    // In the order in which they act.
    this.timed =
        List.of(
            silence,
            parts.relay,
            parts.dialer,
            parts.headers,
            preset.plan(),
            parts.tips,
            parts.stale,
            parts.outage,
            ending,
            preset.mempool(),
            parts.rebroadcast,
            parts.journal);
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public long mostToRead() {
    return parts.settings.limits().bytes();
  }

  /** Returns how much was kept in memory as of the last step, to check that it stays bounded. */
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
      takeKnown();
      inbox.follow();
      settle();
    }
    return effects.takeOutputs();
  }

  /** Before peers are asked, and like an input: what follows from it is in the same step. */
  private void takeKnown() {
    if (!ending.isStopping() && !ending.isHandingOver()) {
      parts.headers.takeKnown();
    }
  }

  private void take(Input input) {
    if (parts.dialer.take(input)) {
      // A message to a feeler is no reason to plan blocks.
      if (!(input instanceof Input.Received)) {
        effects.changed();
      }
    } else if (input instanceof Input.Received received) {
      inbox.received(received);
    } else if (input instanceof Input.HeadersComing coming) {
      inbox.headersComing(coming);
    } else {
      effects.changed();
      if (!links.take(input)) {
        takeWord(input);
      }
    }
  }

  /** Handles inputs from the wallet, the user and the shell. */
  private void takeWord(Input input) {
    if (input instanceof Input.Committed committed) {
      parts.journal.committed(committed.sequence());
      parts.pending.committed(committed.pending());
      parts.scan.committed(committed.sequence());
      parts.relay.committed(committed.refused());
      parts.scanned.fold();
    } else if (input instanceof Input.PendingChanged changed) {
      parts.pending.committed(changed.pending());
      parts.relay.committed(List.of());
    } else if (input instanceof Input.WatchSetChanged changed) {
      inbox.hear(new Change.Watched(changed));
    } else if (input instanceof Input.RescanFrom rescan) {
      inbox.hear(new Change.Rescan(rescan.from(), parts.chain.heightOf(rescan.from())));
    } else if (input instanceof Input.BroadcastTx broadcast) {
      parts.relay.broadcast(broadcast.tx(), broadcast.fee());
    } else if (input instanceof Input.LimitReached) {
      ending.limitReached();
    } else if (input instanceof Input.Stop) {
      ending.end();
    } else if (input instanceof Input.TimeJumped jumped) {
      // The timer was set by the old time.
      wakeAt = null;
      silence.returned(jumped.by());
    } else if (input instanceof Input.RetryNow) {
      silence.retryNow("this machine may have another network");
    } else if (input instanceof Input.Tick) {
      // It carries nothing: settle() finds what is due. The shell has no other timer set now.
      wakeAt = null;
    }
  }

  /** Runs every part's next actions, in an order that has reasons. */
  private void settle() {
    if (!ending.isStopping() && !ending.isHandingOver()) {
      settleLinks();
      settleBlocks();
      settleEnd();
    }
    if (ending.isHandingOver()) {
      settleHandOver();
    }
    // After all that may end the session; a stopped session still writes its last batch.
    if (ending.isStopping()) {
      stop();
    }
    // A process that is killed remembers whom the session convicts when it ends.
    parts.settlement.takeUnmarked().forEach(links::mark);
    // After all that has something to write, so that one batch holds the results of one step.
    CommitBatch batch =
        parts.journal.take(
            effects.now(),
            parts::grownCopies,
            parts.dialer::takeChanges,
            parts.scanned::loadsInUse);
    if (batch != null) {
      effects.output(new Output.Commit(batch));
    }
    if (!stopped) {
      // Last: they report the state and the next deadline after all actions.
      progress.report();
      wake();
    }
  }

  private void settleLinks() {
    // First: a peer past its deadline gets no requests and is not waited for.
    silence.expire();
    // Transactions held back until guards were chosen go out before new peers are called.
    parts.relay.advance();
    // After the parts that drop peers, so that their places are filled at once.
    parts.dialer.call(parts.headers.areDone());
    // After the calls: only then is no peer left to call.
    ending.stopIfNobodyIsUsable();
    // Before requests for headers and blocks: a peer on another chain gets neither.
    parts.tips.onOtherChains(parts.headers).forEach(links::drop);
  }

  private void settleBlocks() {
    // Before blocks: requests follow the chain as it is known now.
    parts.headers.plan().forEach(links::drop);
    // After the headers, which are more urgent, and before the first filter.
    preset.mempool().probe();
    // Before the plan: a convicted peer gets no requests, and its blocks are requested again.
    parts.settlement.settle(parts.dialer::hasMore, links::convict);
    if (parts.settlement.isUnsettled()) {
      ending.stop();
    }
    // After the disagreements: both request one whole block at a time from a peer.
    parts.depths.advance();
    // Before the plan: a new request clears the record of blocks that the peer skipped.
    preset.plan().withholders().forEach(links::drop);
    preset.plan().plan();
    // After the plan, which knows the needed blocks that no peer here keeps.
    if (parts.scanners.dropPruned(
        preset.plan(), parts.dialer::hasMore, parts.dialer::isOwn, links::drop)) {
      preset.plan().plan();
    }
  }

  private void settleEnd() {
    // After headers and blocks: a peer with a new request need not get another.
    parts.tips.check();
    parts.stale.look(parts.headers);
    parts.outage.look();
    if (ending.isAllScanned()) {
      // Only now: before, the served parts of a block may still change.
      parts.settlement.spotCheck(parts.dialer.hasMore());
    }
    // After all that may find more work.
    boolean reached = ending.isReached();
    if (reached) {
      // Only now: the filters hold every coin that blocks show.
      while (preset.mempool().advance()) {
        preset.plan().plan();
      }
    }
    // After the requests, and before the end.
    ending.reportStanding(reached);
    if (reached) {
      if (ending.isAnswered()) {
        // Only now: no block holds what is announced, and these peers lack it.
        parts.rebroadcast.advance();
        ending.stopIfHandedOver();
      }
    }
    // Last: peers that may have more for fewer bytes were asked.
    ending.stopIfHeldUp();
  }

  /**
   * The sync is done. Peers that may still fetch what the user sends stay for a moment, and nobody
   * else: the others must not see by the length of the session that something is sent.
   */
  private void settleHandOver() {
    stopCalls();
    silence.expire();
    parts.relay.advance();
    for (PoolPeer peer : List.copyOf(parts.roster.peers())) {
      if (!parts.relay.isHandingOver(peer)) {
        release(peer);
        parts.roster.remove(peer.link().id());
      }
    }
    ending.stopIfHandedOver();
  }

  private void release(PoolPeer peer) {
    links.remember(peer, DisconnectReason.DONE);
    String elsewhere = parts.tips.otherChain(peer);
    if (!elsewhere.isEmpty()) {
      // It was of no use, and a user who named it should know why.
      links.reportLost(peer, DisconnectReason.DONE, elsewhere);
    }
    effects.output(new Output.Disconnect(peer.link(), DisconnectReason.DONE, elsewhere));
  }

  private void stopCalls() {
    if (!callsStopped) {
      callsStopped = true;
      parts.dialer.stop();
    }
  }

  private void stop() {
    parts.settlement.abandon(links::convict);
    if (!parts.roster.isEmpty()) {
      parts.roster.peers().forEach(this::release);
      stopCalls();
      parts.roster.clear();
    }
    parts.journal.hurry();
    stopped = parts.journal.isClean();
    if (stopped) {
      ending.sayEnd();
    }
  }

  private void wake() {
    Alarm alarm = new Alarm(effects.now());
    timed.forEach(part -> part.setAlarm(alarm));
    Instant next = alarm.next();
    if (next != null && !next.equals(wakeAt)) {
      wakeAt = next;
      effects.output(new Output.WakeAt(effects.onTheClock(next)));
    }
  }
}
