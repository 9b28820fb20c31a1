package org.murmur.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.terminal.Secrets;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * Every text that comes in: options and arguments that name a file or stdin. No class but one reads
 * these, so no command can take what is no UTF-8.
 */
class TextsInTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  private static final String PASSWORD = "correct horse";

  /** What an argument that names a file or stdin says of itself, unless it is written to. */
  private static final Pattern READS = Pattern.compile("(?i)stdin|\\bfile\\b|JSON result");

  private static final Pattern WRITES =
      Pattern.compile("^(Write|Draw|Overwrite|CSV on stdout|Every Nth|JSON of a run)");

  /**
   * A door: words that let a command read, and something it may read. {@code IN} is its file, or
   * {@code -}.
   */
  private record Door(String content, boolean binary, String words) {}

  private String payment = "";
  private String address = "";
  private Path unsigned = Path.of("");
  private String psbt = "";

  private Map<String, Door> doors() {
    String wrong = "a wrong password";
    Map<String, Door> doors = new LinkedHashMap<>();
    for (String command : new String[] {"send " + PAYEE + " 0.001", "bump TX", "cancel TX"}) {
      String name = command.split(" ", -1)[0];
      String line = command + " --fee-rate 50 --again --offline --yes ";
      doors.put(
          name + " --password-file",
          new Door(
              wrong,
              false,
              (name.equals("send") ? line : line.replace(" --again", "")) + "--password-file IN"));
      doors.put(
          name + " --passphrase-file",
          new Door(
              "none is wanted",
              false,
              (name.equals("send") ? line : line.replace(" --again", ""))
                  + "--passphrase-file IN --password-file RIGHT"));
    }
    doors.put(
        "create --passphrase-file",
        new Door(
            "anything goes", false, "-w NEW create --passphrase-file IN --password-file RIGHT"));
    doors.put(
        "create --password-file",
        new Door("anything goes", false, "-w NEW create --password-file IN"));
    String restore = "-w NEW restore --mnemonic-file ";
    doors.put("restore --mnemonic-file", new Door(DemoWallet.WORDS, false, restore + "IN"));
    doors.put(
        "restore --passphrase-file",
        new Door("anything goes", false, restore + "WORDS --passphrase-file IN"));
    doors.put(
        "restore --password-file",
        new Door("anything goes", false, restore + "WORDS --password-file IN"));
    doors.put(
        "export --password-file", new Door(PASSWORD, false, "export mnemonic --password-file IN"));
    doors.put(
        "passwd --password-file",
        new Door(wrong, false, "passwd --password-file IN --new-password-file RIGHT"));
    doors.put(
        "passwd --new-password-file",
        new Door(PASSWORD, false, "passwd --password-file RIGHT --new-password-file IN"));
    String sign = "message sign ADDRESS ";
    doors.put(
        "message sign --password-file", new Door(wrong, false, sign + "text --password-file IN"));
    doors.put(
        "message sign --passphrase-file",
        new Door(
            "none is wanted",
            false,
            sign + "text --passphrase-file IN --password-file RIGHT --format simple"));
    doors.put(
        "message sign TEXT",
        new Door("a text", false, sign + "- --password-file RIGHT --format legacy"));
    doors.put("message verify TEXT", new Door("a text", false, "message verify ADDRESS AAAA -"));
    doors.put(
        "psbt sign --password-file",
        new Door(wrong, false, "psbt sign PSBT --yes --password-file IN"));
    doors.put(
        "psbt sign --passphrase-file",
        new Door(
            "none is wanted",
            false,
            "psbt sign PSBT --yes --passphrase-file IN --password-file RIGHT"));
    doors.put("psbt sign FILE", new Door(psbt, true, "psbt sign IN --yes --password-file WRONG"));
    for (String command : new String[] {"show", "combine", "finalize"}) {
      doors.put("psbt " + command + " FILE", new Door(psbt, true, "psbt " + command + " IN"));
    }
    doors.put("watch KEY|DESCRIPTOR|ADDRESS", new Door(PAYEE, false, "-w NEW watch -"));
    doors.put(
        "label TEXT",
        new Door(
            "{\"type\":\"addr\",\"ref\":\"" + PAYEE + "\",\"label\":\"x\"}\n",
            false,
            "label import IN"));
    doors.put("broadcast HEX|TXID", new Door("00", false, "broadcast - --connect 127.0.0.1:1"));
    doors.put("proof verify HEX", new Door("00", false, "proof verify -"));
    doors.put(
        "filter make --addresses-file",
        new Door(PAYEE + "\n", false, "filter make --addresses-file IN --tweak 1"));
    String filter = "02b50f0b0000000000000000";
    doors.put("filter decode HEX", new Door(filter, false, "filter decode -"));
    doors.put("filter match HEX", new Door(filter, false, "filter match - --tx 00"));
    doors.put("filter match --tx", new Door("00", false, "filter match " + filter + " --tx -"));
    doors.put(
        "filter match --block", new Door("00", true, "filter match " + filter + " --block IN"));
    doors.put("lab merge FILE", new Door("{}", false, "lab merge FILEONLY"));
    doors.put("lab report FILE", new Door("{}", false, "lab report FILEONLY --out DIR"));
    for (String study : new String[] {"fp", "bandwidth", "families", "privacy"}) {
      doors.put(
          "lab " + study + " --repeat",
          new Door("{}", false, "lab " + study + " --repeat FILEONLY"));
    }
    return doors;
  }

  /** Coins, a pending payment, an unsigned one, and a password. */
  private void live() throws IOException {
    Path right = Files.writeString(datadir.resolve("right.txt"), PASSWORD + "\n");
    Files.writeString(datadir.resolve("wrong.txt"), "a wrong password\n");
    murmur("passwd", "--new-password-file", right.toString()).exits(ExitCode.DONE);
    unsigned = datadir.resolve("unsigned.psbt");
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      String[] send =
          ("send " + PAYEE + " 0.002 --fee-rate 2 --yes --json --password-file " + right)
              .split(" ", -1);
      String[] to = Arrays.copyOf(send, send.length + 2);
      to[send.length] = "--connect";
      to[send.length + 1] = node.address();
      payment = murmur(to).exits(ExitCode.DONE).json().get("txid").asText();
      send = ("send " + PAYEE + " 0.001 --again --fee-rate 2 --psbt " + unsigned).split(" ", -1);
      to = Arrays.copyOf(send, send.length + 2);
      to[send.length] = "--connect";
      to[send.length + 1] = node.address();
      murmur(to).exits(ExitCode.DONE);
      psbt = Files.readString(unsigned);
    }
    address = murmur("address", "--json").json().get("address").asText();
  }

  /** Whoever adds an argument that is read adds it here, and it must pass below. */
  @Test
  void theArgumentsThatAreReadAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    assertThat(found).isEqualTo(new TreeSet<>(doors().keySet()));
  }

  private static void find(String path, CommandSpec spec, Set<String> found) {
    for (ArgSpec argument : spec.args()) {
      String text = String.join(" ", argument.description());
      boolean read = READS.matcher(text).find() || argument.paramLabel().startsWith("FILE");
      boolean written =
          WRITES.matcher(text).find()
              && !(!argument.isOption() && argument.paramLabel().startsWith("FILE"));
      if (read && !written) {
        String name =
            argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
        found.add(path + " " + name);
      }
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  @Test
  void noDoorTakesWhatIsNoTextInUtf8() throws IOException {
    live();
    int number = 0;
    for (Map.Entry<String, Door> each : doors().entrySet()) {
      Door door = each.getValue();
      for (Map.Entry<String, byte[]> bad : noUtf8(door.content()).entrySet()) {
        String what = each.getKey() + ", " + bad.getKey();
        boolean named = !door.binary() || bad.getKey().startsWith("UTF-16");
        Ran ran = run(door, bad.getValue(), "n" + number++);
        assertThat(ran.exits(ExitCode.FAILED).out()).as(what).isEmpty();
        assertThat(ran.err()).as(what).contains(named ? "is not text in UTF-8: " : "no ");
        if (named && bad.getKey().startsWith("UTF-16")) {
          assertThat(ran.err()).as(what).contains("UTF-16");
        }
      }
      Door json = new Door(door.content(), door.binary(), door.words() + " --json");
      Ran ran = run(json, door.content().getBytes(StandardCharsets.UTF_16), "n" + number++);
      assertThat(ran.exits(ExitCode.FAILED).json().at("/error/kind").asText())
          .as(each.getKey())
          .isEqualTo("malformed");
    }
    assertThat(murmur("wallets", "--json").json().get("wallets")).hasSize(1);
  }

  private static Map<String, byte[]> noUtf8(String content) {
    Map<String, byte[]> bad = new TreeMap<>();
    bad.put("Latin-1", ("\u00e9" + content).getBytes(StandardCharsets.ISO_8859_1));
    bad.put("UTF-16 with a mark", content.getBytes(StandardCharsets.UTF_16));
    bad.put("UTF-16, little-endian", content.getBytes(StandardCharsets.UTF_16LE));
    bad.put("UTF-16, big-endian", content.getBytes(StandardCharsets.UTF_16BE));
    bad.put("lost", (content.strip() + "\ufffd").getBytes(StandardCharsets.UTF_8));
    return bad;
  }

  @Test
  void aByteOrderMarkChangesNothing() throws IOException {
    live();
    int number = 0;
    for (Map.Entry<String, Door> each : doors().entrySet()) {
      Door door = each.getValue();
      Ran plain = run(door, door.content().getBytes(StandardCharsets.UTF_8), "p" + number);
      Ran marked =
          run(door, ("\ufeff" + door.content()).getBytes(StandardCharsets.UTF_8), "m" + number++);
      assertThat(marked.err()).as(each.getKey()).isEqualTo(plain.err());
      assertThat(marked.code()).as(each.getKey()).isEqualTo(plain.code());
    }
  }

  /**
   * "cannot read X: X" tells nobody why: of a file that is not there, and of one that is no file.
   */
  @Test
  void aFileThatCannotBeReadIsNamedOnce() throws IOException {
    live();
    Path loop = datadir.resolve("loop.txt");
    Files.createSymbolicLink(loop, loop);
    Path folder = Files.createDirectory(datadir.resolve("folder.txt"));
    int number = 0;
    for (Path file : new Path[] {datadir.resolve("nowhere.txt"), loop, folder}) {
      for (Map.Entry<String, Door> each : doors().entrySet()) {
        String words = each.getValue().words();
        String line = words.replaceAll("\\b(IN|FILEONLY)\\b", file.toString());
        for (String more : line.equals(words) ? List.<String>of() : List.of("", " --json")) {
          Ran ran = run(new Door("", false, line + more), new byte[0], "f" + number++);
          assertThat(ran.code()).as(each.getKey()).isBetween(1, 2);
          assertThat(ran.out() + ran.err())
              .as(each.getKey())
              .containsOnlyOnce(file.getFileName().toString());
        }
      }
    }
  }

  /** Reads the content from a file, or from stdin where that is the only way. */
  private Ran run(Door door, byte[] content, String name) throws IOException {
    Path in = Files.write(datadir.resolve("in"), content);
    String[] words =
        Arrays.stream(door.words().split(" ", -1))
            .map(
                word ->
                    switch (word) {
                      case "IN", "FILEONLY" -> in.toString();
                      case "NEW" -> name;
                      case "TX" -> payment;
                      case "ADDRESS" -> address;
                      case "PSBT" -> unsigned.toString();
                      case "DIR" -> datadir.resolve("report").toString();
                      case "WORDS" -> datadir.resolve("words.txt").toString();
                      case "RIGHT" -> datadir.resolve("right.txt").toString();
                      case "WRONG" -> datadir.resolve("wrong.txt").toString();
                      default -> word;
                    })
            .toArray(String[]::new);
    return here().stdin(content).murmur(words);
  }

  /** So no door can be without the rule, whatever its help says. */
  @Test
  void nothingElseReads() {
    readers().check(main());
  }

  private static ArchRule readers() {
    return noClasses()
        .that()
        .doNotBelongToAnyOf(Inputs.class, Secrets.class, Surroundings.class)
        .should()
        .callCodeUnitWhere(readsText());
  }

  /** Looks at the first bytes of what it would overwrite; and waits for Enter. */
  private static final Set<String> NO_TEXT =
      Set.of(OutputFile.class.getName(), "org.murmur.cli.sync.MempoolWait");

  private static JavaClasses main() {
    return MainCode.of("org.murmur.cli");
  }

  private static DescribedPredicate<JavaCall<?>> readsText() {
    Set<String> ofFiles =
        Set.of(
            "readString",
            "readAllBytes",
            "readAllLines",
            "lines",
            "newBufferedReader",
            "newInputStream",
            "newByteChannel");
    Set<String> readers =
        Set.of(
            FileInputStream.class.getName(),
            FileReader.class.getName(),
            InputStreamReader.class.getName(),
            Scanner.class.getName(),
            CharsetDecoder.class.getName());
    return new DescribedPredicate<>(
        "reads a file, stdin, a prompt or a variable, or decodes bytes") {
      @Override
      public boolean test(JavaCall<?> call) {
        String owner = call.getTargetOwner().getName();
        String name = call.getTarget().getName();
        boolean decodes =
            owner.equals(String.class.getName())
                && name.equals("<init>")
                && call.getTarget().getParameterTypes().stream()
                    .anyMatch(type -> type.getName().equals("[B"));
        return !NO_TEXT.contains(call.getOriginOwner().getName())
            && (decodes
                || (owner.equals(Charset.class.getName()) && name.equals("decode"))
                || (owner.equals(Files.class.getName()) && ofFiles.contains(name))
                || readers.contains(owner)
                || (owner.equals(Surroundings.class.getName()) && name.equals("stdin"))
                || (owner.equals(Surroundings.SecretPrompt.class.getName()) && name.equals("ask"))
                || (owner.equals(System.class.getName())
                    && Set.of("console", "getenv").contains(name)));
      }
    };
  }

  /** A new door that reads by itself, and says so in its help. */
  @Command(name = "new")
  static final class NewDoor {

    @Option(names = "--secret-file", description = "A file with another secret.")
    private String file = "";

    String read() throws IOException {
      return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aNewDoorIsFound() {
    Set<String> found = new TreeSet<>();
    find("new", CommandSpec.forAnnotatedObject(new NewDoor()), found);
    assertThat(found).containsExactly("new --secret-file");
    assertThat(
            readers().evaluate(new ClassFileImporter().importClasses(NewDoor.class)).hasViolation())
        .isTrue();
  }
}
