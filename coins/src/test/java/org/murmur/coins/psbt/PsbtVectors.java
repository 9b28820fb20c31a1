package org.murmur.coins.psbt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The published vectors under {@code vectors/psbt}. */
final class PsbtVectors {

  private PsbtVectors() {}

  /** A PSBT with its title. */
  record Case(String title, JsonNode data) {

    String psbt() {
      JsonNode text = data.isArray() ? data.get(0) : data.isObject() ? data.get("psbt") : data;
      return text.asText();
    }

    @Override
    public String toString() {
      return title;
    }
  }

  static JsonNode read(String file) {
    try (InputStream in = PsbtVectors.class.getResourceAsStream("/vectors/psbt/" + file)) {
      if (in == null) {
        throw new AssertionError("no such vectors: " + file);
      }
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Case> cases(String file, String list) {
    List<JsonNode> nodes = StreamSupport.stream(read(file).get(list).spliterator(), false).toList();
    return Stream.iterate(0, i -> i + 1)
        .limit(nodes.size())
        .map(i -> new Case(title(file, list, i, nodes.get(i)), nodes.get(i)));
  }

  private static String title(String file, String list, int index, JsonNode node) {
    String name = node.has("case") ? ": " + node.get("case").asText() : "";
    return file + " " + list + "[" + index + "]" + name;
  }

  static Stream<Case> valid() {
    return Stream.of(
            cases("bip174_valid.json", "cases"),
            cases("bip174_signer_failures.json", "cases"),
            cases("bip370.json", "valid"),
            cases("bip370.json", "locktime"),
            cases("bip371.json", "valid"),
            cases("core_rpc_psbt.json", "valid"))
        .flatMap(cases -> cases);
  }
}
