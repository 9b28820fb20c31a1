package org.murmur.lab.privacy.adversaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.lab.privacy.clients.Client;
import org.murmur.lab.privacy.clients.Keyring;
import org.murmur.lab.privacy.clients.WalletState;
import org.murmur.regtest.chain.Dice;

/** The link adversary in a world of four filters, of which everything is known. */
class LinkScoresTest {

  private static final double RATE = 1e-2;
  private static final int KEYS = 20;
  private static final int UNIVERSE = 2_000;
  // Scripts that two wallets' filters hold, as if both had paid the same people.
  private static final int SHARED = 6;

  private static final SyntheticChain CHAIN =
      SyntheticChain.of(new ChainPlan(7, 60, 100, 5, List.of(KEYS, KEYS), UNIVERSE));
  private static final Elements ELEMENTS = new Elements(CHAIN);

  /** A client that sends one peer the given filters: before and after growth, after a restart. */
  private record Puppet(Keyring keys, List<List<BloomFilter>> sessions) implements Client {

    @Override
    public String name() {
      return "puppet";
    }

    @Override
    public int peers() {
      return 1;
    }

    @Override
    public Set<Second> seconds() {
      return Set.of();
    }

    @Override
    public boolean keepsPeers() {
      return true;
    }

    @Override
    public Life begin(SyntheticChain chain, OwnWallet wallet, Dice dice) {
      return new Scripted();
    }

    private final class Scripted implements Life {

      private int grown;
      private boolean restarted;

      @Override
      public Keyring keys() {
        return keys;
      }

      @Override
      public List<Shown> start(WalletState state) {
        restarted = grown == 3;
        return now();
      }

      @Override
      public List<Shown> grow(WalletState state) {
        grown++;
        return now();
      }

      @Override
      public List<Shown> restore(WalletState state) {
        return now();
      }

      private List<Shown> now() {
        int session = grown < 3 ? 0 : 1 + (restarted ? 1 : 0);
        List<Shown> shown = new ArrayList<>();
        for (BloomFilter filter : sessions.get(session)) {
          shown.add(new Shown(0, Content.SCRIPTS, filter));
        }
        return shown;
      }
    }
  }

  private static OwnWallet wallet(int number) {
    return CHAIN.wallets().get(number);
  }

  private static Keyring keys(int number) {
    return new Keyring.Drawn(CHAIN, 1_000L * number);
  }

  private static BloomFilter filter(int tweak, int wallet, int from, int to, int shared) {
    List<Bytes> elements = new ArrayList<>();
    for (OwnWallet.Key key : wallet(wallet).keys().subList(from, to)) {
      elements.add(keys(wallet).script(key));
    }
    for (int i = 1; i <= shared; i++) {
      elements.add(element(ELEMENTS.universe() - i));
    }
    BloomFilter.Builder builder =
        BloomFilter.builder(
            FilterParameters.of(elements.size(), RATE, tweak, UpdateFlag.NONE, Rounding.BITCOINJ));
    elements.forEach(builder::add);
    return builder.build();
  }

  private static Bytes element(int script) {
    byte[] buffer = new byte[Elements.MAX_BYTES];
    return Bytes.of(buffer, 0, ELEMENTS.script(script, buffer));
  }

  private static Surveillance life(int wallet, List<List<BloomFilter>> sessions) {
    Surveillance life =
        new Surveillance(
            CHAIN, ELEMENTS, new Puppet(keys(wallet), sessions), wallet(wallet), new Dice(1));
    life.swept(Sweep.matches(ELEMENTS, life.filters()));
    return life;
  }

  /** Standard deviations above chance, by testing every script with both filters. */
  private static double deviations(BloomFilter one, int ofOne, BloomFilter other, int ofOther) {
    int joint = 0;
    for (int script = 0; script < ELEMENTS.universe(); script++) {
      int owner = script < CHAIN.scripts() ? CHAIN.owner(script) : -1;
      boolean own = owner == wallet(ofOne).user() || owner == wallet(ofOther).user();
      Bytes element = element(script);
      joint += !own && one.contains(element) && other.contains(element) ? 1 : 0;
    }
    for (int number : ofOne == ofOther ? List.of(ofOne) : List.of(ofOne, ofOther)) {
      for (OwnWallet.Key key : wallet(number).keys()) {
        Bytes script = keys(number).script(key);
        joint += one.contains(script) && other.contains(script) ? 1 : 0;
      }
    }
    double chance = ELEMENTS.universe() * one.realisedRate() * other.realisedRate();
    return (joint - chance) / Math.sqrt(chance);
  }

  @Test
  void equalBytesAndSharedScriptsAreCountedPairByPair() {
    // The first wallet restarts with another tweak. The second has two filters of one half each,
    // with two scripts in both: too few for the adversary.
    BloomFilter all = filter(1, 0, 0, KEYS, 0);
    BloomFilter again = filter(2, 0, 0, KEYS, SHARED);
    BloomFilter half = filter(3, 1, 0, KEYS / 2, SHARED);
    BloomFilter rest = filter(4, 1, KEYS / 2 - 2, KEYS, 0);
    LinkScores scores =
        LinkScores.of(
            List.of(
                life(0, List.of(List.of(all), List.of(all), List.of(again))),
                life(1, List.of(List.of(half), List.of(rest), List.of(rest, half)))),
            ELEMENTS.universe());

    double[] together = {deviations(all, 0, again, 0), deviations(half, 1, rest, 1)};
    double[] apart = {
      deviations(all, 0, half, 1),
      deviations(all, 0, rest, 1),
      deviations(again, 0, half, 1),
      deviations(again, 0, rest, 1)
    };
    assertThat(together[0]).as("all scripts in common").isGreaterThan(20);
    assertThat(together[1]).as("two in common").isBetween(2.5, 5.0);
    assertThat(apart[2]).as("six strangers in common").isBetween(5.0, together[0]);
    int won = 0;
    for (double one : together) {
      for (double other : apart) {
        won += one > other ? 1 : 0;
      }
    }

    // Sessions 1 and 2 of the first wallet; 3 with 1 and 3 with 2 of the second.
    assertThat(scores.sameBytes()).isEqualTo(3);
    assertThat(scores.sessions()).isEqualTo(6);
    assertThat(scores.filters()).isEqualTo(4);
    Score overlaps = scores.overlaps();
    assertThat(overlaps.tp()).isEqualTo(1);
    assertThat(overlaps.fn()).isEqualTo(1);
    assertThat(overlaps.fp()).isEqualTo(1);
    assertThat(overlaps.negatives()).isEqualTo(4);
    assertThat(overlaps.auc()).isCloseTo(won / 8.0, within(1e-12));
  }

  @Test
  void scriptsOfOneWalletThatAnotherWalletsFilterMatchesCountToo() {
    // The second client watches the first one's scripts: a separate filter, and theirs.
    BloomFilter theirs = filter(1, 0, 0, KEYS, 0);
    BloomFilter copied = filter(2, 0, 0, KEYS, 0);
    List<Surveillance> lives =
        List.of(
            life(0, List.of(List.of(theirs), List.of(theirs), List.of(theirs))),
            life(1, List.of(List.of(copied), List.of(copied), List.of(copied))));
    LinkScores scores = LinkScores.of(lives, ELEMENTS.universe());
    assertThat(scores).isEqualTo(new LinkScores(6, 6, new Score(2, 0, 1, 0, 1, Double.NaN, 0.5)));
    // The order of the wallets does not matter.
    assertThat(LinkScores.of(List.of(lives.get(1), lives.get(0)), ELEMENTS.universe()))
        .isEqualTo(scores);
  }
}
