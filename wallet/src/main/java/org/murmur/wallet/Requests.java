package org.murmur.wallet;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.disclosure.Disclosures;
import org.murmur.wallet.internal.disclosure.Forecasts;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.internal.session.SessionRequest;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Makes the request of a session from a user's options: its peers, its preset, and what is left of
 * its limits. Also estimates what it costs.
 */
final class Requests {

  private final BooksAccess access;
  private final Books books;
  private final ChainParams network;

  Requests(BooksAccess access) {
    this.access = access;
    this.books = access.books();
    this.network = access.network();
  }

  PresetChoice preset(SyncOptions options) {
    Peers peers = peers(options);
    return access.call(
        () -> books.readStore(store -> PresetRule.choose(options, peers, network, store)));
  }

  /**
   * The request of a sync under these options, with the preset that they, or the wallet, choose.
   */
  SessionRequest request(PresetChoice choice, SessionGoal goal, SyncOptions options) {
    try {
      SyncOptions decided = PresetRule.apply(choice, options, network);
      return new SessionRequest(goal, decided.peers(unused -> peers(decided)), choice.exposes());
    } catch (IllegalArgumentException e) {
      throw badInput(e);
    }
  }

  /** The request of a session that begins; the wallet remembers a preset that its user said. */
  SessionRequest begin(SessionGoal goal, SyncOptions options, boolean said) {
    PresetChoice choice = preset(options);
    SessionRequest request = request(choice, goal, options);
    if (said && !options.headersOnly()) {
      keep(choice);
    }
    return request;
  }

  /**
   * Before anything is sent: private and compact hold from then on if the user said so, however
   * this session ends, unless nobody has what they need. What the rule chose holds once a peer got
   * a filter of it.
   */
  private void keep(PresetChoice choice) {
    if (choice.preset() != Preset.Kind.FAST && choice.reason() != PresetChoice.Reason.RULE) {
      keep(choice.preset());
    }
  }

  /** After a session that was said to be fast: it counts once a peer got a filter of it. */
  void keepIfShown(SyncOptions options, long shownBefore) {
    boolean fast = options.preset().equals(Optional.of(Preset.Kind.FAST)) && !options.headersOnly();
    if (fast && lastShown() > shownBefore) {
      keep(Preset.Kind.FAST);
    }
  }

  /** After a session that went on with compact by itself: it counts once a filter was tested. */
  void keepIfTested() {
    List<View> views = access.call(() -> books.readStore(WalletStore::views));
    if (views.stream().anyMatch(View::isCompact)) {
      keep(Preset.Kind.COMPACT);
    }
  }

  /** The number of the last filter that a peer got; -1 before the first. */
  long lastShown() {
    return access.call(() -> books.readStore(PresetRule::lastShown));
  }

  void keep(Preset.Kind preset) {
    access.run(
        () -> {
          if (!books.readStore(WalletStore::preset).equals(Optional.of(preset))) {
            books.writeStore(store -> store.keepPreset(preset));
          }
        });
  }

  Optional<Preset.Kind> lastPreset() {
    return access.call(() -> books.readStore(store -> PresetRule.last(store, network)));
  }

  Peers peers(SyncOptions options) {
    try {
      return options.peers().at(network, options.route().proxy().isPresent());
    } catch (IllegalArgumentException e) {
      throw badInput(e);
    }
  }

  private static WalletException badInput(IllegalArgumentException e) {
    return new WalletException(WalletException.Kind.BAD_INPUT, String.valueOf(e.getMessage()), e);
  }

  /** The addresses of nodes that the wallet knows. */
  List<KnownAddress> addresses() {
    return access.call(() -> books.readStore(WalletStore::addresses));
  }

  /** The options with what is left of their limits. A limit that is used up ends the next lap. */
  static SyncOptions rest(SyncOptions options, SyncReport report) {
    SyncOptions left = options;
    if (options.limits().time().compareTo(Limits.FOREVER) < 0) {
      Duration time = options.limits().time().minus(report.elapsed());
      left = left.limits(l -> l.time(time.toMillis() > 0 ? time : Duration.ofMillis(1)));
    }
    if (options.limits().bytes() < Limits.UNLIMITED) {
      left = left.limits(l -> l.bytes(Math.max(1, l.bytes() - report.bytesReceived())));
    }
    return left;
  }

  /** Estimates a sync. */
  SyncForecast forecast(SyncOptions options, Universe universe) {
    return forecast(options, access.call(() -> Disclosures.of(books, universe)));
  }

  /** The bytes that a sync would receive. */
  long bytes(SyncOptions options) {
    return forecast(options, Universe.of(network)).bytesReceived();
  }

  SyncForecast forecast(SyncOptions options, Disclosures disclosures) {
    PresetChoice choice = preset(options);
    SessionRequest request = request(choice, new SessionGoal.Sync(), options);
    return access.call(
        () ->
            new Forecasts(books, network, access.around().clock().instant())
                .of(disclosures, request, choice));
  }
}
