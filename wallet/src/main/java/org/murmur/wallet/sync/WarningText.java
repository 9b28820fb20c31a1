package org.murmur.wallet.sync;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.store.Loss;

/**
 * Sentences for warnings, in English, and how serious they are. Programs with their own words, or
 * in another language, make theirs from the records of {@link WalletWarning}.
 */
public final class WarningText {

  /** How serious a warning is. */
  public enum Severity {
    /** Nothing to do: for a log or a page of details. */
    NOTE,
    /** The result may be incomplete or old, or someone learns more: show it with the result. */
    WARNING,
    /** Money or privacy is at risk: show it until the user has seen it. */
    SERIOUS
  }

  private static final Set<Class<?>> NOTES =
      Set.of(
          WalletWarning.TwoGuardsNeeded.class,
          WalletWarning.CostNotKept.class,
          WalletWarning.PeerOfNoUse.class,
          WalletWarning.PeerInBackOff.class,
          WalletWarning.FurtherLeftOut.class,
          WalletWarning.PeersToBeFound.class,
          WalletWarning.NewBlocksUnknown.class,
          WalletWarning.HeightEstimated.class,
          SyncWarning.StoredChainElsewhere.class,
          SyncWarning.InternalFault.class);

  private static final Set<Class<?>> SERIOUS =
      Set.of(
          WalletWarning.FileDamaged.class,
          WalletWarning.WalletExposed.class,
          WalletWarning.BirthdayAhead.class,
          WalletWarning.PeersDisagree.class);

  private WarningText() {}

  /**
   * Returns the sentence for the user.
   *
   * @param warning which
   * @return begins in lower case or with a peer's address, without a full stop: it follows
   *     "warning: "
   */
  public static String of(WalletWarning warning) {
    if (warning instanceof WalletWarning.OfSession w) {
      return of(w.what());
    }
    if (warning instanceof WalletWarning.FileDamaged w) {
      return damaged(w.loss());
    }
    if (warning instanceof WalletWarning.WalletExposed) {
      return "this wallet was synced with the private preset before; with fast, every peer gets a"
          + " filter from which it can read the whole wallet";
    }
    if (warning instanceof WalletWarning.TwoGuardsNeeded w) {
      return "the private preset needs two guards, so two peers are connected to instead of "
          + w.wanted();
    }
    if (warning instanceof WalletWarning.CostNotKept w) {
      return "the cost of this sync could not be stored: " + w.detail();
    }
    if (warning instanceof WalletWarning.SentNotKept w) {
      return "transaction "
          + w.txid()
          + " was sent, and the wallet's file could not be updated: "
          + w.detail()
          + ". The next sync corrects it";
    }
    if (warning instanceof WalletWarning.FeeBelowFilter w) {
      return "payment "
          + w.txid()
          + " pays "
          + w.paid()
          + ", and the peers say that they relay nothing below "
          + w.least()
          + ": it does not spread as long as that holds. Raise its fee";
    }
    if (warning instanceof WalletWarning.TimeOver w) {
      return "the time limit of " + seconds(w.limit()) + " s " + ended(w.complete());
    }
    if (warning instanceof WalletWarning.BytesOver w) {
      return "the limit of " + w.limit() + " bytes " + ended(w.complete());
    }
    if (warning instanceof WalletWarning.LimitTooSmall w) {
      return "the limit of "
          + w.limit()
          + " bytes is too small for a peer's next answer, so no sync with it gets further: 2000"
          + " headers have 162003 bytes";
    }
    if (warning instanceof WalletWarning.FurtherLeftOut) {
      return "further warnings were omitted";
    }
    return ofChain(warning);
  }

  /**
   * Returns how serious a warning is.
   *
   * @param warning which
   * @return the same for each warning of a kind; less where a limit ended a complete sync
   */
  public static Severity severity(WalletWarning warning) {
    if (warning instanceof WalletWarning.TimeOver limit) {
      return limit.complete() ? Severity.NOTE : Severity.WARNING;
    }
    if (warning instanceof WalletWarning.BytesOver limit) {
      return limit.complete() ? Severity.NOTE : Severity.WARNING;
    }
    Class<?> kind =
        warning instanceof WalletWarning.OfSession session
            ? session.what().getClass()
            : warning.getClass();
    return NOTES.contains(kind)
        ? Severity.NOTE
        : SERIOUS.contains(kind) ? Severity.SERIOUS : Severity.WARNING;
  }

  private static String ofChain(WalletWarning warning) {
    if (warning instanceof WalletWarning.ClockBehind w) {
      return "this machine's clock seems to be "
          + roughly(w.by())
          + " behind: the peers have blocks above height "
          + w.height()
          + " that are dated too far in the future, so they are ignored. Set the clock and sync"
          + " again";
    }
    if (warning instanceof WalletWarning.BirthdayAhead w) {
      return "no block was scanned: the newest one, height "
          + w.height()
          + ", is older than the wallet's birthday. If the wallet was used before that, rescan"
          + " from an earlier date or height";
    }
    if (warning instanceof WalletWarning.OldTip w) {
      long hours = w.age().toHours();
      return "the newest block, height "
          + w.height()
          + ", is of "
          + w.time()
          + ", "
          + (hours < 48 ? hours + " hours" : hours / 24 + " days")
          + " ago: the peers may not be synced, or this machine's clock may be wrong. Newer"
          + " blocks may be missing";
    }
    return ofPeers(warning);
  }

  private static String ofPeers(WalletWarning warning) {
    if (warning instanceof WalletWarning.TooFewPeers w) {
      return "not every block was scanned with "
          + w.wanted()
          + " peers as requested: some were scanned with "
          + w.seen()
          + " only. "
          + (w.useless().isEmpty()
              ? "No further peer was named"
              : "These do not count: " + each(w.useless(), "", ": ", "; "));
    }
    if (warning instanceof WalletWarning.AllChainsShorter w) {
      return "this wallet knows blocks up to height "
          + w.height()
          + ", but the peers' chains are shorter: "
          + each(w.ends(), "", " ends at height ", ", ")
          + ". Newer blocks may be missing: your own node may still be syncing";
    }
    if (warning instanceof WalletWarning.PeerOfNoUse w) {
      return w.peer() + (w.served() ? " was lost: " : " could not be used: ") + w.problem();
    }
    if (warning instanceof WalletWarning.PeersDisagree w) {
      List<String> tellers = new ArrayList<>();
      w.tellers().forEach(peer -> tellers.add(peer.toString()));
      return "peers disagree about transaction "
          + w.txid()
          + " of the block at height "
          + w.height()
          + ": "
          + w.omitter()
          + " omitted it, "
          + (tellers.isEmpty() ? "nobody" : String.join(", ", tellers))
          + " sent it, and no peer sends the whole block that would decide";
    }
    if (warning instanceof WalletWarning.PeerInBackOff w) {
      return w.peer()
          + " is not contacted before "
          + seconds(w.until())
          + ", unless there is no other peer: it misbehaved ("
          + w.reason()
          + ")";
    }
    return ofEstimates(warning);
  }

  private static String ofEstimates(WalletWarning warning) {
    if (warning instanceof WalletWarning.PeersToBeFound w) {
      return toBeFound(w);
    }
    if (warning instanceof WalletWarning.NewBlocksUnknown) {
      return "the number of new blocks is unknown: regtest has no block interval";
    }
    if (warning instanceof WalletWarning.HeightEstimated) {
      return "the chain's height is estimated from the last known block's time and the network's"
          + " pace";
    }
    if (warning instanceof WalletWarning.AllAddressesTaken) {
      return "this wallet cannot derive new addresses, and all of its addresses were used or shown"
          + " before: this is one of them again";
    }
    if (warning instanceof WalletWarning.BeyondGap w) {
      return "the "
          + w.unused()
          + " addresses before this one are unused: a wallet restored from its words with"
          + " a gap limit of "
          + w.gap()
          + " would not find it";
    }
    throw new IllegalArgumentException("no sentence for " + warning);
  }

  private static String ended(boolean complete) {
    return complete
        ? "ended the sync while it waited for unconfirmed transactions"
        : "ended the sync before it was complete";
  }

  private static String toBeFound(WalletWarning.PeersToBeFound w) {
    List<String> sources = new ArrayList<>();
    if (w.known() > 0) {
      sources.add("the " + w.known() + " known addresses with NODE_BLOOM");
    }
    w.seedNodes().forEach(node -> sources.add("seed node " + node));
    if (w.dnsSeeds()) {
      sources.add("DNS seeds");
    }
    sources.add("gossip");
    return (w.standIns().isEmpty() ? "peers" : String.join(", ", w.standIns()))
        + ": to be found with "
        + String.join(", ", sources)
        + "; up to two more peers serve headers and get no filter";
  }

  private static String damaged(Loss loss) {
    String key = loss.what().key();
    String consequence =
        switch (loss.what()) {
          case CREATED -> "the creation date of the wallet is lost";
          case BIRTHDAY_HEIGHT ->
              "the next sync determines the height of the birthday again. If you rescanned from an"
                  + " earlier block before, repeat that rescan";
          case PRESET -> "the wallet counts as private until a sync names another preset";
          case PEERS -> "the next syncs learn about the lost peers again";
          case ADDRESSES -> "the next syncs find peer addresses again";
          case SESSIONS -> "the next estimates are less exact";
          case TRAFFIC -> "the overview shows fewer bytes by cause";
        };
    return loss.store()
        + " is damaged in the table "
        + loss.what().table()
        + (key.isEmpty() ? "" : " (" + key + ")")
        + ": the damaged rows were dropped; "
        + consequence
        + ". Check the disk, and keep a copy of the words or of the descriptors";
  }

  private static String each(
      Map<NodeAddress, ?> peers, String before, String between, String separator) {
    List<String> parts = new ArrayList<>();
    peers.forEach((peer, what) -> parts.add(before + peer + between + what));
    return String.join(separator, parts);
  }

  private static String roughly(Duration time) {
    long hours = time.toHours();
    if (hours >= 48) {
      return hours / 24 + " days";
    }
    return hours >= 2 ? hours + " hours" : time.toMinutes() + " minutes";
  }

  private static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private static String of(SyncWarning warning) {
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
          + ". The network or these peers may have stopped; they are asked again, and other"
          + " peers are tried";
    }
    if (warning instanceof SyncWarning.MisbehavedPeerCalled w) {
      return w.peer()
          + " misbehaved ("
          + w.reason()
          + ") and is banned until "
          + seconds(w.until())
          + "; it is contacted anyway, because there is no other peer";
    }
    if (warning instanceof SyncWarning.PaymentsUnchecked w) {
      return (w.payments() == 1 ? "1 pending payment" : w.payments() + " pending payments")
          + " could not be checked: no guard announced it, and none could deny it (their filters"
          + " are of another epoch, or an answer was incomplete). It may have been replaced or"
          + " dropped; it counts until it is "
          + w.expiry().toHours()
          + " hours old";
    }
    if (warning instanceof SyncWarning.InternalFault w) {
      return "internal error while handling a message from "
          + w.peer()
          + ", which was dropped; its blocks are requested again: "
          + w.detail();
    }
    return warning instanceof SyncWarning.OneNetworkGroup w ? oneGroup(w) : ofBlocks(warning);
  }

  private static String oneGroup(SyncWarning.OneNetworkGroup w) {
    return (w.peers() == 1
            ? "the only peer is in the network group "
            : "all " + w.peers() + " peers are in one network group, ")
        + w.group()
        + ": its operator could show a chain that is not the best, or omit transactions, unnoticed";
  }

  private static String ofBlocks(SyncWarning warning) {
    if (warning instanceof SyncWarning.ClaimUnchecked w) {
      return w.peer()
          + " says that its chain ends at height "
          + w.height()
          + "; its headers are not requested, because they could exceed the byte limit";
    }
    if (warning instanceof SyncWarning.SlowPeer w) {
      return w.peer()
          + " is slow: "
          + w.bytes()
          + " bytes of requested data in "
          + w.time().toMillis() / 1000
          + " seconds, and "
          + (w.guard() ? "only this guard may serve them" : "there is no other peer")
          + ". The sync waits for it";
    }
    if (warning instanceof SyncWarning.ClaimNotKept w) {
      return w.peer()
          + " says that its chain ends at height "
          + w.claimed()
          + ", but its headers end at height "
          + w.shown()
          + "; nothing counts as complete because of it. Is it still syncing?";
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
          + " dated more than two hours ahead of this machine's clock; it is ignored. Is the"
          + " clock right?";
    }
    if (warning instanceof SyncWarning.StoredChainElsewhere w) {
      return "the headers stored do not lead through the known block "
          + w.known()
          + " at height "
          + w.height()
          + "; headers are requested one batch after the other";
    }
    if (warning instanceof SyncWarning.NotSpotChecked w) {
      return "no peer sends block "
          + w.block()
          + " at height "
          + w.height()
          + ": it was not spot-checked";
    }
    if (warning instanceof SyncWarning.NoBytesForWholeBlock w) {
      return "the byte limit is too low to download the whole block "
          + w.block()
          + " at height "
          + w.height()
          + " (up to 1,000,000 bytes), which is needed to check its Merkle proof";
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
          + (w.named() ? "cannot be reached" : "was not named")
          + ", and no other peer gets that filter without your consent. "
          + (w.named() ? "Try again later" : "Name it")
          + ", or dismiss it: then one more peer learns the filter";
    }
    boolean discovering =
        missing instanceof SyncWarning.NobodyToGuard nobody && nobody.discovering();
    return "the private preset sends filters of scripts to one peer and of outpoints to another,"
        + " and there is no usable peer for the "
        + missing.role().title()
        + (discovering ? " in another network group than the first" : "")
        + ". Name one more, or let one peer get both: it can find the wallet's transactions by the"
        + " pair";
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
