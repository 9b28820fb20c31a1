package org.murmur.p2p.sync;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The built-in nodes of a network: addresses of nodes that listened when a list was made. A line is
 * an address without the network's port, or a comment with source and date.
 */
final class EntryNodes {

  private EntryNodes() {}

  /** Those of a network, none if it has no list. */
  static List<NodeAddress> of(ChainParams network) {
    if (!ChainParams.all().contains(network)) {
      return List.of();
    }
    String resource = network.name() + ".nodes";
    try (InputStream stream = EntryNodes.class.getResourceAsStream(resource)) {
      return stream == null ? List.of() : read(stream);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  private static List<NodeAddress> read(InputStream stream) {
    List<String> lines =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
            .lines()
            .filter(line -> !line.startsWith("#"))
            .collect(Collectors.toList());
    return NodeAddress.parseAll(lines);
  }
}
