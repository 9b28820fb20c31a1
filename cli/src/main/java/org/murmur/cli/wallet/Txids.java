package org.murmur.cli.wallet;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Text;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Parameters;

/** A txid as people type it: whole, or the first digits of one that the wallet knows. */
public final class Txids {

  private static final int WHOLE = 64;

  /** At most this many are named if a beginning fits several. */
  private static final int MAX_NAMED = 3;

  /** Fewer digits fit too many, and are often typing errors. */
  private static final Pattern BEGINNING = Pattern.compile("[0-9a-fA-F]{6,63}");

  @Parameters(
      paramLabel = "TXID",
      description = "The txid as block explorers print it, or its first digits.")
  private String txid = "";

  public Hash256 read(SpvWallet wallet) {
    return read(wallet, "TXID", txid);
  }

  public static boolean isBeginning(String text) {
    return BEGINNING.matcher(withoutDots(text)).matches();
  }

  /**
   * Reads a txid in the byte order of explorers, or the first six digits or more of one of the
   * wallet.
   */
  public static Hash256 read(SpvWallet wallet, String what, String text) {
    String digits = withoutDots(text).toLowerCase(Locale.ROOT);
    if (digits.length() == WHOLE) {
      return Inputs.hash(what, digits);
    }
    if (!isBeginning(digits)) {
      throw Failure.usage(
          Text.of(
              "%s '%s', expected 64 hex digits, or at least the first 6 of a transaction of this"
                  + " wallet",
              what, text));
    }
    return only(digits, beginning(wallet, digits));
  }

  /**
   * Returns the transactions of a wallet whose txids begin with these digits in lower case, in the
   * order of the history.
   */
  public static List<Hash256> beginning(SpvWallet wallet, String digits) {
    return wallet.history().full().list().stream()
        .map(entry -> entry.txid())
        .filter(txid -> txid.toDisplay().startsWith(digits))
        .toList();
  }

  /** The one transaction that begins with these digits. */
  static Hash256 only(String digits, List<Hash256> found) {
    if (found.isEmpty()) {
      throw Failure.failed(
          "no_such_transaction", "the wallet has no transaction that begins with " + digits);
    }
    if (found.size() > 1) {
      throw Failure.failed(
          "ambiguous_txid",
          found.size()
              + " transactions of the wallet begin with "
              + digits
              + ", give more digits: "
              + String.join(", ", found.stream().limit(MAX_NAMED).map(Hash256::toDisplay).toList())
              + (found.size() > MAX_NAMED ? ", ..." : ""));
    }
    return found.get(0);
  }

  /** Reads an outpoint {@code txid:index}, its txid as {@link #read} does. */
  public static OutPoint readOutPoint(SpvWallet wallet, String what, String text) {
    int colon = text.indexOf(':');
    boolean begins = colon > 0 && isBeginning(text.substring(0, colon));
    String whole =
        begins
            ? read(wallet, what, text.substring(0, colon)).toDisplay() + text.substring(colon)
            : text;
    return Inputs.outPoint(what, whole);
  }

  /** Without the dots that show in a list that there is more. */
  private static String withoutDots(String text) {
    return text.replaceFirst("(\u2026|\\.\\.\\.?)$", "");
  }
}
