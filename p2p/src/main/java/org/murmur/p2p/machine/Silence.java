package org.murmur.p2p.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.dial.Dialer;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.scan.ScanLink;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;

/** Connections whose time is up, and peers that may be gone. */
final class Silence {

  /** After this long without a word a peer is asked whether it is still there. */
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** After this long away lines may have died: routers forget them, and peers hang up. */
  private static final Duration AWAY = Duration.ofSeconds(10);

  /** How soon a peer is to be heard after that. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);

  /** So many times the usual time to answer are for a whole block: 4 MB at 33 kB a second. */
  private static final int WHOLE_BLOCK = 4;

  private final SyncSettings settings;
  private final Effects effects;
  private final Roster roster;
  private final Dialer dialer;
  private final HeaderSync headers;
  private final Links links;

  Silence(Parts parts, Links links) {
    this.settings = parts.settings;
    this.effects = parts.effects;
    this.roster = parts.roster;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.links = links;
  }

  /** Connections whose time is up. */
  void expire() {
    for (Peer peer : new ArrayList<>(roster.peers())) {
      if (isDead(peer) || peer.doubtedSince() != null) {
        continue;
      }
      // A whole block is not seen until all of it is here.
      boolean owes = peer.isReady() && peer.owes() && !ScanLink.of(peer).owesWholeBlock();
      Refusal slow = peer.patience().pace(owes, effects.now());
      if (slow.isRefusal()) {
        links.drop(peer, slow);
        continue;
      }
      Instant deadline = deadline(peer);
      if (deadline == null || effects.now().isBefore(deadline)) {
        continue;
      }
      if (!peer.isReady()) {
        links.drop(peer, noHello(peer));
      } else if (peer.owes()) {
        links.drop(peer, nothingCame(peer));
      } else if (!peer.pings().isEmpty()) {
        links.drop(
            peer,
            silent(peer, DisconnectReason.PING_TIMEOUT),
            "no pong in " + seconds(settings.stallTimeout()));
      } else {
        effects.ping(peer);
      }
    }
  }

  private Refusal noHello(Peer peer) {
    Obstacle obstacle = Obstacle.NO_HELLO;
    String what = "no hello in ";
    if (peer.at() == null) {
      obstacle = settings.proxied() ? Obstacle.BEYOND_PROXY : Obstacle.NO_CONNECTION;
      what = settings.proxied() ? "no connection through the proxy in " : "no connection in ";
    }
    return new Refusal(
        DisconnectReason.CONNECT_TIMEOUT, obstacle, what + seconds(settings.connectTimeout()));
  }

  private Refusal nothingCame(Peer peer) {
    String silence = headers.silence(peer);
    return new Refusal(
        silent(peer, DisconnectReason.STALLED),
        silence.isEmpty() ? Obstacle.LOST : Obstacle.NOT_SYNCED,
        "nothing came for " + seconds(patience(peer)) + silence);
  }

  /**
   * The clock was set, or this end was away. What was waited for goes on being waited for as long
   * as was left; lines may have died meanwhile, so everybody is asked for a sign of life.
   */
  void returned(Duration away) {
    if (away.compareTo(AWAY) < 0) {
      return;
    }
    dialer.retryNow();
    for (Peer peer : roster.peers()) {
      if (peer.isReady()) {
        effects.note(
            SyncEvent.Note.Topic.TIME,
            peer,
            "asked for a sign of life: this machine was away, or its clock was set ahead, by "
                + seconds(away));
        peer.doubt(effects.now());
        effects.ping(peer);
        // What it announced meanwhile may be lost.
        headers.ask(peer);
      }
    }
  }

  /** Lets a peer go that gives no sign of life after this end was away; returns whether it did. */
  private boolean isDead(Peer peer) {
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
    links.drop(
        peer,
        DisconnectReason.LINE_DEAD,
        "no sign of life in " + seconds(SIGN_OF_LIFE) + " after this machine was away");
    return true;
  }

  /**
   * What a silent peer is let go for. While following, when all of them fall silent together, or
   * the only one does, it is the line that died and nobody's fault.
   */
  private DisconnectReason silent(Peer silent, DisconnectReason fault) {
    if (!settings.follow()) {
      return fault;
    }
    Instant heard = silent.lastHeard();
    for (Peer peer : roster.peers()) {
      heard = peer.lastHeard().isAfter(heard) ? peer.lastHeard() : heard;
    }
    boolean somebody = heard.isAfter(effects.now().minus(settings.stallTimeout()));
    return somebody ? fault : DisconnectReason.LINE_DEAD;
  }

  /** How long it may owe something and bring nothing; a whole block has up to 4 MB. */
  private Duration patience(Peer peer) {
    int times = !ScanLink.of(peer).owesWholeBlock() ? 1 : WHOLE_BLOCK;
    return settings.stallTimeout().multipliedBy(times);
  }

  private static String seconds(Duration time) {
    return time.toMillis() / 1000 + " seconds";
  }

  @Nullable Instant deadline(Peer peer) {
    if (!peer.isReady()) {
      return peer.since().plus(settings.connectTimeout());
    }
    Instant doubted = peer.doubtedSince();
    if (doubted != null) {
      return doubted.plus(SIGN_OF_LIFE);
    }
    if (ScanLink.of(peer).owesWholeBlock()) {
      // Only what was asked for before it may come first: blocks, but no headers and pongs.
      Instant served = ScanLink.of(peer).servedAt();
      Instant asked = ScanLink.of(peer).wholeBlockSince();
      return (served.isAfter(asked) ? served : asked).plus(patience(peer));
    }
    if (peer.owes()) {
      return peer.patience().since().plus(patience(peer));
    }
    if (!peer.pings().isEmpty()) {
      Instant first = effects.now();
      for (Instant sent : peer.pings().values()) {
        first = sent.isBefore(first) ? sent : first;
      }
      // A pong comes behind all blocks that were asked for before its ping.
      Instant since =
          latest(first, latest(ScanLink.of(peer).servedAt(), ScanLink.of(peer).wholeBlockAt()));
      return since.plus(settings.stallTimeout());
    }
    return peer.lastHeard().plus(QUIET);
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }
}
