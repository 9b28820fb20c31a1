package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Warns, in a session that follows, that no peer is connected. It warns once for each outage, and
 * again if the kind of the outage changes.
 */
public final class Outage extends Part<Peer> implements Alarm.Timed {

  /** How long the session may be without a peer before it warns. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How often the kind of the outage is checked. */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final Dialer dialer;
  private @Nullable Instant since;
  private @Nullable Instant lookAt;
  // The kind in the last warning; null when there is no outage.
  private @Nullable Object reported;

  public Outage(Part<?> machine, Dialer dialer) {
    super(machine);
    this.dialer = dialer;
  }

  /** Checks whether a peer is connected, and warns if none is. */
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
      effects.emit(new SyncWarning.NobodyReachable(dialer.outage(), settings.proxied()));
    }
  }

  @Override
  public void setAlarm(Alarm alarm) {
    alarm.at(lookAt);
  }
}
