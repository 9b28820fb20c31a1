package org.murmur.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.chain.Chain;

class DemoSavingTest {

  /** Magic, command, length, checksum: before each message. */
  private static final int MESSAGE_HEADER = 24;

  @Test
  void reportsTheSavingByFilters() {
    Chain chain = DemoWallet.chain(3, 150, 12).chain();
    long whole = 0;
    for (int height = 1; height <= chain.height(); height++) {
      whole += chain.blockAt(height).stripped().length() + MESSAGE_HEADER;
    }

    Ran ran = Ran.murmur("demo", "--blocks", "150", "--txs", "12", "--seed", "3", "--json");

    JsonNode json = ran.exits(ExitCode.DONE).json();
    JsonNode blocks = json.get("whole_blocks");
    assertThat(blocks.get("blocks").asInt()).isEqualTo(150);
    assertThat(blocks.get("bytes_received").asLong()).isEqualTo(whole);
    double filtered = json.get("sync").get("bytes_received").asDouble();
    assertThat(blocks.get("times_filtered").asDouble()).isCloseTo(whole / filtered, within(0.06));
    assertThat(Ran.murmur("demo", "--blocks", "150", "--txs", "12", "--seed", "3").out())
        .containsPattern("all 150 whole blocks of the same node are .* times as much");
  }
}
