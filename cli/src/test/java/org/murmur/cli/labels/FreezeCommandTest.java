package org.murmur.cli.labels;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
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
    assertThat(murmur("freeze", coin).out())
        .isEqualTo(coin + " is already frozen: payments do not spend it\n");
    assertThat(coins().get(0).get("frozen").asBoolean()).isTrue();
    assertThat(murmur("coins").out().lines().filter(line -> line.contains("(frozen)")))
        .singleElement()
        .asString()
        .contains(coin);

    assertThat(murmur("unfreeze", coin).exits(ExitCode.DONE).out()).contains("now free");
    assertThat(coins().get(0).get("frozen").asBoolean()).isFalse();
  }

  @Test
  void anUnknownCoinIsAClearAnswer() {
    String coin = "11".repeat(32) + ":0";
    Ran ran = murmur("freeze", coin).exits(ExitCode.FAILED);
    assertThat(ran.err()).contains("the wallet has no coin " + coin);
    JsonNode error = murmur("unfreeze", coin, "--json").exits(ExitCode.FAILED).json().get("error");
    assertThat(error.get("kind").asText()).isEqualTo("not_found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"11", "zz:0", "11:0", "1111:x"})
  void whatIsNoOutpointIsWrongUsage(String text) {
    assertThat(murmur("freeze", text).exits(ExitCode.USAGE).err()).contains("TXID:VOUT");
    assertThat(murmur("freeze", "11".repeat(32) + ":-1").exits(ExitCode.USAGE).err())
        .contains("expected a number");
  }
}
