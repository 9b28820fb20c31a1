package org.murmur.p2p.internal.chain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Headers;

/** The real header chains of {@code vectors/headers}. */
record HeaderVectors(ChainParams network, int firstHeight, Headers headers, JsonNode facts) {

  static final String FOLDER = "/vectors/headers/";

  static List<HeaderVectors> all() {
    List<HeaderVectors> all = new ArrayList<>();
    try (InputStream index = open("index.json")) {
      for (JsonNode chain : new ObjectMapper().readTree(index).get("chains")) {
        all.add(read(chain));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  static HeaderVectors of(ChainParams network, int firstHeight) {
    return all().stream()
        .filter(v -> v.network.equals(network) && v.firstHeight == firstHeight)
        .findFirst()
        .orElseThrow();
  }

  Hash256 firstHash() {
    return Hash256.ofDisplay(facts.get("first_hash").asText());
  }

  Hash256 lastHash() {
    return Hash256.ofDisplay(facts.get("last_hash").asText());
  }

  @Override
  public String toString() {
    return facts.get("file").asText();
  }

  private static HeaderVectors read(JsonNode chain) throws IOException {
    try (InputStream file = new GZIPInputStream(open(chain.get("file").asText()))) {
      Headers headers = Headers.ofStored(Bytes.wrap(file.readAllBytes()));
      if (headers.count() != chain.get("headers").asInt()) {
        throw new IOException(chain.get("file") + " has " + headers.count() + " headers");
      }
      return new HeaderVectors(
          network(chain.get("network").asText()),
          chain.get("first_height").asInt(),
          headers,
          chain);
    }
  }

  private static ChainParams network(String name) {
    return switch (name) {
      case "main" -> ChainParams.MAINNET;
      case "test3" -> ChainParams.TESTNET3;
      case "test4" -> ChainParams.TESTNET4;
      default -> ChainParams.ofName(name);
    };
  }

  private static InputStream open(String name) throws IOException {
    InputStream stream = HeaderVectors.class.getResourceAsStream(FOLDER + name);
    if (stream == null) {
      throw new IOException("no resource " + FOLDER + name);
    }
    return stream;
  }
}
