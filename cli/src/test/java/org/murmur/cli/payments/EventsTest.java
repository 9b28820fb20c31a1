package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.wallet.sync.WalletWarning;
import picocli.CommandLine;

class EventsTest {

  /** Programs need not read the sentence to know the kind of a warning. */
  @Test
  void aWarningOfTheStreamHasItsSentenceAndItsKind() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            printer,
            printer,
            Map.of(),
            null,
            false,
            false,
            false,
            stop -> () -> false);
    GlobalOptions stream = CommandLine.populateCommand(new GlobalOptions(), "--jsonl");
    Events.write(new WalletWarning.BytesOver(70_000, false), new Output(surroundings, stream));
    JsonNode line = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(line.get("event").asText()).isEqualTo("warning");
    assertThat(line.get("kind").asText()).isEqualTo("bytes_over");
    assertThat(line.get("text").asText())
        .isEqualTo("the limit of 70000 bytes ended the sync before it was complete");
  }
}
