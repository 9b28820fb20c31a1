package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Says, in a session that follows, that nobody is there: such a session calls on and on, and
 * silence would look like work. It says so once, and again when the kind of outage is another one
 * or when somebody was there in between.
 */
public final class Outage {

  /** How long no peer may be there before the warning. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How often the reason is checked for a change. */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final Effects effects;
  private final SyncSettings settings;
  private final Roster roster;
  private final Dialer dialer;
  private @Nullable Instant since;
  private @Nullable Instant lookAt;
  // The kind of outage that was warned of, until it is over.
  private @Nullable Object reported;

  public Outage(Effects effects, SyncSettings settings, Roster roster, Dialer dialer) {
    this.effects = effects;
    this.settings = settings;
    this.roster = roster;
    this.dialer = dialer;
  }

  /** Checks whether a peer is there, and warns if none is. */
  public void look() {
    if (!settings.follow()) {
      return;
    }
    if (roster.peers().stream().anyMatch(Peer::isReady)) {
      since = null;
      lookAt = null;
      reported = null;
      return;
    }
    if (since == null) {
      since = effects.now();
      lookAt = effects.now().plus(PATIENCE);
    }
    if (effects.now().isBefore(Objects.requireNonNull(lookAt))) {
      return;
    }
    lookAt = effects.now().plus(LOOK);
    Object kind = dialer.kindOfOutage();
    if (!kind.equals(reported)) {
      reported = kind;
      effects.emit(
          new SyncEvent.Warning(
              new SyncWarning.NobodyReachable(dialer.outage(), settings.proxied())));
    }
  }

  /** When to check again, or null. */
  public @Nullable Instant due() {
    return lookAt;
  }
}
