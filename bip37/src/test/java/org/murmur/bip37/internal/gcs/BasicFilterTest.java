package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.Vectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;

class BasicFilterTest {

  record Case(
      String name,
      FullBlock block,
      List<Bytes> spent,
      Bytes filter,
      Hash256 previousHeader,
      Hash256 header) {

    static Case of(JsonNode json) {
      List<Bytes> spent = new ArrayList<>();
      json.get("previous_output_scripts").forEach(s -> spent.add(Bytes.ofHex(s.asText())));
      FullBlock block = FullBlock.parse(Bytes.ofHex(json.get("block").asText()));
      assertThat(block.hash().toDisplay()).isEqualTo(json.get("block_hash").asText());
      return new Case(
          json.get("height").asText() + " " + json.get("note").asText(),
          block,
          spent,
          Bytes.ofHex(json.get("basic_filter").asText()),
          Hash256.ofDisplay(json.get("previous_basic_filter_header").asText()),
          Hash256.ofDisplay(json.get("basic_filter_header").asText()));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    List<JsonNode> cases = Vectors.cases("bip158/testnet-19.json");
    assertThat(cases).hasSize(10);
    return cases.stream().map(Case::of);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void makesTheFilterOfBip158(Case c) {
    assertThat(BasicFilter.of(c.block, c.spent).toPayload()).isEqualTo(c.filter);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aFilterAsPublishedHoldsTheScriptsOfItsBlock(Case c) {
    List<Bytes> scripts = new ArrayList<>(c.spent);
    for (Tx tx : c.block.transactions()) {
      tx.outputs().forEach(output -> scripts.add(output.script()));
    }
    scripts.removeIf(script -> script.isEmpty() || script.at(0) == 0x6a);
    FilterMatcher matcher = new FilterMatcher();
    scripts.forEach(matcher::add);

    assertThat(matcher.match(c.filter, c.block.hash())).hasSize(scripts.size());
    assertThat(matcher.match(c.filter, Hash256.ZERO)).as("another block's key").isEmpty();
  }
}
