package org.murmur.wallet.keys;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bitcoinj.base.Base58;
import org.bitcoinj.base.exceptions.AddressFormatException;
import org.murmur.bip37.bytes.Bytes;

/**
 * An address and the script it stands for: base58check, bech32 (BIP-0173) or bech32m (BIP-0350).
 *
 * @param text the address as it is usually written (bech32 in lower case)
 * @param scriptPubKey the output script
 * @param element the script's one data push, what a BIP-0037 filter holds
 */
public record AddressText(String text, Bytes scriptPubKey, Bytes element) {

  private static final int HASH160_LENGTH = 20;

  /**
   * Reads an address.
   *
   * @param text the address
   * @param network the wallet's network
   * @return the address with its script
   * @throws AddressException if it is mistyped, no address, or of another network (which is named)
   */
  public static AddressText parse(String text, KeyNetwork network) {
    Found found = find(text.trim());
    if (!found.isOf(network)) {
      throw new AddressException(
          String.format(
              "%s is an address of %s, but the wallet is on %s",
              shown(text.trim()), found.network.title(), network.title()));
    }
    return found.address;
  }

  /**
   * Reads an address of any network.
   *
   * @param text the address
   * @return the address with its script
   * @throws AddressException if it is mistyped or no address
   */
  public static AddressText parse(String text) {
    return find(text.trim()).address;
  }

  /**
   * Returns the address of a script.
   *
   * @param scriptPubKey an output script
   * @param network the network to write it for
   * @return the address, or nothing if the script has none (bare keys, bare multisig, data)
   */
  public static Optional<String> of(Bytes scriptPubKey, KeyNetwork network) {
    if (Scripts.isKeyHash(scriptPubKey)) {
      return Optional.of(keyHash(scriptPubKey.slice(3, 23).toArray(), network));
    }
    if (Scripts.isScriptHash(scriptPubKey)) {
      return Optional.of(scriptHash(scriptPubKey.slice(2, 22).toArray(), network));
    }
    int version = Scripts.witnessVersion(scriptPubKey);
    int length = scriptPubKey.length() - 2;
    if (version < 0 || (version == 0 && length != 20 && length != 32)) {
      return Optional.empty();
    }
    byte[] program = scriptPubKey.slice(2, scriptPubKey.length()).toArray();
    return Optional.of(witness(version, program, network));
  }

  static String keyHash(byte[] hash160, KeyNetwork network) {
    return Base58.encodeChecked(network.keyHashVersion(), hash160);
  }

  static String scriptHash(byte[] hash160, KeyNetwork network) {
    return Base58.encodeChecked(network.scriptHashVersion(), hash160);
  }

  static String witness(int version, byte[] program, KeyNetwork network) {
    return SegwitText.encode(network.segwitPrefix(), version, program);
  }

  /** An address, and a network that it is of. */
  private record Found(AddressText address, KeyNetwork network, boolean segwit) {

    /** Networks may share the versions of base58 addresses. */
    boolean isOf(KeyNetwork wanted) {
      return segwit ? network == wanted : network.sharesKeysWith(wanted);
    }
  }

  private static Found find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (KeyNetwork candidate : KeyNetwork.values()) {
      if (lower.startsWith(candidate.segwitPrefix() + "1")) {
        return new Found(segwit(text, candidate), candidate, true);
      }
    }
    return base58(text);
  }

  private static AddressText segwit(String text, KeyNetwork network) {
    SegwitText.Program program;
    try {
      program = SegwitText.decode(network.segwitPrefix(), text);
    } catch (IllegalArgumentException e) {
      throw new AddressException("not an address, " + shown(text) + ": " + e.getMessage(), e);
    }
    byte[] script = Scripts.witness(program.version(), program.bytes().toArray());
    return new AddressText(text.toLowerCase(Locale.ROOT), Bytes.wrap(script), program.bytes());
  }

  private static Found base58(String text) {
    byte[] bytes;
    try {
      bytes = Base58Check.decode(text);
    } catch (IllegalArgumentException e) {
      String reason = ForeignText.of(text).orElse(String.valueOf(e.getMessage()));
      throw new AddressException("not an address, " + shown(text) + ": " + reason, e);
    }
    if (bytes.length != 1 + HASH160_LENGTH) {
      throw new AddressException(
          "not an address: it holds " + bytes.length + " bytes, an address holds 21");
    }
    int version = bytes[0] & 0xff;
    byte[] hash = Arrays.copyOfRange(bytes, 1, bytes.length);
    for (KeyNetwork candidate : KeyNetwork.values()) {
      if (version == candidate.keyHashVersion() || version == candidate.scriptHashVersion()) {
        boolean isKey = version == candidate.keyHashVersion();
        byte[] script = isKey ? Scripts.keyHash(hash) : Scripts.scriptHash(hash);
        AddressText address = new AddressText(text, Bytes.wrap(script), Bytes.wrap(hash));
        return new Found(address, candidate, false);
      }
    }
    throw new AddressException(
        String.format("not a Bitcoin address, %s: unknown version %d", shown(text), version));
  }

  /** The beginning only: a text that is no address may be a secret. */
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

  /** Recognises texts that people take for addresses. */
  private static final class ForeignText {

    /** The first that fits counts. In lower case. */
    private static final List<Map.Entry<Pattern, String>> KNOWN =
        List.of(
            entry(
                "ln(bc|tb|tbs|sb|bcrt)[0-9].*",
                "it is a Lightning invoice, and this wallet pays on chain only; ask for an"
                    + " address"),
            entry(
                "ln(o|url)1.*",
                "it is a Lightning offer, and this wallet pays on chain only; ask for an address"),
            entry(
                "[^@]+@[^@]+",
                "it is the name of a payee at a server, which this wallet does not look up; ask for"
                    + " an address"),
            entry("t?sp1.*", "it is a silent payment address (BIP-0352), which is not supported"),
            entry("0x[0-9a-f]{40}", "it is an address of Ethereum"),
            entry("(ltc|tltc)1.*", "it is an address of Litecoin"),
            entry("[0-9a-f]{64}", "it is a txid or another hash"),
            entry("0[23][0-9a-f]{64}", "it is a public key; ask for an address"),
            entry("[xyztuv]pub[0-9a-z]{100,}", "it is an extended public key; ask for an address"));

    private ForeignText() {}

    private static Map.Entry<Pattern, String> entry(String pattern, String words) {
      return Map.entry(Pattern.compile(pattern), words);
    }

    /** What a text is that cannot be read as an address; empty if that is not known. */
    static Optional<String> of(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      return KNOWN.stream()
          .filter(known -> known.getKey().matcher(lower).matches())
          .map(Map.Entry::getValue)
          .findFirst();
    }
  }
}
