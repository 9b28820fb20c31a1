package org.murmur.coins.internal.sign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.tx.Tx;

/** The published vectors under {@code vectors/sign}. */
final class SignVectors {

  private SignVectors() {}

  static JsonNode read(String file) {
    try (InputStream in = SignVectors.class.getResourceAsStream("/vectors/sign/" + file)) {
      if (in == null) {
        throw new AssertionError("no such vectors: " + file);
      }
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  static byte[] bytes(JsonNode hex) {
    return Hex.parse(hex.asText());
  }

  static Tx tx(JsonNode hex) {
    return Tx.parse(Bytes.ofHex(hex.asText()));
  }

  static SigningKey key(JsonNode hex) {
    return SigningKey.of(bytes(hex));
  }

  /** Outputs of BIP143's file and of BIP341's, which name the fields differently. */
  static List<Tx.Output> outputs(JsonNode array, String value, String script) {
    return list(array).stream()
        .map(n -> new Tx.Output(n.get(value).asLong(), Bytes.ofHex(n.get(script).asText())))
        .toList();
  }
}
