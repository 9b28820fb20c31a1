package org.murmur.cli.picture;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.Unit;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.KnownPeer;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.CoverageMap.Band;
import org.murmur.wallet.overview.CoverageMap.Mark;
import org.murmur.wallet.overview.CoverageMap.Range;
import org.murmur.wallet.overview.CoverageMap.Seen;
import org.murmur.wallet.overview.PastSync;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;

/** Pages of wallets that no test could sync. */
final class Pages {

  /** Words of a peer that must not become a part of the page. */
  static final String HOSTILE = "/<script>document.title='owned'</script>\"'><img src=x>\u202e/";

  private static final Instant NOW = Instant.parse("2026-08-01T12:00:00Z");
  private static final int STRIPE = 144;

  private Pages() {}

  /** A dozen peers that share 900,000 blocks in stripes; one block is missing. */
  static WalletPage large(int missing, Unit unit) {
    return page(12, 900_000, List.of(new Range(missing, missing)), unit);
  }

  /** Peers that share blocks from height 0 on, in stripes; some are missing. */
  static WalletPage page(int peers, int blocks, List<Range> gaps, Unit unit) {
    int tip = blocks - 1;
    List<Seen> seen = new ArrayList<>();
    int next = 0;
    for (Range gap : gaps) {
      if (gap.from() > next) {
        seen.add(new Seen(new Range(next, gap.from() - 1), 1));
      }
      seen.add(new Seen(gap, 0));
      next = gap.to() + 1;
    }
    if (next <= tip) {
      seen.add(new Seen(new Range(next, tip), 1));
    }
    List<Band> bands = new ArrayList<>();
    List<KnownPeer> known = new ArrayList<>();
    List<Knowledge> learned = new ArrayList<>();
    for (int peer = 0; peer < peers; peer++) {
      NodeAddress address = NodeAddress.parse("192.0.2." + (peer + 1) + ":8333", 8333);
      List<Range> served = new ArrayList<>();
      for (int from = peer * STRIPE; from <= tip; from += peers * STRIPE) {
        served.add(new Range(from, Math.min(tip, from + STRIPE - 1)));
      }
      List<Range> whole = peer % 3 == 2 ? List.of() : served;
      bands.add(new Band(address, served, whole));
      known.add(known(address, tip));
      learned.add(knowledge(address, peer));
    }
    List<Mark> marks = new ArrayList<>();
    for (int height : CoverageMap.axis(0, tip, 6)) {
      marks.add(new Mark(height, NOW.minus(Duration.ofMinutes(10L * (tip - height)))));
    }
    CoverageMap coverage = new CoverageMap(0, tip, seen, bands, 3, marks);
    boolean complete = gaps.isEmpty();
    int completeTo = complete ? tip : gaps.get(0).from() - 1;
    ChainState chain =
        new ChainState(
            0,
            tip,
            Hash256.ZERO,
            NOW,
            OptionalInt.of(0),
            completeTo < 0 ? OptionalInt.empty() : OptionalInt.of(completeTo),
            complete,
            1,
            List.of());
    return new WalletPage(
        "<b>mine</b>",
        "mainnet",
        NOW,
        unit,
        new AsOf<>(new Balance(123_456_789, -1_000, 0, 0), chain),
        coverage,
        report(learned),
        syncs(),
        known);
  }

  private static KnownPeer known(NodeAddress address, int tip) {
    return new KnownPeer(
        address,
        HOSTILE,
        Services.BLOOM,
        tip,
        Optional.of(Duration.ofMillis(87)),
        NOW,
        Optional.of(HOSTILE),
        2,
        120,
        Optional.empty(),
        0,
        Optional.empty());
  }

  /** The first ones know all, the next ones guess, the last ones know nothing. */
  private static Knowledge knowledge(NodeAddress address, int peer) {
    Matches sure = new Matches(Matches.Test.SCRIPTS, 2, 14, 0.0003);
    Matches guess = new Matches(Matches.Test.SCRIPTS, 1, 14, 120_000);
    boolean knows = peer < 4;
    boolean guesses = !knows && peer < 9;
    return new Knowledge(
        List.of(address),
        knows ? 2 : 1,
        knows ? 2 : 1,
        knows ? Optional.of(sure) : Optional.empty(),
        knows || guesses ? Optional.of(knows ? sure : guess) : Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        knows ? 3 : 0,
        knows ? 3 : 0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static PrivacyReport report(List<Knowledge> peers) {
    return new PrivacyReport(
        Universe.of(ChainParams.MAINNET),
        2_000,
        14,
        20,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        peers,
        List.of(),
        List.of(),
        0,
        NextSync.NOTHING,
        Audience.of(peers.size()));
  }

  private static List<PastSync> syncs() {
    BytesByCause traffic = BytesByCause.NONE;
    long bytes = 10;
    for (TrafficCause cause : TrafficCause.values()) {
      traffic = traffic.plus(cause, 100 * bytes, bytes);
      bytes *= 2;
    }
    PastSync full =
        new PastSync(NOW, Duration.ofSeconds(75), 900_000, 900_000, 1_100_000, 9_000, traffic);
    PastSync old =
        new PastSync(NOW, Duration.ofSeconds(9), 100, 100, 50_000, 9_000, BytesByCause.NONE);
    return List.of(full, old);
  }
}
