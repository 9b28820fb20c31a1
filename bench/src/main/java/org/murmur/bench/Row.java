package org.murmur.bench;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What can be measured, by name.
 *
 * @param name by which it is asked for
 * @param about for people
 * @param work what measures it
 */
record Row(String name, String about, Work work) {

  /** All of them, in the order of the table. */
  static final List<Row> ALL =
      List.of(
          new Row(
              "busy",
              "10,000 filtered blocks of 400 transactions, a real node",
              BusyChain.long10000()),
          new Row(
              "busy3000",
              "3,000 filtered blocks of 400 transactions, a real node",
              BusyChain.short3000()),
          new Row(
              "far",
              "10,000 filtered blocks of 400 transactions, 100 ms round trip",
              BusyChain.far()),
          new Row(
              "peers",
              "3,000 blocks from 1, 2 and 4 nodes of 300 blocks/s each, 100 ms round trip",
              new SeveralPeers()),
          new Row(
              "private",
              "3,000 filtered blocks of 400 transactions from two real nodes: private beside fast",
              new PrivateCost()),
          new Row("headers", "100,000 headers, cold process, a real node", new ColdHeaders()),
          new Row("million", "a million headers, warm process; little memory", new WarmHeaders()),
          new Row(
              "segments",
              "400,000 headers from two nodes, 100 ms round trip, known blocks",
              new SegmentedHeaders()),
          new Row(
              "rules",
              "a million headers under testnet4's rules from a birthday's block, little memory",
              new RulesRate()),
          new Row(
              "heavy",
              "1,000 to 50,000 payments to 2,000 addresses in 1,250 blocks, a real node",
              new HeavyWallet()),
          new Row("start", "sync with nothing new, whole process", new StartUp()));

  /** Measures and adds to the table. */
  interface Work {
    void run(Bench bench) throws IOException;
  }

  static Row named(String name) {
    for (Row row : ALL) {
      if (row.name().equals(name)) {
        return row;
      }
    }
    throw new IllegalArgumentException("no row '" + name + "', expected all or of " + names());
  }

  static String names() {
    return ALL.stream().map(Row::name).collect(Collectors.joining(", "));
  }
}
