package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.SmallDisk;
import org.murmur.cli.Spawned;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;

/**
 * A wallet without write permission can be read, and reports why it cannot be synced; with the
 * permission again nothing is missing.
 */
@EnabledOnOs(OS.LINUX)
class ReadOnlyTest {

  private static final BuiltChain BUILT = DemoWallet.chain(13, 220, 4);

  private static final List<String> READING = List.of("balance", "history");

  @TempDir Path folder = Path.of("");

  private Path words = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
  }

  private Ran.With here() {
    return Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
  }

  /**
   * Root may write whatever the permissions say, unless it gives that up; other users need no
   * change.
   */
  private static List<String> bound(Path file) throws IOException {
    boolean root = Files.getOwner(file).getName().equals("root");
    return root
        ? List.of(
            "setpriv",
            "--bounding-set=-dac_override,-dac_read_search",
            "--inh-caps=-dac_override,-dac_read_search")
        : List.of();
  }

  private static JsonNode refuses(Ran ran) {
    JsonNode error = ran.exits(ExitCode.FAILED).json().get("error");
    assertThat(error.get("kind").asText()).as(error.toString()).isEqualTo("read_only");
    return error.get("message");
  }

  private static List<String> answers(Spawned.With murmur) {
    List<String> answers = new ArrayList<>();
    for (String question : READING) {
      answers.add(murmur.murmur(question, "--json").exits(ExitCode.DONE).out());
    }
    return answers;
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void canBeReadWhateverMayNotBeWritten() throws IOException {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
      here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      Path wallets = folder.resolve("regtest");
      Path file = wallets.resolve("default.sqlite");
      Spawned.With murmur = Spawned.on(folder).around(bound(file));
      List<String> before = answers(murmur);
      node.mine(3);
      for (String[] permissions :
          new String[][] {
            {"r--------", "rwx------"}, {"rw-------", "r-x------"}, {"r--------", "r-x------"}
          }) {
        permit(file, permissions[0]);
        permit(wallets, permissions[1]);
        try {
          assertThat(answers(murmur)).isEqualTo(before);
          JsonNode message = refuses(murmur.murmur("sync", "--connect", node.address(), "--json"));
          assertThat(message.asText()).contains("default.sqlite", "may not be written");
        } finally {
          permit(wallets, "rwx------");
          permit(file, "rw-------");
        }
      }
      JsonNode sync =
          murmur.murmur("sync", "--connect", node.address(), "--json").exits(ExitCode.DONE).json();
      assertThat(sync.get("height").asInt()).isEqualTo(223);
    }
  }

  @Test
  void namesTheUnreadableFile() throws IOException {
    here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
    Path file = folder.resolve("regtest/default.sqlite");
    permit(file, "---------");
    JsonNode message = refuses(Spawned.on(folder).around(bound(file)).murmur("balance", "--json"));
    assertThat(message.asText()).contains("may not be read");
  }

  /** A whole disk that became read-only, during a follow that was killed. */
  @Test
  void canBeReadOnAReadOnlyDiskAfterAKill() throws IOException {
    Path small = Files.createDirectory(folder.resolve("small"));
    try (SmallDisk disk = SmallDisk.mount(small, 4_096);
        RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      disk.murmur().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
      try (Spawned following =
          disk.murmur().start("sync", "--follow", "--connect", node.address(), "--jsonl")) {
        assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
        node.mine(1);
        assertThat(following.awaitLine(line -> line.contains("\"height\":221"))).isTrue();
        following.kill();
      }
      // The committed data is in the log alone.
      assertThat(disk.list()).contains("default.sqlite-wal", "default.sqlite-shm");
      disk.readOnly(true);
      List<String> read = answers(disk.murmur());
      refuses(disk.murmur().murmur("sync", "--connect", node.address(), "--json"));
      disk.readOnly(false);
      assertThat(answers(disk.murmur())).isEqualTo(read);
      assertThat(disk.list()).doesNotContain("default.sqlite-wal");
      disk.readOnly(true);
      assertThat(answers(disk.murmur())).isEqualTo(read);
      JsonNode balance = disk.murmur().murmur("balance", "--json").json();
      assertThat(balance.get("as_of").get("height").asInt()).isEqualTo(221);
    }
  }
}
