package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The short ids of messages on encrypted connections. */
final class ContentsTest {

  /** Core's compact blocks (BIP-0152), which Murmur never asks for. */
  private static final Set<String> NOT_SPOKEN = Set.of("blocktxn", "cmpctblock", "getblocktxn");

  @Test
  void shortIdsAreOfKnownCommands() {
    List<String> commands = Contents.SHORT.subList(1, Contents.SHORT.size());
    assertThat(commands).doesNotHaveDuplicates().hasSize(28);
    for (String command : commands) {
      assertThat(Codec.isKnown(command)).as(command).isEqualTo(!NOT_SPOKEN.contains(command));
    }
  }

  @Test
  void idsOfTheStandards() throws IOException {
    try (InputStream in =
        ContentsTest.class.getResourceAsStream("/vectors/bip324/short_ids.json")) {
      JsonNode ids = new ObjectMapper().readTree(in).get("ids");
      assertThat(ids).hasSize(28);
      ids.fields()
          .forEachRemaining(
              id ->
                  assertThat(Contents.SHORT.indexOf(id.getKey()))
                      .as(id.getKey())
                      .isEqualTo(id.getValue().asInt()));
    }
  }

  @Test
  void aCommandWithoutAnIdIsWrittenInFull() {
    byte[] contents = Contents.encode(new Message.Verack());
    assertThat(contents).startsWith(0, 'v', 'e', 'r', 'a', 'c', 'k', 0).hasSize(13);
    assertThat(Contents.decode(contents, 0)).isEqualTo(new Message.Verack());
    assertThat(Contents.encode(new Message.Mempool())).containsExactly(15);
  }
}
