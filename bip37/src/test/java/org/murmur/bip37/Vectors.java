package org.murmur.bip37;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The published vectors under {@code src/test/resources/vectors}; their README names the sources.
 */
public final class Vectors {

  private Vectors() {}

  /** The cases of one file. */
  public static List<JsonNode> cases(String file) {
    try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + file)) {
      List<JsonNode> cases = new ArrayList<>();
      new ObjectMapper().readTree(in).get("cases").forEach(cases::add);
      if (cases.isEmpty()) {
        throw new AssertionError("no cases in " + file);
      }
      return cases;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
