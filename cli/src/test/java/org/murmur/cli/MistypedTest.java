package org.murmur.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;

/** The message suggests the intended name, and repeats nothing that may be a secret. */
class MistypedTest {

  /** The beginning of a transaction, with more digits than a txid has. */
  private static final String LONG =
      "0200000001deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbe";

  private static final String ADDRESS = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "snyc                            | Did you mean sync?",
        "histroy                         | Did you mean history?",
        "recieve                         | Did you mean receive?",
        "brodcast 00                     | Did you mean broadcast?",
        "lab bandwith                    | Did you mean bandwidth?",
        "filter mkae x                   | Did you mean make?",
        "balance --network main          | did you mean mainnet?",
        "balance --network testnet       | did you mean testnet3 or testnet4?",
        "balance --network sigmet        | did you mean signet?",
        "balance --network Regtest       | did you mean regtest?",
        "rename a b                      | Did you mean wallets rename?",
        "qr                              | Did you mean address --qr?",
        "regtest                         | Did you mean node?",
        "--unit mbtc balance             | 'mbtc' is no unit: btc or sat",
        "lab nosuch                      | privacy",
        "create --birthday 2020-01-01    | murmur restore --birthday DATE",
        "watch --xpub tpubD              | murmur watch XPUB",
        "watch --xpub=tpubD              | murmur watch XPUB",
        "export --mnemonic               | murmur export mnemonic",
        "sync 127.0.0.1                  | --connect HOST[:PORT]",
        "sync node.example.org:8333      | --connect HOST[:PORT]",
        "sync localhost                  | --connect HOST[:PORT]",
        "rescan --from 1 [::1]:8333      | --connect HOST[:PORT]",
        "sync --budget 15MB --connect h  | '15MB' is no number",
        "sync --fp x --connect h         | no number",
        "sync --fp 0 --connect h         | expected more than 0 and less than 1",
        "filter size --elements 3 --fp 0 | expected more than 0 and less than 1",
        "broadcast deadbeef --connect h  | no wallet",
        "broadcast " + LONG + " --connect h | ends too early",
      })
  void theIntendedNameIsSuggested(String line, String expected) {
    Ran ran = Ran.with().environment("MURMUR_NETWORK", "regtest").murmur(line.split(" +"));
    assertThat(ran.code()).isIn(1, 2);
    assertThat(ran.err())
        .contains(expected)
        .doesNotContain("snyc", "node.example", "double", "needs 1 bytes");
  }

  /** The words may be those of a wallet, typed in the wrong place. */
  @ParameterizedTest
  @ValueSource(
      strings = {"legal winner thank year", "sync legal", "sync legal winner", "sink", "lab zebra"})
  void noWordIsRepeated(String line) {
    String err = Ran.murmur(line.split(" ")).exits(ExitCode.USAGE).err();
    assertThat(err)
        .contains("not repeated here")
        .doesNotContain("legal", "winner", "sink", "zebra", "--connect");
  }

  @Test
  void testTakesTheSameElementsAsMake() {
    String outPoint = "11".repeat(32) + ":7";
    Ran.With here = Ran.with().environment("MURMUR_NETWORK", "regtest");
    String filter =
        here.murmur("filter", "make", ADDRESS, outPoint, "--fp", "1e-6", "--json")
            .json()
            .get("filterload")
            .asText();
    String other = "22".repeat(32) + ":7";
    JsonNode results =
        here.murmur("filter", "test", filter, ADDRESS, outPoint, other, "--json")
            .exits(ExitCode.DONE)
            .json()
            .get("results");
    assertThat(results)
        .extracting(result -> result.get("contained").asBoolean())
        .containsExactly(true, true, false);
    assertThat(results.get(0).get("element").asText()).isEqualTo(ADDRESS);
  }

  /** It prints nothing if nothing matches, and that is no failure. */
  @Test
  void aNodeWithoutPendingPaymentsIsNoFailure(@TempDir Path folder) throws IOException {
    Path words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
    Ran.With here = Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
    here.murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
    Chain chain = DemoWallet.chain(11, 129, 8).chain();
    try (RegtestNode node = RegtestNode.start(chain, Behaviour.honest())) {
      String[] line = {"sync", "--mempool-wait", "0.3", "--connect", node.address()};
      assertThat(here.murmur(line).exits(ExitCode.DONE).out())
          .contains("pending       none seen; a node that has none of yours does not answer")
          .doesNotContain("partial", "did not come");
    }
  }

  @Test
  void aBroadcastSyncsFromNoPeer() {
    assertThat(Ran.murmur("broadcast", "--help").out())
        .contains("--connect")
        .doesNotContain("peer to sync from");
  }

  @Test
  void theLabNamesTheUnreachableNode() throws IOException {
    String nobody = "127.0.0.1:1";
    Ran ran =
        Ran.murmur("--network", "regtest", "lab", "fp", "--small", "--connect", nobody)
            .exits(ExitCode.FAILED);
    assertThat(ran.err()).contains(nobody, "Is the node running");
  }

  @Test
  void anAnswerInHttpIsReported() throws IOException {
    try (ServerSocket web = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> answer(web), "web");
      server.setDaemon(true);
      server.start();
      String address = "127.0.0.1:" + web.getLocalPort();
      Ran ran =
          Ran.murmur("--network", "regtest", "lab", "fp", "--small", "--connect", address)
              .exits(ExitCode.FAILED);
      assertThat(ran.err()).contains(address, "HTTP").doesNotContain("50545448");
    }
  }

  private static void answer(ServerSocket web) {
    try {
      while (true) {
        Socket socket = web.accept();
        socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }
}
