package org.murmur.cli.pay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.node.Behaviour;

/** Payments whose coins another payment spends, in another order than usual. */
@Timeout(120)
class ReplacedPaymentTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  private void sync(RegtestNode node) {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
  }

  private Path walletFile() throws IOException {
    try (Stream<Path> files = Files.walk(datadir)) {
      return files.filter(path -> path.toString().endsWith(".sqlite")).findFirst().orElseThrow();
    }
  }

  private Ran send(RegtestNode node, String amount, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("send", PAYEE, amount, "--yes", "--connect", node.address(), "--json"));
    all.addAll(List.of(more));
    return murmur(all.toArray(String[]::new));
  }

  private String sent(RegtestNode node) {
    Ran ran = send(node, "0.001", "--fee-rate", "2");
    return ran.exits(ExitCode.DONE).json().get("txid").asText();
  }

  private String signed(String command, String txid) {
    return murmur(command, txid, "--fee-rate", "20", "--offline", "--yes", "--json")
        .exits(ExitCode.DONE)
        .json()
        .get("txid")
        .asText();
  }

  /** The peers have the payment, and will mine it: it must not disappear. */
  @Test
  void aCancellationThatNobodyHasHidesNothing() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      String txid = sent(node);
      String cancel = signed("cancel", txid);
      assertThat(murmur("history").out()).contains(txid);
      murmur("broadcast", cancel, "--connect", NOBODY).exits(ExitCode.NO_USABLE_PEER);
      assertThat(murmur("history").out()).contains(txid);
      murmur("broadcast", cancel, "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(murmur("history", "-v").out()).contains(cancel).doesNotContain(txid);
      assertThat(murmur("history", "--all", "-v").out()).contains(txid);
    }
  }

  /** A payment that a block contradicts is said by whoever scans the block. */
  @Test
  void aPaymentThatLostIsSaidBeforeTheNextOne() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      byte[] old = Files.readAllBytes(walletFile());
      JsonNode first = send(node, "0.001", "--fee-rate", "2").exits(ExitCode.DONE).json();
      node.mine(1);
      Files.write(walletFile(), old);
      String coin = first.get("inputs").get(0).asText();
      String beginning = coin.substring(0, 12) + coin.substring(coin.indexOf(':'));
      JsonNode lost =
          murmur(
                  "send",
                  PAYEE,
                  "0.0007",
                  "--fee-rate",
                  "2",
                  "--offline",
                  "--yes",
                  "--json",
                  "--coin",
                  beginning)
              .exits(ExitCode.DONE)
              .json();
      Ran next = send(node, "0.002", "--fee-rate", "2");
      assertThat(next.exits(ExitCode.DONE).err())
          .contains("payment " + lost.get("txid").asText() + " has lost: ", "in block");
    }
  }

  /** The sync hears of the original again; the replacement pays more nevertheless. */
  @Test
  void aBumpThatWasSignedBeforeASyncIsSentByItsTxid() {
    try (RegtestNode node = node()) {
      sync(node);
      String bump = signed("bump", sent(node));
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      murmur("broadcast", bump, "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(node.mine(1).get(0).tx(1).txid().toDisplay()).isEqualTo(bump);
    }
  }

  @Test
  void anOrderToSendABumpIsNotLost() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      String bump = signed("bump", sent(node));
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      Ran failed = murmur("broadcast", bump, "--connect", NOBODY);
      assertThat(failed.exits(ExitCode.NO_USABLE_PEER).err()).contains("announces it");
      assertThat(murmur("tx", bump, "--json").json().get("ordered").asBoolean()).isTrue();
    }
  }

  /** Headers that are there already do not move the tip, and blocks are scanned nevertheless. */
  @ParameterizedTest
  @ValueSource(strings = {"2", "auto"})
  void thePaymentIsPlannedAfterTheNewBlocksAreScanned(String rate) throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      byte[] old = Files.readAllBytes(walletFile());
      JsonNode first = send(node, "0.001", "--fee-rate", "2").exits(ExitCode.DONE).json();
      node.mine(1);
      Files.write(walletFile(), old);
      murmur("sync", "--headers-only", "--connect", node.address());
      JsonNode second = send(node, "0.002", "--fee-rate", rate).exits(ExitCode.DONE).json();
      for (JsonNode coin : first.get("inputs")) {
        assertThat(second.get("inputs").toString()).doesNotContain(coin.asText());
      }
    }
  }

  @Test
  void whoLooksForNewBlocksDoesNotChangeThePreset() {
    Chain chain = lived().chain().copy();
    try (RegtestNode own = RegtestNode.start(chain);
        RegtestNode a = RegtestNode.start(chain);
        RegtestNode b = RegtestNode.start(chain)) {
      sync(own);
      String[] guards = {"--connect", a.address(), "--connect", b.address(), "--json"};
      murmur(with(guards, "sync", "--privacy", "private", "--mempool-wait", "0"))
          .exits(ExitCode.DONE);
      String[] forecast = with(guards, "sync", "--dry-run");
      assertThat(murmur(forecast).json().get("preset").asText()).isEqualTo("private");
      send(own, "0.002", "--fee-rate", "2", "--privacy", "fast").exits(ExitCode.DONE);
      assertThat(murmur(forecast).json().get("preset").asText()).isEqualTo("private");
    }
  }

  private static String[] with(String[] options, String... command) {
    return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
  }

  /** Its time is over before it says anything. */
  @Test
  void whenNobodySaysHowHighTheChainIsNothingIsSigned() {
    try (RegtestNode node = node();
        RegtestNode slow =
            RegtestNode.start(
                lived().chain().copy(), Behaviour.honest().pausing(Duration.ofMinutes(1)))) {
      sync(node);
      long before = murmur("balance", "--json").json().get("total_sat").asLong();
      send(slow, "0.001", "--fee-rate", "2", "--timeout", "1").exits(ExitCode.NO_USABLE_PEER);
      assertThat(murmur("balance", "--json").json().get("total_sat").asLong()).isEqualTo(before);
    }
  }

  /** A node that has lost its peers, or still downloads, does not know how high the chain is. */
  @Test
  void aPeerWhoseChainIsLowerSaysNothingAboutTheTip() {
    try (RegtestNode node = node();
        RegtestNode lower =
            RegtestNode.start(lived().chain().copy(), Behaviour.honest().with(new StaleTip(5)))) {
      sync(node);
      long before = murmur("balance", "--json").json().get("total_sat").asLong();
      assertThat(send(lower, "0.001", "--fee-rate", "2").exits(ExitCode.NO_USABLE_PEER).out())
          .contains("all lack blocks that this wallet has");
      assertThat(murmur("balance", "--json").json().get("total_sat").asLong()).isEqualTo(before);
    }
  }
}
