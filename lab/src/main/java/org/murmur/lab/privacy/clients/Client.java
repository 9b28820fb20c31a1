package org.murmur.lab.privacy.clients;

import java.util.List;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.regtest.chain.Dice;

/**
 * A wallet program: the filters it sends to its peers. Immutable and safe to share between threads;
 * the state of one life is in its {@link Life}.
 */
public interface Client {

  String name();

  /** The number of peers that receive a filter at the same time. */
  int peers();

  /** The elements that the wallet adds to its scripts in one peer's filter. */
  Set<Second> seconds();

  /** Whether it keeps the same peers from session to session. */
  boolean keepsPeers();

  Life begin(SyntheticChain chain, OwnWallet wallet, Dice dice);

  /** A second element of the same script in the same filter. */
  enum Second {
    /** The public key, which a spend reveals. */
    PUBLIC_KEY,
    /** The outpoints of all its coins. */
    COINS,
    /** The outpoints of the coins that are not spent. */
    UNSPENT
  }

  /** The purpose of a filter's elements. */
  enum Content {
    SCRIPTS,
    OUT_POINTS,
    BOTH
  }

  /** A filter that was sent to a peer, by the peer's number from 0. */
  record Shown(int peer, Content content, BloomFilter filter) {}

  /** One wallet's life with a program. For one thread. */
  interface Life {

    Keyring keys();

    /** Starts the program with the files of its last run. */
    List<Shown> start(WalletState state);

    /**
     * Lets the program run on after the wallet has grown, and returns all filters that its peers
     * now have.
     */
    List<Shown> grow(WalletState state);

    /** Restores all files from the mnemonic, then starts the program. */
    default List<Shown> restore(WalletState state) {
      return start(state);
    }
  }
}
