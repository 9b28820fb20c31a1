package org.murmur.cli.pay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.Spawned;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;

/**
 * Kills {@code murmur send} at any moment, alone and beside a second one, which perhaps knows the
 * wallet's file by another name. Then the user looks at the history, sends or abandons what waits
 * there, and gives the same command again. Each payment is made once, and each coin is free or
 * spent in the end.
 */
@Timeout(3_600)
class ManyKillsTest extends RestoredWallet {

  /** Of the key 1. */
  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  private static final Bytes PAYEES_SCRIPT =
      Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  /** In satoshi. Each payment has an amount of its own, by which it is known. */
  private static final long LEAST = 20_000;

  private static final int COINS = 15;
  private static final int FEW = 2;
  private static final int MANY = 200;

  private static final Pattern COIN = Pattern.compile("--coin ([0-9a-f]{64}:\\d+)");

  private final long seed = new Random().nextInt(1_000_000);
  private final Random dice = new Random(seed);
  private final Map<String, Integer> seen = new TreeMap<>();
  private final List<String> round = new ArrayList<>();
  private long next = LEAST;
  private long lastTotal;

  @Test
  void isPaidOnceWheneverItIsKilled() {
    kill(FEW);
  }

  @Tag("long")
  @Test
  void isPaidOnceWheneverItIsKilledManyTimes() {
    kill(MANY);
  }

  @Test
  void twoAtOncePayEachPaymentOnce() {
    killOneOfTwo(FEW);
  }

  @Tag("long")
  @Test
  void twoAtOncePayEachPaymentOnceManyTimes() {
    killOneOfTwo(MANY);
  }

  private void kill(int times) {
    System.out.println("kills with seed " + seed);
    try (RegtestNode node = node()) {
      begin(node);
      for (int i = 0; i < times; i++) {
        long amount = next++;
        try (Spawned sending = start(node, amount)) {
          strike(sending);
          count("process ended with " + sending.ran().code());
        }
        count("it left " + pending(amount).size() + " pending");
        finish(node, amount);
        settle(node, List.of(amount));
      }
      end(node);
    }
  }

  /** The same payment twice, or two payments with the same coin; one of them may be killed. */
  private void killOneOfTwo(int times) {
    System.out.println("two at once with seed " + seed);
    try (RegtestNode node = node()) {
      begin(node);
      for (int i = 0; i < times; i++) {
        boolean same = dice.nextBoolean();
        long first = next++;
        long second = same ? first : next++;
        String[] coin = same ? new String[0] : new String[] {"--coin", coin()};
        try (Spawned one = start(node, first, coin);
            Spawned two = Spawned.on(datadir).start(other(node, second, coin))) {
          if (dice.nextBoolean()) {
            strike(one);
          }
          count((same ? "same payment: " : "same coin: ") + outcome(one) + ", " + outcome(two));
        }
        List<Long> amounts = same ? List.of(first) : List.of(first, second);
        amounts.forEach(amount -> finish(node, amount));
        settle(node, amounts);
      }
      end(node);
    }
  }

  private static String outcome(Spawned process) {
    Ran ran = process.ran();
    Matcher kind = Pattern.compile("\"kind\":\"(\\w+)\"").matcher(ran.out());
    return ran.code() + (kind.find() ? " " + kind.group(1) : "");
  }

  /** Lets a coinbase of 50 BTC mature, and divides it. */
  private void begin(RegtestNode node) {
    try {
      Path other = datadir.resolve("regtest/other.sqlite");
      Files.createSymbolicLink(other, Path.of("default.sqlite"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    node.mine(100);
    sync(node);
    List<String> words = new ArrayList<>(List.of("send"));
    for (int i = 0; i < COINS; i++) {
      words.addAll(List.of(murmur("address", "--new").exits(ExitCode.DONE).out().strip(), "0.1"));
    }
    words.addAll(List.of("--yes", "--fee-rate", "2", "--connect", node.address()));
    murmur(words.toArray(String[]::new)).exits(ExitCode.DONE);
    node.mine(1);
    sync(node);
    lastTotal = total();
  }

  /** Nothing is left over: the whole wallet can be spent. */
  private void end(RegtestNode node) {
    murmur("send", PAYEE, "all", "--fee-rate", "2", "--yes", "--connect", node.address())
        .exits(ExitCode.DONE);
    node.mine(1);
    sync(node);
    System.out.println(seen);
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
    round.add(what);
  }

  private void sync(RegtestNode node) {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
  }

  private long total() {
    return murmur("balance", "--json").json().get("total_sat").asLong();
  }

  /** The largest one. */
  private String coin() {
    String best = "";
    long most = 0;
    for (JsonNode coin : murmur("coins", "--json").json().get("coins")) {
      if (coin.get("spendable").asBoolean() && coin.get("value_sat").asLong() > most) {
        most = coin.get("value_sat").asLong();
        best = coin.get("txid").asText() + ":" + coin.get("vout").asInt();
      }
    }
    return best;
  }

  private Spawned start(RegtestNode node, long amount, String... more) {
    return Spawned.on(datadir).start(command(node, amount, 2, "--jsonl", more));
  }

  /** The second process may know the file by another name. */
  private String[] other(RegtestNode node, long amount, String... coin) {
    List<String> words = new ArrayList<>(List.of(command(node, amount, 2, "--jsonl", coin)));
    if (dice.nextBoolean()) {
      words.addAll(0, List.of("-w", "other"));
    }
    return words.toArray(String[]::new);
  }

  private static String[] command(
      RegtestNode node, long amount, int rate, String form, String... more) {
    List<String> words = new ArrayList<>(List.of("send", PAYEE, amount + "sat", "--yes", form));
    words.addAll(List.of("--fee-rate", "" + rate, "--connect", node.address()));
    words.addAll(Arrays.asList(more));
    return words.toArray(String[]::new);
  }

  /** Some milliseconds after it wrote the payment, or at any time while it starts and plans. */
  private void strike(Spawned sending) {
    if (dice.nextBoolean()) {
      sending.runs(dice.nextInt(2_000));
    } else if (sending.awaitLine(line -> line.contains("payment_seen"))) {
      sending.runs(dice.nextInt(60));
    }
    sending.strike();
  }

  /** What waits in the wallet and pays this amount. */
  private List<JsonNode> pending(long amount) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode entry : murmur("history", "--json").json().get("transactions")) {
      if (entry.get("height").isNull() && entry.get("status").asText().equals("pending")) {
        JsonNode tx = murmur("tx", entry.get("txid").asText(), "--json").json();
        if (pays(tx.get("hex").asText(), amount)) {
          found.add(tx);
        }
      }
    }
    return found;
  }

  private static boolean pays(String hex, long amount) {
    try {
      return pays(Tx.parse(Bytes.ofHex(hex)), amount);
    } catch (MalformedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean pays(Tx tx, long amount) {
    return tx.outputs().stream()
        .anyMatch(out -> out.value() == amount && out.script().equals(PAYEES_SCRIPT));
  }

  /** The user saw no result. */
  private void finish(RegtestNode node, long amount) {
    if (dice.nextInt(3) == 0) {
      sync(node);
    }
    for (JsonNode waits : pending(amount)) {
      if (!waits.get("heard").asBoolean()) {
        String txid = waits.get("txid").asText();
        if (dice.nextBoolean()) {
          murmur("abandon", txid).exits(ExitCode.DONE);
          count("abandoned");
        } else {
          murmur("broadcast", txid, "--connect", node.address()).exits(ExitCode.DONE);
          count("broadcast");
        }
      }
    }
    again(node, amount);
  }

  /** Gives the command once more, and does what the refusal says. */
  private void again(RegtestNode node, long amount) {
    Ran ran = murmur(command(node, amount, 2, "--json"));
    if (ran.code() == ExitCode.DONE.number()) {
      count("paid at the second try");
      return;
    }
    String kind = ran.exits(ExitCode.FAILED).json().at("/error/kind").asText();
    count("second try: " + kind);
    if (kind.equals("abandoned")) {
      List<String> coins = new ArrayList<>();
      Matcher named = COIN.matcher(ran.json().at("/error/message").asText());
      while (named.find()) {
        coins.addAll(List.of("--coin", named.group(1)));
      }
      Ran third = murmur(command(node, amount, 9, "--json", coins.toArray(String[]::new)));
      if (third.code() != ExitCode.DONE.number()) {
        // It had left before the kill, and now the peer says that it has it.
        assertThat(third.json().at("/error/kind").asText()).isEqualTo("already_pending");
        count("abandoned, and the peer had it");
      }
    } else {
      assertThat(kind).as(ran.toString()).isEqualTo("already_pending");
    }
  }

  /** A block confirms exactly one transaction for each payment, and nothing waits any more. */
  private void settle(RegtestNode node, List<Long> amounts) {
    List<Tx> mined = node.mine(1).get(0).transactions();
    sync(node);
    String what = "seed " + seed + ", amounts " + amounts + ", " + round;
    round.clear();
    for (long amount : amounts) {
      assertThat(mined.stream().filter(tx -> pays(tx, amount))).as(what).hasSize(1);
      assertThat(pending(amount)).as(what).isEmpty();
    }
    assertThat(mined).as(what).hasSize(1 + amounts.size());
    assertThat(node.mempool().transactions()).as(what).isEmpty();
    long total = total();
    long paid = amounts.stream().mapToLong(Long::longValue).sum();
    assertThat(lastTotal - total - paid).as(what + ": fees").isBetween(100L, 40_000L);
    lastTotal = total;
  }
}
