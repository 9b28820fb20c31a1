package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;

/** Texts are signed by a wallet and verified without one. */
class MessageCommandsTest extends RestoredWallet {

  private static final String TEXT = "I wrote this: ä, 测试";

  private String address(String... options) {
    String[] args = new String[options.length + 2];
    args[0] = "address";
    System.arraycopy(options, 0, args, 1, options.length);
    args[args.length - 1] = "--json";
    return murmur(args).exits(ExitCode.DONE).json().get("address").asText();
  }

  /** Without the wallet's folder, and on another network. */
  private static Ran verify(String address, String signature, String text) {
    return Ran.murmur("message", "verify", address, signature, text);
  }

  @Test
  void signsAndVerifies() {
    String address = address();
    Ran signed = murmur("message", "sign", address, TEXT).exits(ExitCode.DONE);
    assertThat(signed.out()).startsWith("smp").endsWith("\n").doesNotContain(" ");
    assertThat(signed.err()).contains("simple", address);
    String signature = signed.out().strip();
    assertThat(verify(address, signature, TEXT).exits(ExitCode.DONE).out()).isEqualTo("valid\n");
    Ran wrong = verify(address, signature, TEXT + ".").exits(ExitCode.FAILED);
    assertThat(wrong.out()).startsWith("NOT valid: ");
    assertThat(wrong.err()).isEmpty();

    JsonNode json = murmur("message", "sign", address, TEXT, "--json").json();
    assertThat(json.get("signature").asText()).isEqualTo(signature);
    assertThat(json.get("format").asText()).isEqualTo("simple");
    assertThat(json.get("address").asText()).isEqualTo(address);
    assertThat(json.get("message").asText()).isEqualTo(TEXT);
  }

  @Test
  void stdinIsTheTextWithoutItsLastLineEnd() {
    String address = address();
    String signature =
        murmur("message", "sign", address, "two\nlines").exits(ExitCode.DONE).out().strip();
    for (String end : new String[] {"", "\n", "\r\n"}) {
      String text = "two\nlines" + end;
      assertThat(here().stdin(text).murmur("message", "sign", address, "-").out().strip())
          .isEqualTo(signature);
      Ran.with()
          .stdin(text)
          .murmur("message", "verify", address, signature, "-")
          .exits(ExitCode.DONE);
    }
    Ran.with()
        .stdin("two\nlines\n\n")
        .murmur("message", "verify", address, signature, "-")
        .exits(ExitCode.FAILED);
    Ran binary =
        here()
            .stdin(new byte[] {'a', (byte) 0xff})
            .murmur("message", "sign", address, "-")
            .exits(ExitCode.FAILED);
    assertThat(binary.err()).contains("UTF-8");
  }

  @Test
  void jsonSaysWhy() {
    String address = address();
    String full =
        murmur("message", "sign", address, TEXT, "--format", "full").exits(ExitCode.DONE).out();
    assertThat(full).startsWith("ful");
    JsonNode valid =
        Ran.murmur("message", "verify", address, full.strip(), TEXT, "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(valid.get("valid").asBoolean()).isTrue();
    assertThat(valid.get("state").asText()).isEqualTo("valid");
    assertThat(valid.get("reason").isNull()).isTrue();
    assertThat(valid.get("format").asText()).isEqualTo("full");
    assertThat(valid.get("lock_time").asLong()).isZero();
    assertThat(valid.get("sequence").asLong()).isZero();
    JsonNode invalid =
        Ran.murmur("message", "verify", address, full.strip(), "another", "--json")
            .exits(ExitCode.FAILED)
            .json();
    assertThat(invalid.get("valid").asBoolean()).isFalse();
    assertThat(invalid.get("state").asText()).isEqualTo("invalid");
    assertThat(invalid.get("reason").asText()).isEqualTo("other_message_or_address");
    JsonNode unclear =
        Ran.murmur("message", "verify", address, "pofAAAA", TEXT, "--json")
            .exits(ExitCode.FAILED)
            .json();
    assertThat(unclear.get("state").asText()).isEqualTo("inconclusive");
    assertThat(verify(address, "pofAAAA", TEXT).out()).contains("inconclusive", "coins");
  }

  /** The published signature of BIP-0322, valid at time 2016 and age 2016. */
  @Test
  void aTimeIsShown() {
    String signature =
        "fulAgAAAAABAROFPNY6Zt8hFK0YQq5Wb6wk/CnUYEPtQ0HTHDyzNROrAAAAAADgBwAAAQAAAAAAAAAAAWoBQNRdLO"
            + "o5XZY0SBqAsLZNr/z3Bqrmo3OxVn7e4tD/OOD4H9U/L1unq5Nmdz+S1w7SHtt46bFwnd8xnRVan8BofFfgB"
            + "wAA";
    Ran ran =
        verify(
            "bc1pve87s3l2levjmhetzr2f9xvep3y266xty0hnefmyv8tkxc3e4qssll2kdu",
            signature,
            "XQMVC3YR6AOGZIHLSUQ2NSSBI2");
    assertThat(ran.exits(ExitCode.DONE).out()).isEqualTo("valid at time 2016 and age 2016\n");
  }

  @ParameterizedTest
  @CsvSource({"bip44,legacy", "bip49,full", "bip84,simple", "bip86,simple"})
  void eachTypeHasItsUsualFormat(String type, String format) throws IOException {
    Path words = datadir.resolve("words.txt");
    murmur("-w", type, "restore", "--mnemonic-file", words.toString(), "--scripts", type)
        .exits(ExitCode.DONE);
    String address =
        murmur("-w", type, "address", "--json").exits(ExitCode.DONE).json().get("address").asText();
    JsonNode signed =
        murmur("-w", type, "message", "sign", address, TEXT, "--json").exits(ExitCode.DONE).json();
    assertThat(signed.get("format").asText()).isEqualTo(format);
    verify(address, signed.get("signature").asText(), TEXT).exits(ExitCode.DONE);
    if (type.equals("bip49")) {
      Ran refused =
          murmur("-w", type, "message", "sign", address, TEXT, "--format", "simple")
              .exits(ExitCode.FAILED);
      assertThat(refused.err()).contains("not signed", "format full");
    }
  }

  @Test
  void refusalsSayWhatToDo() throws IOException {
    String address = address();
    refuses("not_found", "bcrt1qg8ehx6tht66nuj0hcmt40z8quzv5glsuzcaxl4", "message", "sign");
    refuses("bad_address", "bcrt1qg8ehx6tht66nuj0hcmt40z8quzv5glsuzcaxl5", "message", "sign");
    Path passphrase = Files.writeString(datadir.resolve("passphrase.txt"), "another");
    Ran ran =
        murmur("message", "sign", address, TEXT, "--passphrase-file", passphrase.toString())
            .exits(ExitCode.FAILED);
    assertThat(ran.err()).contains("is the passphrase right?");
    murmur("-w", "watching", "watch", address).exits(ExitCode.DONE);
    Ran watching =
        murmur("-w", "watching", "message", "sign", address, TEXT).exits(ExitCode.FAILED);
    assertThat(watching.err()).contains("no words");
  }

  private void refuses(String kind, String address, String... command) {
    JsonNode error =
        murmur(command[0], command[1], address, TEXT, "--json")
            .exits(ExitCode.FAILED)
            .json()
            .get("error");
    assertThat(error.get("kind").asText()).isEqualTo(kind);
  }

  @Test
  void anEncryptedWalletAsksForItsPassword() throws IOException {
    Path words = Files.writeString(datadir.resolve("words2.txt"), DemoWallet.WORDS);
    Path password = Files.writeString(datadir.resolve("password.txt"), "secret\n");
    murmur(
            "-w",
            "locked",
            "restore",
            "--mnemonic-file",
            words.toString(),
            "--password-file",
            password.toString())
        .exits(ExitCode.DONE);
    String address = address();
    Ran none = murmur("-w", "locked", "message", "sign", address, TEXT).exits(ExitCode.FAILED);
    assertThat(none.err()).contains("--password-file");
    Ran signed =
        murmur(
                "-w",
                "locked",
                "message",
                "sign",
                address,
                TEXT,
                "--password-file",
                password.toString())
            .exits(ExitCode.DONE);
    verify(address, signed.out().strip(), TEXT).exits(ExitCode.DONE);
    Path wrong = Files.writeString(datadir.resolve("wrong.txt"), "sacred\n");
    murmur("-w", "locked", "message", "sign", address, TEXT, "--password-file", wrong.toString())
        .exits(ExitCode.FAILED);
  }
}
