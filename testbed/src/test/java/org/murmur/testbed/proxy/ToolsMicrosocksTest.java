package org.murmur.testbed.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search order of {@code tools/microsocks}, with fake programs. */
class ToolsMicrosocksTest {

  @TempDir Path folder = Path.of("");
  private final Map<String, String> environment = new HashMap<>();

  private record Ran(int exit, String output, String errors) {}

  @BeforeEach
  void isolate() throws IOException {
    environment.put("PATH", Files.createDirectory(folder.resolve("path")) + ":/usr/bin:/bin");
    environment.put("MURMUR_CACHE", folder.resolve("cache").toString());
    // Without sources nothing is fetched, whatever machine this is.
    environment.put("MURMUR_APT_ETC", folder.resolve("no-apt").toString());
  }

  @Test
  void theNamedOneComesFirstThenThePathThenTheCache() throws Exception {
    Path cached = program("cache/microsocks/microsocks");
    assertThat(run()).isEqualTo(new Ran(0, cached.toString(), ""));
    Path onPath = program("path/microsocks");
    assertThat(run()).isEqualTo(new Ran(0, onPath.toString(), ""));
    Path named = program("named");
    environment.put("MURMUR_MICROSOCKS", named.toString());
    assertThat(run()).isEqualTo(new Ran(0, named.toString(), ""));
  }

  @Test
  void aNamedPathWithoutAProgramIsAnErrorAndNotSkipped() throws Exception {
    program("path/microsocks");
    environment.put("MURMUR_MICROSOCKS", folder.resolve("nothing").toString());
    Ran ran = run();
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.output()).isEmpty();
    assertThat(ran.errors()).contains("nothing is not an executable file");
  }

  @Test
  void withoutAProgramTheMessageSaysWhatToDo() throws Exception {
    Ran ran = run();
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.output()).isEmpty();
    assertThat(ran.errors()).contains("MURMUR_MICROSOCKS=");
    assertThat(folder.resolve("cache/microsocks")).doesNotExist();
  }

  @Test
  void aTestThatNeedsOneFailsWhereThereIsNone() {
    String before = System.setProperty(MicroSocks.SETTING, "/nothing/here");
    try {
      assertThatThrownBy(MicroSocks::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("needs a real SOCKS5 server")
          .hasMessageContaining("/nothing/here is not an executable file");
    } finally {
      if (before == null) {
        System.clearProperty(MicroSocks.SETTING);
      } else {
        System.setProperty(MicroSocks.SETTING, before);
      }
    }
  }

  private Path program(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private Ran run() throws Exception {
    Path script = Path.of("../tools/microsocks").toAbsolutePath().normalize();
    ProcessBuilder builder = new ProcessBuilder(script.toString());
    builder.environment().remove("MURMUR_MICROSOCKS");
    builder.environment().putAll(environment);
    Path errors = folder.resolve("errors");
    Process process = builder.redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ran(process.exitValue(), output.strip(), Files.readString(errors));
  }
}
