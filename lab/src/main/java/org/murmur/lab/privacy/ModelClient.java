package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.Dice;

/**
 * A client that makes one filter of all it watches, by rules that differ from client to client.
 *
 * <p>Ours under the fast preset; and others, modelled after what their sources say (privacy.md,
 * 1.6), not their code: bcoin, breadwallet-core (2020) and bitcoin-kit for Android.
 *
 * @param name for tables
 * @param isReal whether it was compared with filters of the real code, byte for byte
 * @param peers who are shown it at once
 * @param keepsPeers whether they are kept from session to session
 * @param seconds what is put beside scripts
 * @param lookAhead unused keys of each chain that are watched
 * @param tweaks where tweaks come from
 * @param flag the update flag
 * @param rate what the filter is sized for
 * @param sizing for how many elements it is sized
 */
record ModelClient(
    String name,
    boolean isReal,
    int peers,
    boolean keepsPeers,
    Set<Second> seconds,
    int lookAhead,
    Tweaks tweaks,
    UpdateFlag flag,
    double rate,
    Sizing sizing)
    implements Client {

  /** Where a filter's tweak comes from. */
  enum Tweaks {
    /** Drawn for every filter that is made and every peer that is sent one. */
    EACH_FILTER,
    /** Drawn whenever a filter is made, the same to all peers. */
    EACH_MAKING,
    /** Drawn once for each process. */
    EACH_PROCESS,
    /** The same for a peer always. */
    EACH_PEER
  }

  /** For how many elements a filter is sized that is to hold some. */
  @FunctionalInterface
  interface Sizing {
    int capacity(int elements);
  }

  /** Ours: everything together at a rate that is next to nothing, a load for each peer. */
  static ModelClient fast() {
    return new ModelClient(
        "murmur-fast",
        true,
        4,
        false,
        Set.of(Second.COINS),
        1_000,
        Tweaks.EACH_FILTER,
        UpdateFlag.ALL,
        1e-9,
        elements -> elements + Math.max(200, elements / 4));
  }

  /** A filter for 20,000 whatever the wallet. That its tweak is random is recalled, not read. */
  static ModelClient bcoin() {
    return new ModelClient(
        "bcoin",
        false,
        8,
        false,
        Set.of(),
        10,
        Tweaks.EACH_PROCESS,
        UpdateFlag.ALL,
        1e-3,
        elements -> 20_000);
  }

  /** Addresses and unspent outpoints; the tweak is a hash of the peer's address. */
  static ModelClient breadwallet() {
    return new ModelClient(
        "breadwallet",
        false,
        3,
        false,
        Set.of(Second.UNSPENT),
        110,
        Tweaks.EACH_PEER,
        UpdateFlag.ALL,
        5e-5,
        elements -> elements + 100);
  }

  /** A new tweak whenever it is made again, sized exactly. Outpoints of P2WPKH coins are in it. */
  static ModelClient bitcoinKit() {
    return new ModelClient(
        "bitcoin-kit",
        false,
        10,
        false,
        Set.of(Second.UNSPENT),
        20,
        Tweaks.EACH_MAKING,
        UpdateFlag.NONE,
        5e-5,
        elements -> elements);
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
    BloomFilter.Builder filter =
        BloomFilter.builder(
            FilterParameters.of(
                sizing.capacity(watched.size()), rate, tweak, flag, Rounding.BITCOINJ));
    watched.forEach(filter::add);
    return filter.build();
  }

  private final class OneFilter implements Life {

    private final Keyring keys;
    private final Dice dice;
    private final int[] peerTweaks;
    private int processTweak;

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
      return grow(state);
    }

    @Override
    public List<Shown> restore(WalletState state) {
      return start(state);
    }

    @Override
    public List<Shown> grow(WalletState state) {
      List<Bytes> watched = watched(keys, state);
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
      return shown;
    }
  }
}
