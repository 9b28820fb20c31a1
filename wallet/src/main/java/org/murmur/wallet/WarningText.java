package org.murmur.wallet;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.murmur.p2p.sync.SyncWarning;

/** The sentence for each kind of warning that the machine gives. */
final class WarningText {

  private WarningText() {}

  static String of(SyncWarning warning) {
    if (warning instanceof SyncWarning.MissingGuard w) {
      return missing(w);
    }
    if (warning instanceof SyncWarning.NobodyReachable w) {
      return "no peer can be reached ("
          + w.reason()
          + "); trying again at least once a minute. Is this machine online?"
          + (w.proxied() ? " Is the proxy running?" : "");
    }
    if (warning instanceof SyncWarning.NoNewBlock w) {
      return "no new block for "
          + w.age().toHours()
          + " hours: the last one is at height "
          + w.height()
          + ", of "
          + seconds(w.time())
          + ". Either the network stands still, or these peers do; they are asked on, and whoever"
          + " else there is";
    }
    if (warning instanceof SyncWarning.MisbehavedPeerCalled w) {
      return w.peer()
          + " misbehaved ("
          + w.reason()
          + ") and was to be left alone until "
          + seconds(w.until())
          + "; it is called all the same, because there is nobody else to call";
    }
    if (warning instanceof SyncWarning.PaymentsUnchecked w) {
      return (w.payments() == 1 ? "1 pending payment" : w.payments() + " pending payments")
          + " could not be checked: no guard announced what waits here, and none could"
          + " deny it (its filter is of another epoch, or its answer did not come whole)."
          + " Perhaps it was replaced or dropped; it counts until it is "
          + w.expiry().toHours()
          + " hours old";
    }
    if (warning instanceof SyncWarning.InternalError w) {
      return "internal error in handling what "
          + w.peer()
          + " sent; it is let go, and what it served is asked for again: "
          + w.detail();
    }
    return warning instanceof SyncWarning.OneNetworkGroup w ? oneGroup(w) : ofBlocks(warning);
  }

  private static String oneGroup(SyncWarning.OneNetworkGroup w) {
    return (w.peers() == 1
            ? "only one peer is there, of the network group "
            : "all " + w.peers() + " peers are of one network group, ")
        + w.group()
        + ": whoever runs it could show another chain than the best, or leave something"
        + " out, and nobody would say so";
  }

  private static String ofBlocks(SyncWarning warning) {
    if (warning instanceof SyncWarning.ClaimUnchecked w) {
      return w.peer()
          + " says that its chain ends at height "
          + w.height()
          + ", and is not asked for headers: its answer could exceed the limit of bytes";
    }
    if (warning instanceof SyncWarning.KnownChainRefused w) {
      return "block "
          + w.block()
          + " leads to the known block "
          + w.known()
          + " at height "
          + w.height()
          + ", but is refused ("
          + w.rule().name().toLowerCase(Locale.ROOT).replace('_', ' ')
          + "). Is the clock right?";
    }
    if (warning instanceof SyncWarning.BlockFromTheFuture w) {
      return w.peer()
          + " sends block "
          + w.block()
          + " with a time over two hours ahead of this machine's clock; it is left out."
          + " Is the clock right?";
    }
    if (warning instanceof SyncWarning.StoredChainElsewhere w) {
      return "the headers stored do not lead through the known block "
          + w.known()
          + " at height "
          + w.height()
          + "; headers are asked for one batch after the other";
    }
    if (warning instanceof SyncWarning.NotSpotChecked w) {
      return "no peer hands over block "
          + w.block()
          + " at height "
          + w.height()
          + ": it was not spot-checked";
    }
    if (warning instanceof SyncWarning.NoBytesForWholeBlock w) {
      return "the limit of bytes is too low to fetch block "
          + w.block()
          + " at height "
          + w.height()
          + " whole, up to 1,000,000 bytes; only that shows whether its Merkle proof is right";
    }
    throw new IllegalArgumentException("no sentence for " + warning);
  }

  private static String missing(SyncWarning.MissingGuard missing) {
    if (missing instanceof SyncWarning.GuardAbsent w) {
      return "the guard that holds the wallet's "
          + w.role().title()
          + ", "
          + w.guard()
          + ", "
          + (w.named() ? "is not there" : "was not named with --connect")
          + ", and no other peer is shown that filter unasked. "
          + (w.named() ? "Try again later" : "Name it")
          + ", or give it up with --replace-guard "
          + w.guard()
          + ": then one more peer learns the filter";
    }
    boolean discovering =
        missing instanceof SyncWarning.NobodyToGuard nobody && nobody.discovering();
    return "the private preset shows the scripts to one peer and the outpoints to another, and no"
        + " usable peer is there for the "
        + missing.role().title()
        + (discovering ? ", of another network group than the first, can be found" : "")
        + ". Name one more with --connect; or say --one-peer, then one peer is shown both and can"
        + " tell by the pair which transactions are the wallet's";
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
