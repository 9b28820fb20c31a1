package org.murmur.wallet.store;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Birthday;

/**
 * The few facts that make a wallet what it is.
 *
 * @param network name of its network
 * @param created seconds since 1970
 * @param birthday where looking for scripts begins
 * @param birthdayHeight the same as a height, once known
 * @param gap unused receive addresses in a row after which a restore stops looking
 * @param lookAhead scripts watched beyond the last used one of a chain
 * @param chains what it watches
 * @param secret the words, if it has any
 */
public record StoredWallet(
    String network,
    long created,
    Birthday birthday,
    OptionalInt birthdayHeight,
    int gap,
    int lookAhead,
    List<Chain> chains,
    @Nullable Secret secret) {

  /** Copies the list. */
  public StoredWallet {
    chains = List.copyOf(chains);
  }

  /**
   * A descriptor, which stands for one chain of scripts or a single one.
   *
   * @param descriptor canonical text
   * @param change whether it is for change rather than for being paid
   * @param ranged whether it stands for more than one script
   * @param handedOut how many of its first addresses were given out as fresh ones
   */
  public record Chain(String descriptor, boolean change, boolean ranged, int handedOut) {}

  /**
   * The words a wallet came from.
   *
   * @param words their text in UTF-8, in a box if encrypted
   * @param encrypted whether they are in a box that a password opens
   * @param passphraseUsed whether a BIP-0039 passphrase, kept nowhere, belongs to them
   */
  public record Secret(Bytes words, boolean encrypted, boolean passphraseUsed) {
    /** Says nothing of the words. */
    @Override
    public String toString() {
      return encrypted ? "encrypted words" : "words";
    }
  }
}
