package org.murmur.wallet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.SecretText;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.message.MessageException;
import org.murmur.coins.message.MessageFormat;
import org.murmur.coins.message.MessageSignature;
import org.murmur.coins.message.MessageVerifier;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.overview.WalletOrigin;

/**
 * The keys of a wallet: words, descriptors, and what they sign besides payments. All methods throw
 * {@link WalletException} if the file cannot be read. Thread safe.
 */
public final class WalletKeys {

  private final BooksAccess access;

  WalletKeys(BooksAccess access) {
    this.access = access;
  }

  /**
   * Returns the words.
   *
   * @param credentials with the password if they are encrypted; if they are not, this checks
   *     nothing
   * @return the words, one space between them
   * @throws WalletException if there are none or the password is wrong
   */
  public String mnemonic(Credentials credentials) {
    byte[] words = SealedWords.open(secret(), credentials, access.file());
    try {
      // The result is a string: nobody can overwrite that.
      return new String(words, StandardCharsets.UTF_8);
    } finally {
      Arrays.fill(words, (byte) 0);
    }
  }

  /**
   * {@return what makes the wallet besides its words or keys, also if what it knows of the chain is
   * damaged, with the birthday that it was made with: an earlier rescan is not known here}
   */
  public WalletOrigin origin() {
    StoredWallet wallet = access.call(access.books()::facts);
    return wallet.origin(wallet.birthday());
  }

  /**
   * {@return whether a password protects the words, also if what the wallet knows of the chain is
   * damaged; false without words}
   */
  public boolean encrypted() {
    StoredWallet.Secret secret = access.call(access.books()::facts).secret();
    return secret != null && secret.encrypted();
  }

  /**
   * {@return the extended public keys of what it watches, different ones, in the order of the
   * descriptors; none if it watches addresses only}
   */
  public List<String> xpubs() {
    return access.call(
        () -> {
          Set<String> keys = new LinkedHashSet<>();
          for (StoredWallet.Chain chain : access.books().facts().chains()) {
            Descriptor.stored(chain.descriptor(), access.keyNetwork())
                .extendedKey()
                .ifPresent(key -> keys.add(key.text()));
          }
          return List.copyOf(keys);
        });
  }

  /**
   * Sets or changes the password of the words.
   *
   * @param old with the password until now
   * @param chosen the password from now on; not changed
   * @throws WalletException if there are no words, the old password is wrong, or the file cannot be
   *     written
   * @throws IllegalArgumentException if the chosen password is empty, or has a character that was
   *     lost (U+FFFD, half a character); nothing has changed then
   */
  public void changePassword(Credentials old, char[] chosen) {
    seal(old, chosen);
  }

  /**
   * Removes the password of the words.
   *
   * @param old with the password until now
   * @throws WalletException if there are no words, the old password is wrong, or the file cannot be
   *     written
   */
  public void removePassword(Credentials old) {
    seal(old, null);
  }

  private void seal(Credentials old, char @Nullable [] chosen) {
    StoredWallet.Secret secret = secret();
    byte[] words = SealedWords.open(secret, old, access.file());
    try {
      StoredWallet.Secret changed =
          SealedWords.seal(words, secret.passphraseUsed(), chosen, access.around().dice());
      access.write(
          () -> {
            access.books().writeStore(store -> store.changeSecret(changed));
            return true;
          });
    } finally {
      Arrays.fill(words, (byte) 0);
    }
  }

  /**
   * Signs a message with the key of an address, in the {@linkplain MessageFormat#usual usual}
   * format of its type. {@link MessageVerifier} verifies it. Writes nothing.
   *
   * @param address one of the wallet's
   * @param message any text; its UTF-8 is signed as it is, white space too
   * @param credentials what opens the words
   * @return the signature
   * @throws AddressException if the address is of another network
   * @throws MessageException if the message holds half a character
   * @throws WalletException of kind NOT_FOUND if the address is not the wallet's; of kind NO_SECRET
   *     if the wallet only watches, of kind WRONG_PASSWORD or WRONG_PASSPHRASE; else if the file
   *     cannot be read
   */
  public MessageSignature signMessage(Address address, String message, Credentials credentials) {
    return signMessage(address, message, Optional.empty(), credentials);
  }

  /**
   * Signs a message in a chosen format, else as {@link #signMessage(Address, String, Credentials)}
   * does.
   *
   * @param address one of the wallet's
   * @param message any text
   * @param format of the signature
   * @param credentials what opens the words
   * @return the signature
   * @throws MessageException also if the format does not fit the address
   */
  public MessageSignature signMessage(
      Address address, String message, MessageFormat format, Credentials credentials) {
    return signMessage(address, message, Optional.of(format), credentials);
  }

  private MessageSignature signMessage(
      Address address, String message, Optional<MessageFormat> format, Credentials credentials) {
    address.requireOf(access.keyNetwork());
    Bytes script = address.scriptPubKey();
    secret();
    KeyPath path =
        access
            .list(listings -> listings.ownKey(script))
            .flatMap(KeyPath::of)
            .orElseThrow(
                () ->
                    new WalletException(
                        WalletException.Kind.NOT_FOUND,
                        address + " is not an address of this wallet"));
    try (WordKeys keys = open(credentials)) {
      return MessageSignature.sign(
          message, script, path, keys, format.orElse(MessageFormat.usual(path.type())));
    }
  }

  /** The private keys, to be closed after use. */
  WordKeys open(Credentials credentials) {
    try {
      SecretText.require(credentials.passphrase());
    } catch (IllegalArgumentException e) {
      throw new WalletException(WalletException.Kind.BAD_INPUT, "passphrase: " + e.getMessage(), e);
    }
    Descriptor first = firstDescriptor();
    byte[] opened = SealedWords.open(secret(), credentials, access.file());
    try {
      Mnemonic words = Mnemonic.parse(new String(opened, StandardCharsets.UTF_8));
      WordKeys keys = WordKeys.of(words, credentials.passphrase(), access.keyNetwork());
      if (!first.key(0).filter(keys::give).isPresent()) {
        keys.close();
        throw new WalletException(
            WalletException.Kind.WRONG_PASSPHRASE,
            "the words do not give the keys of this wallet: is the passphrase right?");
      }
      return keys;
    } finally {
      Arrays.fill(opened, (byte) 0);
    }
  }

  private Descriptor firstDescriptor() {
    return access.call(
        () ->
            Descriptor.stored(
                access.books().facts().chains().get(0).descriptor(), access.keyNetwork()));
  }

  private StoredWallet.Secret secret() {
    StoredWallet.Secret secret = access.call(access.books()::facts).secret();
    if (secret == null) {
      throw WalletException.about(
          access.file(), WalletException.Kind.NO_SECRET, " only watches: it has no words");
    }
    return secret;
  }
}
