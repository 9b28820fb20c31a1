package org.murmur.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mask;

@Timeout(60)
class LabProbeTest {

  private static final Chain CHAIN = ChainBuilder.ofSeed(5).blocks(120).build().chain();

  private static final Behaviour HONEST = Behaviour.honest();

  private static final String NOBODY = "127.0.0.1:1";

  private final List<RegtestNode> nodes = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  private Path folder;

  @AfterEach
  void closeAll() {
    nodes.forEach(RegtestNode::close);
  }

  /** Two honest nodes, one without services, a liar, and nobody. */
  private List<String> fiveNodes() {
    List<String> line = new ArrayList<>(List.of("--network", "regtest", "lab", "probe"));
    for (Behaviour behaviour :
        List.of(
            HONEST,
            HONEST.withCompactFilters(),
            HONEST.withoutBloom(),
            HONEST.withCompactFilters().with(Ignores.BLOCKS))) {
      RegtestNode node = RegtestNode.start(CHAIN.copy(), behaviour);
      nodes.add(node);
      line.addAll(List.of("--connect", node.address()));
    }
    line.addAll(List.of("--connect", NOBODY));
    return line;
  }

  private static Ran ran(List<String> line, String... more) {
    List<String> all = new ArrayList<>(line);
    all.addAll(List.of(more));
    return Ran.murmur(all.toArray(String[]::new));
  }

  @Test
  void countsEqualTheTruth() {
    List<String> line = fiveNodes();
    JsonNode json = ran(line, "--json").exits(ExitCode.DONE).json();
    assertThat(json.get("called").asInt()).isEqualTo(5);
    assertThat(json.get("reached").asInt()).isEqualTo(4);
    assertThat(json.get("complete").asBoolean()).isTrue();
    assertThat(json.at("/outcomes/refused").asInt()).isEqualTo(1);
    assertThat(json.at("/bloom/claimed").asInt()).isEqualTo(3);
    assertThat(json.at("/bloom/served").asInt()).isEqualTo(2);
    assertThat(json.at("/bloom/none").asInt()).isEqualTo(1);
    assertThat(json.at("/compact_filters/claimed").asInt()).isEqualTo(2);
    assertThat(json.at("/compact_filters/served").asInt()).isEqualTo(2);
    assertThat(json.at("/services/BLOOM").asInt()).isEqualTo(3);
    assertThat(json.at("/median_height").asInt()).isEqualTo(120);
    assertThat(json.at("/groups/127.0.0.0~116").asInt()).isEqualTo(4);
    assertThat(json.get("nodes")).hasSize(5);
    assertThat(json.at("/nodes/0/block_height").asInt()).isIn(0, 120);

    String people = ran(line).exits(ExitCode.DONE).out();
    assertThat(people)
        .contains("regtest: 5 called of 5 addresses known, 4 reached\n")
        .contains("     1  refused the connection\n")
        .contains("BLOOM                   3       2      0          1          0\n")
        .contains("COMPACT_FILTERS         2       2      0          0          0\n")
        .contains("     4  " + RegtestNode.USER_AGENT + "\n")
        .contains("height: median 120; 4 of 4 within 2 blocks of it\n");
    assertThat(ran(line, "--jsonl").exits(ExitCode.DONE).lines()).hasSize(6);
  }

  @Test
  void writesRowsAndCountsWithoutAddresses() throws IOException {
    List<String> line = fiveNodes();
    Path csv = folder.resolve("nodes.csv");
    Path share = folder.resolve("counts.json");
    Ran ran = ran(line, "--csv", csv.toString(), "--share", share.toString());
    ran.exits(ExitCode.DONE);
    List<String> rows = Files.readAllLines(csv);
    assertThat(rows).hasSize(7);
    assertThat(rows.get(0)).startsWith("# murmur lab probe: nodes of regtest, ");
    assertThat(rows.get(1)).startsWith("address,group,outcome,protocol,services,user_agent,");
    assertThat(rows)
        .anyMatch(row -> row.startsWith("127.0.0.1:1,127.0.0.0/16,refused,,,,"))
        .anyMatch(row -> row.endsWith(",120," + CHAIN.tip().hash() + ",none,served"));

    String text = Files.readString(share);
    assertThat(text).contains("Counts only").doesNotContain("127.");
    nodes.forEach(
        node -> assertThat(text).doesNotContain(node.host(), Integer.toString(node.port())));
    JsonNode json = new ObjectMapper().readTree(text);
    assertThat(json.get("murmur_lab").asText()).isEqualTo("probe");
    assertThat(json.get("network").asText()).isEqualTo("regtest");
    assertThat(json.at("/bloom/served").asInt()).isEqualTo(2);
    assertThat(json.at("/groups_by_size/4").asInt()).isEqualTo(1);
    // It may write again what it wrote, and nothing else.
    ran(line, "--csv", csv.toString(), "--share", share.toString()).exits(ExitCode.DONE);
    assertThat(ran(line, "--csv", share.toString()).exits(ExitCode.FAILED).err())
        .contains("--force");
  }

  /** Says another user agent. */
  private record Says(String userAgent) implements Mask.Same {
    @Override
    public List<Message> says(Message message) {
      return message instanceof Message.Version v
          ? List.of(
              new Message.Version(
                  v.protocol(),
                  v.services(),
                  v.time(),
                  v.nonce(),
                  userAgent,
                  v.startHeight(),
                  v.relay()))
          : List.of(message);
    }
  }

  @Test
  void aUserAgentIsNoFormula() throws IOException {
    RegtestNode node =
        RegtestNode.start(CHAIN.copy(), HONEST.with(new Says("=HYPERLINK(\"http://x\")")));
    nodes.add(node);
    Path csv = folder.resolve("nodes.csv");
    List<String> line = List.of("--network", "regtest", "lab", "probe");
    ran(line, "--connect", node.address(), "--csv", csv.toString()).exits(ExitCode.DONE);
    assertThat(Files.readString(csv)).contains(",\"'=HYPERLINK(\"\"http://x\"\")\",");
  }

  @Test
  void callsNobodyWithoutAName() {
    assertThat(Ran.murmur("lab", "probe").exits(ExitCode.USAGE).err()).contains("name the network");
    assertThat(Ran.murmur("lab", "probe", "--network", "regtest").exits(ExitCode.USAGE).err())
        .contains("no DNS seeds for regtest");
    assertThat(
            Ran.with()
                .environment("MURMUR_PROXY", "127.0.0.1:9050")
                .murmur("lab", "probe", "--network", "signet")
                .exits(ExitCode.USAGE)
                .err())
        .contains("does not support a proxy");
  }

  @Test
  void saysWhyNobodyWasReached() {
    Ran ran = ran(List.of("lab", "probe", "--network", "regtest", "--connect", NOBODY));
    assertThat(ran.exits(ExitCode.FAILED).err())
        .contains("1 node called, none reached: 127.0.0.1:1 refused the connection");
  }
}
