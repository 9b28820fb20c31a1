package org.murmur.coins.keys;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.bitcoinj.crypto.ECKey;

/**
 * The private keys of one account, to sign with. Syncing needs none of this. Its two chains are
 * derived when first needed.
 *
 * <p>Not safe for use by several threads.
 */
public final class PrivateAccount {

  private final PrivateNode node;
  // By whether they are of change.
  private final Map<Boolean, PrivateNode> chains = new HashMap<>();

  private PrivateAccount(PrivateNode node) {
    this.node = node;
  }

  /**
   * Derives an account: {@code m/purpose'/coin type'/account'}.
   *
   * @param mnemonic the words
   * @param passphrase the BIP-0039 passphrase, empty for none
   * @param network decides the coin type
   * @param type decides the purpose
   * @param account its number, from 0
   * @return the account
   */
  public static PrivateAccount of(
      Mnemonic mnemonic, String passphrase, KeyNetwork network, OutputType type, int account) {
    byte[] seed = mnemonic.toSeed(passphrase);
    PrivateNode master = PrivateNode.master(seed);
    try {
      return new PrivateAccount(node(master, network, type, account));
    } finally {
      master.wipe();
      Arrays.fill(seed, (byte) 0);
    }
  }

  static PrivateNode node(PrivateNode master, KeyNetwork network, OutputType type, int account) {
    if (account < 0) {
      throw new IllegalArgumentException("account " + account + ": expected 0 to 2147483647");
    }
    PrivateNode purpose = master.child(ExtendedKey.HARDENED | type.purpose());
    PrivateNode coin = purpose.child(ExtendedKey.HARDENED | network.coinType());
    purpose.wipe();
    PrivateNode node = coin.child(ExtendedKey.HARDENED | account);
    coin.wipe();
    return node;
  }

  /**
   * Returns a key. For taproot it is the internal key: BIP-0086's tweak is not applied.
   *
   * @param change true for the change chain, false for the receive chain
   * @param index its place in the chain, from 0
   * @return the key, with its private half
   */
  public ECKey key(boolean change, int index) {
    byte[] secret = privateKey(change, index);
    try {
      return ECKey.fromPrivate(secret, true);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /**
   * Returns a private key. For taproot it is the internal key: BIP-0086's tweak is not applied.
   *
   * @param change true for the change chain, false for the receive chain
   * @param index its place in the chain, from 0
   * @return 32 bytes, big-endian; the caller overwrites them after use
   * @throws IllegalStateException after {@link #wipe}
   */
  public byte[] privateKey(boolean change, int index) {
    return chains.computeIfAbsent(change, of -> node.child(of ? 1 : 0)).privateKeyOf(index);
  }

  /** Overwrites the chain codes; no key can be derived any more. */
  public void wipe() {
    node.wipe();
    chains.values().forEach(PrivateNode::wipe);
  }
}
