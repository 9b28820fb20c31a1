package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search order of {@code tools/bitcoind}, with programs that only print what they know. */
class ToolsBitcoindTest {

  private static final String SERVES = "#!/bin/sh\necho '  -peerbloomfilters'\n";
  private static final String SERVES_NOT = "#!/bin/sh\necho '  -txindex'\n";

  @TempDir Path folder = Path.of("");
  private final Map<String, String> environment = new HashMap<>();

  private record Ran(int exit, String output, String errors) {}

  @BeforeEach
  void isolate() throws IOException {
    environment.put("PATH", Files.createDirectory(folder.resolve("path")) + ":/usr/bin:/bin");
    environment.put("MURMUR_CACHE", folder.resolve("cache").toString());
    // Without sources nothing is fetched, whatever machine this is.
    environment.put("MURMUR_APT_ETC", folder.resolve("no-apt").toString());
    program("path/bitcoind", SERVES_NOT);
  }

  @Test
  void theNamedOneComesFirst() throws Exception {
    program("path/bitcoind", SERVES);
    Path named = program("named", SERVES);
    environment.put("MURMUR_BITCOIND", named.toString());
    assertThat(run()).isEqualTo(new Ran(0, named.toString(), ""));
  }

  @Test
  void aNamedPathWithoutAProgramIsAnErrorAndNotSkipped() throws Exception {
    program("path/bitcoind", SERVES);
    environment.put("MURMUR_BITCOIND", folder.resolve("nothing").toString());
    Ran ran = run();
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.output()).isEmpty();
    assertThat(ran.errors()).contains("nothing is not an executable file");
  }

  @Test
  void theOneOnThePathComesBeforeTheCachedOne() throws Exception {
    Path onPath = program("path/bitcoind", SERVES);
    program("cache/bitcoind/bin/bitcoind", SERVES);
    assertThat(run()).isEqualTo(new Ran(0, onPath.toString(), ""));
  }

  @Test
  void aPeerWithoutFiltersIsSkipped() throws Exception {
    Path cached = program("cache/bitcoind/bin/bitcoind", SERVES);
    Path client = program("cache/bitcoind/bin/bitcoin-cli", SERVES);
    Ran ran = run();
    assertThat(ran.output()).isEqualTo(cached.toString());
    assertThat(ran.errors()).contains("does not know -peerbloomfilters");
    assertThat(run("--cli").output()).isEqualTo(client.toString());
  }

  @Test
  void withoutAProgramTheMessageSaysWhatToDo() throws Exception {
    Ran ran = run();
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.output()).isEmpty();
    assertThat(ran.errors()).contains("no bitcoind found").contains("MURMUR_BITCOIND=");
    assertThat(folder.resolve("cache/bitcoind")).doesNotExist();
  }

  @Test
  void aTestThatNeedsANodeFailsWhereThereIsNone() {
    String before = System.setProperty("MURMUR_BITCOIND", "/nothing/here");
    try {
      assertThatThrownBy(Bitcoind.PROGRAM::search)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("needs a real bitcoind")
          .hasMessageContaining("/nothing/here is not an executable file")
          .hasMessageContaining("Set MURMUR_BITCOIND to the path");
    } finally {
      if (before == null) {
        System.clearProperty("MURMUR_BITCOIND");
      } else {
        System.setProperty("MURMUR_BITCOIND", before);
      }
    }
  }

  private Path program(String name, String script) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private Ran run(String... arguments) throws Exception {
    Path script = Path.of("../tools/bitcoind").toAbsolutePath().normalize();
    ProcessBuilder builder = new ProcessBuilder(script.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().remove("MURMUR_BITCOIND");
    builder.environment().putAll(environment);
    Path errors = folder.resolve("errors");
    Process process = builder.redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ran(process.exitValue(), output.strip(), Files.readString(errors));
  }
}
