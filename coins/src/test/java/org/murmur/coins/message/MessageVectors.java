package org.murmur.coins.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.bitcoinj.base.Base58;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;

/** The published vectors under {@code vectors/message}. */
final class MessageVectors {

  private static final List<JsonNode> FILES =
      List.of(read("bip322_basic.json"), read("bip322_generated.json"));

  private MessageVectors() {}

  private static JsonNode read(String file) {
    try (InputStream in = MessageVectors.class.getResourceAsStream("/vectors/message/" + file)) {
      if (in == null) {
        throw new AssertionError("no such vectors: " + file);
      }
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The entries of both files with a name. */
  static List<JsonNode> all(String name) {
    return FILES.stream().flatMap(file -> list(file.path(name))).toList();
  }

  static Stream<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  static String text(JsonNode vector, String field) {
    return vector.get(field).asText();
  }

  static Bytes script(JsonNode vector) {
    return Address.parse(text(vector, "address")).scriptPubKey();
  }

  /** The one private key of a vector, in the wallet import format. */
  static PrivateKeys key(JsonNode vector) {
    byte[] decoded = Base58.decodeChecked(vector.get("private_keys").get(0).asText());
    return path -> Arrays.copyOfRange(decoded, 1, 33);
  }

  static KeyPath path(JsonNode vector) {
    return new KeyPath(OutputType.ofName(text(vector, "type")), 0, false, 0);
  }
}
