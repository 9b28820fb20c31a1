package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/**
 * The transaction of a PSBT, without signatures. Unlike a {@link Tx} it may have no inputs yet.
 *
 * @param version 32 bits
 * @param inputs with empty scripts
 * @param outputs in order
 * @param lockTime 32 bits: a height below 500,000,000, else seconds
 */
public record UnsignedTx(
    int version, List<Tx.Input> inputs, List<Tx.Output> outputs, int lockTime) {

  /** Bytes of an input with an empty script. */
  private static final int INPUT = OutPoint.LENGTH + 5;

  /** Copies the lists. */
  public UnsignedTx {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** Reads the form without witness data; scripts of inputs must be empty. */
  static UnsignedTx parse(Bytes raw) {
    ByteReader in = new ByteReader(raw.unsafeArray());
    int version = in.int32();
    List<Tx.Input> inputs = new ArrayList<>();
    for (int left = in.count(INPUT); left > 0; left--) {
      OutPoint outPoint = new OutPoint(in.hash(), in.int32());
      if (!in.varBytes().isEmpty()) {
        throw new MalformedException("an input has a script", in.position());
      }
      inputs.add(new Tx.Input(outPoint, Bytes.EMPTY, in.int32()));
    }
    List<Tx.Output> outputs = new ArrayList<>();
    for (int left = in.count(9); left > 0; left--) {
      long value = in.int64();
      outputs.add(new Tx.Output(value, in.varBytes()));
    }
    UnsignedTx tx = new UnsignedTx(version, inputs, outputs, in.int32());
    in.expectEnd();
    return tx;
  }

  /**
   * Writes the form without witness data.
   *
   * @return the bytes whose hash is the txid
   */
  public Bytes serialise() {
    return Tx.serialise(version, inputs, List.of(), outputs, lockTime);
  }

  /**
   * Returns the transaction as the rest of the wallet knows it.
   *
   * @return without signatures
   * @throws PsbtException if it has no inputs
   */
  public Tx toTx() {
    if (inputs.isEmpty()) {
      throw new PsbtException(PsbtException.Reason.NO_INPUTS);
    }
    return Tx.parse(serialise());
  }

  /** The same for all PSBTs that may be combined: their sequence numbers may differ (BIP-0370). */
  UnsignedTx withoutSequences() {
    return new UnsignedTx(
        version,
        inputs.stream()
            .map(input -> new Tx.Input(input.outPoint(), Bytes.EMPTY, 0))
            .collect(Collectors.toList()),
        outputs,
        lockTime);
  }

  /**
   * {@return the txid, the hash of the transaction without scripts of inputs} It does not change
   * with the signatures of segwit inputs.
   */
  public Hash256 txid() {
    return DoubleSha256.of(serialise());
  }
}
