package org.murmur.coins.keys;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bitcoinj.base.Base58;
import org.bitcoinj.base.exceptions.AddressFormatException;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.Scripts;

/**
 * An address of a network, and the script it stands for: base58check, bech32 (BIP-0173) or bech32m
 * (BIP-0350). It comes from a text, so that nobody pays a script of another network. Immutable.
 */
public final class Address {

  private static final int HASH160_LENGTH = 20;

  /** Characters: 25 bytes in base58 have 35 at most. */
  private static final int MAX_BASE58 = 35;

  private final String text;
  private final Bytes scriptPubKey;
  private final KeyNetwork network;

  private Address(String text, Bytes scriptPubKey, KeyNetwork network) {
    this.text = text;
    this.scriptPubKey = scriptPubKey;
    this.network = network;
  }

  /**
   * Reads an address. A payment URI is read by {@code PaymentUri}. The message of the exception is
   * for the user: it says what the text is, and repeats nothing that may be a secret.
   *
   * @param text the address
   * @param network the wallet's network
   * @return the address with its script
   * @throws AddressException if it is mistyped, no address, or of another network (which is named)
   */
  public static Address parse(String text, KeyNetwork network) {
    Address found = find(text.trim());
    found.requireOf(network);
    return found;
  }

  /**
   * Checks that the address is of a network.
   *
   * @param wanted the wallet's
   * @throws AddressException if it is of another, which is named
   */
  public void requireOf(KeyNetwork wanted) {
    // Networks may share the versions of base58 addresses.
    boolean segwit = Scripts.isWitness(scriptPubKey);
    if (segwit ? network != wanted : !network.sharesKeysWith(wanted)) {
      throw new AddressException(
          String.format(
              "%s is an address of %s, but the wallet is on %s: ask for an address of this network",
              shown(text), network.title(), wanted.title()));
    }
  }

  /** {@return the address as it is usually written, bech32 in lower case} */
  public String text() {
    return text;
  }

  /** {@return the output script: what a payment to the address has} */
  public Bytes scriptPubKey() {
    return scriptPubKey;
  }

  /** {@return the script's one data push: what a BIP-0037 filter holds} */
  public Bytes element() {
    return Scripts.pushed(scriptPubKey);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Address address
        && address.text.equals(text)
        && address.network == network;
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text. */
  @Override
  public String toString() {
    return text;
  }

  /**
   * Reads an address of any network.
   *
   * @param text the address
   * @return the address with its script
   * @throws AddressException if it is mistyped or no address
   */
  public static Address parse(String text) {
    return find(text.trim());
  }

  /**
   * Returns the address of a script.
   *
   * @param scriptPubKey an output script
   * @param network the network to write it for
   * @return the address, or nothing if the script has none (bare keys, bare multisig, data)
   */
  public static Optional<String> of(Bytes scriptPubKey, KeyNetwork network) {
    int version = Scripts.witnessVersion(scriptPubKey);
    int length = scriptPubKey.length() - 2;
    boolean segwit = version > 0 || (version == 0 && (length == 20 || length == 32));
    boolean keyHash = Scripts.isKeyHash(scriptPubKey);
    if (!segwit && !keyHash && !Scripts.isScriptHash(scriptPubKey)) {
      return Optional.empty();
    }
    byte[] data = Scripts.pushed(scriptPubKey).toArray();
    return Optional.of(
        segwit
            ? SegwitText.encode(network.segwitPrefix(), version, data)
            : Base58.encodeChecked(
                keyHash ? network.keyHashVersion() : network.scriptHashVersion(), data));
  }

  /**
   * Returns the witness version of a script (BIP-0141).
   *
   * @param scriptPubKey an output script
   * @return 0 to 16, or -1 if it is no witness program
   */
  public static int witnessVersion(Bytes scriptPubKey) {
    return Scripts.witnessVersion(scriptPubKey);
  }

  private static Address find(String text) {
    if (text.isEmpty()) {
      throw new AddressException("not an address: the text is empty");
    }
    String lower = text.toLowerCase(Locale.ROOT);
    for (KeyNetwork candidate : KeyNetwork.values()) {
      if (lower.startsWith(candidate.segwitPrefix() + "1")) {
        return segwit(text, candidate);
      }
    }
    return base58(text);
  }

  private static Address segwit(String text, KeyNetwork network) {
    SegwitText.Program program;
    try {
      program = SegwitText.decode(network.segwitPrefix(), text);
    } catch (IllegalArgumentException e) {
      throw new AddressException("not an address, " + shown(text) + ": " + e.getMessage(), e);
    }
    Bytes script = Scripts.witness(program.version(), program.bytes());
    return new Address(text.toLowerCase(Locale.ROOT), script, network);
  }

  private static Address base58(String text) {
    Optional<ForeignText> foreign = ForeignText.of(text);
    if (foreign.isPresent()) {
      throw new AddressException("not an address: " + foreign.get().words);
    }
    byte[] bytes;
    try {
      bytes = Base58Check.decode(text);
    } catch (IllegalArgumentException e) {
      // A longer text, or words, may be a secret.
      boolean repeat = text.length() <= MAX_BASE58 && !text.matches("(?s).*\\s.*");
      String begin = repeat ? ", " + shown(text) : "";
      throw new AddressException("not an address" + begin + ": " + e.getMessage(), e);
    }
    if (bytes.length != 1 + HASH160_LENGTH) {
      throw new AddressException(
          "not an address: it holds " + bytes.length + " bytes, an address holds 21");
    }
    int version = bytes[0] & 0xff;
    Bytes hash = Bytes.of(bytes, 1, bytes.length);
    for (KeyNetwork candidate : KeyNetwork.values()) {
      if (version == candidate.keyHashVersion()) {
        return new Address(text, Scripts.keyHash(hash), candidate);
      }
      if (version == candidate.scriptHashVersion()) {
        return new Address(text, Scripts.ofScriptHash(hash), candidate);
      }
    }
    throw new AddressException(
        String.format(
            "not an address, %s: unknown version %d; ask for a Bitcoin address",
            shown(text), version));
  }

  /** The beginning only. */
  private static String shown(String text) {
    return "'" + (text.length() <= 8 ? text : text.substring(0, 8) + "…") + "'";
  }

  /**
   * Reads base58check. It is a class of its own, so that a sync that only writes bech32 addresses
   * loads no class of bitcoinj.
   */
  static final class Base58Check {

    private Base58Check() {}

    /**
     * Reads a text with its checksum.
     *
     * @return the bytes before the checksum
     * @throws IllegalArgumentException if it is something else, with a reason in words
     */
    static byte[] decode(String text) {
      try {
        return Base58.decodeChecked(text);
      } catch (AddressFormatException e) {
        throw new IllegalArgumentException(reason(e), e);
      }
    }

    private static String reason(AddressFormatException e) {
      if (e instanceof AddressFormatException.InvalidChecksum) {
        return "a character is wrong or missing (the checksum does not match)";
      }
      if (e instanceof AddressFormatException.InvalidCharacter invalid) {
        return "the character at position " + (invalid.position + 1) + " cannot occur in it";
      }
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * A text that people take for an address.
   *
   * @param form what fits all of it, in lower case
   * @param words what it is, and what to do; without a part of the text, which may be a secret
   */
  private record ForeignText(Pattern form, String words) {

    private static final String ON_CHAIN =
        ", and this wallet pays on chain only; ask for an address";
    private static final String SECRET = ": show it to nobody, it can spend; ask for an address";

    /** The first that fits counts. The last is all that does not begin as an address does. */
    private static final List<ForeignText> KNOWN =
        List.of(
            text("\\S+(\\s+\\S+){11,}", "these look like the words of a wallet" + SECRET),
            text("[tuvxyz]prv.*", "it is a private extended key" + SECRET),
            text("[59klc][1-9a-z]{50,51}", "it looks like a private key" + SECRET),
            text("6p[1-9a-z]{56}", "it is an encrypted private key (BIP-0038)" + SECRET),
            text("[0-9a-f]{64}", "it is a txid or another hash, or a private key"),
            text("0[23][0-9a-f]{64}|04[0-9a-f]{128}", "it is a public key; ask for an address"),
            text("[tuvxyz]pub.*", "it is an extended public key; ask for an address"),
            text(".*[()].*", "it is a descriptor; ask for an address"),
            text(
                "bitcoin:.*",
                "it is a payment URI; the address in it is between bitcoin: and the first ?"),
            text(
                "(lightning:)?ln(bc|tb|tbs|sb|bcrt)[0-9].*",
                "it is a Lightning invoice" + ON_CHAIN),
            text("(lightning:)?ln(o|url)1.*", "it is a Lightning offer" + ON_CHAIN),
            text("https?:.*", "it is the address of a web page; ask for a Bitcoin address"),
            text(
                "[^@]+@[^@]+",
                "it is the name of a payee at a server, which this wallet does not look up; ask for"
                    + " an address"),
            text("t?sp1.*", "it is a silent payment address (BIP-0352), which is not supported"),
            text("0x[0-9a-f]{40}", "it is an address of Ethereum; ask for a Bitcoin address"),
            text("t?ltc1.*", "it is an address of Litecoin; ask for a Bitcoin address"),
            text(
                "[^123mn].*",
                "an address begins with bc1, 1 or 3, and on test networks with tb1, bcrt1, m, n or"
                    + " 2"));

    private static ForeignText text(String form, String words) {
      return new ForeignText(Pattern.compile(form, Pattern.DOTALL), words);
    }

    /** The kind of a text that does not begin as an address does; empty if it may be base58. */
    static Optional<ForeignText> of(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      return KNOWN.stream().filter(known -> known.form.matcher(lower).matches()).findFirst();
    }
  }
}
