package org.murmur.lab.privacy.clients;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.chain.Dice;

/**
 * A client that makes one filter of everything it watches, by rules that differ between clients.
 *
 * <p>Models our fast preset, and other clients by their sources (privacy.md, 1.6), without their
 * code: bcoin, breadwallet-core (2020) and bitcoin-kit for Android.
 *
 * @param peers the number of peers that receive the filter at once
 * @param keepsPeers whether it keeps them from session to session
 * @param lookAhead the number of watched unused keys of each key chain
 * @param names whether a running client adds a few new elements with filteradd to the loaded
 *     filter, and loads a new filter only for many
 * @param sizing the parameters of a filter for a number of elements
 */
public record ModelClient(
    String name,
    int peers,
    boolean keepsPeers,
    Set<Second> seconds,
    int lookAhead,
    Tweaks tweaks,
    boolean names,
    Sizing sizing)
    implements Client {

  /** The source of a filter's tweak. */
  public enum Tweaks {
    /** Drawn for every new filter and every peer that receives one. */
    EACH_FILTER,
    /** Drawn for every new filter, the same for all peers. */
    EACH_MAKING,
    /** Drawn once for each process. */
    EACH_PROCESS,
    /** Always the same for a peer. */
    EACH_PEER
  }

  /** The parameters of a filter for a number of elements, without its tweak. */
  @FunctionalInterface
  public interface Sizing {
    FilterParameters parameters(int elements);
  }

  /** The most elements sent with filteradd; for more, a new filter is loaded. */
  private static final int MAX_NAMED = 400;

  /**
   * Returns our fast preset: all elements at a rate near zero, one filter load for each peer. It
   * connects to the configured peers, the same ones each time; we assume four. Its own code sizes
   * the filter; the choice between filterload and filteradd is modelled.
   */
  public static ModelClient fast() {
    return new ModelClient(
        "murmur-fast",
        4,
        true,
        Set.of(Second.COINS),
        1_000,
        Tweaks.EACH_FILTER,
        true,
        elements -> FilterPolicy.fresh(elements, Preset.Fast.RATE));
  }

  /**
   * Returns bcoin: a filter for 20,000 elements in every wallet. That its tweak is random is from
   * memory, not from the source.
   */
  public static ModelClient bcoin() {
    return new ModelClient(
        "bcoin",
        8,
        false,
        Set.of(),
        10,
        Tweaks.EACH_PROCESS,
        false,
        elements -> sized(20_000, 1e-3, UpdateFlag.ALL));
  }

  /**
   * Returns breadwallet-core: addresses and unspent outpoints; the tweak is a hash of the peer's
   * address.
   */
  public static ModelClient breadwallet() {
    return new ModelClient(
        "breadwallet",
        3,
        false,
        Set.of(Second.UNSPENT),
        110,
        Tweaks.EACH_PEER,
        false,
        elements -> sized(elements + 100, 5e-5, UpdateFlag.ALL));
  }

  /**
   * Returns bitcoin-kit: a new tweak for each new filter, sized exactly, with the outpoints of
   * P2WPKH coins.
   */
  public static ModelClient bitcoinKit() {
    return new ModelClient(
        "bitcoin-kit",
        10,
        false,
        Set.of(Second.UNSPENT),
        20,
        Tweaks.EACH_MAKING,
        false,
        elements -> sized(elements, 5e-5, UpdateFlag.NONE));
  }

  /** The parameters of a filter with bitcoinj's rounding, without the tweak. */
  public static FilterParameters sized(int capacity, double rate, UpdateFlag flag) {
    return FilterParameters.of(capacity, rate, 0, flag, Rounding.BITCOINJ);
  }

  @Override
  public Life begin(SyntheticChain chain, OwnWallet wallet, Dice dice) {
    return new OneFilter(new Keyring.Drawn(chain, dice.number()), dice);
  }

  /** All watched elements, in the order they are put into the filter. */
  List<Bytes> watched(Keyring keys, WalletState state) {
    List<Bytes> all = new ArrayList<>();
    for (int chain = 0; chain < 2; chain++) {
      boolean change = chain == 1;
      int used = change ? state.change() : state.receive();
      for (int i = 0; i < used + lookAhead; i++) {
        all.add(keys.script(change, i));
        if (seconds.contains(Second.PUBLIC_KEY)) {
          all.add(keys.publicKey(change, i));
        }
      }
    }
    for (int coin : state.coins()) {
      if (seconds.contains(Second.COINS)
          || (seconds.contains(Second.UNSPENT) && !state.isSpent(coin))) {
        all.add(keys.outPoint(coin));
      }
    }
    return all;
  }

  BloomFilter filter(List<Bytes> watched, int tweak) {
    FilterParameters sized = sizing.parameters(watched.size());
    BloomFilter.Builder filter =
        BloomFilter.builder(
            new FilterParameters(sized.bytes(), sized.hashFunctions(), tweak, sized.flag()));
    watched.forEach(filter::add);
    return filter.build();
  }

  private final class OneFilter implements Life {

    private final Keyring keys;
    private final Dice dice;
    private final int[] peerTweaks;
    private int processTweak;
    private List<Shown> last = List.of();
    private Set<Bytes> told = Set.of();

    OneFilter(Keyring keys, Dice dice) {
      this.keys = keys;
      this.dice = dice;
      this.peerTweaks = new int[peers];
      for (int i = 0; i < peers; i++) {
        peerTweaks[i] = (int) dice.number();
      }
    }

    @Override
    public Keyring keys() {
      return keys;
    }

    @Override
    public List<Shown> start(WalletState state) {
      processTweak = (int) dice.number();
      return loaded(watched(keys, state));
    }

    @Override
    public List<Shown> grow(WalletState state) {
      List<Bytes> watched = watched(keys, state);
      List<Bytes> fresh = watched.stream().filter(element -> !told.contains(element)).toList();
      return names && fresh.size() <= MAX_NAMED ? named(watched, fresh) : loaded(watched);
    }

    /** Adds new elements to the filters that peers have. */
    private List<Shown> named(List<Bytes> watched, List<Bytes> fresh) {
      List<Shown> shown = new ArrayList<>();
      for (Shown one : last) {
        BloomFilter filter = one.filter();
        for (Bytes element : fresh) {
          filter = filter.with(element);
        }
        shown.add(new Shown(one.peer(), one.content(), filter));
      }
      return kept(watched, shown);
    }

    private List<Shown> kept(List<Bytes> watched, List<Shown> shown) {
      told = new HashSet<>(watched);
      last = List.copyOf(shown);
      return shown;
    }

    private List<Shown> loaded(List<Bytes> watched) {
      int made = (int) dice.number();
      List<Shown> shown = new ArrayList<>();
      for (int peer = 0; peer < peers; peer++) {
        int tweak =
            switch (tweaks) {
              case EACH_FILTER -> (int) dice.number();
              case EACH_MAKING -> made;
              case EACH_PROCESS -> processTweak;
              case EACH_PEER -> peerTweaks[peer];
            };
        BloomFilter filter =
            peer > 0 && tweak == shown.get(0).filter().parameters().tweak()
                ? shown.get(0).filter()
                : filter(watched, tweak);
        shown.add(new Shown(peer, Content.BOTH, filter));
      }
      return kept(watched, shown);
    }
  }
}
