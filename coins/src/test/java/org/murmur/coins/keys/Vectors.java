package org.murmur.coins.keys;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The published vectors under {@code vectors/keys}. */
public final class Vectors {

  private Vectors() {}

  public static JsonNode read(String file) {
    try (InputStream in = Vectors.class.getResourceAsStream("/vectors/keys/" + file)) {
      if (in == null) {
        throw new AssertionError("no such vectors: " + file);
      }
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Stream<JsonNode> list(JsonNode array) {
    if (!array.isArray() || array.isEmpty()) {
      throw new AssertionError("expected a list with something in it");
    }
    return StreamSupport.stream(array.spliterator(), false);
  }
}
