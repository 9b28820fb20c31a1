package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Amount;
import org.murmur.cli.PrintedQr;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.uri.PaymentUri;

class AddressCommandTest extends RestoredWallet {

  @Test
  void showsAddressesOfEachTypeThatTheWalletHas() throws IOException {
    Path words = Files.writeString(datadir.resolve("many"), DemoWallet.WORDS);
    String[] restore = {"restore", "-w", "many", "--scripts", "bip44,bip49,bip84,bip86"};
    murmur(
            restore[0],
            restore[1],
            restore[2],
            restore[3],
            restore[4],
            "--mnemonic-file",
            words.toString())
        .exits(ExitCode.DONE);
    assertThat(address("bip44")).startsWith("m/44h/1h/0h/0/0 m");
    assertThat(address("bip49")).startsWith("m/49h/1h/0h/0/0 2");
    assertThat(address("p2wpkh")).startsWith("m/84h/1h/0h/0/0 bcrt1q");
    assertThat(address("bip86")).startsWith("m/86h/1h/0h/0/0 bcrt1p");
    assertThat(address("bip86", "--change")).startsWith("m/86h/1h/0h/1/0 bcrt1p");
    assertThat(address("bip86", "--new")).startsWith("m/86h/1h/0h/0/1 ");
    assertThat(address("bip86", "--new")).startsWith("m/86h/1h/0h/0/2 ");
    assertThat(murmur("address", "-w", "many", "--type", "bip86", "--list").out().lines())
        .hasSize(3);
  }

  private String address(String type, String... more) {
    String[] all = new String[6 + more.length];
    System.arraycopy(
        new String[] {"address", "-w", "many", "--json", "--type", type}, 0, all, 0, 6);
    System.arraycopy(more, 0, all, 6, more.length);
    var json = murmur(all).exits(ExitCode.DONE).json();
    return json.get("path").asText() + " " + json.get("address").asText();
  }

  @Test
  void saysWhichTypesTheWalletHas() {
    murmur("address", "--type", "bip86").exits(ExitCode.FAILED, "bad_input");
    murmur("address", "--type", "x").exits(ExitCode.USAGE);
    assertThat(murmur("address", "--change").exits(ExitCode.DONE).out())
        .isNotEqualTo(murmur("address").out());
  }

  @Test
  void aCameraReadsTheAddress() throws IOException {
    Path words = Files.writeString(datadir.resolve("old"), DemoWallet.WORDS);
    murmur("restore", "-w", "old", "--scripts", "bip44", "--mnemonic-file", words.toString())
        .exits(ExitCode.DONE);
    for (String name : List.of("default", "old")) {
      String address = murmur("address", "-w", name).out().strip();
      String read = readBack(address, "-w", name);
      assertThat(Address.parse(read, KeyNetwork.REGTEST).scriptPubKey())
          .isEqualTo(Address.parse(address, KeyNetwork.REGTEST).scriptPubKey());
      assertThat(read).isEqualTo(name.equals("old") ? address : address.toUpperCase(Locale.ROOT));
    }
    murmur("address", "--list", "--qr").exits(ExitCode.USAGE);
    assertThat(murmur("address", "--qr", "--json").out())
        .isEqualTo(murmur("address", "--json").out());
  }

  @Test
  void aCameraReadsThePaymentUri() {
    String address = murmur("address").out().strip();
    assertThat(readBack("bitcoin:" + address, "--uri"))
        .isEqualTo("BITCOIN:" + address.toUpperCase(Locale.ROOT))
        .satisfies(
            read ->
                assertThat(PaymentUri.parse(read, KeyNetwork.REGTEST).address().scriptPubKey())
                    .isEqualTo(Address.parse(address, KeyNetwork.REGTEST).scriptPubKey()));
    String uri = "bitcoin:" + address + "?amount=0.015&label=The%20shop";
    assertThat(readBack(uri, "--uri", "--amount", "0.015", "--label", "The shop")).isEqualTo(uri);
  }

  /** Checks the first line of {@code address --qr} and reads the code below it. */
  private String readBack(String first, String... more) {
    List<String> command = new ArrayList<>(List.of("address", "--qr"));
    command.addAll(List.of(more));
    Ran ran = murmur(command.toArray(String[]::new)).exits(ExitCode.DONE);
    List<String> lines = ran.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo(first);
    return PrintedQr.read(lines.subList(1, lines.size()));
  }

  @Test
  void showsAPaymentUri() {
    String address = murmur("address").out().strip();
    assertThat(murmur("address", "--uri").out()).isEqualTo("bitcoin:" + address + "\n");
    String uri =
        murmur("address", "--uri", "--amount", "0.015", "--label", "The shop").out().strip();
    assertThat(uri).isEqualTo("bitcoin:" + address + "?amount=0.015&label=The%20shop");
    assertThat(PaymentUri.parse(uri, KeyNetwork.REGTEST).amount()).hasValue(Amount.sat(1_500_000));
    murmur("address", "--uri", "--amount", "1e3").exits(ExitCode.USAGE);
    murmur("address", "--amount", "1").exits(ExitCode.USAGE);
    murmur("address", "--uri", "--amount", "22000000").exits(ExitCode.USAGE);
  }
}
