package org.murmur.wallet.internal.disclosure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.Passes;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Scans;
import org.murmur.wallet.internal.session.SessionRequest;
import org.murmur.wallet.internal.session.SessionSettings;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletWarning;

/** Estimates the cost of a sync, from the books alone. */
public final class Forecasts {

  /** Scans of the private preset start at multiples of this height. */
  private static final int GRID = ConsensusRules.PERIOD;

  /** A header in a {@code headers} message. */
  private static final int HEADER = Headers.HEADER_LENGTH + 1;

  /** An entry of {@code getdata}, and its share of the messages that carry it. */
  private static final int REQUEST = 37;

  /** A handshake, one or two {@code getheaders}, a {@code mempool}: the cost of every peer. */
  private static final int TALK = 1_500;

  /** Bytes of a {@code filterload} without the filter. */
  private static final int AROUND_FILTER = 40;

  /** Bytes of a filter of a block on other networks than mainnet: a guess. */
  private static final int FILTER_ELSEWHERE = 3_000;

  private final Books books;
  private final ChainParams network;
  private final Instant now;
  private final List<WalletWarning> warnings = new ArrayList<>();

  /** Makes one, for one estimate. */
  public Forecasts(Books books, ChainParams network, Instant now) {
    this.books = books;
    this.network = network;
    this.now = now;
  }

  /** The wallet's place in the chain. */
  private record Place(int height, long tipTime, StoredWallet wallet) {}

  /** Estimates a sync, after the filters that peers got so far. */
  public SyncForecast of(Disclosures disclosures, SessionRequest request, PresetChoice choice) {
    SyncOptions options = request.options();
    boolean compact = choice.preset() == Preset.Kind.COMPACT;
    List<NodeAddress> peers =
        options.peers().discovery().isPresent()
            ? NextSync.standIns(SessionSettings.connections(options.peers(), request.preset()))
            : options.peers().named();
    if (choice.exposes()) {
      warnings.add(new WalletWarning.WalletExposed());
    }
    WalletWarning.ShownToPoolNode.by(request.preset()).ifPresent(warnings::add);
    if (request.preset().hearsAll()) {
      warnings.add(new WalletWarning.AnnouncementsNotCounted());
    }
    Place place = books.read(v -> new Place(v.height(), v.tipTime(), v.wallet()));
    int height = estimatedHeight(place);
    // Then all headers are fetched again, and all blocks scanned again.
    boolean anew = options.genesis() && place.wallet().baseHeight() > 0;
    NextSync next = NextSync.NOTHING;
    int passes = request.preset().verify();
    int voices = request.preset().filterPeers();
    long blocks = 0;
    if (choice.preset() == Preset.Kind.PRIVATE && !options.headersOnly()) {
      next = disclosures.next().guarded(peers, options.guarded());
      passes = next.filters().isEmpty() ? passes : next.filters().size();
      blocks = guardedBlocks(place, height, next, anew);
    } else if (compact && !options.headersOnly()) {
      passes = 1;
      next =
          request
              .preset()
              .poolNode()
              .map(node -> disclosures.next().fast(List.of(node), Preset.Fast.RATE))
              .orElse(next);
      blocks = filters(place, height, anew ? null : books.scans().coverage(), voices);
    } else if (!options.headersOnly()) {
      List<Passes.Pass> ahead = passes(place, height, options, anew);
      passes *= Math.max(1, ahead.size());
      blocks = ahead.stream().mapToLong(Passes.Pass::blocks).sum();
      next = fast(disclosures, peers, options.fast().rate(), ahead);
    }
    if (options.peers().discovery().isPresent()) {
      warnings.add(whoIsFound(options, compact, next));
    }
    List<SessionFacts> sessions = books.readStore(WalletStore::sessions);
    boolean alike =
        compact == books.readStore(WalletStore::preset).equals(Optional.of(Preset.Kind.COMPACT));
    Pace pace = Pace.of(alike ? sessions : List.of(), compact);
    int above = anew ? 0 : place.height();
    int headers = height - above - inProcess(above, height);
    boolean checked = voices > 0 && !options.headersOnly() && !compact;
    long checks =
        checked
            ? filters(
                place, height, anew ? null : books.scans().byBlockFilters(books.elements()), voices)
            : 0;
    long filters = compact ? blocks : checks;
    long scripts = books.elements().stream().filter(Element.Script.class::isInstance).count();
    // One script in so many matches a filter by chance (BIP-0158).
    double wholeBlocks = (double) scripts * filters / GolombCodedSet.Parameters.BASIC_M;
    double perFilter = computed(wholeBlocks / Math.max(1, filters));
    double perBlock = pace.bytesPerBlock().orElse(compact ? perFilter : computed(next));
    double received =
        (double) HEADER * headers
            + blocks * perBlock
            + checks * perFilter
            + (double) TALK * peers.size();
    return new SyncForecast(
        place.height(),
        height,
        headers,
        blocks,
        filters,
        Math.round(wholeBlocks),
        passes,
        Math.round(received),
        Math.round(sent(blocks, peers.size(), next)),
        pace.bytesPerBlock().isPresent(),
        pace.time(headers, blocks),
        sessions.size(),
        choice,
        next,
        warnings);
  }

  private static double sent(long blocks, int peers, NextSync next) {
    double sent = (double) REQUEST * blocks + (double) TALK * peers;
    for (NextFilter filter : next.filters()) {
      sent += (double) filter.to().size() * (filter.parameters().bytes() + AROUND_FILTER);
    }
    return sent;
  }

  /** The peers for which the stand-ins stand: the drawn addresses are not known before. */
  private WalletWarning whoIsFound(SyncOptions options, boolean compact, NextSync next) {
    long service = compact ? Services.COMPACT_FILTERS : Services.BLOOM;
    Discovery how = options.peers().discovery().orElseThrow(AssertionError::new);
    int known = 0;
    for (KnownAddress address : books.readStore(WalletStore::addresses)) {
      boolean tor = address.endpoint().network() == NetworkAddress.TORV3;
      boolean callable = options.route().proxy().isPresent() || !tor;
      known += callable && Services.has(address.services(), service) ? 1 : 0;
    }
    Set<String> strangers = new LinkedHashSet<>();
    for (NextFilter filter : next.filters()) {
      filter.to().stream()
          .filter(NextSync::isStandIn)
          .forEach(peer -> strangers.add(NextSync.name(peer)));
    }
    List<String> seedNodes =
        how.seedNodes().stream().map(NodeAddress::toString).collect(Collectors.toList());
    return new WalletWarning.PeersToBeFound(
        List.copyOf(strangers),
        known,
        compact ? "NODE_COMPACT_FILTERS" : "NODE_BLOOM",
        seedNodes,
        !how.seeds().isEmpty(),
        !how.entries().isEmpty());
  }

  private static NextSync fast(
      Disclosures disclosures, List<NodeAddress> peers, double rate, List<Passes.Pass> ahead) {
    return ahead.isEmpty()
        ? disclosures.next().fast(peers, rate)
        : disclosures
            .next()
            .fast(peers, rate, ahead.stream().map(Passes.Pass::part).collect(Collectors.toList()));
  }

  /** By the actual rate of the filter, for blocks as full as mainnet's on a busy day (M15). */
  private static double computed(NextSync next) {
    double rate = 0;
    for (NextFilter filter : next.filters()) {
      rate = Math.max(rate, filter.rate());
    }
    return BlockCost.of(BusyMainnet.BUSY_BLOCK, rate, BusyMainnet.TESTED_ELEMENTS)
        .bytes(BusyMainnet.MEAN_TRANSACTION);
  }

  private int estimatedHeight(Place place) {
    if (network.equals(ChainParams.REGTEST)) {
      warnings.add(new WalletWarning.NewBlocksUnknown());
      return place.height();
    }
    warnings.add(new WalletWarning.HeightEstimated());
    return HeightEstimate.of(network, place.height(), place.tipTime()).at(now);
  }

  /** A filter, its hash, and a share of the whole blocks. */
  private double computed(double wholeBlocks) {
    int filter = network.equals(ChainParams.MAINNET) ? BusyMainnet.FILTER : FILTER_ELSEWHERE;
    return filter
        + Hash256.LENGTH
        + wholeBlocks * BusyMainnet.WHOLE_BLOCK * filter / BusyMainnet.FILTER;
  }

  /** The blocks whose filters are to be tested, until so many peers vouch for each. */
  private long filters(Place place, int height, @Nullable Coverage known, int voices) {
    return known == null
        ? height - Math.max(1, birthday(place, height)) + 1
        : known.uncovered(height, voices).count();
  }

  /** The passes of a fast sync. A wallet without coverage is scanned from its birthday on. */
  private List<Passes.Pass> passes(Place place, int height, SyncOptions options, boolean anew) {
    List<Element> log = books.elements();
    Coverage known = anew ? null : books.scans().coverage();
    Coverage coverage =
        known == null ? new Coverage(log, Math.max(1, birthday(place, height)), List.of()) : known;
    return new Passes(log, Preset.Fast.capacity(options.fast().rate()))
        .ahead(coverage, height, options.fast().verify());
  }

  /**
   * Every guard serves blocks under each of its epochs, from the grid on; under a new one from the
   * birthday.
   */
  private long guardedBlocks(Place place, int height, NextSync next, boolean anew) {
    Scans scans = books.scans();
    int birthday = scans.coverage() == null ? birthday(place, height) : scans.coverage().birthday();
    int missing = anew || scans.coverage() == null ? birthday : height + 1;
    if (!anew && scans.coverage() != null) {
      Heights uncovered = scans.coverage().uncovered(height, 1);
      missing = uncovered.isEmpty() ? missing : uncovered.first();
    }
    long blocks = 0;
    for (NextFilter filter : next.filters()) {
      int from = filter.shownBefore() ? missing : birthday;
      blocks += from > height ? 0 : height - Math.max(1, from - from % GRID) + 1;
    }
    return blocks;
  }

  private int birthday(Place place, int height) {
    if (place.wallet().birthdayHeight().isPresent()) {
      return place.wallet().birthdayHeight().getAsInt();
    }
    if (place.wallet().birthday() instanceof Birthday.AtHeight at) {
      return at.height();
    }
    long time = ((Birthday.AtTime) place.wallet().birthday()).time().getEpochSecond();
    return (int) Math.max(0, height - (now.getEpochSecond() - time) / HeightEstimate.SPACING);
  }

  /** How many headers other wallets of this process have, of those above a height. */
  private int inProcess(int above, int to) {
    HeaderSource others = books.known();
    return (int) IntStream.rangeClosed(above + 1, to).filter(others::has).count();
  }

  /** The speed and the cost of earlier syncs. */
  private record Pace(long millis, long headers, long blocks, long received) {

    /** Filters that only check what others show are not part of its blocks, nor of their bytes. */
    static Pace of(List<SessionFacts> sessions, boolean compact) {
      return new Pace(
          sessions.stream().mapToLong(SessionFacts::millis).sum(),
          sessions.stream().mapToLong(SessionFacts::headers).sum(),
          sessions.stream().mapToLong(SessionFacts::blocks).sum(),
          sessions.stream()
              .mapToLong(facts -> compact ? facts.received() : unchecked(facts))
              .sum());
    }

    private static long unchecked(SessionFacts facts) {
      return facts.received()
          - facts.traffic().of(TrafficCause.BLOCK_FILTERS).received()
          - facts.traffic().of(TrafficCause.WHOLE_BLOCKS).received();
    }

    Optional<Double> bytesPerBlock() {
      return blocks == 0
          ? Optional.empty()
          : Optional.of(Math.max(0, received - HEADER * headers) / (double) blocks);
    }

    /** Headers take far less than blocks, so if there are blocks these count. */
    Optional<Duration> time(int newHeaders, long newBlocks) {
      if (newBlocks > 0) {
        return per(newBlocks, blocks);
      }
      return newHeaders > 0 ? per(newHeaders, headers) : Optional.of(Duration.ZERO);
    }

    private Optional<Duration> per(long work, long done) {
      return done == 0
          ? Optional.empty()
          : Optional.of(Duration.ofMillis(Math.round((double) millis * work / done)));
    }
  }
}
