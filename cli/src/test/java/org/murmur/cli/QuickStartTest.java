package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;

/**
 * The whole command, in a separate process, when a sync finds nothing new: it loads only what it
 * needs, with class data sharing and without.
 */
@Timeout(120)
final class QuickStartTest {

  @TempDir Path folder = Path.of("");

  @Test
  void loadsNothingThatNothingNewDoesNotNeed() throws Exception {
    BuiltChain built = DemoWallet.chain(5, DemoWallet.MIN_BLOCKS, 5);
    Path words = folder.resolve("words.txt");
    Files.writeString(words, DemoWallet.WORDS);
    Ran.With here = Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
    here.murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      here.murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      // An encrypted connection needs a key of the curve.
      String again = fork("sync", "--json", "--v2", "off", "--connect", node.address());
      assertThat(again).containsPattern("\"complete\" ?: ?true").contains("\"warnings\"");
      assertThat(Files.readString(folder.resolve("classes")))
          .contains(" org.murmur.wallet.SpvWallet ")
          .doesNotContain(" org.bitcoinj.")
          .doesNotContain(" org.bouncycastle.");
    }
  }

  private String fork(String... arguments) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + folder.resolve("classes"),
                "-cp",
                System.getProperty("java.class.path"),
                Murmur.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("MURMUR_NETWORK", "regtest");
    builder.environment().put("MURMUR_DATADIR", folder.toString());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isZero();
    return Files.readString(output);
  }
}
