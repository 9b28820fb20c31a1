package org.murmur.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.internal.crypto.SecretBox;
import org.murmur.coins.internal.crypto.SecretText;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.Credentials;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.failure.WalletException;

/** Passwords, passphrases and words: typed, read, and given to the library. */
class SecretsInTest extends RestoredWallet {

  private static final String PASSWORD = "p\u00e4ssw\u00f6rd";

  private static Path given(String name) {
    return Path.of(
        Objects.requireNonNull(SecretsInTest.class.getResource("/cases/" + name)).getPath());
  }

  private String restored(String name, Path passphrase) {
    return murmur(
            "-w",
            name,
            "restore",
            "--json",
            "--mnemonic-file",
            datadir.resolve("words.txt").toString(),
            "--passphrase-file",
            passphrase.toString())
        .exits(ExitCode.DONE)
        .json()
        .get("address")
        .asText();
  }

  @Test
  void aPassphraseWithAByteOrderMarkIsThatPassphrase() throws IOException {
    Path plain = Files.writeString(datadir.resolve("plain"), "TREZOR");
    assertThat(restored("marked", given("passphrase-bom.txt")))
        .isEqualTo(restored("plain", plain))
        .isNotEqualTo(murmur("address", "--json").json().get("address").asText());
  }

  @ParameterizedTest
  @CsvSource({"passphrase-latin1.txt, byte 4", "passphrase-utf16le.txt, UTF-16"})
  void aPassphraseInAnotherEncodingIsRefusedByName(String file, String named) {
    String words = datadir.resolve("words.txt").toString();
    String[] restore = {"-w", "x", "restore", "--mnemonic-file", words, "--passphrase-file"};
    List<String> line = new ArrayList<>(List.of(restore));
    line.add(given(file).toString());
    Ran ran = murmur(line.toArray(String[]::new));
    assertThat(ran.exits(ExitCode.FAILED).err()).contains("is not text in UTF-8", named);
  }

  @Test
  void wordsWithAByteOrderMarkAreThoseWords() {
    murmur("-w", "x", "restore", "--mnemonic-file", given("words-bom.txt").toString())
        .exits(ExitCode.DONE);
    assertThat(murmur("-w", "x", "export", "mnemonic").out())
        .isEqualTo(murmur("export", "mnemonic").out());
  }

  @Test
  void anInvisibleCharacterInWordsIsNamed() {
    Ran ran =
        murmur("-w", "x", "restore", "--mnemonic-file", given("words-zero-width.txt").toString());
    assertThat(ran.exits(ExitCode.FAILED).err()).contains("U+200B (ZERO WIDTH SPACE)");
  }

  @Test
  void aPsbtAsEditorsSaveIt() {
    murmur("psbt", "show", given("psbt-bom.txt").toString()).exits(ExitCode.DONE);
    assertThat(
            murmur("psbt", "show", given("psbt-utf16.txt").toString()).exits(ExitCode.FAILED).err())
        .contains("UTF-16");
  }

  /** Decoded without a rule, both are the same replacement characters. */
  @ParameterizedTest
  @ValueSource(strings = {"fffe80", "9091fd", "80", "c0af", "eda080"})
  void bytesThatAreNoTextAreNoPassword(String hex) throws IOException {
    Path right = Files.writeString(datadir.resolve("right"), PASSWORD);
    murmur("passwd", "--new-password-file", right.toString()).exits(ExitCode.DONE);
    Path file = Files.write(datadir.resolve("password"), HexFormat.of().parseHex(hex));
    String[][] doors = {
      {"passwd", "--password-file", right.toString(), "--new-password-file", file.toString()},
      {"-w", "x", "create", "--password-file", file.toString()},
      {"export", "mnemonic", "--password-file", file.toString()}
    };
    for (String[] door : doors) {
      Ran ran = murmur(door);
      assertThat(ran.exits(ExitCode.FAILED).err()).contains("is not text in UTF-8");
      String[] json = Arrays.copyOf(door, door.length + 1);
      json[door.length] = "--json";
      assertThat(murmur(json).json().at("/error/kind").asText()).isEqualTo("malformed");
    }
  }

  /** A prompt takes one line, and nobody would type the second again. */
  @ParameterizedTest
  @CsvSource({"'two\nlines', more than one line", "'\u001b[D', U+001B", "'a\u0000b', U+0000"})
  void aSecretIsOneLineOfCharacters(String content, String named) throws IOException {
    Path file = Files.writeString(datadir.resolve("secret"), content);
    for (String option : new String[] {"--password-file", "--passphrase-file"}) {
      Ran ran = murmur("-w", "x", "create", option, file.toString());
      assertThat(ran.exits(ExitCode.FAILED).err()).contains(named).doesNotContain(content);
    }
  }

  /** All prompts: what each command asks that asks for a secret. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-w x create",
        "-w x create --passphrase-file -",
        "-w x create --password-file -",
        "-w x restore",
        "-w x restore --mnemonic-file -",
        "passwd",
        "passwd --new-password-file -",
      })
  void aLostCharacterIsRefusedAtEveryPrompt(String line) {
    Ran ran = here().typing("caf\ufffd").murmur(line.split(" ", -1));
    assertThat(ran.exits(ExitCode.FAILED).err()).contains("LC_ALL=C.UTF-8");
    Ran json = here().typing("caf\ufffd").murmur((line + " --json").split(" ", -1));
    assertThat(json.exits(ExitCode.FAILED).json().at("/error/kind").asText())
        .isEqualTo("malformed");
    assertThat(murmur("wallets", "--json").json().get("wallets")).hasSize(1);
  }

  @Test
  void onATerminalTheDashIsAPrompt() {
    String[] restore = {
      "-w", "x", "restore", "--json", "--mnemonic-file", "-", "--passphrase-file", "-"
    };
    // The passphrase is typed twice, differently at first: another one is another wallet.
    Ran ran =
        here()
            .typing("abandon ".repeat(11) + "about", "one", "two", PASSWORD, PASSWORD, "")
            .murmur(restore);
    assertThat(ran.exits(ExitCode.DONE).err()).contains("BIP39 passphrase", "The two differ");
    String address = ran.json().get("address").asText();
    // A wallet whose words have one asks for it.
    Ran signed = here().typing(PASSWORD).murmur("-w", "x", "message", "sign", address, "text");
    assertThat(signed.exits(ExitCode.DONE).err()).contains("passphrase");
    assertThat(murmur("-w", "x", "message", "sign", address, "text").exits(ExitCode.FAILED).err())
        .contains("--passphrase-file FILE");
  }

  @Test
  void noSecretIsReadFromATerminalThatShowsIt() {
    Ran ran =
        here().echoing().stdin("secret\n").murmur("-w", "x", "create", "--password-file", "-");
    assertThat(ran.exits(ExitCode.FAILED).err()).contains("would show what is typed");
  }

  /** Keys are made of texts in one way, which refuses what was lost: for all methods that do so. */
  @Test
  void theLibraryMakesKeysOfTextsInOneWay() {
    JavaClasses library = MainCode.of("org.murmur.coins", "org.murmur.wallet");
    noClasses()
        .should()
        .callCodeUnitWhere(
            new DescribedPredicate<JavaCall<?>>("makes a key of a text that is not checked") {
              @Override
              public boolean test(JavaCall<?> call) {
                return Set.of("toSeed", "derive").contains(call.getTarget().getName())
                    && call.getTargetOwner().getPackageName().startsWith("org.bitcoinj");
              }
            })
        .check(library);
    Set<String> stretching =
        Set.of(Argon2BytesGenerator.class.getName(), PKCS5S2ParametersGenerator.class.getName());
    methods()
        .that(
            new DescribedPredicate<JavaMethod>("stretch a secret") {
              @Override
              public boolean test(JavaMethod method) {
                return method.getCallsFromSelf().stream()
                    .anyMatch(call -> stretching.contains(call.getTargetOwner().getName()));
              }
            })
        .should(
            new ArchCondition<JavaMethod>("get its bytes from SecretText") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                boolean right =
                    method.getCallsFromSelf().stream()
                        .anyMatch(
                            call ->
                                call.getTargetOwner().isEquivalentTo(SecretText.class)
                                    && call.getName().equals("utf8"));
                events.add(new SimpleConditionEvent(method, right, method.getFullName()));
              }
            })
        .check(library);
  }

  @Test
  void theLibraryRefusesWhatWasLost() throws Exception {
    char[] lost = "caf\ufffd".toCharArray();
    Mnemonic words = Mnemonic.parse("abandon ".repeat(11) + "about");
    WalletRecipe recipe = WalletRecipe.ofWords(ChainParams.REGTEST, words.text());
    assertThatThrownBy(() -> recipe.withPassword(lost)).hasMessageContaining("U+FFFD");
    assertThatThrownBy(() -> SecretBox.requirePassword("\ud83d".toCharArray()))
        .hasMessageContaining("half a character");
    assertThatThrownBy(
            () ->
                WalletRecipe.ofMnemonic(
                    ChainParams.REGTEST, words, "\ufffd", List.of(OutputType.P2WPKH), 0))
        .isInstanceOf(IllegalArgumentException.class);
    try (SpvWallet wallet =
        SpvWallet.create(
            datadir.resolve("x.sqlite"), recipe.withPassword(PASSWORD.toCharArray()))) {
      assertThatThrownBy(() -> wallet.keys().mnemonic(Credentials.ofPassword(lost)))
          .isInstanceOf(WalletException.class)
          .hasMessageContaining("U+FFFD");
      assertThatThrownBy(
              () ->
                  wallet
                      .keys()
                      .changePassword(Credentials.ofPassword(PASSWORD.toCharArray()), lost))
          .hasMessageContaining("U+FFFD");
      assertThatThrownBy(
              () ->
                  wallet
                      .keys()
                      .signMessage(
                          Address.parse(wallet.receive().current().address()),
                          "text",
                          Credentials.ofPassword(PASSWORD.toCharArray()).withPassphrase("\ufffd")))
          .isInstanceOf(WalletException.class)
          .hasMessageContaining("passphrase: character 1 is U+FFFD");
      assertThat(wallet.keys().mnemonic(Credentials.ofPassword(PASSWORD.toCharArray())))
          .isEqualTo(words.text());
    }
  }

  /**
   * A terminal in a locale: {@code script} gives the process one. In the C locale each byte outside
   * ASCII was U+FFFD, so another password of the same length opened the wallet.
   */
  private static String typedIn(String locale, Path datadir, String typed, String... arguments)
      throws Exception {
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    java.add("\"$MURMUR_TEST_PATH\"");
    java.add(Murmur.class.getName());
    java.addAll(List.of("--network", "regtest", "--datadir", datadir.toString()));
    java.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", String.join(" ", java), "/dev/null");
    builder.environment().put("LC_ALL", locale);
    builder.environment().put("SHELL", "/bin/sh");
    builder.environment().put("MURMUR_TEST_PATH", System.getProperty("java.class.path"));
    Process process = builder.redirectErrorStream(true).start();
    StringBuilder shown = new StringBuilder();
    int asked = 0;
    try (InputStream in = process.getInputStream();
        OutputStream out = process.getOutputStream()) {
      for (int b = in.read(); b >= 0; b = in.read()) {
        shown.append((char) b);
        int prompts = shown.toString().split("assword[^\n]*: |Repeat it: ", -1).length - 1;
        if (prompts > asked) {
          asked = prompts;
          out.write((typed + "\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
      }
    } finally {
      process.destroyForcibly();
    }
    return shown + "exit " + process.waitFor();
  }

  @Test
  void aPasswordTypedInTheCLocaleIsRefused() throws Exception {
    Path file = Files.writeString(datadir.resolve("password"), PASSWORD + "\n");
    murmur("passwd", "--new-password-file", file.toString()).exits(ExitCode.DONE);
    String[] export = {"export", "mnemonic"};
    assertThat(typedIn("C.UTF-8", datadir, PASSWORD, export))
        .contains("abandon about")
        .endsWith("exit 0");
    for (String typed : new String[] {PASSWORD, "p\u00f6ssw\u00e4rd"}) {
      assertThat(typedIn("C", datadir, typed, export))
          .contains("LC_ALL=C.UTF-8")
          .endsWith("exit 1");
    }
    assertThat(typedIn("C", datadir, PASSWORD, "-w", "x", "create"))
        .contains("LC_ALL=C.UTF-8")
        .endsWith("exit 1");
    assertThat(murmur("wallets", "--json").json().get("wallets")).hasSize(1);
    // A file is read in UTF-8 in every locale, and ASCII can be typed in every one.
    String read = typedIn("C", datadir, "", "export", "mnemonic", "--password-file", "" + file);
    assertThat(read).contains("abandon about").endsWith("exit 0");
    assertThat(typedIn("C", datadir, "correct horse", "-w", "ascii", "create")).endsWith("exit 0");
    assertThat(typedIn("C.UTF-8", datadir, "correct horse", "-w", "ascii", "export", "mnemonic"))
        .endsWith("exit 0");
  }

  @Test
  void aVariableThatLostCharactersIsRefused() {
    Ran ran =
        Spawned.on(datadir)
            .around(List.of("env", "LC_ALL=C", "MURMUR_CONNECT=caf\u00e9"))
            .murmur("wallets");
    assertThat(ran.exits(ExitCode.USAGE).err()).contains("MURMUR_CONNECT", "LC_ALL=C.UTF-8");
  }
}
