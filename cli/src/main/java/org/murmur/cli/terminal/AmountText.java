package org.murmur.cli.terminal;

import java.util.Optional;
import java.util.regex.Pattern;
import org.murmur.bip37.tx.Amount;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.coins.keys.Address;
import org.murmur.coins.spend.Recipient;

/**
 * An amount as people type it: with its unit, or a number alone, which is in the unit that the
 * command names. If {@code --unit} says another one, a number alone is refused. No command reads an
 * amount otherwise.
 */
public record AmountText(String text) {

  private static final Pattern NUMBER = Pattern.compile("-?[0-9.,]+");
  private static final Pattern UNIT = Pattern.compile("(?i)btc|sats?|satoshis?");
  private static final Pattern AMOUNT = Pattern.compile(NUMBER + "\\s*(" + UNIT + ")?");

  /** Makes the recipient of an amount, who may pay the fee. */
  public Recipient recipient(Address address, boolean subtractFee, GlobalOptions options) {
    if (isAll()) {
      return Recipient.all(address);
    }
    Amount amount = amount("AMOUNT", Unit.BTC, options);
    return subtractFee ? Recipient.lessFee(address, amount) : Recipient.of(address, amount);
  }

  /** Suggests satoshi instead of BTC, in a sentence; empty if it is no whole number of BTC. */
  public Optional<String> hint() {
    return text.matches("\\d{3,}")
        ? Optional.of("amounts are in BTC: do you mean " + text + "sat?")
        : Optional.empty();
  }

  /** Returns whether a payee gets all that is left. */
  public boolean isAll() {
    return text.equalsIgnoreCase("all");
  }

  /** Returns whether it is meant as an amount: all, or a number with or without a unit. */
  public boolean isAmount() {
    return isAll() || AMOUNT.matcher(text).matches();
  }

  /** Returns whether a word is a unit that belongs to the number before it, such as BTC or sat. */
  public static boolean isUnit(String word) {
    return UNIT.matcher(word).matches();
  }

  /**
   * Reads it: more than 0. Refuses 0, other text, and a number alone under another unit that the
   * user named.
   */
  public Amount amount(String what, Unit alone, GlobalOptions options) {
    boolean bare = NUMBER.matcher(text.trim()).matches();
    if (bare && options.saidUnit().filter(said -> said != alone).isPresent()) {
      throw failure(
          what,
          Text.of(
              "in which unit? --unit says another than %s, in which a number alone is read: write"
                  + " %ssat or %sBTC",
              alone, text.trim(), text.trim()));
    }
    try {
      Amount amount = Amount.parse(bare ? text.trim() + alone : text);
      if (amount.equals(Amount.ZERO)) {
        throw failure(what, "expected more than 0");
      }
      return amount;
    } catch (IllegalArgumentException e) {
      throw failure(
          what,
          Failures.message(e)
              + (alone == Unit.BTC ? hint() : Optional.<String>empty())
                  .map(sentence -> "; " + sentence)
                  .orElse(""));
    }
  }

  private Failure failure(String what, String why) {
    return Failure.usage(what + " " + text + ": " + why);
  }

  @Override
  public String toString() {
    return text;
  }
}
