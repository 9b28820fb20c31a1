package org.murmur.coins.keys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns words, extended keys and addresses into the descriptors a wallet stores. */
public final class Accounts {

  private Accounts() {}

  /**
   * Returns the descriptors of an account of the words (BIP-0044, 49, 84, 86).
   *
   * @param mnemonic the words
   * @param passphrase the BIP-0039 passphrase, empty for none
   * @param network decides coin type and prefixes
   * @param types which kinds of script, in the wanted order
   * @param account the account's number, from 0
   * @return for each type the receive chain and the change chain, both with their origin
   */
  public static List<Descriptor> descriptors(
      Mnemonic mnemonic,
      String passphrase,
      KeyNetwork network,
      List<OutputType> types,
      int account) {
    byte[] seed = mnemonic.toSeed(passphrase);
    PrivateNode master = PrivateNode.master(seed);
    try {
      String fingerprint = master.neuter(network).fingerprint();
      List<Descriptor> descriptors = new ArrayList<>();
      for (OutputType type : types) {
        PrivateNode node = PrivateAccount.node(master, network, type, account);
        ExtendedKey key = node.neuter(network);
        node.wipe();
        String origin =
            String.format(
                "[%s/%dh/%dh/%dh]", fingerprint, type.purpose(), network.coinType(), account);
        descriptors.addAll(chains(origin + key.text(), network, type));
      }
      return List.copyOf(descriptors);
    } finally {
      master.wipe();
      Arrays.fill(seed, (byte) 0);
    }
  }

  /**
   * Returns the descriptors of an account that is known by its extended key.
   *
   * @param key {@code xpub…}, {@code tpub…}, or with a prefix of SLIP-0132 ({@code ypub}, {@code
   *     upub}, {@code zpub}, {@code vpub})
   * @param network the wallet's network
   * @param type the script type, or null for what the prefix says: BIP-0084 for plain keys
   * @return the receive chain {@code /0/*} and the change chain {@code /1/*}
   * @throws DescriptorException if the key is not usable, or its prefix contradicts the type
   */
  public static List<Descriptor> ofExtendedKey(
      String key, KeyNetwork network, @Nullable OutputType type) {
    ExtendedKey parsed = ExtendedKey.parse(key.trim(), network);
    OutputType stated = parsed.script().orElse(null);
    if (type != null && stated != null && type != stated) {
      throw new DescriptorException(
          String.format(
              "%s… is a key for %s, but %s was asked for",
              key.trim().substring(0, 4), stated.bip(), type.bip()));
    }
    OutputType script = type != null ? type : stated != null ? stated : OutputType.P2WPKH;
    return chains(parsed.text(), network, script);
  }

  /**
   * Returns the descriptor of one address.
   *
   * @param address the address
   * @param network the wallet's network
   * @return {@code addr(…)}
   * @throws AddressException if it is of another network
   */
  public static Descriptor ofAddress(Address address, KeyNetwork network) {
    address.requireOf(network);
    return Descriptor.parse("addr(" + address.text() + ")", network);
  }

  static List<Descriptor> chains(String key, KeyNetwork network, OutputType type) {
    return Descriptor.parse(type.wrap(key + "/<0;1>/*"), network).expand();
  }
}
