package org.murmur.p2p.internal.peers;

import java.util.Locale;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * Why a peer is to be dropped, or that it may stay, and the obstacle that this is for a user
 * without another peer. A lie is an ordinary outcome, so it is a value.
 */
public record Refusal(DisconnectReason reason, Obstacle obstacle, String detail) {

  /** Nothing is wrong. */
  public static final Refusal NONE = new Refusal(DisconnectReason.DONE, "");

  /** A refusal with {@link Obstacle#LOST}. */
  public Refusal(DisconnectReason reason, String detail) {
    this(reason, Obstacle.LOST, detail);
  }

  /** The name of a rule, as words. */
  public static String words(Enum<?> rule) {
    return rule.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  public boolean isRefusal() {
    return reason != DisconnectReason.DONE;
  }
}
