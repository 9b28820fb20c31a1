package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

class FilterHeadersTest {

  private final Hash256 previous;
  private final List<Hash256> hashes;
  private final List<Hash256> headers;
  private final List<Bytes> filters = new ArrayList<>();

  FilterHeadersTest() throws IOException {
    JsonNode examples;
    try (InputStream in =
        FilterHeadersTest.class.getResourceAsStream("/vectors/bip157/bip157.json")) {
      examples = new ObjectMapper().readTree(in).get("examples");
    }
    JsonNode answer = examples.get(4);
    assertThat(answer.get("message").asText()).isEqualTo("cfheaders");
    previous = Hash256.ofDisplay(answer.get("previous_filter_header").asText());
    hashes = list(answer.get("filter_hashes"));
    headers = list(answer.get("filter_headers"));
    assertThat(hashes).hasSameSizeAs(headers).hasSize(2);
    for (JsonNode example : examples) {
      if (example.has("filter")) {
        filters.add(Bytes.ofHex(example.get("filter").asText()));
      }
    }
  }

  private static List<Hash256> list(JsonNode array) {
    List<Hash256> list = new ArrayList<>();
    array.forEach(hash -> list.add(Hash256.ofDisplay(hash.asText())));
    return list;
  }

  @ParameterizedTest
  @MethodSource("org.murmur.bip37.internal.gcs.BasicFilterTest#cases")
  void hasTheHeaderOfBip158(BasicFilterTest.Case c) {
    Hash256 hash = FilterHeaders.hash(c.filter());

    assertThat(FilterHeaders.header(hash, c.previousHeader())).isEqualTo(c.header());
  }

  @Test
  void hashesFiltersAndChainsTheirHashes() {
    assertThat(filters).map(FilterHeaders::hash).isEqualTo(hashes);
    assertThat(FilterHeaders.header(hashes.get(0), previous)).isEqualTo(headers.get(0));
    assertThat(FilterHeaders.last(previous, hashes)).isEqualTo(headers.get(1));
    assertThat(FilterHeaders.last(previous, List.of())).isEqualTo(previous);
  }

  @Test
  void joinsTwoHeadersByTheirHashesOnly() {
    Hash256 last = headers.get(1);
    assertThat(FilterHeaders.join(previous, hashes, last)).isTrue();
    assertThat(FilterHeaders.join(last, List.of(), last)).isTrue();

    assertThat(FilterHeaders.join(previous, hashes, headers.get(0))).isFalse();
    assertThat(FilterHeaders.join(headers.get(0), hashes, last)).isFalse();
    assertThat(FilterHeaders.join(previous, hashes.subList(0, 1), last)).isFalse();
    List<Hash256> turned = new ArrayList<>(hashes);
    Collections.reverse(turned);
    assertThat(FilterHeaders.join(previous, turned, last)).isFalse();
  }
}
