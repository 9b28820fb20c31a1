package org.murmur.cli.sync;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.words.Failure;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The common options of {@code sync} and {@code rescan}. */
final class SyncArguments {

  @Mixin private PeerArguments peers = new PeerArguments();

  @Option(
      names = "--fp",
      paramLabel = "RATE",
      description = "fast: false-positive rate of the filters (default: 1e-9).")
  private @Nullable Double rate;

  @Option(
      names = "--one-peer",
      description = {
        "private with one peer: it gets the filters of scripts and outpoints, one after the",
        "other, and can find the wallet's transactions by the pair."
      })
  private boolean onePeer;

  @Option(
      names = "--budget",
      paramLabel = "MB",
      description = {
        "private: megabytes a month, on a busy mainnet, for false matches and filtered blocks;",
        "rounded to a public size class (default: 15, false-positive rate 1e-4; the other: 120,",
        "rate 1e-3). Applies to new filters only; a restore needs the same value."
      })
  private @Nullable Double budget;

  @Option(
      names = "--replace-guard",
      paramLabel = "HOST[:PORT]",
      description = {
        "private: replace this guard by another named peer, which then learns the filter as well.",
        "Guards never change without this option. Repeatable."
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
        "Scan every block with K different peers (default: 1) and compare their answers. A peer",
        "that omitted a transaction is dropped, and its blocks are scanned again. Fewer than K",
        "usable peers: exit code 3. Peers disagree and no peer sends the whole block: exit code 5."
      })
  private int verify = 1;

  @Option(
      names = "--spot-check",
      paramLabel = "N",
      description = {
        "Fetch N whole blocks at random heights and compare them with the filtered blocks; works",
        "with one peer (default: 0). Each costs up to 1,000,000 bytes; a filtered block without",
        "matches about 150. An omission in one of B blocks is found with probability N / B."
      })
  private int spotChecks;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = {
        "Receive at most N bytes. Open requests count, so a sync ends some thousand bytes below.",
        "Progress is kept. A peer that claims more headers than fit is skipped when another peer",
        "has sent all of its headers; a warning names it."
      })
  private @Nullable Long maxBytes;

  /** The options of a session, checked except for those that depend on the wallet's preset. */
  SyncOptions toOptions(Action command) {
    SyncOptions options = peers.toOptions(command).limits(this::limits);
    Preset.Fast fast = fast();
    options.preset().ifPresent(said -> checkPreset(said == Preset.Kind.PRIVATE, ""));
    Preset.Private guarded = guarded(command.network());
    return options.ifFast(usual -> fast).ifPrivate(usual -> guarded);
  }

  private Limits limits(Limits usual) {
    Limits limits = usual;
    if (mempoolWait != null) {
      limits = limits.mempoolWait(PeerArguments.seconds("--mempool-wait", mempoolWait));
    }
    if (maxBytes != null) {
      limits = limits.bytes(Numbers.within("--max-bytes", maxBytes, 1, Long.MAX_VALUE));
    }
    return limits;
  }

  private Preset.Fast fast() {
    double falsePositives = rate == null ? Preset.Fast.RATE : rate;
    Preset.Fast fast = Failure.checked("--fp", () -> Preset.Fast.USUAL.rate(falsePositives));
    Preset.Fast verified = Failure.checked("--verify", () -> fast.verify(verify));
    return Failure.checked("--spot-check", () -> verified.spotChecks(spotChecks));
  }

  /** Checks the options that depend on the wallet's preset. */
  void check(SpvWallet wallet, SyncOptions options) {
    PresetChoice choice = wallet.privacy().preset(options);
    boolean guarded = choice.preset() == Preset.Kind.PRIVATE;
    String why =
        switch (choice.reason()) {
          case SAID -> "";
          case LAST -> ", the last one that was chosen for this wallet,";
          case RULE -> ", the default for peers on the internet,";
        };
    checkPreset(guarded, why);
    boolean few =
        !options.peers().discovery().isPresent()
            && options.peers().named().size() < choice.leastPeers();
    if (guarded && few && !options.headersOnly()) {
      throw Failure.usage(
          "--privacy private"
              + why
              + " sends filters of scripts to one peer and of outpoints to another. Name a second"
              + " peer with --connect, or use --one-peer (that peer can find the wallet's"
              + " transactions by the pair), or --privacy fast");
    }
  }

  /** Options of one preset are invalid with the other. */
  private void checkPreset(boolean guarded, String why) {
    if (!guarded) {
      if (onePeer || budget != null || !replaceGuards.isEmpty()) {
        throw Failure.usage(
            "--one-peer, --budget and --replace-guard need --privacy private, but this sync is"
                + " fast");
      }
      return;
    }
    if (verify > 1) {
      throw Failure.usage(
          "--verify compares the answers of several peers to the same filter; with --privacy"
              + " private"
              + why
              + " no two peers get the same filter. Use --privacy fast to verify");
    }
    if (spotChecks > 0) {
      throw Failure.usage(
          "--spot-check fetches whole blocks from the peers that serve filtered blocks; it works"
              + " with --privacy fast only");
    }
    if (rate != null) {
      throw Failure.usage(
          "--fp is for --privacy fast; a filter with its own rate would stand out among the"
              + " public size classes. Choose one of these with --budget MB");
    }
  }

  private Preset.Private guarded(ChainParams network) {
    if (budget != null && !(budget > 0 && budget < 1e9)) {
      throw Failure.usage("--budget " + budget + ", expected megabytes a month, above 0");
    }
    return new Preset.Private(
        budget == null ? SizeClass.THRIFTY : nearest(budget),
        onePeer,
        new HashSet<>(PeerArguments.addresses("--replace-guard", replaceGuards, network)));
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
    return Math.abs(
        Math.log(megabytes / (Preset.Private.GUARDS * BusyMainnet.megabytesPerMonth(rate))));
  }
}
