package org.murmur.wallet.internal.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.wallet.overview.WalletOrigin;

/**
 * The few facts that make a wallet what it is.
 *
 * @param network its network, as {@link org.murmur.p2p.chain.ChainParams#text} writes it
 * @param created seconds since 1970, or {@link #NOT_KNOWN}
 * @param birthday where looking for scripts begins
 * @param birthdayHeight the same as a height, once known
 * @param gap unused receive addresses in a row after which a restore stops looking
 * @param lookAhead scripts watched beyond the last used one of a chain
 * @param chains what it watches
 * @param secret the words, if it has any
 * @param base the block that its headers begin with; null for genesis
 */
public record StoredWallet(
    String network,
    long created,
    Birthday birthday,
    OptionalInt birthdayHeight,
    int gap,
    int lookAhead,
    List<Chain> chains,
    @Nullable Secret secret,
    @Nullable ChainBase base) {

  /** When a wallet was made whose file lost it. */
  public static final long NOT_KNOWN = -1;

  /** Copies the list. */
  public StoredWallet {
    chains = List.copyOf(chains);
  }

  /**
   * Returns what makes the wallet besides its words or keys.
   *
   * @param known the birthday as far as the headers tell
   */
  public WalletOrigin origin(Birthday known) {
    return new WalletOrigin(
        chains.stream().map(Chain::descriptor).collect(Collectors.toList()),
        secret != null,
        secret != null && secret.passphraseUsed(),
        gap,
        known,
        created == NOT_KNOWN ? Optional.empty() : Optional.of(Instant.ofEpochSecond(created)));
  }

  /** Makes one whose headers begin with genesis. */
  public StoredWallet(
      String network,
      long created,
      Birthday birthday,
      OptionalInt birthdayHeight,
      int gap,
      int lookAhead,
      List<Chain> chains,
      @Nullable Secret secret) {
    this(network, created, birthday, birthdayHeight, gap, lookAhead, chains, secret, null);
  }

  /** {@return the height that its headers begin at, 0 for genesis} */
  public int baseHeight() {
    return base == null ? 0 : base.height();
  }

  /**
   * Returns whether looking for scripts begins above the block that comes next, so that nothing was
   * looked at and the next block will not be either.
   *
   * @param tip height of the last header
   */
  public boolean isBornAfter(int tip) {
    return birthdayHeight.orElse(0) > tip + 1;
  }

  /**
   * Makes the same wallet with headers that begin with another block.
   *
   * @param other the block; null for genesis
   */
  public StoredWallet startingAt(@Nullable ChainBase other, Birthday born, OptionalInt bornAt) {
    return new StoredWallet(network, created, born, bornAt, gap, lookAhead, chains, secret, other);
  }

  /** Makes the same wallet with what became known of its birthday. */
  StoredWallet bornAt(OptionalInt height) {
    return startingAt(base, birthday, height);
  }

  /** Makes the same wallet with chains that handed out more, and words in another form. */
  public StoredWallet with(List<Chain> handing, @Nullable Secret form) {
    return new StoredWallet(
        network, created, birthday, birthdayHeight, gap, lookAhead, handing, form, base);
  }

  /**
   * A descriptor, which stands for one chain of scripts or a single one.
   *
   * @param descriptor canonical text
   * @param change whether it is for change rather than for being paid
   * @param ranged whether it stands for more than one script
   * @param handedOut how many of its first addresses were given out as fresh ones, or are kept
   * @param kept the one among them that was not given out, because it may have been shown; empty if
   *     all were
   */
  public record Chain(
      String descriptor, boolean change, boolean ranged, int handedOut, OptionalInt kept) {

    /**
     * Makes one that keeps no address.
     *
     * @param handedOut how many of its first addresses were given out
     */
    public Chain(String descriptor, boolean change, boolean ranged, int handedOut) {
      this(descriptor, change, ranged, handedOut, OptionalInt.empty());
    }

    /**
     * Hands out addresses.
     *
     * @param count how many of the first are given out or kept from now on
     * @param keeping which of them is kept
     */
    public Chain handingOut(int count, OptionalInt keeping) {
      return new Chain(descriptor, change, ranged, count, keeping);
    }
  }

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
