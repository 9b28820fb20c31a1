package org.murmur.wallet;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.overview.WalletOrigin;

/**
 * The facts of a wallet.
 *
 * @param file where it is
 * @param network its network
 * @param created when it was made; empty if damage to the file lost it
 * @param birthday no earlier block concerns it
 * @param birthdayHeight the same as a height, once the headers are there
 * @param descriptors what it watches, canonical, each one chain of scripts
 * @param hasWords whether it holds the words it came from; otherwise it only watches
 * @param encrypted whether a password protects the words
 * @param passphraseUsed whether a BIP-0039 passphrase, which is never stored, belongs to the words
 * @param gap how many unused receive addresses in a row end a restore's search
 * @param lookAhead how many scripts are watched beyond the last used one of each chain
 */
public record WalletInfo(
    Path file,
    ChainParams network,
    Optional<Instant> created,
    Birthday birthday,
    OptionalInt birthdayHeight,
    List<String> descriptors,
    boolean hasWords,
    boolean encrypted,
    boolean passphraseUsed,
    int gap,
    int lookAhead) {

  /** Copies the list. */
  public WalletInfo {
    descriptors = List.copyOf(descriptors);
  }

  /**
   * {@return what makes this wallet besides its words or keys, and which other ones there are; a
   * part of these facts}
   */
  public WalletOrigin origin() {
    return new WalletOrigin(descriptors, hasWords, passphraseUsed, gap, birthday, created);
  }

  /** The facts of a stored wallet. */
  static WalletInfo of(Path file, ChainParams network, StoredWallet wallet, Birthday birthday) {
    StoredWallet.Secret secret = wallet.secret();
    WalletOrigin origin = wallet.origin(birthday);
    return new WalletInfo(
        file,
        network,
        origin.created(),
        birthday,
        wallet.birthdayHeight(),
        origin.descriptors(),
        origin.hasWords(),
        secret != null && secret.encrypted(),
        origin.passphraseUsed(),
        origin.gap(),
        wallet.lookAhead());
  }
}
