package org.murmur.lab.privacy.clients;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.EpochFilters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.regtest.chain.Dice;

/**
 * Murmur's private preset: the filters of the real {@link EpochFilters}. Two guards receive scripts
 * and a third peer receives outpoints. The start of epochs is modelled. There is one epoch for each
 * {@code lookAhead} keys of a chain; the next one starts before the gap of unused keys at the end
 * shrinks. Outpoints go into a new epoch if there are new ones when a session starts or the wallet
 * has grown.
 */
public record PrivateClient(String name, double rate, int lookAhead) implements Client {

  /** The least number of watched unused keys in a row (BIP-0044). */
  public static final int GAP = 20;

  public static final String SHORT_EPOCHS = "murmur-private-short-epochs";

  /** Peers 0 and 1 receive scripts, peer 2 receives outpoints. */
  public static final int OUT_POINT_GUARD = 2;

  /** One foreign script in a hundred matches: a size that Murmur does not offer. */
  private static final SizeClass NOT_OFFERED = new SizeClass(15_023, 17_999, 6, 1e-2);

  public PrivateClient(double rate, int lookAhead) {
    this(rate == SizeClass.THRIFTY ? "murmur-private" : "murmur-private-generous", rate, lookAhead);
  }

  /** Makes epochs of few keys, so that the wallets under test open several. */
  public static PrivateClient ofShortEpochs(int keys) {
    return new PrivateClient(SHORT_EPOCHS, SizeClass.THRIFTY, keys);
  }

  /** Makes more noise than Murmur does. */
  public static PrivateClient ofMoreNoise(int lookAhead) {
    return new PrivateClient("private-1e-2", NOT_OFFERED.rate(), lookAhead);
  }

  private SizeClass holding(int elements) {
    return Double.compare(rate, NOT_OFFERED.rate()) == 0
        ? NOT_OFFERED
        : SizeClass.holding(rate, elements);
  }

  @Override
  public int peers() {
    return 3;
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
    return new Epochs(new Keyring.Drawn(chain, dice.number()));
  }

  /** The epochs of one wallet. State kept over a restart is what a restore computes again. */
  private final class Epochs implements Life {

    private final Keyring keys;
    private final EpochFilters filters;
    private final List<Shown> scripts = new ArrayList<>();
    private final List<Shown> outPoints = new ArrayList<>();
    private int coinsShown;

    Epochs(Keyring.Drawn keys) {
      this.keys = keys;
      // Like the text of an account's extended public key: unique to the wallet, and the same after
      // a restore.
      String account = "account " + keys.seed();
      this.filters = new EpochFilters(Bytes.wrap(account.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public Keyring keys() {
      return keys;
    }

    @Override
    public List<Shown> start(WalletState state) {
      return grow(state);
    }

    @Override
    public List<Shown> restore(WalletState state) {
      scripts.clear();
      outPoints.clear();
      coinsShown = 0;
      return grow(state);
    }

    @Override
    public List<Shown> grow(WalletState state) {
      int used = Math.max(state.receive(), state.change());
      while (scripts.size() / 2 * lookAhead < used + GAP) {
        openScripts(scripts.size() / 2);
      }
      openOutPoints(state);
      List<Shown> shown = new ArrayList<>(scripts);
      shown.addAll(outPoints);
      return shown;
    }

    private void openScripts(int epoch) {
      List<Bytes> own = new ArrayList<>();
      for (int i = epoch * lookAhead; i < (epoch + 1) * lookAhead; i++) {
        own.add(keys.script(false, i));
        own.add(keys.script(true, i));
      }
      BloomFilter filter = filters.filter(FilterRole.SCRIPTS, epoch, own, holding(own.size()));
      scripts.add(new Shown(0, Content.SCRIPTS, filter));
      scripts.add(new Shown(1, Content.SCRIPTS, filter));
    }

    private void openOutPoints(WalletState state) {
      List<Bytes> fresh =
          state.coins().subList(coinsShown, state.coins().size()).stream()
              .filter(coin -> !state.isSpent(coin))
              .map(keys::outPoint)
              .toList();
      coinsShown = state.coins().size();
      if (!fresh.isEmpty()) {
        BloomFilter filter =
            filters.filter(FilterRole.OUTPOINTS, outPoints.size(), fresh, holding(fresh.size()));
        outPoints.add(new Shown(OUT_POINT_GUARD, Content.OUT_POINTS, filter));
      }
    }
  }
}
