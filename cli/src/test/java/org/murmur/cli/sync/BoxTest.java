package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.Murmur;
import org.murmur.cli.Ran;
import org.murmur.cli.Spawned;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.testbed.box.Box;
import org.murmur.testbed.box.BoxChain;

/**
 * {@code murmur --network signet sync} of a new user, without a node of his own, in a public
 * network in a box: thirty nodes, of which none, one or two serve Bloom filters and four filters of
 * blocks. The lines are printed with the seconds since the start. It needs the right to make
 * network namespaces.
 */
@Tag("long")
@Timeout(400)
final class BoxTest {

  private static final long PAID = 12_345_678;

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  static Path folder;

  /** Inside the namespace. */
  public static void main(String[] arguments) throws Exception {
    System.exit(Box.run(arguments));
  }

  @BeforeAll
  static void payToANewWallet() throws IOException {
    String address =
        murmur("new", "create", "--from-genesis", "--json")
            .exits(ExitCode.DONE)
            .json()
            .get("address")
            .asText();
    // From genesis, because this process has the usual checkpoints.
    Bytes script = Address.parse(address, KeyNetwork.TEST).scriptPubKey();
    BoxChain.write(folder.resolve("chain"), script, PAID, Instant.now());
  }

  private static Ran murmur(String wallet, String... arguments) {
    return Ran.with()
        .datadir(folder)
        .globals("--network", BoxChain.NETWORK.name(), "-w", wallet)
        .murmur(arguments);
  }

  private static Ran inside(String wallet, int bloom, Box.Entry entry, List<String> command)
      throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                folder.resolve("chain").toString(), Integer.toString(bloom), "4", entry.name()));
    line.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            folder.resolve("data") + File.pathSeparator + System.getProperty("java.class.path"),
            Murmur.class.getName(),
            "--network",
            BoxChain.NETWORK.name(),
            "--datadir",
            folder.toString(),
            "-w",
            wallet));
    line.addAll(command);
    try (Spawned spawned =
        Spawned.on(folder)
            .around(Box.around(folder, entry))
            .main(BoxTest.class)
            .start(line.toArray(String[]::new))) {
      // It prints its progress; the whole may take minutes.
      spawned.awaitLine(printed -> false);
      return spawned.ran();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, PLAIN, ''",
    "1, PLAIN, ''",
    "2, PLAIN, ''",
    "0, PLAIN, compact",
    "1, PLAIN, compact",
    "2, PLAIN, compact",
    "0, BITS, compact",
    "2, BUILT_IN, ''",
    "0, BUILT_IN, compact",
  })
  void aNewUserSeesThePayment(int bloom, Box.Entry entry, String preset) throws IOException {
    String wallet = copy("bloom" + bloom + entry + preset);
    List<String> command =
        preset.isEmpty() ? List.of("sync") : List.of("sync", "--privacy", preset);
    Ran ran = inside(wallet, bloom, entry, command);
    // The figures of docs/connecting.md.
    System.out.println(bloom + " with Bloom filters, " + entry + ", " + command);
    System.out.println(ran.out() + ran.err());
    ran.exits(ExitCode.DONE);
    assertThat(murmur(wallet, "balance", "--json").json().get("confirmed_sat").asLong())
        .isEqualTo(PAID);
    boolean compact = bloom == 0 || !preset.isEmpty();
    assertThat(ran.out().contains("too few peers with Bloom filters"))
        .isEqualTo(compact && preset.isEmpty());
  }

  private static String copy(String wallet) throws IOException {
    Path made = Path.of(murmur("new", "status", "--json").json().get("file").asText());
    Files.copy(made, made.resolveSibling(wallet + ".sqlite"));
    return wallet;
  }

  /** Thirty nodes live, but nothing leads to them. */
  @Test
  void aNewUserReadsWhatWasTried() throws IOException {
    Ran ran = inside(copy("nobody"), 2, Box.Entry.NONE, List.of("sync"));
    System.out.println(ran.out() + ran.err());
    ran.exits(ExitCode.NO_USABLE_PEER);
    assertThat(ran.out())
        .contains("0 of 4 DNS seeds answered, 16 built-in nodes asked, 0 peers sent addresses")
        .contains("`murmur sync --connect HOST[:PORT]`");
  }

  /** As many are dead as live; the dead ones take 15 seconds each, eight at a time. */
  @Test
  void aProbeCountsTheTruth() throws IOException {
    Path share = folder.resolve("counts.json");
    Path csv = folder.resolve("nodes.csv");
    List<String> command =
        List.of("lab", "probe", "--share", share.toString(), "--csv", csv.toString());
    Ran ran = inside("new", 2, Box.Entry.PLAIN, command);
    System.out.println(ran.out() + ran.err());
    ran.exits(ExitCode.DONE);
    String text = Files.readString(share);
    JsonNode json = new ObjectMapper().readTree(text);
    assertThat(json.get("called").asInt()).isEqualTo(2 * Box.NODES);
    assertThat(json.get("reached").asInt()).isEqualTo(Box.NODES);
    assertThat(json.at("/outcomes/timeout").asInt()).isEqualTo(Box.NODES);
    assertThat(json.at("/bloom/claimed").asInt()).isEqualTo(2);
    assertThat(json.at("/bloom/served").asInt()).isEqualTo(2);
    assertThat(json.at("/compact_filters/claimed").asInt()).isEqualTo(4);
    assertThat(json.at("/compact_filters/served").asInt()).isEqualTo(4);
    assertThat(json.at("/groups_by_size/1").asInt()).isEqualTo(Box.NODES);
    List<String> rows = Files.readAllLines(csv);
    assertThat(rows).hasSize(2 + 2 * Box.NODES);
    for (String row : rows.subList(2, rows.size())) {
      String host = row.substring(0, row.indexOf(':'));
      assertThat(text).doesNotContain(host, host.substring(0, host.indexOf('.', 4)));
    }
  }
}
