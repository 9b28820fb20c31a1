package org.murmur.cli.words;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.WalletWarning;
import org.murmur.wallet.store.Loss;

/** The sentence for each kind of warning that the library gives, with this program's options. */
public final class WarningText {

  private WarningText() {}

  /**
   * Makes the sentences for all warnings.
   *
   * @param warnings of a report or an estimate
   * @return a sentence for each, in the same order
   */
  public static List<String> of(List<WalletWarning> warnings) {
    List<String> sentences = new ArrayList<>();
    warnings.forEach(warning -> sentences.add(of(warning)));
    return sentences;
  }

  /**
   * Names the kind of a warning for programs.
   *
   * @param warning which
   * @return words with underscores, one name for each kind
   */
  public static String kind(WalletWarning warning) {
    Object kind = warning instanceof WalletWarning.OfSession session ? session.what() : warning;
    return kind.getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Makes the sentence for a warning of the wallet.
   *
   * @param warning which
   * @return a sentence that begins in lower case
   */
  public static String of(WalletWarning warning) {
    if (warning instanceof WalletWarning.OfSession w) {
      return of(w.what());
    }
    if (warning instanceof WalletWarning.FileDamaged w) {
      return damaged(w.loss());
    }
    if (warning instanceof WalletWarning.WalletExposed) {
      return "this wallet was synced under the private preset before; under fast every peer is"
          + " shown a filter that it can read the whole wallet from";
    }
    if (warning instanceof WalletWarning.TwoGuardsNeeded w) {
      return "the private preset needs two guards, so two peers are connected to and not "
          + w.wanted()
          + "; with --one-peer one is enough, and learns more";
    }
    if (warning instanceof WalletWarning.CostNotKept w) {
      return "what this sync cost could not be written down: " + w.detail();
    }
    if (warning instanceof WalletWarning.TimeOver w) {
      return "the time limit of " + seconds(w.limit()) + " s " + ended(w.complete());
    }
    if (warning instanceof WalletWarning.BytesOver w) {
      return "the limit of " + w.limit() + " bytes " + ended(w.complete());
    }
    if (warning instanceof WalletWarning.FurtherLeftOut) {
      return "further warnings were left out";
    }
    return ofChain(warning);
  }

  private static String ofChain(WalletWarning warning) {
    if (warning instanceof WalletWarning.ClockBehind w) {
      return "this machine's clock seems to be "
          + roughly(w.by())
          + " behind: the peers have blocks above height "
          + w.height()
          + " that it takes for blocks of the future, and they are left out. Set the clock and"
          + " sync again";
    }
    if (warning instanceof WalletWarning.BirthdayAhead w) {
      return "no block was looked at: the newest one, height "
          + w.height()
          + ", lies before the wallet's birthday. If it was used earlier than that, a rescan"
          + " from an earlier date or height finds what came then";
    }
    if (warning instanceof WalletWarning.OldTip w) {
      long hours = w.age().toHours();
      return "the newest block, height "
          + w.height()
          + ", is of "
          + w.time()
          + ", "
          + (hours < 48 ? hours + " hours" : hours / 24 + " days")
          + " ago: the peers may not be synced themselves, or be cut off from the network, or this"
          + " machine's clock may be wrong. Newer blocks may be missing";
    }
    return ofPeers(warning);
  }

  private static String ofPeers(WalletWarning warning) {
    if (warning instanceof WalletWarning.TooFewPeers w) {
      return "not every block was seen by "
          + w.wanted()
          + " peers, as was asked: some were seen by "
          + w.seen()
          + " only. "
          + (w.useless().isEmpty()
              ? "No further peer was named"
              : "These do not count: " + each(w.useless(), "", ": ", "; "));
    }
    if (warning instanceof WalletWarning.AllChainsShorter w) {
      return "nobody was there whose chain is as long as the one that this wallet knows, which ends"
          + " at height "
          + w.height()
          + ": "
          + each(w.ends(), "that of ", " at height ", ", ")
          + ". Newer blocks may be missing: a node of your own may still be syncing (bitcoin-cli"
          + " getblockchaininfo: blocks and headers)";
    }
    if (warning instanceof WalletWarning.PeerOfNoUse w) {
      return w.peer()
          + (w.served() ? " is not there any more: " : " was of no use: ")
          + w.problem();
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
          + " left it out, "
          + (tellers.isEmpty() ? "nobody" : String.join(", ", tellers))
          + " told of it, and no peer hands over the whole block";
    }
    if (warning instanceof WalletWarning.PeerInBackOff w) {
      return w.peer()
          + " is not called before "
          + seconds(w.until())
          + ", unless nobody else is left: it misbehaved ("
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
      return "how many new blocks there are is not known: on regtest they are made at will";
    }
    if (warning instanceof WalletWarning.HeightEstimated) {
      return "the chain's height is estimated from the last known block's time and the network's"
          + " pace";
    }
    if (warning instanceof WalletWarning.AllAddressesTaken) {
      return "this wallet watches single addresses, and all of them are used or were handed out:"
          + " this is one of them";
    }
    if (warning instanceof WalletWarning.BeyondGap w) {
      return "the "
          + w.unused()
          + " addresses before this one are unused: a wallet restored from its words with"
          + " a gap limit of "
          + w.gap()
          + " would not look this far";
    }
    throw new IllegalArgumentException("no sentence for " + warning);
  }

  private static String ended(boolean complete) {
    return complete
        ? "ended the sync while unconfirmed transactions were awaited"
        : "ended the sync before it was complete";
  }

  private static String toBeFound(WalletWarning.PeersToBeFound w) {
    List<String> sources = new ArrayList<>();
    if (w.known() > 0) {
      sources.add("the " + w.known() + " addresses with NODE_BLOOM that this wallet knows");
    }
    w.seedNodes().forEach(node -> sources.add("what " + node + " tells"));
    if (w.dnsSeeds()) {
      sources.add("DNS seeds");
    }
    sources.add("gossip");
    return (w.standIns().isEmpty() ? "peers" : String.join(", ", w.standIns()))
        + ": to be found, by "
        + String.join(", ", sources)
        + "; up to two more are asked for headers and shown no filter";
  }

  private static String damaged(Loss loss) {
    String key = loss.what().key();
    String consequence =
        switch (loss.what()) {
          case CREATED -> "when the wallet was made is not known any more";
          case BIRTHDAY_HEIGHT ->
              "the next sync finds the height of the birthday again; if you rescanned from an"
                  + " earlier block, run that `murmur rescan` again";
          case PRESET ->
              "the wallet counts as private until `murmur sync --privacy` names another preset";
          case PEERS -> "syncs learn again about the peers that were lost";
          case ADDRESSES -> "syncs find the addresses of peers again";
          case SESSIONS -> "estimates of the next syncs know less";
        };
    return loss.store()
        + " is damaged in the table "
        + loss.what().table()
        + (key.isEmpty() ? "" : " (" + key + ")")
        + ": what it said there was dropped; "
        + consequence
        + ". Check the disk, and keep a copy of the words or of `murmur export descriptor`";
  }

  private static String each(
      Map<PeerAddress, ?> peers, String before, String between, String separator) {
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

  /**
   * Makes the sentence for a warning of a session with peers.
   *
   * @param warning which
   * @return a sentence that begins in lower case
   */
  public static String of(SyncWarning warning) {
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
    if (warning instanceof SyncWarning.InternalFault w) {
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
