package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./murmur} of a checkout, with a Maven that does what a test needs. */
@Timeout(60)
class LauncherTest {

  private static final Path SCRIPT = Path.of("..", "murmur");

  @TempDir Path folder = Path.of("");

  /** Runs the script as a terminal does, as the only process group that gets a Ctrl-C. */
  private String built(String maven, int exit) throws IOException, InterruptedException {
    Path root = Files.createDirectories(folder.resolve("checkout"));
    Files.copy(SCRIPT, root.resolve("murmur"));
    Path programs = Files.createDirectories(folder.resolve("programs"));
    Path mvn = Files.writeString(programs.resolve("mvn"), "#!/usr/bin/env bash\n" + maven + "\n");
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder =
        new ProcessBuilder(
                "env", "--default-signal=INT", "setsid", "--wait", "bash", "murmur", "balance")
            .directory(root.toFile())
            .redirectErrorStream(true);
    builder.environment().merge("PATH", programs.toString(), (old, fake) -> fake + ":" + old);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(exit);
    return said;
  }

  @Test
  void anInterruptedBuildDidNotFail() throws Exception {
    assertThat(built("kill -INT 0; exit 1", 130))
        .contains("building Murmur", "interrupted; the next call of murmur goes on")
        .doesNotContain("failed");
  }

  @Test
  void aFailedBuildShowsItsEnd() throws Exception {
    assertThat(built("echo '[ERROR] no such symbol'; exit 1", 1))
        .contains("no such symbol", "the build failed")
        .doesNotContain("interrupted");
  }
}
