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
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.regtest.chain.Dice;

/**
 * A client that makes one filter of all it watches, by rules that differ from client to client.
 *
 * <p>Ours under the fast preset; and others, modelled after what their sources say (privacy.md,
 * 1.6), not their code: bcoin, breadwallet-core (2020) and bitcoin-kit for Android.
 *
 * @param name for tables
 * @param peers who are shown it at once
 * @param keepsPeers whether they are kept from session to session
 * @param seconds what is put beside scripts
 * @param lookAhead unused keys of each chain that are watched
 * @param tweaks where tweaks come from
 * @param names whether a running client names a few new elements (filteradd) to the filter it has
 *     loaded, and loads a new one only for many
 * @param sizing what a filter is like that is to hold some elements
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

  /** Where a filter's tweak comes from. */
  public enum Tweaks {
    /** Drawn for every filter that is made and every peer that is sent one. */
    EACH_FILTER,
    /** Drawn whenever a filter is made, the same to all peers. */
    EACH_MAKING,
    /** Drawn once for each process. */
    EACH_PROCESS,
    /** The same for a peer always. */
    EACH_PEER
  }

  /** What a filter is like that is to hold some elements, but for its tweak. */
  @FunctionalInterface
  public interface Sizing {
    FilterParameters parameters(int elements);
  }

  /** Elements that are named one by one at most: more, and a new filter is loaded. */
  private static final int MAX_NAMED = 400;

  /**
   * Ours: everything together at a rate that is next to nothing, a load for each peer. It calls the
   * peers it is told to, the same ones each time; that these are four is assumed. Sized by its own
   * code; when it loads and when it names is modelled.
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
        elements -> SyncSettings.fastFilter(elements, SyncSettings.FAST_RATE));
  }

  /** A filter for 20,000 whatever the wallet. That its tweak is random is recalled, not read. */
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

  /** Addresses and unspent outpoints; the tweak is a hash of the peer's address. */
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

  /** A new tweak whenever it is made again, sized exactly. Outpoints of P2WPKH coins are in it. */
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

  /** The parameters of a filter as bitcoinj rounds them, but for the tweak. */
  public static FilterParameters sized(int capacity, double rate, UpdateFlag flag) {
    return FilterParameters.of(capacity, rate, 0, flag, Rounding.BITCOINJ);
  }

  @Override
  public Life begin(SyntheticChain chain, OwnWallet wallet, Dice dice) {
    return new OneFilter(new Keyring.Drawn(chain, dice.number()), dice);
  }

  /** All that is watched, in the order it is put into the filter. */
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

  /** Makes a filter as the client does. */
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
    public List<Shown> restore(WalletState state) {
      return start(state);
    }

    @Override
    public List<Shown> grow(WalletState state) {
      List<Bytes> watched = watched(keys, state);
      List<Bytes> fresh = watched.stream().filter(element -> !told.contains(element)).toList();
      return names && fresh.size() <= MAX_NAMED ? named(watched, fresh) : loaded(watched);
    }

    /** New elements are named to the filters that peers have. */
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
