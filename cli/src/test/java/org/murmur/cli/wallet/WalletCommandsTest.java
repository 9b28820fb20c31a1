package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.cli.Ran;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;

/** Commands about a wallet that need no network. */
class WalletCommandsTest {

  /** The first vector of BIP-0039, whose addresses BIP-0084 publishes for mainnet. */
  private static final String ABANDON =
      "abandon abandon abandon abandon abandon abandon"
          + " abandon abandon abandon abandon abandon about";

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  Path datadir;

  private Path words;

  @BeforeEach
  void writeWords() throws IOException {
    words = datadir.resolve("words.txt");
    Files.writeString(words, ABANDON + "\n");
  }

  private Ran.With here() {
    return Ran.with().datadir(datadir);
  }

  private Ran restore(String... more) {
    return restoreOn("mainnet", more);
  }

  private Ran restoreOn(String network, String... more) {
    String[] args = new String[more.length + 6];
    args[0] = "--network";
    args[1] = network;
    args[2] = "restore";
    args[3] = "--mnemonic-file";
    args[4] = words.toString();
    args[5] = "--json";
    System.arraycopy(more, 0, args, 6, more.length);
    return here().murmur(args);
  }

  @ParameterizedTest
  @CsvSource({
    // BIP-0084, BIP-0049 and BIP-0086 publish the first two or three; BIP-0044's is well known.
    "bip84, bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu, m/84h/0h/0h/0/0",
    "bip86, bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr, m/86h/0h/0h/0/0",
    "bip49, 37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf, m/49h/0h/0h/0/0",
    "bip44, 1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA, m/44h/0h/0h/0/0",
  })
  void restoreShowsTheFirstAddress(String scripts, String address, String path) {
    JsonNode restored = restore("--scripts", scripts).exits(ExitCode.DONE).json();
    assertThat(restored.get("address").asText()).isEqualTo(address);
    assertThat(restored.get("network").asText()).isEqualTo("mainnet");
    assertThat(restored.get("wallet").asText()).isEqualTo("default");
    JsonNode shown = here().murmur("address", "--network", "mainnet", "--json").json();
    assertThat(shown.get("address").asText()).isEqualTo(address);
    assertThat(shown.get("path").asText()).isEqualTo(path);
  }

  @Test
  void restoreNeverRepeatsTheWords() {
    Ran ran = restore();
    assertThat(ran.out() + ran.err()).doesNotContain("abandon");
  }

  @Test
  void createShowsTheWordsOnceAndTheyRestoreTheSameWallet() throws IOException {
    JsonNode made =
        here().murmur("--network", "regtest", "create", "--json").exits(ExitCode.DONE).json();
    String mnemonic = made.get("mnemonic").asText();
    assertThat(mnemonic.split(" ", -1)).hasSize(12);
    assertThat(made.get("address").asText()).startsWith("bcrt1q");

    Files.writeString(words, mnemonic.toUpperCase(Locale.ROOT).replace(" ", "  \n"));
    assertThat(restoreOn("regtest", "-w", "again").json().get("address"))
        .isEqualTo(made.get("address"));
    assertThat(
            here()
                .murmur("export", "mnemonic", "--network", "regtest", "--json")
                .json()
                .get("mnemonic")
                .asText())
        .isEqualTo(mnemonic);
  }

  @Test
  void newWalletIsEmptyAndNotComplete() {
    restoreOn("regtest");
    JsonNode balance =
        here().murmur("--network", "regtest", "balance", "--json").exits(ExitCode.DONE).json();
    assertThat(balance.get("confirmed_sat").isIntegralNumber()).isTrue();
    assertThat(balance.get("confirmed_sat").asLong()).isZero();
    assertThat(balance.get("unconfirmed_sat").asLong()).isZero();
    assertThat(balance.get("immature_sat").asLong()).isZero();
    JsonNode known = balance.get("as_of");
    assertThat(known.get("height").asInt()).isZero();
    assertThat(known.get("complete").asBoolean()).isFalse();
    assertThat(known.get("seen_by").asInt()).isZero();
    assertThat(
            here().murmur("--network", "regtest", "history", "--json").json().get("transactions"))
        .isEmpty();
    assertThat(here().murmur("transactions", "--network", "regtest", "--csv").out())
        .startsWith("txid,height,time,");
    assertThat(here().murmur("--network", "regtest", "coins", "--json").json().get("coins"))
        .isEmpty();
    assertThat(here().murmur("--network", "regtest", "peers", "--json").json().get("peers"))
        .isEmpty();
    JsonNode status = here().murmur("--network", "regtest", "info", "--json").json();
    assertThat(status.get("as_of").get("complete").asBoolean()).isFalse();
    assertThat(status.get("file").asText()).startsWith(datadir.toString());
    assertThat(here().murmur("balance", "--network", "regtest", "--unit", "sats").out())
        .startsWith("total        0 sat\n");
  }

  @Test
  void aWalletMayBeNamedLikeACommand() throws IOException {
    Path words = Files.writeString(datadir.resolve("w.txt"), DemoWallet.WORDS);
    for (String name : List.of("lab", "send", "help")) {
      String[] restore = {
        "-w", name, "restore", "--network", "regtest", "--mnemonic-file", words.toString()
      };
      here().murmur(restore).exits(ExitCode.DONE);
      here().murmur("--network", "regtest", "--wallet", name, "balance").exits(ExitCode.DONE);
      here().murmur("balance", "--network", "regtest", "-w", name).exits(ExitCode.DONE);
    }
    here().murmur("--network", "lab", "balance").exits(ExitCode.USAGE);
    here().murmur("-w").exits(ExitCode.USAGE);
  }

  /** The change of a wallet with the same keys would be missing. */
  @Test
  void watchingOnlyTheReceiveChainIsSaid() {
    restoreOn("regtest");
    List<String> lines =
        here().murmur("--network", "regtest", "export", "descriptor").out().lines().toList();
    Ran one = here().murmur("--network", "regtest", "-w", "one", "watch", lines.get(0), "--json");
    assertThat(one.exits(ExitCode.DONE).json().get("without_change").get(0).asText())
        .isEqualTo(lines.get(0));
    Ran both =
        here().murmur("--network", "regtest", "-w", "both", "watch", lines.get(0), lines.get(1));
    assertThat(both.exits(ExitCode.DONE).err()).doesNotContain("watched");
    String multipath = lines.get(0).replace("/0/*", "/<0;1>/*").replaceAll("#.*", "");
    Ran pair = here().murmur("--network", "regtest", "-w", "pair", "watch", multipath);
    assertThat(pair.exits(ExitCode.DONE).err()).doesNotContain("watched");
  }

  @Test
  void freshAddressesMoveOnPlainOnesDoNot() {
    restoreOn("regtest");
    String first = address();
    assertThat(address()).isEqualTo(first);
    String fresh = address("--new");
    String another = address("--new");
    assertThat(another).isNotEqualTo(fresh);
    assertThat(List.of(fresh, another)).doesNotContain(first, address());
    JsonNode list = here().murmur("--network", "regtest", "receive", "--list", "--json").json();
    assertThat(list.get("addresses").findValuesAsText("address")).contains(fresh, another);
  }

  private String address(String... more) {
    String[] args = new String[3 + more.length];
    args[0] = "--network";
    args[1] = "regtest";
    args[2] = "address";
    System.arraycopy(more, 0, args, 3, more.length);
    return here().murmur(args).exits(ExitCode.DONE).out().strip();
  }

  @Test
  void passwordProtectsTheWords() throws IOException {
    Path password = datadir.resolve("password.txt");
    Files.writeString(password, "correct horse\n");
    restoreOn("regtest", "--password-file", password.toString()).exits(ExitCode.DONE);

    Ran wrong =
        here()
            .typing("wrong", "no", "wrong")
            .murmur("--network", "regtest", "export", "mnemonic", "--json")
            .exits(ExitCode.FAILED, "wrong_password");
    assertThat(wrong.out()).doesNotContain("abandon");
    assertThat(
            here()
                .stdin("correct horse\n")
                .murmur("--network", "regtest", "export", "mnemonic", "--password-file", "-")
                .out()
                .strip())
        .isEqualTo(ABANDON);

    here()
        .typing("correct horse", "new one", "new one")
        .murmur("--network", "regtest", "passwd")
        .exits(ExitCode.DONE);
    here()
        .stdin("correct horse")
        .murmur("--network", "regtest", "export", "mnemonic", "--password-file", "-")
        .exits(ExitCode.FAILED);
    assertThat(
            here()
                .typing("correct horse", "new one")
                .murmur("--network", "regtest", "export", "mnemonic")
                .out()
                .strip())
        .isEqualTo(ABANDON);
  }

  /** The old password is asked for until it is right, before anybody thinks of a new one. */
  @Test
  void aPersonHasThreeTriesForAPassword() throws IOException {
    Path password = Files.writeString(datadir.resolve("password.txt"), "correct horse");
    restoreOn("regtest", "--password-file", password.toString()).exits(ExitCode.DONE);
    Ran ran =
        here()
            .typing("wrong", "wrong", "correct horse", "short", "short")
            .murmur("--network", "regtest", "passwd")
            .exits(ExitCode.DONE);
    assertThat(ran.err().split("not the password", -1)).hasSize(3);
    assertThat(ran.err()).contains("warning: the password has 5 characters", "8 or more");
    ran =
        here()
            .typing("wrong", "wrong", "wrong")
            .murmur("--network", "regtest", "passwd")
            .exits(ExitCode.FAILED);
    assertThat(ran.err()).doesNotContain("New password");
  }

  @Test
  void aLongPasswordGetsNoWarning() {
    restoreOn("regtest");
    assertThat(
            here()
                .typing("12345678", "12345678")
                .murmur("--network", "regtest", "passwd")
                .exits(ExitCode.DONE)
                .err())
        .doesNotContain("warning");
  }

  /** People paste the whole phrase once more where one word is asked for. */
  @Test
  void allWordsMayBeGivenWhereOneIsAskedFor() {
    String wrong = ABANDON.replace("about", "abuot");
    here()
        .typing(wrong, ABANDON, "")
        .murmur("--network", "regtest", "restore")
        .exits(ExitCode.DONE);
    assertThat(here().murmur("--network", "regtest", "export", "mnemonic").out().strip())
        .isEqualTo(ABANDON);
  }

  @Test
  void passwordsThatDifferChangeNothing() {
    restoreOn("regtest");
    here().typing("one", "two", "").murmur("--network", "regtest", "passwd").exits(ExitCode.USAGE);
    assertThat(here().murmur("--network", "regtest", "export", "mnemonic").out().strip())
        .isEqualTo(ABANDON);
  }

  @Test
  void typedWordsWork() {
    here().typing(ABANDON, "").murmur("--network", "regtest", "restore").exits(ExitCode.DONE);
    assertThat(here().murmur("--network", "regtest", "export", "descriptor").out())
        .contains("wpkh([73c5da0a/84h/1h/0h]");
  }

  @Test
  void onlyTheWrongWordIsTypedAgain() {
    String wrong = "1 aban 2 abandno" + " abandon".repeat(9) + " abuot";
    here()
        .typing(wrong, "abandon", "about", "")
        .murmur("--network", "regtest", "restore")
        .exits(ExitCode.DONE);
    assertThat(here().murmur("--network", "regtest", "export", "mnemonic").out().strip())
        .isEqualTo(ABANDON);
  }

  /** As create prints them: numbered, in several lines. */
  @Test
  void wordsAreTypedInSeveralLines() {
    String four = "1. abandon  2. abandon, 3. abandon 4. abandon";
    here()
        .typing(four, four, "abandon abandon abandon about", "", "")
        .murmur("--network", "regtest", "restore")
        .exits(ExitCode.DONE);
    assertThat(here().murmur("--network", "regtest", "export", "mnemonic").out().strip())
        .isEqualTo(ABANDON);
  }

  /** What is already typed is not lost with a password that was typed wrong once. */
  @Test
  void aWrongNumberOfWordsAndAWrongPasswordAreAskedForAgain() {
    Ran ran =
        here()
            .typing("abandon about", "", ABANDON, "one", "two", "one", "one")
            .murmur("--network", "regtest", "restore");
    assertThat(ran.exits(ExitCode.DONE).err()).contains("there are 2", "The two differ");
  }

  @Test
  void withoutATerminalItNamesTheOption() {
    here().murmur("--network", "regtest", "restore").exits(ExitCode.FAILED, "no_terminal");
  }

  @Test
  void passphraseMakesAnotherWallet() throws IOException {
    Path phrase = datadir.resolve("phrase.txt");
    Files.writeString(phrase, "TREZOR\n");
    JsonNode plain = restoreOn("regtest").json();
    JsonNode other =
        restoreOn("regtest", "-w", "other", "--passphrase-file", phrase.toString()).json();
    assertThat(other.get("address")).isNotEqualTo(plain.get("address"));
  }

  @Test
  void xpubAndDescriptorsMakeTheSameWalletToWatch() {
    restoreOn("regtest");
    String address = address();
    String xpub = here().murmur("--network", "regtest", "export", "xpub").out().strip();
    assertThat(xpub).startsWith("tpub");
    JsonNode watched =
        here()
            .murmur("--network", "regtest", "-w", "watching", "watch", xpub, "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(watched.get("address").asText()).isEqualTo(address);
    assertThat(watched.get("watch_only").asBoolean()).isTrue();
    String descriptors = here().murmur("--network", "regtest", "export", "descriptor").out();
    assertThat(
            here()
                .stdin(descriptors)
                .murmur("--network", "regtest", "-w", "described", "watch", "-", "--json")
                .exits(ExitCode.DONE)
                .json()
                .get("address")
                .asText())
        .isEqualTo(address);
    here()
        .murmur("--network", "regtest", "-w", "watching", "export", "mnemonic")
        .exits(ExitCode.FAILED, "no_secret");
  }

  @Test
  void walletsAreListedByNetwork() {
    restoreOn("regtest");
    restoreOn("regtest", "-w", "second");
    restoreOn("signet");
    JsonNode all = here().murmur("wallets", "--json").json().get("wallets");
    assertThat(all.findValuesAsText("wallet")).containsExactly("default", "default", "second");
    assertThat(here().murmur("wallets", "--network", "signet").out()).doesNotContain("second");
  }

  @Test
  void existingWalletsAreNotOverwritten() {
    restoreOn("regtest");
    restoreOn("regtest").exits(ExitCode.FAILED, "wallet_exists");
    here().murmur("--network", "regtest", "create").exits(ExitCode.FAILED, "wallet_exists");
  }

  @Test
  void missingWalletsAreNamedWithThoseThatAreThere() {
    restoreOn("regtest", "-w", "savings");
    Ran ran = here().murmur("--network", "regtest", "balance").exits(ExitCode.FAILED);
    assertThat(ran.err()).contains("default", "savings").doesNotContain("\tat ");
    assertThat(here().murmur("-w", "savings", "balance").err()).contains("--network regtest");
    here().murmur("balance").exits(ExitCode.FAILED, "no_such_wallet");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // The word and its place; the number of words; the checksum.
        "abandon abandon abandom abandon abandon abandon abandon abandon abandon abandon abandon"
            + " about | abandom",
        "abandon abandon                                                             | 12",
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
            + " abandon | checksum",
      })
  void badMnemonicsAreExplained(String typed, String expected) throws IOException {
    Files.writeString(words, typed);
    JsonNode error = restoreOn("regtest").exits(ExitCode.FAILED, "bad_mnemonic").error();
    assertThat(error.get("message").asText()).contains(expected);
    assertThat(here().murmur("wallets").out()).isEmpty();
  }

  @Test
  void addressesOfOtherNetworksAreNamed() {
    here()
        .murmur("--network", "regtest", "watch", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
        .exits(ExitCode.FAILED, "bad_address");
    here()
        .murmur("--network", "regtest", "watch", "nonsense")
        .exits(ExitCode.FAILED, "bad_address");
  }

  @Test
  void mainnetPeersOnTheInternetAreGuardsOfWhichThereMustBeTwo() {
    restore();
    Ran ran =
        here().murmur("--network", "mainnet", "sync", "--connect", "203.0.113.5", "--timeout", "1");
    assertThat(ran.exits(ExitCode.USAGE).err()).contains("--one-peer", "--connect");
  }

  @Test
  void thereIsNoListenerThere() throws IOException {
    restoreOn("regtest");
    int port;
    try (java.net.ServerSocket free =
        new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    JsonNode error =
        here()
            .murmur("--network", "regtest", "sync", "--connect", "127.0.0.1:" + port, "--json")
            .exits(ExitCode.NO_USABLE_PEER, "no_usable_peer")
            .error();
    assertThat(error.get("code").asInt()).isEqualTo(4);
    assertThat(error.get("message").asText()).contains("127.0.0.1:" + port, "-listen");
  }

  @Test
  void foldersThatCannotBeMadeAreNamed() throws IOException {
    Path file = datadir.resolve("a-file");
    Files.writeString(file, "in the way");
    Ran ran =
        here()
            .murmur("--datadir", file.toString(), "--network", "regtest", "create")
            .exits(ExitCode.FAILED, "unwritable");
    assertThat(ran.err()).contains(file.toString());
  }

  @Test
  void filesThatAreNoWalletsAreRefused() throws IOException {
    Files.createDirectories(datadir.resolve("regtest"));
    Files.writeString(
        datadir.resolve("regtest/default.sqlite"), "this is not a wallet ".repeat(99));
    Ran ran = here().murmur("--network", "regtest", "balance").exits(ExitCode.FAILED);
    assertThat(ran.err()).doesNotContain("internal error", "\tat ");
  }

  private Ran restoreSignet(String... more) {
    return restoreOn("signet", more);
  }

  /** The challenge OP_TRUE and its magic are those of Core's feature_signet.py. */
  @Test
  void aWalletRemembersItsSignet() {
    restoreSignet("--signet-challenge", "51").exits(ExitCode.DONE);
    JsonNode status =
        here().murmur("--network", "signet", "status", "--json").exits(ExitCode.DONE).json();
    assertThat(status.get("signet_challenge").asText()).isEqualTo("51");
    assertThat(status.get("network").asText()).isEqualTo("signet");
    here()
        .murmur("--network", "signet", "--signet-challenge", "51", "balance")
        .exits(ExitCode.DONE);
    for (String[] args :
        new String[][] {
          {"--network", "signet", "--signet-challenge", "5151", "balance"},
          {"--network", "signet", "--signet-challenge", "5151", "sync", "--connect", "127.0.0.1"},
        }) {
      assertThat(here().murmur(args).exits(ExitCode.USAGE).err())
          .contains("wallet 'default' is of the signet of the challenge 51", "challenge 5151");
    }
    restoreSignet("-w", "usual").exits(ExitCode.DONE);
    assertThat(
            here()
                .murmur("--network", "signet", "-w", "usual", "--signet-challenge", "51", "balance")
                .exits(ExitCode.USAGE)
                .err())
        .contains("wallet 'usual' is of the default signet");
    String usual =
        "512103ad5e0edad18cb1f0fc0d28a3d4f1f3e445640337489abb10404f2d1e086be430"
            + "210359ef5021964fe22d6f8e05b2463c9540ce96883fe3b278760f048f5189f2e6c452ae";
    here()
        .murmur("--network", "signet", "-w", "usual", "--signet-challenge", usual, "balance")
        .exits(ExitCode.DONE);
  }

  @Test
  void aChallengeThatIsNoneIsRefused() {
    assertThat(refusal("signet", "5")).contains("--signet-challenge");
    assertThat(refusal("signet", "")).contains("--signet-challenge", "1 to 10000");
    assertThat(refusal("testnet4", "51"))
        .contains("--signet-challenge needs --network signet, but the network is testnet4");
  }

  private String refusal(String network, String challenge) {
    Ran ran = restoreOn(network, "--signet-challenge", challenge).exits(ExitCode.USAGE);
    return ran.json().get("error").get("message").asText();
  }

  /** The grid's blocks are 20,160 apart; 846,719 is the 42nd. */
  @ParameterizedTest
  @CsvSource({
    "mainnet, 850000, 846720",
    "mainnet, 20159, 1",
    "mainnet, 2012-01-01, 141120",
    "testnet3, 3000000, 2983680",
    "signet, 100000, 80640",
    "testnet4, 100000, 1",
    "regtest, 100000, 1",
  })
  void headersBeginBelowTheBirthday(String network, String birthday, int first) {
    restoreOn(network, "--birthday", birthday).exits(ExitCode.DONE);
    JsonNode status = here().murmur("--network", network, "status", "--json").json();
    assertThat(status.get("as_of").get("headers_from").asInt()).isEqualTo(first);
    assertThat(status.get("as_of").get("height").asInt()).isEqualTo(first - 1);
    assertThat(status.get("as_of").get("complete").asBoolean()).isFalse();
    restoreOn(network, "-w", "all", "--birthday", birthday, "--from-genesis").exits(ExitCode.DONE);
    JsonNode all = here().murmur("--network", network, "-w", "all", "status", "--json").json();
    assertThat(all.get("as_of").get("headers_from").asInt()).isEqualTo(1);
  }

  /** The list of known blocks ends in 2026, and the wallet is made now. */
  @Test
  void aNewWalletBeginsAtTheLastBlockOfTheGrid() {
    here().murmur("--network", "mainnet", "create").exits(ExitCode.DONE);
    Ran shown = here().murmur("--network", "mainnet", "status").exits(ExitCode.DONE);
    assertThat(shown.out()).contains("headers      from height 947520, after a built-in block");
    here().murmur("--network", "mainnet", "-w", "b", "create", "--from-genesis");
    assertThat(here().murmur("--network", "mainnet", "-w", "b", "status").out())
        .doesNotContain("headers ");
  }
}
