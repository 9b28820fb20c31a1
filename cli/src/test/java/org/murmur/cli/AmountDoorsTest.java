package org.murmur.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Amount;
import org.murmur.cli.terminal.AmountText;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.spend.fee.FeeRate;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every amount that a user types. The library takes no number for one, and in the commands only
 * {@link AmountText} makes amounts: so a command that reads one has an argument of this type.
 */
class AmountDoorsTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  private static final String TXID = "11".repeat(32);

  /** What speaks of money, and is none of the kind. */
  private static final Set<String> NO_AMOUNTS = Set.of("--unit", "--fee-rate", "--label");

  private static final Pattern MONEY =
      Pattern.compile("\\b(BTC|btc|satoshi|SAT|AMOUNT|SATOSHI)\\b");

  /**
   * How a command is given an amount.
   *
   * @param inBtc whether a number alone is in BTC
   * @param words {@code X} stands for the amount
   */
  private record Door(boolean inBtc, List<String> words) {

    private static Door of(boolean inBtc, String... words) {
      return new Door(inBtc, List.of(words));
    }

    String[] with(String amount, String... more) {
      String[] all = Arrays.copyOf(more, more.length + words.size());
      for (int i = 0; i < words.size(); i++) {
        all[more.length + i] = words.get(i).replace("=X", "=" + amount).replaceAll("^X$", amount);
      }
      return all;
    }
  }

  private static Map<String, Door> doors() {
    Map<String, Door> doors = new LinkedHashMap<>();
    doors.put("send ADDRESS AMOUNT", Door.of(true, "send", PAYEE, "X", "--fee-rate=2"));
    doors.put(
        "send --max-fee", Door.of(false, "send", PAYEE, "1BTC", "--fee-rate=2", "--max-fee=X"));
    doors.put("bump --max-fee", Door.of(false, "bump", TXID, "--fee-rate=2", "--max-fee=X"));
    doors.put("cancel --max-fee", Door.of(false, "cancel", TXID, "--fee-rate=2", "--max-fee=X"));
    doors.put("psbt sign --max-fee", Door.of(false, "psbt", "sign", "--max-fee=X", "nothing.psbt"));
    doors.put("address --amount", Door.of(true, "address", "--uri", "--amount=X"));
    return doors;
  }

  /** Whoever adds an argument that is an amount adds it here, and it must pass below. */
  @Test
  void theArgumentsThatAreAmountsAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    assertThat(found).isEqualTo(new TreeSet<>(doors().keySet()));
  }

  private static void find(String path, CommandSpec spec, Set<String> found) {
    spec.args().stream()
        .filter(argument -> !NO_AMOUNTS.contains(name(argument)))
        .filter(
            argument ->
                argument.type() == AmountText.class
                    || MONEY.matcher(argument.paramLabel()).find()
                    || (argument.arity().max() > 0
                        && Arrays.stream(argument.description())
                            .anyMatch(text -> MONEY.matcher(text).find())))
        .forEach(argument -> found.add((path + " " + name(argument)).strip()));
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  @Test
  void nothingElseReadsAmountsAndRates() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(AmountText.class)
        .should()
        .callCodeUnitWhere(makes(Amount.class, Set.of("sat", "btc", "parse")))
        .check(main());
    noClasses()
        .should()
        .callCodeUnitWhere(makes(FeeRate.class, Set.of("satPerVb", "satPerKvb", "paid")))
        .check(main());
  }

  private static JavaClasses main() {
    return MainCode.of("org.murmur.cli");
  }

  private static DescribedPredicate<JavaCall<?>> makes(Class<?> type, Set<String> names) {
    return DescribedPredicate.describe(
        "make a " + type.getSimpleName(),
        call ->
            call.getTargetOwner().isEquivalentTo(type)
                && names.contains(call.getTarget().getName())
                && !call.getTarget().getRawParameterTypes().isEmpty());
  }

  @Test
  void aNumberAloneIsRefusedUnderAnotherUnit() {
    doors()
        .forEach(
            (name, door) -> {
              Ran other = murmur(door.with("5", "--json", "--unit", door.inBtc() ? "sat" : "btc"));
              assertThat(other.exits(ExitCode.USAGE).json().toString())
                  .as(name)
                  .contains("in which unit?", "5sat or 5BTC");
              for (String unit : new String[] {"sat", "btc"}) {
                assertThat(murmur(door.with("5000sat", "--unit", unit)).err())
                    .as(name)
                    .doesNotContain("unit");
              }
              assertThat(murmur(door.with("5", "--unit", door.inBtc() ? "btc" : "sat")).err())
                  .as(name)
                  .doesNotContain("unit");
            });
  }

  @Test
  void eachMistakeHasItsOwnSentence() {
    Map<String, String> mistakes = new LinkedHashMap<>();
    mistakes.put("1.", "no digit follows the point");
    mistakes.put("0.123456789BTC", "more than eight decimals");
    mistakes.put("0,5", "a comma");
    mistakes.put("0.5sat", "nothing smaller than a satoshi");
    mistakes.put("22000000BTC", "there are only 21,000,000 BTC");
    mistakes.put("99999999999999999999999sat", "there are only 21,000,000 BTC");
    mistakes.put("-1", "an amount is not below 0");
    mistakes.put("0.1.2", "a point stands before the decimals only");
    mistakes.put("five", "no amount: expected a number and BTC or sat");
    mistakes.put("0", "expected more than 0");
    doors()
        .forEach(
            (name, door) ->
                mistakes.forEach(
                    (typed, sentence) -> {
                      Ran ran = murmur(door.with(typed, "--json")).exits(ExitCode.USAGE);
                      assertThat(ran.json().toString()).as(name).contains(sentence);
                    }));
  }

  @Test
  void aUnitMayFollowTheNumber() {
    for (String typed : List.of("0.1BTC", "0.1 BTC", "0.1btc", "10000000 sat", ".1 BTC")) {
      doors()
          .forEach(
              (name, door) ->
                  assertThat(murmur(door.with(typed)).code())
                      .as(name + " " + typed)
                      .isNotEqualTo(ExitCode.USAGE.number()));
      assertThat(murmur("address", "--uri", "--amount", typed).exits(ExitCode.DONE).out())
          .contains("?amount=0.1\n");
    }
  }
}
