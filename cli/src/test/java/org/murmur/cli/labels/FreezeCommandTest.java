package org.murmur.cli.labels;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;

class FreezeCommandTest extends RestoredWallet {

  private void sync() {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
    }
  }

  private JsonNode coins() {
    return murmur("coins", "--json").exits(ExitCode.DONE).json().get("coins");
  }

  @Test
  void coinsShowWhatIsFrozen() {
    sync();
    JsonNode first = coins().get(0);
    String coin = first.get("txid").asText() + ":" + first.get("vout").asInt();
    assertThat(first.get("frozen").asBoolean()).isFalse();
    assertThat(murmur("coins").out()).doesNotContain("frozen");

    JsonNode done = murmur("freeze", coin, "--json").exits(ExitCode.DONE).json();
    assertThat(done.get("frozen").asBoolean()).isTrue();
    assertThat(done.get("changed").asBoolean()).isTrue();
    assertThat(done.get("vout").asInt()).isEqualTo(first.get("vout").asInt());
    assertThat(murmur("freeze", coin, "--json").json().get("changed").asBoolean()).isFalse();
    assertThat(coins().get(0).get("frozen").asBoolean()).isTrue();
    assertThat(coins().get(0).get("spendable").asBoolean()).isFalse();

    murmur("unfreeze", coin).exits(ExitCode.DONE);
    assertThat(coins().get(0).get("frozen").asBoolean()).isFalse();
  }

  /** A wallet that only watches does not know where its key is from. */
  @Test
  void aFileOfAnotherFormOfTheWalletFreezesTheCoinEverywhere() throws IOException {
    String xpub = murmur("export", "xpub").exits(ExitCode.DONE).out().lines().toList().get(0);
    for (String wallet : new String[] {"default", "bare"}) {
      if (wallet.equals("bare")) {
        murmur("watch", xpub, "-w", wallet).exits(ExitCode.DONE);
      }
      try (RegtestNode node = node()) {
        murmur("sync", "-w", wallet, "--connect", node.address(), "--mempool-wait", "0")
            .exits(ExitCode.DONE);
      }
      JsonNode first = murmur("coins", "-w", wallet, "--json").json().get("coins").get(0);
      String coin = first.get("txid").asText() + ":" + first.get("vout").asInt();
      String file;
      try (InputStream in = getClass().getResourceAsStream("/cases/labels-origin.jsonl")) {
        file = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      }
      here()
          .stdin(file.replaceAll("[0-9a-f]{64}:0", coin))
          .murmur("label", "import", "-", "-w", wallet)
          .exits(ExitCode.DONE);
      assertThat(murmur("label", coin, "-w", wallet, "--json").json().get("frozen").asBoolean())
          .isTrue();
      assertThat(murmur("coins", "-w", wallet, "--json").json().at("/coins/0/frozen").asBoolean())
          .isTrue();
      String[] all = {
        "send", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "all", "--fee-rate=1", "--dry-run"
      };
      assertThat(here().murmur(with(all, "-w", wallet, "--json")).json().get("inputs").toString())
          .doesNotContain(coin);
      murmur("unfreeze", coin, "-w", wallet).exits(ExitCode.DONE);
      assertThat(murmur("label", "-w", wallet).out()).doesNotContain("(frozen)");
      assertThat(here().murmur(with(all, "-w", wallet, "--json")).json().get("inputs").toString())
          .contains(coin);
    }
  }

  private static String[] with(String[] words, String... more) {
    String[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return all;
  }

  @Test
  void anUnknownCoinIsAClearAnswer() {
    String coin = "11".repeat(32) + ":0";
    murmur("freeze", coin).exits(ExitCode.FAILED, "not_found");
    murmur("unfreeze", coin).exits(ExitCode.FAILED, "not_found");
  }
}
