package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Neighbour;
import org.murmur.regtest.RegtestNode;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Inputs of neighbouring standards at every reader: the error says what was given, and no parser's
 * words. The readers are the commands with arguments.
 */
class NeighboursTest extends RestoredWallet {

  /** A text, and a word of its name; public examples of each standard, or made of its rules. */
  private static Map<String, String> corpus() {
    Map<String, String> corpus = new LinkedHashMap<>();
    corpus.put("{\"psbt\": \"cHNidP8BAHECAAAA\", \"complete\": false}", "JSON around a PSBT");
    corpus.put(
        "{\"wallet_name\":\"w\",\"descriptors\":[{\"desc\":\"wpkh(tpub/0/*)#abc\",\"active\":true}]}",
        "listdescriptors");
    corpus.put("{\"hex\":\"0200\",\"complete\":true}", "JSON around a transaction");
    corpus.put("{\"seed_version\": 18, \"wallet_type\": \"standard\"}", "Electrum");
    corpus.put("{\"chain\":\"BTC\",\"xpub\":\"xpub6CU\"}", "JSON of another wallet");
    corpus.put("BSMS 1.0", "BSMS");
    corpus.put("ur:crypto-psbt/hdcxlkahssqzwfvslofzoxwkrewngotktbmwjkwdcmnefsaaehrl", "UR");
    corpus.put("ur:crypto-account/oeadcyjksktnbkaxihfrp", "UR");
    corpus.put("lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzq", "Lightning");
    corpus.put("lightning:LNBC2500U1PVJLUEZPP5QQQSYQCYQ5RQWZQF", "Lightning");
    corpus.put("lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcn", "BOLT12");
    corpus.put("LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35", "LNURL");
    corpus.put(
        "sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttdd"
            + "wsvgxe2usfpxumr70xc9pkqwv",
        "silent payment");
    corpus.put("6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg", "BIP38");
    corpus.put("0x52908400098527886E0F7030069857D2E4169EE7", "Ethereum");
    corpus.put("npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6", "Nostr");
    corpus.put("ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw", "codex32");
    return corpus;
  }

  /** Commands that read such texts, with the argument in the place of X, or a file that has it. */
  private static Map<String, String> readers() {
    Map<String, String> readers = new LinkedHashMap<>();
    readers.put("watch", "-w other watch X");
    readers.put("send", "send X 0.001 --fee-rate 2 --offline");
    readers.put("broadcast", "broadcast X --connect 127.0.0.1:1");
    readers.put("proof verify", "proof verify X");
    readers.put("psbt show", "psbt show FILE");
    readers.put("psbt sign", "psbt sign FILE");
    readers.put("psbt combine", "psbt combine FILE");
    readers.put("psbt finalize", "psbt finalize FILE");
    readers.put("message verify", "message verify X AAAA text");
    readers.put("message sign", "message sign X text");
    return readers;
  }

  /** Their arguments name something of a wallet, or a command. */
  private static final Set<String> OTHERS =
      new TreeSet<>(
          List.of(
              "abandon",
              "bump",
              "cancel",
              "completion",
              "export",
              "filter decode",
              "filter make",
              "filter match",
              "filter test",
              "freeze",
              "help",
              "lab merge",
              "lab report",
              "label",
              "proof show",
              "tx",
              "unfreeze",
              "wallets delete",
              "wallets rename",
              "why"));

  @Test
  void theReadersAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    Set<String> known = new TreeSet<>(readers().keySet());
    known.addAll(OTHERS);
    assertThat(found).isEqualTo(known);
  }

  private static void find(String path, CommandSpec spec, Set<String> found) {
    if (!spec.positionalParameters().isEmpty()) {
      found.add(path);
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  @Test
  void eachIsNamedAtEveryReader() throws IOException {
    Path file = datadir.resolve("given.txt");
    for (Map.Entry<String, String> given : corpus().entrySet()) {
      assertThat(Neighbour.of(given.getKey())).as(given.getKey()).isPresent();
      Files.writeString(file, given.getKey());
      for (Map.Entry<String, String> reader : readers().entrySet()) {
        List<String> words = new ArrayList<>();
        for (String word : reader.getValue().split(" ", -1)) {
          words.add(
              word.equals("X") ? given.getKey() : word.equals("FILE") ? file.toString() : word);
        }
        String what = reader.getKey() + " of " + given.getKey();
        Ran ran = murmur(words.toArray(String[]::new));
        assertThat(ran.code()).as(what).isBetween(1, 2);
        assertThat(ran.err())
            .as(what)
            .contains("This is ", given.getValue())
            .doesNotContain("internal error", "Exception");
        words.add("--json");
        assertThat(murmur(words.toArray(String[]::new)).json().get("error").get("message").asText())
            .as(what)
            .contains(given.getValue());
      }
    }
  }

  /** What Core's walletprocesspsbt prints, as it is, and with the marks of another system. */
  @Test
  void whatCorePrintsAroundAPsbtIsNamed() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/cases/psbt-core-output.json")) {
      byte[] content = Objects.requireNonNull(in).readAllBytes();
      for (String command : new String[] {"show", "sign", "combine", "finalize"}) {
        Ran.With typed = here().stdin(content);
        assertThat(typed.murmur("psbt", command, "-").exits(ExitCode.FAILED).err())
            .contains("This is JSON around a PSBT, as bitcoin-cli prints it", "jq -r .psbt");
        assertThat(
                typed.murmur("psbt", command, "-", "--json").json().at("/error/message").asText())
            .contains("JSON around a PSBT");
      }
    }
  }

  /** Seeds of other standards, with as many words of the same kind. */
  @ParameterizedTest
  @CsvSource({
    "wild father tree among universe such mobile favorite target dynamic credit identify, Electrum",
    "'duckling enlarge academic academic agency result length solution fridge kidney coal piece"
        + " deal husband erode duke ajar critical decision keyboard', SLIP-0039"
  })
  void wordsOfAnotherStandardAreNamed(String words, String named) throws IOException {
    Path file = Files.writeString(datadir.resolve("other.txt"), words);
    String[] restore = {"-w", "x", "restore", "--mnemonic-file", file.toString()};
    assertThat(murmur(restore).exits(ExitCode.FAILED).err())
        .contains(named)
        .doesNotContain("did you mean", "is not in the list");
    String[] json = Arrays.copyOf(restore, restore.length + 1);
    json[restore.length] = "--json";
    assertThat(murmur(json).json().at("/error/message").asText()).contains(named);
  }

  /** No peer was slow: more time would not help. */
  @Test
  void aSilentServerIsNoReasonForMoreTime() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String[] sync = {"sync", "--timeout", "1", "--connect", "127.0.0.1:" + silent.getLocalPort()};
      Ran ran = murmur(sync);
      assertThat(ran.exits(ExitCode.NOT_SYNCED).err())
          .contains("no answer before the end")
          .doesNotContain("longer --timeout");
    }
  }

  /** Who pastes an address twice hears of it before the signature. */
  @Test
  void aPayeeThatIsNamedTwiceIsNamedBeforeTheSignature() {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      String payee = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
      String[] send = {
        "send", payee, "0.001", payee, "0.001", "--fee-rate", "2", "--offline", "--dry-run"
      };
      Ran people = murmur(send);
      assertThat(people.exits(ExitCode.DONE).out() + people.err()).contains(payee + " is paid 2");
      String[] json = Arrays.copyOf(send, send.length + 1);
      json[send.length] = "--json";
      assertThat(murmur(json).json().get("fee_warnings").toString()).contains("same_payee");
    }
  }

  /** A list of addresses with a typing error says where it is. */
  @Test
  void aListSaysWhichLineIsWrong() throws IOException {
    String address = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
    String list =
        IntStream.rangeClosed(1, 400)
            .mapToObj(i -> i == 250 ? address.replace("w508", "w509") : address)
            .collect(Collectors.joining("\n"));
    Ran wrong = here().stdin(list).murmur("-w", "many", "watch", "-").exits(ExitCode.FAILED);
    assertThat(wrong.err()).contains("line 250: ");
    assertThat(here().stdin(list).murmur("-w", "many", "watch", "-", "--json").json().toString())
        .contains("line 250: ");
    String descriptors =
        corpus().keySet().stream().filter(t -> t.contains("desc")).findFirst().get();
    assertThat(here().stdin(descriptors).murmur("-w", "many", "watch", "-").err())
        .contains("listdescriptors", "jq -r '.descriptors[].desc'");
    String psbt = corpus().keySet().iterator().next();
    assertThat(here().stdin(psbt).murmur("psbt", "show", "-").err()).contains("JSON around a PSBT");
  }

  /** Other coins of the wallet do not help. */
  @Test
  void whatIsMissingIsMissingOfTheNamedCoins() {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      JsonNode coin = murmur("coins", "--json").json().get("coins").get(0);
      long satoshi = coin.get("value_sat").asLong();
      Ran refused =
          murmur(
              "send",
              "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
              satoshi + 100_000 + "sat",
              "--coin",
              coin.get("txid").asText() + ":" + coin.get("vout").asInt(),
              "--fee-rate",
              "2",
              "--offline",
              "--unit",
              "sat");
      assertThat(refused.exits(ExitCode.FAILED).err())
          .contains("not enough can be spent of the named coins: " + satoshi + " sat; ")
          .doesNotContain("immature");
    }
  }

  @Test
  void aFolderIsNoWallet() throws IOException {
    Files.createDirectory(datadir.resolve("regtest/folder.sqlite"));
    assertThat(murmur("-w", "folder", "balance").exits(ExitCode.FAILED).err())
        .contains("is a folder, and a wallet is a file")
        .doesNotContain("hard links", "damaged", "restore");
  }

  @Test
  void aLinkToNothingIsNoWallet() throws IOException {
    Path link = datadir.resolve("regtest/linked.sqlite");
    Files.createSymbolicLink(link, datadir.resolve("nowhere"));
    assertThat(murmur("-w", "linked", "balance").exits(ExitCode.FAILED).err())
        .contains("is a link to a file that is not there")
        .doesNotContain("there is", "there are");
  }
}
