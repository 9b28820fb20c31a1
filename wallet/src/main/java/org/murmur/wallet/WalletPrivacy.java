package org.murmur.wallet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.disclosure.Disclosures;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.PastSync;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Tells what peers learned of a wallet, what they would learn, and who served what. Asks nobody,
 * and writes nothing. All methods throw {@link WalletException} if the file cannot be read. Thread
 * safe.
 */
public final class WalletPrivacy {

  private final BooksAccess access;
  private final Books books;
  private final Requests requests;

  WalletPrivacy(BooksAccess access, Requests requests) {
    this.access = access;
    this.books = access.books();
    this.requests = requests;
  }

  /**
   * Reports what peers have learned from the filters they got, in numbers.
   *
   * @param universe the number of addresses that an observer can test; {@link Universe#of} has
   *     known ones
   * @return as of the last commit
   */
  public PrivacyReport report(Universe universe) {
    return access.call(
        () -> {
          Optional<Preset.Kind> last =
              books.readStore(store -> PresetRule.last(store, access.network()));
          return Disclosures.of(books, universe).report(last.orElse(Preset.Kind.FAST));
        });
  }

  /**
   * Estimates what a sync would cost and disclose, without asking anybody and without writing
   * anything. Peers that it would have to find first are {@linkplain NextSync#standIns stand-ins}.
   *
   * @param options with whom and how
   * @param universe the number of addresses that an observer can test
   * @return as of the last commit
   * @throws WalletException if the file cannot be read, or a peer's address makes no sense
   */
  public SyncForecast forecast(SyncOptions options, Universe universe) {
    return requests.forecast(options, universe);
  }

  /**
   * Estimates the same sync under each preset, to compare them before one is chosen. That of the
   * options is estimated as by {@link #forecast}.
   *
   * @param options with whom and how
   * @param universe the number of addresses that an observer can test
   * @return as of the last commit, in the order of the presets; without those that the options
   *     exclude
   * @throws WalletException if the file cannot be read, or a peer's address makes no sense
   */
  public List<SyncForecast> forecasts(SyncOptions options, Universe universe) {
    Disclosures disclosures = access.call(() -> Disclosures.of(books, universe));
    Preset.Kind chosen = preset(options).preset();
    List<SyncForecast> all = new ArrayList<>();
    for (Preset.Kind preset : Preset.Kind.values()) {
      SyncOptions under;
      try {
        under = preset == chosen ? options : options.preset(preset);
      } catch (IllegalArgumentException e) {
        continue;
      }
      all.add(requests.forecast(under, disclosures));
    }
    return all;
  }

  /**
   * Returns which preset a session with some options would use, and whether that shows more than
   * the wallet has shown so far.
   *
   * @param options with whom and how
   * @return the preset, and why it is this one
   * @throws WalletException if the file cannot be read, a peer's address makes no sense, or the
   *     options do not go with a preset that they do not name
   */
  public PresetChoice preset(SyncOptions options) {
    return requests.preset(options);
  }

  /**
   * Finds out what a payment reveals before it is signed: which addresses it links that nothing
   * linked before, by what its change stands out, what it costs to link nothing new, and what the
   * links add to the filters that peers have. Reads all payments of the wallet.
   *
   * @param proposal made by this wallet
   * @param universe the scripts among which the wallet hides
   * @return the trace, as of the last commit
   */
  public PaymentTrace trace(Proposal proposal, Universe universe) {
    PaymentTrace trace = access.read(view -> access.planning(view).trace(proposal, access.draws()));
    if (trace.newLinks().isEmpty()) {
      return trace;
    }
    Effect effect = access.read(view -> view.effect(proposal.plan()));
    return trace.seenBy(access.call(() -> Disclosures.of(books, universe).sights(effect)));
  }

  /**
   * {@return which blocks were scanned by which peers: heights against peers; as of the last
   * commit, for at most a dozen peers}
   */
  public CoverageMap coverage() {
    return access.call(books::coverageMap);
  }

  /**
   * Returns which filters, peers and times covered something.
   *
   * @param subject a txid, an address of the wallet or a height
   * @return who was asked with what
   * @throws WalletException if the subject is none of the wallet's
   */
  public Why why(String subject) {
    return access.call(() -> WhyReader.why(subject, books));
  }

  /**
   * {@return what the last syncs cost, and for what} Syncs that fetched nothing new, and all but
   * the last 20, are not recorded.
   */
  public List<PastSync> pastSyncs() {
    return access.call(
        () -> {
          List<PastSync> syncs = new ArrayList<>();
          for (SessionFacts facts : books.readStore(WalletStore::sessions)) {
            syncs.add(
                0,
                new PastSync(
                    Instant.ofEpochSecond(facts.began()),
                    Duration.ofMillis(facts.millis()),
                    facts.headers(),
                    facts.blocks(),
                    facts.received(),
                    facts.sent(),
                    facts.traffic()));
          }
          return List.copyOf(syncs);
        });
  }

  /**
   * Lists the peers it has met, and counts the addresses it knows.
   *
   * @return as of the last commit
   */
  public PeerBook peerBook() {
    return access.call(
        () -> books.readStore(store -> PeerBook.of(store, access.around().clock().instant())));
  }
}
