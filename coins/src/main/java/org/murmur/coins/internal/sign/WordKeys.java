package org.murmur.coins.internal.sign;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateAccount;
import org.murmur.coins.keys.PrivateKeys;

/**
 * The private keys of a wallet of words. Each account is derived when one of its keys is first
 * needed, which takes some milliseconds. Open it for one payment, and close it then.
 *
 * <p>Not safe for use by several threads.
 */
public final class WordKeys implements PrivateKeys, AutoCloseable {

  private @Nullable Mnemonic words;
  private String passphrase;
  private final KeyNetwork network;
  private final Map<Account, PrivateAccount> accounts = new HashMap<>();

  private record Account(OutputType type, int number) {}

  private WordKeys(Mnemonic words, String passphrase, KeyNetwork network) {
    this.words = words;
    this.passphrase = passphrase;
    this.network = network;
  }

  /** Returns the keys of the words, to be closed; an empty passphrase is none. */
  public static WordKeys of(Mnemonic words, String passphrase, KeyNetwork network) {
    return new WordKeys(words, passphrase, network);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException after {@link #close}
   */
  @Override
  public byte[] privateKey(KeyPath path) {
    return account(path).privateKey(path.change(), path.index());
  }

  /** Whether the words give a key of a descriptor: with another passphrase they do not. */
  public boolean give(Descriptor.PublicKey key) {
    return KeyPath.of(key)
        .map(path -> account(path).key(path.change(), path.index()).getPubKey())
        .filter(derived -> key.compressed().equals(Bytes.wrap(derived)))
        .isPresent();
  }

  private PrivateAccount account(KeyPath path) {
    Mnemonic mine = words;
    if (mine == null) {
      throw new IllegalStateException("the keys are closed");
    }
    return accounts.computeIfAbsent(
        new Account(path.type(), path.account()),
        account -> PrivateAccount.of(mine, passphrase, network, account.type(), account.number()));
  }

  /** Drops words and passphrase, and overwrites the accounts; no key can be derived any more. */
  @Override
  public void close() {
    words = null;
    passphrase = "";
    accounts.values().forEach(PrivateAccount::wipe);
    accounts.clear();
  }
}
