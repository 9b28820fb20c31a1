package org.murmur.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.words.ExitCode;
import org.murmur.lab.Journal;
import org.murmur.regtest.RegtestNode;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every file that a command writes. The commands are those with {@code --force}; no class but one
 * writes files, so no command can do without it.
 */
class OutputFilesTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  /** A door: how a command is told to write a file. {@code FILE} and {@code DIR} are replaced. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Door(String file, boolean isPrivate, String... words) {

    String[] naming(Path file) {
      return Arrays.stream(words)
          .map(word -> word.replace("FILE", file.toString()))
          .map(word -> word.replace("DIR", String.valueOf(file.getParent())))
          .toArray(String[]::new);
    }
  }

  private Map<String, Door> doors() {
    Map<String, Door> doors = new LinkedHashMap<>();
    doors.put("status", new Door("x.html", true, "status", "--html", "FILE"));
    doors.put("privacy", new Door("x.svg", true, "privacy", "--plot", "FILE"));
    doors.put("label", new Door("x.jsonl", true, "label", "export", "FILE"));
    doors.put(
        "send",
        new Door(
            "x.psbt",
            true,
            "send",
            PAYEE,
            "0.001",
            "--again",
            "--fee-rate",
            "2",
            "--psbt",
            "FILE"));
    for (String command : new String[] {"bump", "cancel"}) {
      doors.put(
          command, new Door("x.psbt", true, command, "TXID", "--fee-rate", "50", "--psbt", "FILE"));
    }
    doors.put(
        "lab fp",
        new Door(
            "fp.json",
            false,
            "lab",
            "fp",
            "--small",
            "--trials=2",
            "--queries=2000",
            "--stream-blocks=1",
            "--served-blocks=2",
            "--out",
            "DIR"));
    for (String study : new String[] {"bandwidth", "families", "privacy"}) {
      doors.put(
          "lab " + study,
          new Door(study + ".json", false, "lab", study, "--small", "--out", "DIR"));
    }
    doors.put(
        "lab probe",
        new Door("x.json", false, "lab", "probe", "--connect", NOBODY, "--share", "FILE"));
    doors.put("lab merge", new Door("fp.json", false, "lab", "merge", "RESULT", "--out", "DIR"));
    doors.put(
        "lab report", new Door("report.html", false, "lab", "report", "RESULT", "--out", "DIR"));
    return doors;
  }

  /** Whoever adds a command that writes a file adds it here, and it must pass below. */
  @Test
  void theCommandsThatWriteFilesAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    assertThat(found).isEqualTo(new TreeSet<>(doors().keySet()));
  }

  private static void find(String path, CommandSpec spec, Set<String> found) {
    if (spec.findOption("--force") != null) {
      found.add(path);
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  @Test
  void nothingElseWritesFiles() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(
            OutputFile.class,
            // What lab runs leave for a later one; its name is checked as an output file.
            Journal.class,
            // For the build of a release.
            InstalledTexts.class,
            TrainingRun.class)
        .and()
        // The process's own stdout and stderr.
        .doNotHaveFullyQualifiedName("org.murmur.cli.terminal.TextStream")
        .should()
        .callCodeUnitWhere(writesAFile())
        .check(main());
  }

  private static JavaClasses main() {
    return MainCode.of("org.murmur.cli", "org.murmur.lab");
  }

  /** So the list above has all of them. */
  @Test
  void whoNamesAFileToWriteHasTheOption() {
    classes()
        .that()
        .doNotBelongToAnyOf(OutputFile.class)
        .and(
            new DescribedPredicate<JavaClass>("name a file to write") {
              @Override
              public boolean test(JavaClass type) {
                return type.getAccessesFromSelf().stream()
                    .anyMatch(
                        call ->
                            call.getTargetOwner().isEquivalentTo(OutputFile.class)
                                && Set.of("<init>", "named").contains(call.getTarget().getName()));
              }
            })
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ForceOption.class)
        .check(main());
  }

  private static DescribedPredicate<JavaCall<?>> writesAFile() {
    Set<String> ofFiles =
        Set.of(
            "write",
            "writeString",
            "newOutputStream",
            "newBufferedWriter",
            "newByteChannel",
            "copy",
            "move",
            "createFile");
    Set<String> writers =
        Set.of(
            FileOutputStream.class.getName(),
            FileWriter.class.getName(),
            RandomAccessFile.class.getName(),
            FileChannel.class.getName());
    return new DescribedPredicate<>("opens a file for writing") {
      @Override
      public boolean test(JavaCall<?> call) {
        String owner = call.getTargetOwner().getName();
        String name = call.getTarget().getName();
        return (owner.equals(Files.class.getName()) && ofFiles.contains(name))
            || (writers.contains(owner) && (name.equals("<init>") || name.equals("open")));
      }
    };
  }

  @Test
  void noCommandOverwritesAWalletOrAFileOfAnotherKind() throws IOException {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      String txid =
          murmur(
                  "send",
                  PAYEE,
                  "0.002",
                  "--fee-rate",
                  "2",
                  "--yes",
                  "--json",
                  "--connect",
                  node.address())
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      Path results = Files.createDirectories(datadir.resolve("results"));
      Door fp = Objects.requireNonNull(doors().get("lab fp"));
      murmur(fp.naming(results.resolve("fp.json")));
      String result = results.resolve("fp.json").toString();
      byte[] wallet = Files.readAllBytes(datadir.resolve("regtest/default.sqlite"));
      for (Map.Entry<String, Door> each : doors().entrySet()) {
        Path folder = Files.createDirectories(datadir.resolve(each.getKey().replace(' ', '-')));
        Path file = folder.resolve(each.getValue().file());
        String[] words = each.getValue().naming(file);
        for (int i = 0; i < words.length; i++) {
          words[i] = words[i].replace("TXID", txid).replace("RESULT", result);
        }
        tries(each.getKey(), each.getValue(), file, words, wallet);
      }
    }
  }

  /** A backup that cannot be written whole leaves the older one. */
  @Test
  void aFullDiskLeavesTheOlderFile() throws IOException {
    Path small = Files.createDirectory(datadir.resolve("small"));
    try (SmallDisk disk = SmallDisk.mount(small, 1_024)) {
      Spawned.With here = Spawned.on(datadir).around(disk.inside());
      String file = small.resolve("labels.jsonl").toString();
      murmur("label", PAYEE, "a label").exits(ExitCode.DONE);
      here.murmur("label", "export", file).exits(ExitCode.DONE);
      Path before = datadir.resolve("before");
      disk.copyOut("labels.jsonl", before);
      murmur("label", PAYEE, "another label").exits(ExitCode.DONE);
      disk.fill(0);
      Ran ran = here.murmur("label", "export", file, "--json");
      assertThat(ran.exits(ExitCode.FAILED).json().at("/error/message").asText())
          .contains("labels.jsonl was not written, and is as it was: No space left on device");
      Path after = datadir.resolve("after");
      disk.copyOut("labels.jsonl", after);
      assertThat(after).hasSameTextualContentAs(before);
      assertThat(disk.list()).doesNotContain(".labels");
    }
  }

  private void tries(String what, Door door, Path file, String[] words, byte[] wallet)
      throws IOException {
    String[] forced = Arrays.copyOf(words, words.length + 1);
    forced[words.length] = "--force";
    Files.write(file, wallet);
    refuses(what, "perhaps a wallet", words);
    refuses(what, "perhaps a wallet", forced);
    assertThat(Files.readAllBytes(file)).as(what).isEqualTo(wallet);
    Files.delete(file);
    Files.createDirectory(file);
    refuses(what, "no regular file", forced);
    Files.delete(file);
    Files.writeString(file, "my notes\n");
    refuses(what, "--force", words);
    assertThat(file).as(what).hasContent("my notes\n");
    if (what.startsWith("lab ") && !Set.of("lab merge", "lab report").contains(what)) {
      // The others share its code, and take long.
      return;
    }
    murmur(forced).exits(ExitCode.DONE);
    assertThat(Files.readString(file)).as(what).doesNotContain("my notes");
    if (door.isPrivate()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .as(what)
          .isEqualTo("rw-------");
    }
    // What it wrote, it may write again.
    murmur(words).exits(ExitCode.DONE);
    try (var left = Files.list(file.getParent())) {
      assertThat(left).as(what).noneMatch(each -> each.getFileName().toString().startsWith("."));
    }
  }

  private void refuses(String what, String message, String[] words) {
    Ran ran = murmur(words);
    assertThat(ran.exits(ExitCode.FAILED).err()).as(what).contains(message);
  }

  @Test
  void whatBelongsToAWalletInUseIsNoFileToWriteTo() {
    Path log = datadir.resolve("regtest/default.sqlite-wal");
    assertThat(murmur("label", "export", log.toString(), "--force").exits(ExitCode.FAILED).err())
        .contains("belongs to the database");
    assertThat(log).doesNotExist();
  }
}
