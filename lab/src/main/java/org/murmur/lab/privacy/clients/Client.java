package org.murmur.lab.privacy.clients;

import java.util.List;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.regtest.chain.Dice;

/**
 * A wallet program: which filters it shows to which peers. Immutable and safe to share between
 * threads; what happens in one life is in its {@link Life}.
 */
public interface Client {

  /** Short, for tables. */
  String name();

  /** How many peers are shown a filter at the same time. */
  int peers();

  /** What the wallet puts beside its scripts into the filter of one peer. */
  Set<Second> seconds();

  /** Whether the same peers are kept from session to session. */
  boolean keepsPeers();

  /** Begins the life of a wallet with this program. */
  Life begin(SyntheticChain chain, OwnWallet wallet, Dice dice);

  /** A second element that stands for the same script in the same filter. */
  enum Second {
    /** The public key, which a spend reveals. */
    PUBLIC_KEY,
    /** The outpoints of all its coins. */
    COINS,
    /** The outpoints of the coins that are not spent. */
    UNSPENT
  }

  /** What the content of a filter is for. */
  enum Content {
    SCRIPTS,
    OUT_POINTS,
    BOTH
  }

  /**
   * A filter that a peer was sent.
   *
   * @param peer which, from 0
   * @param content what it finds
   * @param filter the bytes
   */
  record Shown(int peer, Content content, BloomFilter filter) {}

  /** One wallet's life with a program. For one thread. */
  interface Life {

    /**
     * The bytes of its keys and coins.
     *
     * @return the keyring
     */
    Keyring keys();

    /**
     * The program is started; its files are as it left them.
     *
     * @param state the wallet by now
     * @return all filters it sends
     */
    List<Shown> start(WalletState state);

    /**
     * The program has been running since the last call, and the wallet has grown.
     *
     * @param state the wallet by now
     * @return all filters that its peers have by now
     */
    List<Shown> grow(WalletState state);

    /**
     * All files are lost and made again from the words; then the program is started.
     *
     * @param state the wallet by now
     * @return all filters it sends
     */
    List<Shown> restore(WalletState state);
  }
}
