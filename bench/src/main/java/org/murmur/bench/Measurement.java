package org.murmur.bench;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** A measurement with a name. */
record Measurement(String name, String about, Work work) {

  /** All measurements, in the order of the table. */
  static final List<Measurement> ALL =
      List.of(
          new Measurement(
              "busy",
              "10,000 filtered blocks of 400 transactions, a real node",
              BusyChain.long10000()),
          new Measurement(
              "busy3000",
              "3,000 filtered blocks of 400 transactions, a real node",
              BusyChain.short3000()),
          new Measurement(
              "far",
              "10,000 filtered blocks of 400 transactions, 100 ms round trip",
              BusyChain.far()),
          new Measurement(
              "peers",
              "3,000 blocks from 1, 2 and 4 nodes of 300 blocks/s each, 100 ms round trip",
              new SeveralPeers()),
          new Measurement(
              "private",
              "3,000 filtered blocks of 400 transactions from two real nodes: private beside fast",
              new PrivateCost()),
          new Measurement(
              "presets",
              "3,000 blocks of 400 transactions from two real nodes: bytes and time of each preset",
              new PresetCosts()),
          new Measurement(
              "compact",
              "3,000 block filters of 22 kB, 2,000 and 20,000 scripts; 1, 2 and 4 nodes",
              new FilterDownload()),
          new Measurement(
              "headers", "100,000 headers, cold process, a real node", new ColdHeaders()),
          new Measurement(
              "million", "a million headers, warm process; little memory", new WarmHeaders()),
          new Measurement(
              "segments",
              "400,000 headers from two nodes, 100 ms round trip, known blocks",
              new SegmentedHeaders()),
          new Measurement(
              "rules",
              "a million headers under testnet4's rules from a birthday's block, little memory",
              new RulesRate()),
          new Measurement(
              "heavy",
              "1,000 to 50,000 payments to 2,000 addresses in 1,250 blocks, a real node",
              new HeavyWallet()),
          new Measurement("start", "sync with nothing new, whole process", new StartUp()));

  /** Measures and adds figures to the table. */
  interface Work {
    void run(Bench bench) throws IOException;
  }

  static Measurement named(String name) {
    for (Measurement row : ALL) {
      if (row.name().equals(name)) {
        return row;
      }
    }
    throw new IllegalArgumentException("no row '" + name + "', expected all or of " + names());
  }

  static String names() {
    return ALL.stream().map(Measurement::name).collect(Collectors.joining(", "));
  }
}
