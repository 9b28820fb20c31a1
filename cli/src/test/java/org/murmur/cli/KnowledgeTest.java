package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every command that tells what a wallet has tells how much of the chain the wallet knows, and all
 * tell the same. The commands are those that open a wallet.
 */
class KnowledgeTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  @TempDir Path elsewhere = Path.of("");

  /**
   * How each command is asked, and whether it can answer before the wallet has transactions. {@code
   * TXID}, {@code COIN}, {@code ADDRESS}, {@code PSBT} and {@code NODE} are replaced.
   */
  private static Map<String, String[]> doors() {
    Map<String, String[]> doors = new LinkedHashMap<>();
    for (String command : new String[] {"balance", "coins", "history", "status", "privacy"}) {
      doors.put(command, new String[] {command});
    }
    doors.put("address", new String[] {"address"});
    doors.put("why", new String[] {"why", "ADDRESS"});
    doors.put("tx", new String[] {"tx", "TXID"});
    doors.put("proof show", new String[] {"proof", "show", "TXID"});
    doors.put("proof verify", new String[] {"proof", "verify", "PROOF"});
    doors.put("freeze", new String[] {"freeze", "COIN"});
    doors.put("unfreeze", new String[] {"unfreeze", "COIN"});
    String[] pay = {"--fee-rate", "30", "--dry-run", "--even-if-incomplete"};
    doors.put("send", with(pay, "send", PAYEE, "0.002"));
    doors.put("bump", with(pay, "bump", "PAYMENT"));
    doors.put("cancel", with(pay, "cancel", "PAYMENT"));
    doors.put("psbt show", new String[] {"psbt", "show", "PSBT"});
    doors.put("psbt sign", new String[] {"psbt", "sign", "PSBT", "--yes", "--again"});
    doors.put("psbt finalize", new String[] {"psbt", "finalize", "PSBT"});
    doors.put("broadcast", new String[] {"broadcast", "TXID", "--connect", "NODE"});
    doors.put("abandon", new String[] {"abandon", "LATER"});
    return doors;
  }

  private static String[] with(String[] last, String... first) {
    String[] all = Arrays.copyOf(first, first.length + last.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }

  /** They say nothing that a block could change. */
  private static final Set<String> OTHERS =
      new TreeSet<>(
          List.of(
              // Keys and words.
              "create",
              "restore",
              "watch",
              "passwd",
              "export",
              "message sign",
              // What the user noted.
              "label",
              // Who was met.
              "peers",
              // Nothing of a wallet is read.
              "psbt combine",
              "wallets delete",
              "wallets rename",
              // Their reports are below.
              "sync",
              "rescan"));

  @Test
  void theCommandsThatOpenAWalletAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    Set<String> known = new TreeSet<>(doors().keySet());
    known.addAll(OTHERS);
    assertThat(found).isEqualTo(known);
  }

  private static void find(String path, CommandSpec spec, Set<String> found) {
    if (spec.userObject() instanceof WalletAction) {
      found.add(path);
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  /** Whoever opens a wallet by another way must say what it knows as well: see below. */
  @Test
  void noOtherCommandOpensAWallet() {
    Set<String> openers =
        MainCode.of("org.murmur.cli").stream()
            .filter(
                type ->
                    type.getMethodCallsFromSelf().stream()
                        .anyMatch(
                            call ->
                                call.getTargetOwner().isEquivalentTo(SpvWallet.class)
                                    && call.getName().equals("open")))
            .map(type -> type.getSimpleName())
            .collect(Collectors.toSet());
    assertThat(openers).containsExactlyInAnyOrder("WalletAction", "WalletsCommand", "Delete");
  }

  private final Map<String, String> words = new LinkedHashMap<>();

  private String[] asked(String door, String... more) {
    String[] asked = Objects.requireNonNull(doors().get(door)).clone();
    for (int i = 0; i < asked.length; i++) {
      asked[i] = words.getOrDefault(asked[i], asked[i]);
    }
    return with(more, asked);
  }

  private boolean canBeAsked(String door) {
    Set<String> names =
        Set.of("TXID", "COIN", "ADDRESS", "PSBT", "NODE", "PROOF", "PAYMENT", "LATER", PAYEE);
    return Arrays.stream(Objects.requireNonNull(doors().get(door)))
        .allMatch(word -> !names.contains(word) || words.containsKey(word));
  }

  /** All that can be asked say the same. */
  private void tells(int height, @Nullable Integer scannedTo, boolean complete, String text) {
    JsonNode known = murmur("status", "--json").exits(ExitCode.DONE).json().get("as_of");
    assertThat(known).as("status --json").isNotNull();
    assertThat(known.get("height").asInt()).isEqualTo(height);
    assertThat(known.get("complete").asBoolean()).isEqualTo(complete);
    assertThat(known.get("scanned_to").isNull()).isEqualTo(scannedTo == null);
    assertThat(known.get("scanned_to").asInt()).isEqualTo(scannedTo == null ? 0 : scannedTo);
    assertThat(murmur("wallets", "--json").json().get("wallets").get(0).get("as_of"))
        .isEqualTo(known);
    assertThat(murmur("wallets").out()).contains(text);
    List<String> asked = new ArrayList<>();
    for (String door : doors().keySet()) {
      if (canBeAsked(door)) {
        asked.add(door);
        Ran json = murmur(asked(door, "--json"));
        assertThat(json.json().get("as_of")).as(door + ": " + json).isEqualTo(known);
        Ran people = murmur(asked(door));
        String all = people.out() + people.err();
        assertThat(all).as(door).doesNotContain("height -1", "block -1", "complete to");
        if (!complete || Set.of("balance", "status").contains(door)) {
          assertThat(all).as(door).containsOnlyOnce(text);
        }
      }
    }
    System.out.println("asked " + asked);
  }

  @Test
  void allTellTheSame() throws IOException {
    tells(0, null, false, "never synced");
    try (RegtestNode node = node()) {
      int height = node.chain().height();
      String[] headersOnly = {"sync", "--headers-only", "--connect", node.address()};
      Ran headers = murmur(headersOnly).exits(ExitCode.DONE);
      String nothing = "no block is scanned; headers to height " + height;
      assertThat(headers.out()).contains(nothing).doesNotContain("balance", "complete at");
      tells(height, null, false, nothing);
      Ran sync = murmur("sync", "--connect", node.address(), "--json").exits(ExitCode.DONE);
      pay(node);
      words.put(PAYEE, PAYEE);
      tells(height, height, true, "height " + height + ", complete, seen by 1 peer");
      assertThat(sync.json().get("as_of").get("complete").asBoolean()).isTrue();
      node.mine(3);
      Ran half = murmur(with(new String[] {"--json"}, headersOnly)).exits(ExitCode.DONE);
      assertThat(half.json().get("complete").asBoolean()).isFalse();
      assertThat(half.json().get("as_of"))
          .isEqualTo(murmur("status", "--json").json().get("as_of"));
      words.put("LATER", Objects.requireNonNull(words.get("PAYMENT")));
      tells(
          height + 3,
          height,
          false,
          "incomplete: scanned to height " + height + " of " + (height + 3));
    }
  }

  /** A payment that waits, and what the commands need. */
  private void pay(RegtestNode node) throws IOException {
    words.put("NODE", node.address());
    JsonNode coins = murmur("coins", "--json").exits(ExitCode.DONE).json().get("coins");
    JsonNode coin = coins.get(0);
    words.put("TXID", coin.get("txid").asText());
    words.put("ADDRESS", coin.get("address").asText());
    words.put("PROOF", murmur("proof", "show", coin.get("txid").asText()).out().strip());
    Path psbt = datadir.resolve("p.psbt");
    murmur("send", PAYEE, "0.003", "--fee-rate", "2", "--psbt", psbt.toString())
        .exits(ExitCode.DONE);
    words.put("PSBT", psbt.toString());
    words.put(
        "PAYMENT",
        murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--offline", "--json")
            .exits(ExitCode.DONE)
            .json()
            .get("txid")
            .asText());
    JsonNode free = murmur("coins", "--json").json().get("coins").get(0);
    words.put("COIN", free.get("txid").asText() + ":" + free.get("vout").asInt());
  }

  /** The same wallet in another folder. */
  private Ran other(String... args) {
    return Ran.with().datadir(elsewhere).environment("MURMUR_NETWORK", "regtest").murmur(args);
  }

  /** Another copy of the wallet spent all; this one has only heard of the blocks. */
  @Test
  void whatMayBeSpentIsNotPaidUnasked() throws IOException {
    Path file = elsewhere.resolve("words.txt");
    Files.writeString(file, DemoWallet.WORDS);
    other("restore", "--mnemonic-file", file.toString()).exits(ExitCode.DONE);
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      other("sync", "--connect", node.address()).exits(ExitCode.DONE);
      String[] everything = {"send", PAYEE, "all", "--fee-rate", "2", "--yes"};
      other(with(new String[] {"--connect", node.address()}, everything)).exits(ExitCode.DONE);
      node.mine(4);
      murmur("sync", "--headers-only", "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(murmur("coins").err()).contains("incomplete: scanned to height");
      String[][] ways = {{"--offline"}, {"--psbt", "-"}, {"--dry-run"}};
      for (String[] way : ways) {
        Ran refused = murmur(with(way, everything)).exits(ExitCode.NOT_SYNCED);
        assertThat(refused.err())
            .containsOnlyOnce("incomplete: scanned to")
            .contains("--even-if-incomplete");
        assertThat(refused.out()).isEmpty();
        JsonNode error =
            murmur(with(new String[] {"--json"}, with(way, everything))).json().get("error");
        assertThat(error.get("kind").asText()).isEqualTo("incomplete");
      }
      Ran forced =
          murmur(with(new String[] {"--offline", "--even-if-incomplete"}, everything))
              .exits(ExitCode.DONE);
      assertThat(forced.err()).contains("may be spent already");
    }
  }

  /** It scans first, so nobody has to say anything. */
  @Test
  void anOrdinaryPaymentScansFirst() {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      node.mine(4);
      murmur("sync", "--headers-only", "--connect", node.address()).exits(ExitCode.DONE);
      String[] pay = {"send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--json"};
      JsonNode paid =
          murmur(with(new String[] {"--connect", node.address()}, pay)).exits(ExitCode.DONE).json();
      assertThat(paid.get("as_of").get("complete").asBoolean()).isTrue();
    }
  }
}
