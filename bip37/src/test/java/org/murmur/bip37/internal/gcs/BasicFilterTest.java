package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;

class BasicFilterTest {

  record Case(String name, FullBlock block, List<Bytes> spent, JsonNode json) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() throws IOException {
    try (InputStream in =
        BasicFilterTest.class.getResourceAsStream("/vectors/bip158/testnet-19.json")) {
      List<Case> cases = new ArrayList<>();
      for (JsonNode json : new ObjectMapper().readTree(Objects.requireNonNull(in)).get("cases")) {
        List<Bytes> spent = new ArrayList<>();
        json.get("previous_output_scripts").forEach(s -> spent.add(Bytes.ofHex(s.asText())));
        FullBlock block = FullBlock.parse(Bytes.ofHex(json.get("block").asText()));
        String name = json.get("height").asText() + " " + json.get("note").asText();
        cases.add(new Case(name, block, spent, json));
      }
      assertThat(cases).hasSize(10);
      return cases.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void makesTheFilterOfBip158(Case c) {
    GolombCodedSet filter = BasicFilter.of(c.block, c.spent);

    assertThat(filter.toPayload().toHex()).isEqualTo(c.json.get("basic_filter").asText());
    Hash256 previous = Hash256.ofDisplay(c.json.get("previous_basic_filter_header").asText());
    assertThat(BasicFilter.header(filter, previous).toDisplay())
        .isEqualTo(c.json.get("basic_filter_header").asText());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aFilterAsPublishedHoldsTheScriptsOfItsBlock(Case c) {
    GolombCodedSet filter =
        GolombCodedSet.fromPayload(
            GolombCodedSet.Parameters.basic(Hash256.ofDisplay(c.json.get("block_hash").asText())),
            Bytes.ofHex(c.json.get("basic_filter").asText()));

    for (Bytes script : c.spent) {
      assertThat(script.isEmpty() || filter.mayContain(script)).isTrue();
    }
    assertThat(filter.toPayload()).isEqualTo(BasicFilter.of(c.block, c.spent).toPayload());
    assertThat(filter.codeBits()).isEqualTo(BasicFilter.of(c.block, c.spent).codeBits());
  }
}
