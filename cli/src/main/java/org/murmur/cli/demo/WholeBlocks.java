package org.murmur.cli.demo;

import java.io.IOException;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.lab.probe.Probe;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.regtest.RegtestNode;

/**
 * The bytes that a whole-block client receives, measured at the node that served the sync.
 *
 * @param bytes the bytes received for them, without witness data, with the message headers
 */
record WholeBlocks(int blocks, long bytes) {

  /** Fetches every block except the genesis block, one after another. */
  static WholeBlocks fetched(RegtestNode node, int height) throws IOException {
    try (Probe probe =
        Probe.connect(ChainParams.REGTEST, new NodeAddress(node.host(), node.port()))) {
      List<Hash256> hashes = probe.lastBlocks(height);
      return new WholeBlocks(hashes.size(), probe.wholeBlockBytes(hashes));
    }
  }

  /** The ratio of these bytes to the bytes that the sync received. */
  double times(long received) {
    return bytes / (double) Math.max(1, received);
  }

  JsonObject json(long received) {
    return new JsonObject()
        .put("blocks", blocks)
        .put("bytes_received", bytes)
        .put("times_filtered", Math.round(10 * times(received)) / 10.0);
  }

  String text(long received) {
    return Text.of(
        "The sync received %s; all %d whole blocks of the same node are %s, %.1f times as much.",
        Amounts.bytes(received), blocks, Amounts.bytes(bytes), times(received));
  }
}
