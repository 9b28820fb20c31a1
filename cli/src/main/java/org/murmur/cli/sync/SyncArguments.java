package org.murmur.cli.sync;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Text;
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
      names = "--pool",
      paramLabel = "none|all|HOST[:PORT]",
      completionCandidates = Choices.Pools.class,
      description = {
        "compact: which unconfirmed payments are seen. none: those that you send (default). all:",
        "each transaction that peers announce is fetched and tested here, so no peer learns an",
        "address; nothing older is seen, and it takes some hundred megabytes a day on mainnet",
        "(default with --follow on test networks). HOST: this node, which you trust, gets a filter",
        "as with fast and learns all your addresses; no other peer does (peerbloomfilters=1)."
      })
  private @Nullable String pool;

  @Option(
      names = "--verify",
      paramLabel = "K|filters",
      converter = Verification.Parser.class,
      description = {
        "Scan every block with K different peers (default: 1) and compare their answers. A peer",
        "that omitted a transaction is dropped, and its blocks are scanned again. Fewer than K",
        "usable peers: exit code 3. Peers disagree and no peer sends the whole block: exit code 5.",
        "filters: compare the scan with the block filters (BIP-0157) of one named peer or two",
        "found ones. It works with one scanning peer, and with --privacy private; a filter is",
        "about 20 kB on mainnet. A whole block decides, and its server learns the height.",
        "compact: K peers must agree on the block filters (default: 1 named peer, 2 found ones);",
        "no filter can hide a payment if one of them is honest."
      })
  private Verification verify = new Verification(1, false);

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
    options.preset().ifPresent(said -> checkPreset(said, ""));
    Preset.Private guarded = guarded(command.network());
    SyncOptions chosen = options.ifFast(usual -> fast).ifPrivate(usual -> guarded);
    return pool == null ? chosen : chosen.pool(pool(pool, command.network()));
  }

  private static Preset.Pool pool(String text, ChainParams network) {
    return switch (text) {
      case "none" -> Preset.Pool.NONE;
      case "all" -> Preset.Pool.ALL;
      default -> Preset.Pool.of(PeerArguments.parse("--pool", text, network));
    };
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
    Preset.Fast verified =
        Failure.checked(
            "--verify", () -> fast.verify(verify.peers()).filterPeers(verify.filterPeers()));
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
    checkPreset(choice.preset(), why);
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

  /** Options of one preset are invalid with another. */
  private void checkPreset(Preset.Kind preset, String why) {
    boolean guarded = preset == Preset.Kind.PRIVATE;
    if (!guarded && (onePeer || budget != null || !replaceGuards.isEmpty())) {
      throw Failure.usage(
          "--one-peer, --budget and --replace-guard need --privacy private, but this sync is "
              + Text.lower(preset));
    }
    if (preset != Preset.Kind.COMPACT && pool != null) {
      throw Failure.usage(
          "--pool is for --privacy compact, but this sync is "
              + Text.lower(preset)
              + why
              + " and asks its peers for unconfirmed payments anyway. Leave --pool out, or use"
              + " --privacy compact");
    }
    if (preset == Preset.Kind.COMPACT && (spotChecks > 0 || rate != null)) {
      throw Failure.usage(
          "--spot-check and --fp need --privacy fast; --privacy compact"
              + why
              + " sends no filter, and reads whole blocks anyway");
    }
    if (preset == Preset.Kind.COMPACT && verify.byFilters()) {
      throw Failure.usage(
          "--verify filters needs --privacy fast or private; --privacy compact"
              + why
              + " finds everything by block filters. --verify K says how many peers must agree");
    }
    if (!guarded) {
      return;
    }
    if (verify.peers() > 1) {
      throw Failure.usage(
          "--verify K compares the answers of several peers to the same filter; with --privacy"
              + " private"
              + why
              + " no two peers get the same filter. Use --verify filters, or --privacy fast");
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
        new HashSet<>(PeerArguments.addresses("--replace-guard", replaceGuards, network)),
        verify.filterPeers());
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
