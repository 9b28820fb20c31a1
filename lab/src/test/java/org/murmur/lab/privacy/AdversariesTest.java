package org.murmur.lab.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Watcher;
import org.murmur.lab.privacy.adversaries.Adversary;
import org.murmur.lab.privacy.adversaries.LinkScores;
import org.murmur.lab.privacy.adversaries.Score;
import org.murmur.lab.privacy.adversaries.Surveillance;
import org.murmur.lab.privacy.adversaries.Sweep;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.lab.privacy.clients.BitcoinjClient;
import org.murmur.lab.privacy.clients.Client;
import org.murmur.lab.privacy.clients.Keyring;
import org.murmur.lab.privacy.clients.ModelClient;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.privacy.clients.WalletState;
import org.murmur.lab.stats.Normal;
import org.murmur.regtest.chain.Dice;

class AdversariesTest {

  private static final long SEED = 20261121;
  private static final int TWEAKS = 5;
  private static final double Z99 = Normal.Z99;

  private static SyntheticChain chain;
  private static Elements elements;
  private static Surveillance.Linkage linkage;
  private static OwnWallet fifty;
  private static OwnWallet large;
  private static BitcoinjClient bitcoinj;

  @BeforeAll
  static void makeChain() {
    chain = SyntheticChain.of(new ChainPlan(SEED, 2_000, 288, 60, List.of(10, 50, 400), 150_000));
    elements = new Elements(chain);
    linkage = Surveillance.Linkage.of(chain);
    fifty = chain.wallets().get(1);
    large = chain.wallets().get(2);
    bitcoinj = BitcoinjClient.of(chain, List.of(fifty, large), Surveillance.heights(chain));
  }

  /** An adversary's finds in some lives together. */
  private record Sum(long tp, long fp, long fn) {}

  /** The sums of some lives, each with tweaks of its own. */
  private record Sums(Map<Adversary, Sum> all) {

    Sum by(Adversary adversary) {
      return Objects.requireNonNull(all.get(adversary));
    }
  }

  private static Sums sums(Client client, OwnWallet wallet, int tweaks) {
    Map<Adversary, Sum> sums = new EnumMap<>(Adversary.class);
    for (int i = 0; i < tweaks; i++) {
      Surveillance one = new Surveillance(chain, elements, client, wallet, new Dice(SEED + i));
      scores(one)
          .forEach(
              (adversary, score) ->
                  sums.merge(
                      adversary,
                      new Sum(score.tp(), score.fp(), score.fn()),
                      (a, b) -> new Sum(a.tp() + b.tp(), a.fp() + b.fp(), a.fn() + b.fn())));
    }
    return new Sums(sums);
  }

  private static ModelClient model(double rate, Set<Client.Second> seconds) {
    return new ModelClient(
        "model",
        2,
        false,
        seconds,
        0,
        ModelClient.Tweaks.EACH_FILTER,
        false,
        elements -> ModelClient.sized(elements, rate, UpdateFlag.NONE));
  }

  @Test
  void intersectionPairTestAndGrowthWorkAgainstBitcoinjsOwnFilters() {
    Sums sums = sums(bitcoinj, large, TWEAKS);
    assertThat(sums.by(Adversary.A1).fp()).as("strangers in one filter").isPositive();
    for (Adversary adversary : List.of(Adversary.A1B, Adversary.A2)) {
      assertThat(sums.by(adversary).fp()).as("strangers left by " + adversary).isZero();
      assertThat(sums.by(adversary).fn()).as("missed by " + adversary).isZero();
    }
    // The look-ahead grew: scripts in the second filter only are new, and some of them are in use.
    assertThat(sums.by(Adversary.A5_OLD).fp()).isZero();
    assertThat(sums.by(Adversary.A5_NEW).fn()).isZero();
    // With the same tweak all peers have the same filter.
    assertThat(sums.by(Adversary.A3)).isEqualTo(sums.by(Adversary.A1));
  }

  @Test
  void onePeerOfThePrivatePresetLearnsNoMoreThanFromItsFirstFilters() {
    // Epochs of 100 keys of each chain: this wallet opens three more of them.
    Client client = new PrivateClient(SizeClass.GENEROUS, 100);
    Surveillance life = new Surveillance(chain, elements, client, large, new Dice(SEED));
    Set<BloomFilter> shown = new HashSet<>();
    List<BloomFilter> before = new ArrayList<>();
    int growth = 0;
    for (List<Client.Shown> step : life.steps()) {
      List<BloomFilter> now =
          step.stream().filter(one -> one.peer() == 0).map(Client.Shown::filter).toList();
      // Old filters stay, byte for byte.
      assertThat(now).containsAll(before);
      growth += now.size() > before.size() ? 1 : 0;
      before = now;
      shown.addAll(now);
    }
    assertThat(growth - 1).as("epochs opened after the first start").isGreaterThanOrEqualTo(2);
    assertThat(shown).as("a restore sends the same filters").hasSameElementsAs(before);
    assertThat(shown).allMatch(f -> f.parameters().flag() == UpdateFlag.NONE);
    // Disjoint: no script is in two of them, except by chance.
    Keyring keys = client.begin(chain, large, new Dice(SEED)).keys();
    int twice = 0;
    double chance = 0;
    for (OwnWallet.Key key : large.keys()) {
      long in = shown.stream().filter(f -> f.contains(keys.script(key))).count();
      assertThat(in).isPositive();
      twice += in > 1 ? 1 : 0;
      chance += (shown.size() - 1) * 1.1e-3;
    }
    assertThat(twice).isLessThanOrEqualTo((int) (chance + 5 * Math.sqrt(chance) + 1));

    Sums sums = sums(client, large, 3);
    assertThat(sums.by(Adversary.A2)).isEqualTo(sums.by(Adversary.A1));
    // But no key of an epoch was used before it was opened: growth excludes foreign ones.
    assertThat(sums.by(Adversary.A2_LIFE).fn()).isZero();
    assertThat(sums.by(Adversary.A2_LIFE).fp()).isLessThan(sums.by(Adversary.A1).fp());
    assertThat(sums.by(Adversary.A3)).isEqualTo(sums.by(Adversary.A1));
    assertThat(sums.by(Adversary.A1).fp()).isPositive();
  }

  @Test
  void aWholeLifeWithOtherTweaksGivesMoreThanItsLastSession() {
    Sums kit = sums(ModelClient.bitcoinKit(), fifty, TWEAKS);
    assertThat(kit.by(Adversary.A2_LIFE).fn()).isZero();
    assertThat(kit.by(Adversary.A2_LIFE).fp()).isLessThan(kit.by(Adversary.A1).fp() / 10 + 1);
    // Growth alone: the tweak of a peer stays, but the filter grows with the wallet.
    Sums brd = sums(ModelClient.breadwallet(), large, TWEAKS);
    assertThat(brd.by(Adversary.A2)).isEqualTo(brd.by(Adversary.A1));
    assertThat(brd.by(Adversary.A2_LIFE).fn()).isZero();
    assertThat(brd.by(Adversary.A2_LIFE).fp()).isLessThan(brd.by(Adversary.A1).fp());
  }

  @Test
  void withOneEpochAWholeLifeGivesNoMoreThanOneSession() {
    Sums sums = sums(new PrivateClient(SizeClass.GENEROUS, 1_000), fifty, TWEAKS);
    assertThat(sums.by(Adversary.A2_LIFE)).isEqualTo(sums.by(Adversary.A1));
    assertThat(sums.by(Adversary.A1).fp()).isPositive();
  }

  @Test
  void theGuardOfCoinsIntersectsFiltersBeforeAndAfterARestore() {
    Sums sums = sums(new PrivateClient(SizeClass.GENEROUS, 1_000), large, 3);
    WalletState tip = WalletState.at(chain, large, chain.height());
    long unspent =
        tip.coins().stream()
            .filter(coin -> !tip.isSpent(coin))
            .map(chain::scriptOf)
            .distinct()
            .count();
    assertThat(sums.by(Adversary.A2_B).tp()).isGreaterThanOrEqualTo(3 * unspent);
    // About a dozen filters of 1e-3 before, one after: each foreign one with 1e-5, of 150,000.
    assertThat(sums.by(Adversary.A2_B).fp()).isBetween(0L, 60L);
  }

  @Test
  void threeGapExtensionsOfThePrivatePresetGiveOldKeysNoMoreAway() {
    Client client = new PrivateClient(SizeClass.GENEROUS, 100);
    Sums sums = sums(client, large, 3);
    // The scripts of earlier filters are still in later ones, decoys and all.
    assertThat(sums.by(Adversary.A5_OLD).fp()).isPositive();
    assertThat(sums.by(Adversary.A5_OLD).fp() + sums.by(Adversary.A5_NEW).fp())
        .isEqualTo(sums.by(Adversary.A1).fp());
  }

  @Test
  void thePairTestGivesNothingAgainstThePrivatePreset() {
    Sums sums = sums(new PrivateClient(SizeClass.GENEROUS, 1_000), fifty, TWEAKS);
    Sum pair = sums.by(Adversary.A1B);
    Sum single = sums.by(Adversary.A1);
    // Own scripts pass it as often as foreign ones: at the filter's rate, about 1e-3.
    assertThat(FilterTheory.wilson(pair.tp(), pair.tp() + pair.fn(), Z99).low()).isLessThan(1.2e-3);
    assertThat(single.fp()).isGreaterThan(50L * TWEAKS);
    // Guards A and B together run it, and this is their gain.
    assertThat(sums.by(Adversary.A3_PAIR).tp()).isGreaterThan(20L * TWEAKS);
    assertThat(sums.by(Adversary.A3_PAIR).fp()).isLessThan(2L * TWEAKS);
  }

  @Test
  void decoysAreAsManyAsTheBitsOfTheFiltersPredict() {
    // The table of privacy.md 5.3: one element per script, sized exactly, three rates.
    for (double rate : new double[] {1e-3, 1e-2, 5e-2}) {
      long[] seen = new long[2];
      double predicted = 0;
      double both = 0;
      for (int i = 0; i < TWEAKS; i++) {
        Surveillance one =
            new Surveillance(chain, elements, model(rate, Set.of()), fifty, new Dice(SEED + i));
        Map<Adversary, Score> found = scores(one);
        Score single = Objects.requireNonNull(found.get(Adversary.A1));
        Score two = Objects.requireNonNull(found.get(Adversary.A3));
        assertThat(single.fn()).isZero();
        seen[0] += single.fp();
        seen[1] += two.fp();
        predicted += single.predicted();
        both += two.predicted();
      }
      long tests = TWEAKS * (150_000L - 50);
      assertThat(FilterTheory.wilson(seen[0], tests, Z99).holds(predicted / tests)).isTrue();
      assertThat(FilterTheory.wilson(seen[1], tests, Z99).holds(both / tests)).isTrue();
      // An own outpoint for each script squares the rate as well.
      Sum outPoints =
          sums(model(rate, Set.of(Client.Second.COINS)), fifty, TWEAKS).by(Adversary.A1B);
      assertThat(outPoints.fn()).isZero();
      assertThat(outPoints.fp()).isLessThan(seen[0] / 4 + 2);
    }
  }

  private static Map<Adversary, Score> scores(Surveillance one) {
    Map<BloomFilter, int[]> swept = new HashMap<>(Sweep.matches(elements, one.filters()));
    swept.putAll(Sweep.outPoints(elements, one.outPointFilters()));
    one.swept(swept);
    return one.scores(linkage);
  }

  @Test
  void peersWithOtherTweaksGainByComparingAndThoseWithTheSameDoNot() {
    Sums kit = sums(ModelClient.bitcoinKit(), fifty, TWEAKS);
    assertThat(kit.by(Adversary.A3)).isEqualTo(kit.by(Adversary.A1));
    // But a restart draws another one.
    assertThat(kit.by(Adversary.A2).fp()).isLessThan(kit.by(Adversary.A1).fp() / 10 + 1);
    Sums brd = sums(ModelClient.breadwallet(), fifty, 3 * TWEAKS);
    assertThat(brd.by(Adversary.A2)).isEqualTo(brd.by(Adversary.A1));
    assertThat(brd.by(Adversary.A3).fp()).isLessThanOrEqualTo(brd.by(Adversary.A1).fp());
  }

  @Test
  void anObserverOfTheChainFindsCoinsSpentTogether() {
    Sums sums = sums(new PrivateClient(SizeClass.GENEROUS, 1_000), large, 3);
    Sum linked = sums.by(Adversary.A6);
    assertThat(linked.tp()).isGreaterThan(100);
    assertThat(linked.fp()).isLessThan(5);
  }

  @Test
  void anAdversaryThatAcceptsAPartOfAGroupTakesAllOfIt() {
    Sums sums = sums(new PrivateClient(SizeClass.GENEROUS, 1_000), large, 3);
    // All own scripts match, so none of them is lost; foreign groups are easier to imitate.
    assertThat(sums.by(Adversary.A6_MOST).tp()).isEqualTo(sums.by(Adversary.A6).tp());
    assertThat(sums.by(Adversary.A6_MOST).fp()).isGreaterThanOrEqualTo(sums.by(Adversary.A6).fp());
    // A group contains wrongly joined scripts: then less than all of it matches.
    assertThat(sums.by(Adversary.A6_CHANGE)).isNotEqualTo(sums.by(Adversary.A6_MOST));
  }

  private static LinkScores links(Client client, long seed) {
    List<Surveillance> lives = new ArrayList<>();
    for (OwnWallet wallet : List.of(fifty, large)) {
      Surveillance one = new Surveillance(chain, elements, client, wallet, new Dice(seed));
      one.swept(Sweep.matches(elements, one.filters()));
      lives.add(one);
    }
    return LinkScores.of(lives, elements.universe());
  }

  @Test
  void otherBytesOfTheSameAddressesAreLinkedAndEpochsAreNot() {
    LinkScores control = links(bitcoinj, SEED);
    assertThat(control.sessions()).isEqualTo(6);
    assertThat(control.sameBytes()).isLessThan(6);
    assertThat(control.overlaps().fn()).isZero();
    assertThat(control.overlaps().tp()).isPositive();
    assertThat(control.overlaps().fp()).isZero();
    assertThat(control.overlaps().auc()).isEqualTo(1);
    // Three sessions of two wallets with the same filters; those of epochs have nothing in common.
    long found = 0;
    long pairs = 0;
    long mistaken = 0;
    long apart = 0;
    for (int seed = 0; seed < 20; seed++) {
      LinkScores epochs = links(new PrivateClient(SizeClass.GENEROUS, 100), seed);
      assertThat(epochs.sameBytes()).isEqualTo(6);
      found += epochs.overlaps().tp();
      pairs += epochs.overlaps().tp() + epochs.overlaps().fn();
      mistaken += epochs.overlaps().fp();
      apart += epochs.overlaps().negatives();
    }
    assertThat(pairs).isGreaterThan(40);
    // By chance they have few in common, and one more of a few is many deviations: for both alike.
    assertThat(FilterTheory.wilson(found, pairs, Normal.Z99).low())
        .as("%s of %s pairs linked, %s of %s wrongly", found, pairs, mistaken, apart)
        .isLessThanOrEqualTo(mistaken / (double) apart);
    assertThat(found).isLessThan(pairs / 4);
    // By growth alone: the same tweak in other sizes, the same addresses.
    LinkScores grown = links(ModelClient.breadwallet(), SEED);
    assertThat(grown.overlaps().fn()).isZero();
  }

  @Test
  void epochsHaveNoAddressInCommonAndAFilterOfTheSameAddressesHasAll() {
    Surveillance epochs =
        new Surveillance(
            chain, elements, new PrivateClient(SizeClass.GENEROUS, 100), large, new Dice(SEED));
    Score disjoint = epochs.overlap();
    assertThat(disjoint.filters()).isGreaterThan(2);
    assertThat(disjoint.tp() + disjoint.fp()).isEqualTo(400);
    double allowed = disjoint.predicted() + 5 * Math.sqrt(disjoint.predicted()) + 1;
    assertThat(disjoint.fp()).isLessThanOrEqualTo((long) allowed);
    Surveillance kit =
        new Surveillance(chain, elements, ModelClient.bitcoinKit(), large, new Dice(SEED));
    assertThat(kit.overlap().fp()).isEqualTo(400);
  }

  @Test
  void theStudyConcludesAndASecondRunIsTheSame() throws Exception {
    PrivacyStudy kind = new PrivacyStudy();
    Parameters small =
        kind.defaults(StudyKind.Size.SMALL)
            .with(Parameters.TRIALS, 2)
            .with("wallets", "10,50")
            .with("universe", 60_000);
    Study whole = kind.with(small);
    // Parts that need a real connection and its time have a separate test.
    Study study =
        new Study(
            whole.name(),
            whole.title(),
            whole.introduction(),
            whole.parameters(),
            whole.experiments().stream().filter(one -> !one.alone()).toList());
    StudyResult result = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();
    List<Section> sections = result.conclude(study);
    for (Section section : sections) {
      assertThat(section.explanation()).isNotEmpty();
      // Four wallets are too few to say that epochs are not linked.
      assertThat(section.verdicts())
          .as(section.title())
          .filteredOn(one -> !one.claim().contains("two epochs do not show"))
          .allMatch(ClaimVerdict::holds);
      assertThat(section.verdicts()).noneMatch(ClaimVerdict::failed);
      // Figures computed from an assumption are reported without a verdict.
      assertThat(section.verdicts().isEmpty())
          .as(section.title())
          .isEqualTo(section.title().startsWith("Spies"));
    }
    assertThat(sections)
        .flatExtracting(Section::explanation)
        .anyMatch(text -> text.startsWith("Warning: noise hides only"));
    assertThat(ways(sections).rows())
        .extracting(row -> row.text("client"))
        .containsExactly(
            "murmur-fast",
            "murmur-private",
            "murmur-private-generous",
            "private-1e-2",
            "murmur-compact",
            "murmur-compact-spread",
            "bitcoinj");
    StudyResult again = new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run();
    assertThat(again).isEqualTo(result);
    assertThat(ways(again.conclude(study))).isEqualTo(ways(sections));
    // One part of two concludes too, with what there is.
    StudyResult part = new StudyRun(study, new Shard(2, 2), 1, Watcher.NONE).run();
    assertThat(part.conclude(study)).isNotEmpty();
  }

  private static Table ways(List<Section> sections) {
    return sections.stream()
        .flatMap(section -> section.tables().stream())
        .filter(table -> table.name().equals("privacy-ways"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aStudyWithNonsenseIsRefused() {
    PrivacyStudy kind = new PrivacyStudy();
    Parameters small = kind.defaults(StudyKind.Size.SMALL);
    assertThatThrownBy(() -> kind.with(small.with("reproduce", "satoshi")))
        .hasMessage("reproduce 'satoshi', expected gervais, nick or none");
    assertThatThrownBy(() -> kind.with(small.with("look-ahead", 8_000)))
        .hasMessage("look-ahead 8000, expected 20 to 7500");
    assertThatThrownBy(() -> kind.with(small.with("chain", "long")))
        .hasMessageContaining("expected small, standard or busy");
  }

  @Test
  void theReleasedFilterMergerMakesTheSameBytes() throws Exception {
    BitcoinjClient client = bitcoinj;
    BitcoinjClient.Known known =
        (BitcoinjClient.Known) client.begin(chain, fifty, new Dice(1)).keys();
    org.bitcoinj.net.FilterMerger merger = new org.bitcoinj.net.FilterMerger(BitcoinjClient.RATE);
    org.bitcoinj.wallet.Wallet wallet = known.wallet(chain.height());
    BloomFilter released =
        BloomFilter.fromPayload(Bytes.of(merger.calculate(List.of(wallet)).filter.serialize()));
    BitcoinjClient.Running running =
        (BitcoinjClient.Running) client.begin(chain, fifty, new Dice(1));
    WalletState tip = WalletState.at(chain, fifty, chain.height());
    assertThat(running.startWith(released.parameters().tweak(), tip)).isEqualTo(released);
    assertThat(released.parameters().flag()).isEqualTo(UpdateFlag.ALL);
  }
}
