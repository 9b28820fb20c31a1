package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code tools/regtest}, without a node. */
@Timeout(60)
class RegtestToolTest {

  @TempDir Path folder = Path.of("");

  /** Otherwise the next command would meet the wallets of every day. */
  @Test
  void theEnvironmentOfAStoppedNodeIsThatOfItsFolder() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            "-c",
            "eval \"$(tools/regtest env)\"; echo \"$MURMUR_NETWORK $MURMUR_DATADIR"
                + " $MURMUR_CONNECT\"");
    builder.directory(Path.of("..").toFile());
    builder.environment().put("MURMUR_REGTEST", folder.toString());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("MURMUR_(NETWORK|DATADIR|CONNECT)"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    assertThat(printed).isEqualTo("regtest " + folder + "/wallets 127.0.0.1:1\n");
    assertThat(said).contains("it does not run: tools/regtest start");
  }
}
