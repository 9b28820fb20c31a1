package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.failure.WalletException;

/**
 * A real disk without room: during creation, sync and follow. It is reported, nothing is lost, and
 * with room again everything is as before.
 */
@EnabledOnOs(OS.LINUX)
class FullDiskTest {

  private static final BuiltChain BUILT = DemoWallet.chain(12, 2_600, 2);

  /** More than a wallet of that chain takes with its log. */
  private static final int ROOM_KIBIBYTES = 4_096;

  /** How much more room there is after every failure. */
  private static final int STEP_KIBIBYTES = 100;

  @TempDir Path folder = Path.of("");

  private Path small = Path.of("");
  private Path words = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    small = Files.createDirectory(folder.resolve("small"));
    words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
  }

  private static void failsForWantOfRoom(Ran ran) {
    List<JsonNode> lines = ran.lines();
    JsonNode last = lines.get(lines.size() - 1);
    assertThat(ran.code()).as("exit code, %s %s", last, ran.err()).isEqualTo(1);
    JsonNode error = last.get("error");
    assertThat(error.get("kind").asText()).as(error.toString()).isEqualTo("disk_full");
    assertThat(error.get("message").asText())
        .contains("no room left on the disk", "default.sqlite")
        .doesNotContain(".new");
  }

  /** The wallet's output on a disk with room. */
  private List<String> undisturbed(RegtestNode node) {
    Ran.With calm =
        Ran.with()
            .datadir(folder.resolve("calm-" + node.tip()))
            .environment("MURMUR_NETWORK", "regtest");
    calm.murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
    calm.murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    List<String> answers = new ArrayList<>();
    for (String question : List.of("balance", "history", "coins")) {
      answers.add(calm.murmur(question, "--json").exits(ExitCode.DONE).out().strip());
    }
    return answers;
  }

  /** The output of the wallet on the small disk. */
  private static List<String> answers(SmallDisk disk) {
    List<String> answers = new ArrayList<>();
    for (String question : List.of("balance", "history", "coins")) {
      answers.add(disk.murmur().murmur(question, "--json").exits(ExitCode.DONE).out().strip());
    }
    return answers;
  }

  private void restore(SmallDisk disk) {
    disk.murmur().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
  }

  /** Makes a wallet again and again, with a page more room each time; runs on the small disk. */
  public static final class Creations {

    private Creations() {}

    /**
     * Runs.
     *
     * @param arguments the small disk
     */
    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[0]);
      WalletRecipe recipe =
          WalletRecipe.ofMnemonic(
              ChainParams.REGTEST,
              Mnemonic.parse(DemoWallet.WORDS),
              "",
              List.of(OutputType.P2WPKH),
              0);
      Path filler = folder.resolve("filler");
      byte[] page = new byte[4096];
      int pages = 0;
      try (OutputStream out = Files.newOutputStream(filler)) {
        while (true) {
          out.write(page);
          pages++;
        }
      } catch (IOException e) {
        // It is full now.
      }
      Path file = folder.resolve("wallet.sqlite");
      for (int left = 0; left <= pages; left++) {
        try (RandomAccessFile cut = new RandomAccessFile(filler.toFile(), "rw")) {
          cut.setLength((long) (pages - left) * page.length);
        }
        if (attempt(file, recipe, left)) {
          return;
        }
      }
    }

    private static boolean attempt(Path file, WalletRecipe recipe, int left) throws IOException {
      try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
        System.out.println("made " + left + " " + wallet.receive().current().address());
        return true;
      } catch (WalletException e) {
        List<String> there;
        try (Stream<Path> files = Files.list(file.getParent())) {
          there = files.map(path -> path.getFileName().toString()).sorted().toList();
        }
        System.out.println("not made " + left + " " + e.kind() + " " + there);
        return false;
      }
    }
  }

  @Test
  void makesAWalletWholeOrNotAtAll() {
    try (SmallDisk disk = SmallDisk.mount(small, 1_024)) {
      Ran ran = disk.murmur().main(Creations.class).murmur(small.toString());
      List<String> lines = ran.out().lines().toList();
      assertThat(lines).as(ran.err()).hasSizeGreaterThan(20);
      assertThat(lines.subList(0, lines.size() - 1))
          .allMatch(
              line -> line.matches("not made \\d+ DISK_FULL \\[filler(, wallet.sqlite.lock)?]"));
      assertThat(lines.get(lines.size() - 1)).matches("made \\d+ bcrt1q.*");
    }
  }

  @Test
  void saysThatThereIsNoRoomForAWallet() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(small, 1_024)) {
      for (int left : new int[] {8, 120}) {
        disk.fill(left);
        failsForWantOfRoom(
            disk.murmur().murmur("restore", "--mnemonic-file", words.toString(), "--jsonl"));
        assertThat(disk.list()).doesNotContain("default.sqlite\n");
        disk.empty();
      }
      restore(disk);
    }
  }

  @Test
  void goesOnWithTheSyncWhenThereIsRoomAgain() {
    try (SmallDisk disk = SmallDisk.mount(small, ROOM_KIBIBYTES);
        RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      restore(disk);
      int failed = 0;
      int atWork = 0;
      int left = 0;
      for (boolean done = false; !done; left += STEP_KIBIBYTES) {
        disk.fill(left);
        Ran ran = disk.murmur().murmur("sync", "--connect", node.address(), "--jsonl");
        done = ran.code() == ExitCode.DONE.number();
        if (!done) {
          failsForWantOfRoom(ran);
          failed++;
          atWork += ran.out().contains("peer_ready") ? 1 : 0;
          // With the disk still full: committed data can be read.
          disk.murmur().murmur("balance", "--json").exits(ExitCode.DONE);
        }
        disk.empty();
      }
      System.out.println(
          failed + " syncs met a full disk, " + atWork + " of them at work; room at last: " + left);
      assertThat(atWork).isPositive();
      assertThat(answers(disk)).isEqualTo(undisturbed(node));
    }
  }

  @Test
  void goesOnFollowingWhenThereIsRoomAgain() {
    try (SmallDisk disk = SmallDisk.mount(small, ROOM_KIBIBYTES);
        RegtestNode node = RegtestNode.start(BUILT.chain().copy());
        Spawned following = followed(disk, node)) {
      disk.fill(0);
      while (following.isRunning()) {
        node.mine(20);
        following.runs(20);
      }
      failsForWantOfRoom(following.ran());
      int height =
          disk.murmur()
              .murmur("balance", "--json")
              .exits(ExitCode.DONE)
              .json()
              .get("as_of")
              .get("height")
              .asInt();
      assertThat(height).isBetween(2_600, node.height());
      disk.empty();
      disk.murmur().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(answers(disk)).isEqualTo(undisturbed(node));
    }
  }

  private Spawned followed(SmallDisk disk, RegtestNode node) {
    restore(disk);
    Spawned following =
        disk.murmur().start("sync", "--follow", "--connect", node.address(), "--jsonl");
    assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
    return following;
  }
}
