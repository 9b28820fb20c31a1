package org.murmur.cli.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.privacy.Traffic;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.words.Failure;
import org.murmur.p2p.chain.Network;
import org.murmur.wallet.GuardOptions;
import org.murmur.wallet.PresetChoice;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.SyncOptions;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.privacy.Preset;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How to sync: what {@code sync} and {@code rescan} have in common. */
final class SyncArguments {

  /** Two guards, each of which sends what matches its filter. */
  private static final int GUARDS = 2;

  @Mixin private PeerArguments peers = new PeerArguments();

  @Option(
      names = "--fp",
      paramLabel = "RATE",
      description = "fast: false-positive rate of the filters (default: 1e-9).")
  private @Nullable Double rate;

  @Option(
      names = "--one-peer",
      description = {
        "private with a single peer: it is shown scripts and outpoints, one after the other, and",
        "can tell by the pair which transactions are the wallet's."
      })
  private boolean onePeer;

  @Option(
      names = "--budget",
      paramLabel = "MB",
      description = {
        "private: megabytes a month, on a busy mainnet, for what matches by chance and the blocks",
        "themselves; the nearest public size class is taken (default: 15, false-positive rate 1e-4;",
        "the other one: 120, rate 1e-3). What was shown once stays as it was: this is for new",
        "filters, and a restore needs the same."
      })
  private @Nullable Double budget;

  @Option(
      names = "--replace-guard",
      paramLabel = "HOST[:PORT]",
      description = {
        "private: give this guard up for another of the named peers, which then learns the filter,",
        "too. Without this the peers that hold the filters are never changed. Repeatable."
      })
  private List<String> replaceGuards = new ArrayList<>();

  @Option(
      names = "--mempool-wait",
      paramLabel = "SECONDS",
      description = "How long to wait for unconfirmed transactions (default: 10; 0: do not ask).")
  private @Nullable Double mempoolWait;

  @Option(
      names = "--verify",
      paramLabel = "K",
      description = {
        "Have every block seen by K different peers (default: 1) and compare what they tell. Who",
        "left something out is dropped, and what it saw is looked at again. Fewer than K usable",
        "peers: exit code 3; peers disagree and nobody hands the block over: exit code 5."
      })
  private int verify = 1;

  @Option(
      names = "--spot-check",
      paramLabel = "N",
      description = {
        "Fetch N whole blocks at random heights and compare them with what was told of them, also",
        "with one peer only (default: 0). Each costs its whole size, up to 1,000,000 bytes; a",
        "filtered block without matches is about 150. A block with something left out is found",
        "with a chance of N in the number of blocks."
      })
  private int spotChecks;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = {
        "Receive at most N bytes. Requests that are still open count, so a sync ends some thousand",
        "bytes below. What is done is kept. A peer that says it has more headers than fit is not",
        "asked when another one has told all it has; a warning names it."
      })
  private @Nullable Long maxBytes;

  /** The options of a session, all checked but for what depends on the wallet's preset. */
  SyncOptions toOptions(Network network, Map<String, String> environment) {
    SyncOptions options = peers.toOptions(network, environment);
    if (mempoolWait != null) {
      options = options.mempoolWait(PeerArguments.seconds("--mempool-wait", mempoolWait));
    }
    if (rate != null) {
      if (!(rate > 0 && rate < 1)) {
        throw Failure.usage("--fp " + rate + ", expected more than 0 and less than 1");
      }
      options = options.rate(rate);
    }
    if (maxBytes != null) {
      if (maxBytes < 1) {
        throw Failure.usage("--max-bytes " + maxBytes + ", expected at least 1");
      }
      options = options.maxBytes(maxBytes);
    }
    if (verify < 1) {
      throw Failure.usage("--verify " + verify + ", expected at least 1");
    }
    if (spotChecks < 0) {
      throw Failure.usage("--spot-check " + spotChecks + ", expected 0 or more");
    }
    options.preset().ifPresent(said -> checkPreset(said == Preset.PRIVATE, ""));
    return options.verify(verify).spotChecks(spotChecks).guards(guards(network));
  }

  /** Checks what depends on the wallet's preset. */
  void check(SpvWallet wallet, SyncOptions options) throws WalletException {
    PresetChoice choice = wallet.preset(options);
    boolean guarded = choice.preset() == Preset.PRIVATE;
    String why =
        switch (choice.reason()) {
          case SAID -> "";
          case LAST -> ", which this wallet used last,";
          case RULE -> ", the default for peers on the internet,";
        };
    checkPreset(guarded, why);
    boolean few = !options.discovers() && options.peers().size() < choice.leastPeers();
    if (guarded && few && !options.headersOnly()) {
      throw Failure.usage(
          "--privacy private"
              + why
              + " shows the scripts to one peer and the outpoints to another: name a second one with"
              + " --connect, or say --one-peer (one peer that is shown both can tell by the pair which"
              + " transactions are the wallet's), or --privacy fast");
    }
  }

  /** What belongs to one preset makes no sense under the other. */
  private void checkPreset(boolean guarded, String why) {
    if (!guarded) {
      if (onePeer || budget != null || !replaceGuards.isEmpty()) {
        throw Failure.usage(
            "--one-peer, --budget and --replace-guard belong to --privacy private, and this sync is"
                + " fast");
      }
      return;
    }
    if (verify > 1) {
      throw Failure.usage(
          "--verify compares what several peers tell of the same filter; under --privacy private"
              + why
              + " no two peers are shown the same. --privacy fast verifies");
    }
    if (spotChecks > 0) {
      throw Failure.usage(
          "--spot-check asks peers for whole blocks beside filtered ones, and is built for --privacy"
              + " fast only");
    }
    if (rate != null) {
      throw Failure.usage(
          "--fp is for --privacy fast; a filter of a rate of one's own would stand out among those"
              + " of the public size classes. --budget MB chooses among these");
    }
  }

  private GuardOptions guards(Network network) {
    GuardOptions guards = GuardOptions.USUAL.onePeer(onePeer);
    if (budget != null) {
      if (!(budget > 0 && budget < 1e9)) {
        throw Failure.usage("--budget " + budget + ", expected megabytes a month, above 0");
      }
      guards = guards.rate(nearest(budget));
    }
    List<String> dismissed = new ArrayList<>();
    for (String text : replaceGuards) {
      dismissed.add(PeerArguments.parse("--replace-guard", text, network).toString());
    }
    return guards.dismissed(dismissed);
  }

  /** The rate of the size classes whose cost is nearest to a budget, by the ratio of the two. */
  static double nearest(double megabytes) {
    double best = SizeClass.THRIFTY;
    for (SizeClass size : SizeClass.ALL) {
      if (distance(megabytes, size.rate()) < distance(megabytes, best)) {
        best = size.rate();
      }
    }
    return best;
  }

  private static double distance(double megabytes, double rate) {
    return Math.abs(Math.log(megabytes / (GUARDS * Traffic.megabytesPerMonth(rate))));
  }
}
