package org.murmur.regtest.chain;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** Puts a transaction together. For one thread. */
public final class TxBuilder {

  /** A sequence number that signals replaceability and no lock time (BIP-0125). */
  public static final int REPLACEABLE = 0xfffffffd;

  private final List<Tx.Input> inputs = new ArrayList<>();
  private final List<List<Bytes>> witnesses = new ArrayList<>();
  private final List<Tx.Output> outputs = new ArrayList<>();
  private int version = 2;
  private int lockTime;

  /** Starts a transaction of version 2 without a lock time. */
  public TxBuilder() {}

  /**
   * Starts from a transaction that lacks its signatures, for a {@link Signer}: with its outputs and
   * without inputs, scripts and witnesses.
   */
  static TxBuilder withoutInputs(Tx unsigned) {
    TxBuilder builder = new TxBuilder();
    builder.version = unsigned.version();
    builder.lockTime = unsigned.lockTime();
    builder.outputs.addAll(unsigned.outputs());
    return builder;
  }

  /** Adds an input that is not yet signed and signals replaceability. */
  public TxBuilder spend(OutPoint spent) {
    return spend(spent, Bytes.EMPTY, REPLACEABLE, List.of());
  }

  /** Adds an input; the witness of a legacy one has no items. */
  public TxBuilder spend(OutPoint spent, Bytes scriptSig, int sequence, List<Bytes> witness) {
    inputs.add(new Tx.Input(spent, scriptSig, sequence));
    witnesses.add(List.copyOf(witness));
    return this;
  }

  /** Spends an output that {@linkplain OutputScripts#payToAnyone pays to anyone}. */
  public TxBuilder spendAnyones(OutPoint spent, int number) {
    return spend(spent, Bytes.EMPTY, REPLACEABLE, List.of(OutputScripts.anyoneCanSpend(number)));
  }

  /** Adds an output of some satoshi to a scriptPubKey. */
  public TxBuilder pay(long value, Bytes script) {
    outputs.add(new Tx.Output(value, script));
    return this;
  }

  /** Sets the lock time: a height below 500,000,000, or seconds since 1970. */
  public TxBuilder lockTime(int height) {
    this.lockTime = height;
    return this;
  }

  /** Serialises it: with witness data if an input has any. */
  public Tx build() {
    return Tx.parse(Tx.serialise(version, inputs, witnesses, outputs, lockTime));
  }
}
