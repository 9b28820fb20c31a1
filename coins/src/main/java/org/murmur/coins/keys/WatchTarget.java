package org.murmur.coins.keys;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text that the user asked to watch, and its descriptors.
 *
 * @param kind its form
 * @param descriptors the single descriptors it stands for, none of them with {@code <a;b>}
 */
public record WatchTarget(Kind kind, List<Descriptor> descriptors) {

  /** The forms that are recognised. */
  public enum Kind {
    /** An account's extended public key. */
    EXTENDED_KEY,
    /** An output descriptor. */
    DESCRIPTOR,
    /** One address. */
    ADDRESS
  }

  /**
   * Makes a target.
   *
   * @param kind its form
   * @param descriptors what it stands for
   */
  public WatchTarget {
    descriptors = List.copyOf(descriptors);
  }

  /**
   * Recognises an extended key, a descriptor or an address.
   *
   * @param text what the person typed
   * @param network the wallet's network
   * @return what to watch
   * @throws DescriptorException if it is a descriptor or key that cannot be used, or a secret
   * @throws AddressException if it is none of the three, or an address of another network
   */
  public static WatchTarget parse(String text, KeyNetwork network) {
    return parse(text, network, null);
  }

  /**
   * Recognises an extended key, a descriptor or an address.
   *
   * @param text what the person typed; an extended key may have its origin before it
   * @param network the wallet's network
   * @param type the script type for an extended key, or null for what its prefix or origin says
   *     (BIP-0084 if they say nothing)
   * @return what to watch
   * @throws DescriptorException if it is a descriptor or key that cannot be used, or a secret
   * @throws AddressException if it is none of the three, or an address of another network
   */
  public static WatchTarget parse(String text, KeyNetwork network, @Nullable OutputType type) {
    String typed = text.trim();
    if (typed.indexOf('(') >= 0) {
      return new WatchTarget(Kind.DESCRIPTOR, Descriptor.parse(typed, network).expand());
    }
    if (typed.startsWith("[")) {
      return new WatchTarget(Kind.EXTENDED_KEY, withOrigin(typed, network, type));
    }
    if (ExtendedKey.looksLike(typed)) {
      return new WatchTarget(Kind.EXTENDED_KEY, Accounts.ofExtendedKey(typed, network, type));
    }
    refuse(typed);
    return new WatchTarget(
        Kind.ADDRESS, List.of(Accounts.ofAddress(Address.parse(typed, network), network)));
  }

  /** {@code [fingerprint/84h/0h/0h]xpub…}: the origin's first step gives the script type. */
  private static List<Descriptor> withOrigin(
      String typed, KeyNetwork network, @Nullable OutputType type) {
    int close = typed.indexOf(']');
    ExtendedKey key = ExtendedKey.parse(typed.substring(close + 1), network);
    OutputType stated = key.script().orElse(null);
    for (OutputType candidate : OutputType.values()) {
      if (typed.substring(0, close + 1).matches("\\[[^/]*/" + candidate.purpose() + "['h].*")) {
        stated = candidate;
      }
    }
    OutputType script = type != null ? type : stated != null ? stated : OutputType.P2WPKH;
    return Accounts.chains(typed.substring(0, close + 1) + key.text(), network, script);
  }

  private static void refuse(String typed) {
    if (typed.split("\\s+").length >= 12) {
      throw new DescriptorException(
          "these look like the words of a wallet: they are for restoring it, not for watching");
    }
    if (typed.matches("[59KLc][1-9A-HJ-NP-Za-km-z]{50,51}")) {
      throw new DescriptorException(
          "this looks like a private key: it can spend, and nothing here needs that; give the"
              + " address");
    }
    if (typed.matches("(02|03)[0-9a-fA-F]{64}")) {
      throw new DescriptorException(
          "this is a public key; say which script pays to it, for instance wpkh(" + typed + ")");
    }
  }
}
