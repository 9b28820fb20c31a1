package org.murmur.wallet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.coins.internal.crypto.SecretBox;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.InvalidMnemonicException;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.WatchTarget;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.store.StoredWallet;

/** The contents of a new wallet. Immutable; the {@code with} methods derive. */
public final class WalletRecipe {

  /** Unused receive addresses in a row after which a restore stops looking (BIP-0044). */
  public static final int GAP = 20;

  /**
   * Scripts watched beyond the last used one of each chain. More of them cost another pass over the
   * chain, so there are enough to make that rare.
   */
  public static final int LOOK_AHEAD = 1000;

  /** How the keys of an account's receive chain end (BIP-0044). */
  private static final Pattern RECEIVE = Pattern.compile("/0/\\*");

  // Written by constructors, and by with() in its new copy only.
  private final ChainParams network;
  private final List<Descriptor> descriptors;
  private final @Nullable Mnemonic mnemonic;
  private final boolean passphraseUsed;
  private Birthday birthday = new Birthday.AtHeight(1);
  private int gap = GAP;
  private int lookAhead = LOOK_AHEAD;
  private char @Nullable [] password;

  /** Possible first blocks of its headers; null for the built-in ones of the network. */
  private @Nullable Checkpoints starts;

  private WalletRecipe(
      ChainParams network,
      List<Descriptor> descriptors,
      @Nullable Mnemonic mnemonic,
      boolean passphraseUsed) {
    this.network = network;
    this.descriptors = descriptors;
    this.mnemonic = mnemonic;
    this.passphraseUsed = passphraseUsed;
  }

  private WalletRecipe with(Consumer<WalletRecipe> change) {
    WalletRecipe changed = new WalletRecipe(network, descriptors, mnemonic, passphraseUsed);
    changed.birthday = birthday;
    changed.gap = gap;
    changed.lookAhead = lookAhead;
    changed.password = password;
    changed.starts = starts;
    change.accept(changed);
    return changed;
  }

  /**
   * A wallet of words that watches an account of them.
   *
   * @param network its network
   * @param mnemonic the words
   * @param passphrase the BIP-0039 passphrase, empty for none; it is not stored
   * @param types the kinds of script to watch; the first one's addresses are handed out
   * @param account the account's number, from 0
   * @return a recipe, born at the beginning of the chain
   * @throws IllegalArgumentException if the passphrase has a character that was lost (U+FFFD, half
   *     a character)
   */
  public static WalletRecipe ofMnemonic(
      ChainParams network,
      Mnemonic mnemonic,
      String passphrase,
      List<OutputType> types,
      int account) {
    return new WalletRecipe(
        network,
        Accounts.descriptors(mnemonic, passphrase, keyNetwork(network), types, account),
        mnemonic,
        !passphrase.isEmpty());
  }

  /**
   * A wallet of words without a passphrase: the segwit addresses of their first account (BIP-0084).
   *
   * @param network its network
   * @param words 12 to 24, as a person writes them
   * @return a recipe, born at the beginning of the chain
   * @throws InvalidMnemonicException if their number, one of the words or the checksum is wrong
   */
  public static WalletRecipe ofWords(ChainParams network, String words) {
    return ofMnemonic(network, Mnemonic.parse(words), "", List.of(OutputType.P2WPKH), 0);
  }

  /**
   * A wallet that only watches one thing.
   *
   * @param network its network
   * @param target an extended public key, a descriptor or an address, as {@link WatchTarget#parse}
   *     reads it
   * @return a recipe, born at the beginning of the chain
   * @throws IllegalArgumentException if it is none of these, or of another network
   */
  public static WalletRecipe watching(ChainParams network, String target) {
    return ofDescriptors(network, WatchTarget.parse(target, keyNetwork(network)).descriptors());
  }

  /**
   * A wallet that only watches.
   *
   * @param network its network
   * @param descriptors what to watch; several chains in one are split
   * @return a recipe, born at the beginning of the chain
   * @throws IllegalArgumentException if there are none, or one is of another network
   */
  public static WalletRecipe ofDescriptors(ChainParams network, List<Descriptor> descriptors) {
    List<Descriptor> chains =
        descriptors.stream()
            .flatMap(d -> d.expand().stream())
            .distinct()
            .collect(Collectors.toList());
    if (chains.isEmpty()) {
      throw new IllegalArgumentException("descriptors: none given, expected at least one");
    }
    for (Descriptor chain : chains) {
      if (chain.network() != keyNetwork(network)) {
        throw new IllegalArgumentException(
            "descriptor of " + chain.network().title() + ", expected one of " + network);
      }
    }
    return new WalletRecipe(network, chains, null, false);
  }

  /**
   * Returns the prefixes of a network's addresses and keys.
   *
   * @param network a network
   * @return its prefixes
   */
  public static KeyNetwork keyNetwork(ChainParams network) {
    return switch (network.name()) {
      case "mainnet" -> KeyNetwork.MAINNET;
      case "regtest" -> KeyNetwork.REGTEST;
      default -> KeyNetwork.TEST;
    };
  }

  /**
   * {@return a recipe with another birthday}
   *
   * @param born no earlier block concerns the wallet
   */
  public WalletRecipe withBirthday(Birthday born) {
    return with(changed -> changed.birthday = born);
  }

  /**
   * Derives a recipe with another gap limit.
   *
   * @param addresses unused receive addresses in a row after which a restore stops looking
   * @return a new recipe; its look-ahead is at least the gap
   * @throws IllegalArgumentException if it is not positive
   */
  public WalletRecipe withGap(int addresses) {
    if (addresses < 1) {
      throw new IllegalArgumentException("gap " + addresses + ", expected 1 or more");
    }
    return with(
        changed -> {
          changed.gap = addresses;
          changed.lookAhead = Math.max(addresses, lookAhead);
        });
  }

  /**
   * {@return a recipe with another look-ahead} One that is smaller than the distance between two
   * used addresses loses coins; the usual one is enough.
   *
   * @param scripts how many to watch beyond the last used one of each chain
   * @throws IllegalArgumentException if it is not positive
   */
  public WalletRecipe withLookAhead(int scripts) {
    if (scripts < 1) {
      throw new IllegalArgumentException("lookAhead " + scripts + ", expected 1 or more");
    }
    return with(changed -> changed.lookAhead = scripts);
  }

  /**
   * {@return a recipe that encrypts the words} It holds the password as long as it lives: {@link
   * #wipe} it when the wallet is made.
   *
   * @param chosen the password; copied
   * @throws IllegalArgumentException if it is empty, or has a character that was lost (U+FFFD, half
   *     a character)
   */
  public WalletRecipe withPassword(char[] chosen) {
    SecretBox.requirePassword(chosen);
    return with(changed -> changed.password = chosen.clone());
  }

  /**
   * Overwrites the password that was given to {@link #withPassword}, in every recipe derived since:
   * they can make no encrypted wallet any more. The words are strings and cannot be overwritten.
   */
  public void wipe() {
    if (password != null) {
      Arrays.fill(password, '\0');
    }
  }

  /**
   * {@return a recipe whose headers are fetched and checked from genesis on} Otherwise they begin
   * with a known block, 20,160 or more below the birthday: earlier blocks cannot concern the
   * wallet.
   */
  public WalletRecipe fromGenesis() {
    return startingAt(Checkpoints.NONE);
  }

  /**
   * {@return a recipe whose headers begin with one of these blocks instead of a built-in one, for
   * instance on a custom chain}
   *
   * @param known the blocks
   */
  public WalletRecipe startingAt(Checkpoints known) {
    return with(changed -> changed.starts = known);
  }

  /** The first block of its headers; null for genesis. */
  private @Nullable ChainBase base() {
    Checkpoints known = starts == null ? Checkpoints.of(network) : starts;
    ChainBase base = known.baseFor(network, birthday);
    return base.isGenesis() ? null : base;
  }

  /** {@return the network, where its coins are} */
  public ChainParams network() {
    return network;
  }

  /** {@return what is watched, one chain of scripts each} */
  public List<Descriptor> descriptors() {
    return descriptors;
  }

  /**
   * {@return the receive chains whose change is not watched: the receive chain of an account
   * ({@code /0/*}) without its change chain ({@code /1/*}); among {@link #descriptors}} If another
   * wallet with these keys pays, the balance lacks its change.
   */
  public List<Descriptor> withoutChange() {
    Set<String> watched =
        descriptors.stream().map(WalletRecipe::withoutChecksum).collect(Collectors.toSet());
    return descriptors.stream()
        .filter(descriptor -> RECEIVE.matcher(withoutChecksum(descriptor)).find())
        .filter(
            descriptor ->
                !watched.contains(RECEIVE.matcher(withoutChecksum(descriptor)).replaceAll("/1/*")))
        .collect(Collectors.toList());
  }

  private static String withoutChecksum(Descriptor descriptor) {
    return descriptor.canonical().replaceAll("#.*", "");
  }

  /** {@return the words; empty for a wallet that only watches} */
  public Optional<Mnemonic> mnemonic() {
    return Optional.ofNullable(mnemonic);
  }

  /** The content of a new wallet's file. */
  StoredWallet stored(Environment around) {
    List<StoredWallet.Chain> chains = new ArrayList<>();
    for (Descriptor d : descriptors) {
      chains.add(new StoredWallet.Chain(d.canonical(), d.change(), d.ranged(), 0));
    }
    return new StoredWallet(
        network.text(),
        around.seconds(),
        birthday,
        OptionalInt.empty(),
        gap,
        lookAhead,
        chains,
        mnemonic == null ? null : sealed(mnemonic, around),
        base());
  }

  private StoredWallet.Secret sealed(Mnemonic known, Environment around) {
    byte[] words = known.text().getBytes(StandardCharsets.UTF_8);
    try {
      return SealedWords.seal(words, passphraseUsed, password(), around.dice());
    } finally {
      Arrays.fill(words, (byte) 0);
    }
  }

  private char @Nullable [] password() {
    if (password != null && password[0] == '\0') {
      throw new IllegalStateException("the password was overwritten");
    }
    return password;
  }
}
