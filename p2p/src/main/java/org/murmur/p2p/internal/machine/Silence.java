package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;

/** Connections past their deadline, and peers that may be gone. */
final class Silence extends Part<PoolPeer> implements Alarm.Timed {

  /** After this much silence, we ping a peer. */
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** After this long away connections may be dead: routers forget them, and peers disconnect. */
  private static final Duration AWAY = Duration.ofSeconds(10);

  /** How soon a peer has to answer after that. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);

  private final Dialer dialer;
  private final HeaderSync headers;
  private final Links links;
  // Slow peers that the user was warned of.
  private final Set<NodeAddress> told = new HashSet<>();

  Silence(Parts parts, Links links) {
    super(parts);
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.links = links;
  }

  /** Handles connections past their deadline. */
  void expire() {
    for (PoolPeer peer : new ArrayList<>(roster.peers())) {
      if (isDead(peer) || peer.doubtedSince() != null) {
        continue;
      }
      Refusal slow = peer.patience().pace(owesSteadily(peer), effects.now());
      warnOfSlowness(peer);
      if (slow.isRefusal()) {
        links.drop(peer, slow);
      } else if (!effects.now().isBefore(deadline(peer))) {
        expire(peer, peer.questions().awaited());
      }
    }
  }

  /** Says once that the session waits for a slow peer, if no other one does its work meanwhile. */
  private void warnOfSlowness(PoolPeer peer) {
    Optional<Patience.Slowness> slowness = peer.patience().slowness(effects.now());
    NodeAddress address = peer.link().address();
    boolean guard = settings.preset().guarded().isPresent();
    boolean alone = guard || roster.peers(Peer::isReady).size() == 1;
    if (slowness.isPresent() && alone && told.add(address)) {
      effects.emit(
          new SyncWarning.SlowPeer(address, slowness.get().bytes(), slowness.get().time(), guard));
    }
  }

  @Override
  public void setAlarm(Alarm alarm) {
    for (PoolPeer peer : roster.peers()) {
      alarm.at(deadline(peer));
      if (peer.doubtedSince() == null) {
        alarm.at(peer.patience().paceDue());
      }
    }
  }

  private static boolean owesSteadily(PoolPeer peer) {
    return peer.isReady() && peer.questions().owesPieces();
  }

  private void expire(PoolPeer peer, @Nullable Question awaited) {
    if (awaited == null) {
      effects.ping(peer);
    } else if (!peer.isReady()) {
      links.drop(peer, noHandshake(awaited));
    } else if (awaited.owed() > 0) {
      links.drop(peer, nothingCame(peer, awaited));
    } else {
      links.drop(
          peer,
          silent(peer, DisconnectReason.PING_TIMEOUT),
          "no pong in " + seconds(awaited.limit(settings)));
    }
  }

  private Refusal noHandshake(Question awaited) {
    Obstacle obstacle = Obstacle.NO_VERSION;
    String what = "no version message in ";
    if (awaited.kind() == Question.Kind.CONNECTION) {
      obstacle = settings.proxied() ? Obstacle.BEYOND_PROXY : Obstacle.NO_CONNECTION;
      what = settings.proxied() ? "no connection through the proxy in " : "no connection in ";
    }
    return new Refusal(
        DisconnectReason.CONNECT_TIMEOUT, obstacle, what + seconds(awaited.limit(settings)));
  }

  private Refusal nothingCame(PoolPeer peer, Question awaited) {
    String silence = headers.silence(peer);
    return new Refusal(
        silent(peer, DisconnectReason.STALLED),
        silence.isEmpty() ? Obstacle.LOST : Obstacle.NOT_SYNCED,
        "nothing came for " + seconds(awaited.limit(settings)) + silence);
  }

  /** The clock was set, or this computer was asleep. Deadlines keep the time that was left. */
  void returned(Duration away) {
    if (away.compareTo(AWAY) >= 0) {
      retryNow("this machine slept, or its clock was set ahead, by " + seconds(away));
    }
  }

  /** Peers that could not be reached may be reachable, and connections may have died. */
  void retryNow(String why) {
    dialer.retryNow();
    for (PoolPeer peer : roster.peers()) {
      // One that owes a pong already keeps its deadline.
      if (peer.isReady() && peer.doubtedSince() == null) {
        effects.note(SyncEvent.Note.Topic.TIME, peer, "pinged: " + why);
        peer.doubt(effects.now());
        effects.ping(peer);
        // Its announcements from that time may be lost.
        headers.ask(peer);
      }
    }
  }

  /** Drops a peer that does not answer the ping; returns whether it did. */
  private boolean isDead(PoolPeer peer) {
    Instant since = peer.doubtedSince();
    if (since == null) {
      return false;
    }
    if (peer.lastHeard().isAfter(since)) {
      // It is there, and owes what it owed before.
      peer.trust();
      peer.patience().begins(peer.lastHeard());
      return false;
    }
    if (effects.now().isBefore(since.plus(SIGN_OF_LIFE))) {
      return false;
    }
    links.drop(peer, DisconnectReason.LINE_DEAD, "no answer to a ping in " + seconds(SIGN_OF_LIFE));
    return true;
  }

  /**
   * The reason to drop a silent peer. While following, if all peers or the only one fall silent
   * together, the connection died, and no peer is at fault.
   */
  private DisconnectReason silent(PoolPeer silent, DisconnectReason fault) {
    if (!settings.follow()) {
      return fault;
    }
    Instant heard = silent.lastHeard();
    for (PoolPeer peer : roster.peers()) {
      heard = peer.lastHeard().isAfter(heard) ? peer.lastHeard() : heard;
    }
    boolean somebody = heard.isAfter(effects.now().minus(settings.stallTimeout()));
    return somebody ? fault : DisconnectReason.LINE_DEAD;
  }

  private static String seconds(Duration time) {
    return time.toMillis() / 1000 + " seconds";
  }

  /** When a peer's silence is too long, or a ping is due. */
  private Instant deadline(PoolPeer peer) {
    Instant doubted = peer.doubtedSince();
    if (peer.isReady() && doubted != null) {
      return doubted.plus(SIGN_OF_LIFE);
    }
    Instant deadline = peer.questions().deadline(settings);
    return deadline == null ? peer.lastHeard().plus(QUIET) : deadline;
  }
}
