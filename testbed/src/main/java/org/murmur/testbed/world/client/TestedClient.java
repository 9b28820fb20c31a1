package org.murmur.testbed.world.client;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.regtest.chain.Signer;

/** The wallet under test in a world: its disk outlives its processes. For one thread. */
public interface TestedClient extends AutoCloseable {

  /** Makes clients. */
  interface Maker {

    /**
     * Returns the scripts of the wallets it makes, in the order of their derivation; they are all
     * the same. The chain is 0 for those that others pay to, 1 for change.
     */
    List<Bytes> scripts(int chain, int count);

    /** Returns a signer for the scripts, as another copy of the wallet's keys. */
    Signer signer();

    /** Makes a client whose disk holds an empty wallet, without a process. */
    TestedClient make(Wallet wallet) throws IOException;
  }

  /**
   * The wallet that a world asks for.
   *
   * @param birthday where looking for scripts begins
   * @param gap unused scripts in a row after which it stops looking
   * @param lookAhead scripts watched beyond the last used one
   * @param file whether its disk is to be a real file rather than memory
   * @param handedOut how many scripts of each chain its user gave away before
   */
  record Wallet(Birthday birthday, int gap, int lookAhead, boolean file, int handedOut) {}

  /** Begins a process: reads the disk and forgets the state of the process before. */
  Machine start(SyncSettings settings) throws IOException;

  /** Writes a batch. */
  List<Input> commit(CommitBatch batch, Instant now) throws IOException;

  /**
   * The user pays with the wallet while a machine runs: signs a payment and writes it. Random bits
   * decide the amount and the choice of coins. Returns nothing if the wallet cannot pay.
   */
  default Optional<Paid> pay(Bytes script, long chance, Instant now) throws IOException {
    return Optional.empty();
  }

  /** The user abandons a payment, if there is one that may be abandoned. */
  default List<Input> abandon(long chance, Instant now) throws IOException {
    return List.of();
  }

  /**
   * A payment that is on disk, and the inputs for the machine: first what was written, then the
   * order to send it.
   */
  record Paid(Tx tx, List<Input> inputs) {

    public Paid {
      inputs = List.copyOf(inputs);
    }
  }

  /** Returns how much the machine started last keeps in memory. */
  Footprint footprint();

  /** Reads what the wallet reports, as of the last commit. */
  Holdings holdings() throws IOException;

  /** Reads the wallet's claims of coverage, as of the last commit. */
  Claims claims() throws IOException;

  /**
   * A wallet's claims of coverage.
   *
   * @param birthday the height at which looking begins; -1 while not known
   * @param completeTo everything was looked for up to this height; -1 if nothing was
   * @param seenBy how many different peers served the block that was served by the fewest
   */
  record Claims(int birthday, int completeTo, int seenBy) {}

  @Override
  void close() throws IOException;
}
