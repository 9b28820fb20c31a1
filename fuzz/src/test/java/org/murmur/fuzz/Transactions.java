package org.murmur.fuzz;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

/** A transaction, with or without witness data, and a server's look at it through a filter. */
public final class Transactions {

  private Transactions() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Tx[] parsed = new Tx[1];
    try {
      Check.frugally(input.length, () -> parsed[0] = Tx.parse(Bytes.of(input)));
    } catch (MalformedException e) {
      return;
    }
    Tx tx = parsed[0];
    Check.equal(tx.raw(), Bytes.of(input), "raw");
    Check.equal(tx.txid(), DoubleSha256.of(tx.stripped()), "txid");
    Check.equal(tx.stripped().length(), tx.strippedSize(), "stripped size");
    if (!tx.inputs().isEmpty()) {
      Tx stripped = Tx.parse(tx.stripped());
      Check.equal(stripped.txid(), tx.txid(), "txid without witness");
      Check.equal(stripped.inputs(), tx.inputs(), "inputs without witness");
      Check.equal(stripped.outputs(), tx.outputs(), "outputs without witness");
      Check.that(!stripped.hasWitness(), "stripped, and a witness");
    }
    Check.frugally(input.length, () -> match(tx));
  }

  private static void match(Tx tx) {
    for (UpdateFlag flag : UpdateFlag.values()) {
      FilterParameters parameters = new FilterParameters(64, 5, 7, flag);
      // A filter that has the txid matches it, and one that matched matches again.
      BloomFilter filter =
          BloomFilter.builder(parameters).add(Bytes.of(tx.txid().toInternal())).build();
      ServerFilter server = new ServerFilter(filter);
      Check.that(server.matchAndUpdate(tx), "txid not found");
      Check.that(server.matchAndUpdate(tx), "not found again");
      ServerFilter other = new ServerFilter(BloomFilter.builder(parameters).build());
      Check.that(!other.matchAndUpdate(tx), "found in an empty filter");
    }
  }
}
