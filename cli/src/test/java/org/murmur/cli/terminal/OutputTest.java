package org.murmur.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which texts go to which stream. */
final class OutputTest {

  /** An outage at nine and another one at five. */
  @Test
  void repeatsAWarningThatIsTrueAgain() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream stderr = new PrintStream(err, true, StandardCharsets.UTF_8);
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            stderr,
            stderr,
            Map.of(),
            null,
            false,
            false,
            false,
            stop -> () -> false);
    Output output = new Output(surroundings, new GlobalOptions());
    output.note("warning: nobody is there");
    output.note("somebody is there again");
    output.note("warning: nobody is there");
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "warning: nobody is there", "somebody is there again", "warning: nobody is there");
  }
}
