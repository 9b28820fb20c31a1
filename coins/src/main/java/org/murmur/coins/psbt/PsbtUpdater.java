package org.murmur.coins.psbt;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.psbt.PsbtException.Reason;

/**
 * Adds what the wallet knows about its own inputs and outputs: the spent output or the whole
 * previous transaction, redeem scripts, keys with fingerprint and path. Fields that the PSBT has
 * already is kept.
 */
public final class PsbtUpdater {

  /** Redeem script, derivation, taproot internal key, taproot derivation. */
  private static final List<Field> INPUT =
      List.of(Field.REDEEM_SCRIPT, Field.DERIVATION, Field.TAP_INTERNAL_KEY, Field.TAP_DERIVATION);

  private static final List<Field> OUTPUT =
      List.of(
          Field.OUT_REDEEM_SCRIPT,
          Field.OUT_DERIVATION,
          Field.OUT_TAP_INTERNAL_KEY,
          Field.OUT_TAP_DERIVATION);

  private final OwnKeys own;
  private final Function<Hash256, Optional<Tx>> transactions;

  private PsbtUpdater(OwnKeys own, Function<Hash256, Optional<Tx>> transactions) {
    this.own = own;
    this.transactions = transactions;
  }

  /**
   * Updates a PSBT.
   *
   * @param psbt any version
   * @param own the wallet's scripts
   * @param transactions the wallet's transactions by txid
   * @return with more fields
   * @throws PsbtException if the PSBT contradicts itself or the wallet's transactions
   */
  public static Psbt update(Psbt psbt, OwnKeys own, Function<Hash256, Optional<Tx>> transactions) {
    PsbtUpdater updater = new PsbtUpdater(own, transactions);
    UnsignedTx tx = psbt.unsignedTx();
    PsbtMaps maps =
        psbt.maps()
            .changed(
                (i, input) -> updater.input(input, tx.inputs().get(i).outPoint(), i),
                (i, output) -> updater.output(output, tx.outputs().get(i).script()));
    Psbt updated = new Psbt(maps);
    PsbtFacts.of(updated);
    return updated;
  }

  private FieldMap input(FieldMap input, OutPoint spent, int index) {
    Optional<Tx> previous =
        transactions
            .apply(spent.txid())
            .filter(tx -> Integer.compareUnsigned(spent.index(), tx.outputs().size()) < 0);
    Optional<Tx.Output> known = previous.map(tx -> tx.outputs().get(spent.index()));
    Optional<Tx.Output> stated = stated(input, spent);
    if (known.isPresent() && stated.isPresent() && !known.equals(stated)) {
      throw new PsbtException(Reason.UTXO_CONTRADICTION, index);
    }
    Optional<Tx.Output> output = known.isPresent() ? known : stated;
    Optional<Descriptor.PublicKey> key = output.flatMap(o -> own.find(o.script()));
    if (!key.isPresent() || PsbtFacts.isFinal(input)) {
      return input;
    }
    FieldMap updated = input.plus(keyFields(key.get(), INPUT));
    if (key.get().type() != OutputType.P2PKH) {
      updated = updated.plus(FieldMap.EMPTY.with(Field.WITNESS_UTXO, bytes(output.get())));
    }
    // A taproot signature commits to the values of all inputs: nobody can lie about them.
    return previous.isPresent() && key.get().type() != OutputType.P2TR
        ? updated.plus(FieldMap.EMPTY.with(Field.NON_WITNESS_UTXO, previous.get().raw()))
        : updated;
  }

  private static Optional<Tx.Output> stated(FieldMap input, OutPoint spent) {
    Optional<Tx.Output> claimed = input.get(Field.WITNESS_UTXO).map(Shape::readOutput);
    return claimed.isPresent()
        ? claimed
        : input
            .get(Field.NON_WITNESS_UTXO)
            .map(Tx::parse)
            .filter(tx -> tx.txid().equals(spent.txid()))
            .filter(tx -> Integer.compareUnsigned(spent.index(), tx.outputs().size()) < 0)
            .map(tx -> tx.outputs().get(spent.index()));
  }

  private FieldMap output(FieldMap output, Bytes script) {
    return own.find(script).map(key -> output.plus(keyFields(key, OUTPUT))).orElse(output);
  }

  private static FieldMap keyFields(Descriptor.PublicKey key, List<Field> fields) {
    Bytes origin = origin(key);
    if (key.type() == OutputType.P2TR) {
      Bytes x = key.compressed().slice(1, key.compressed().length());
      Bytes noLeaves = new ByteWriter().uint8(0).bytes(origin).toBytes();
      return FieldMap.EMPTY.with(fields.get(2), x).with(fields.get(3), x, noLeaves);
    }
    FieldMap derivation = FieldMap.EMPTY.with(fields.get(1), key.compressed(), origin);
    return key.type() == OutputType.P2SH_P2WPKH
        ? derivation.with(fields.get(0), Scripts.witnessKeyHash(key.compressed()))
        : derivation;
  }

  /** Fingerprint as it is, then the steps, little-endian. */
  private static Bytes origin(Descriptor.PublicKey key) {
    ByteWriter out = new ByteWriter().bytes(key.fingerprint());
    key.path().forEach(out::int32);
    return out.toBytes();
  }

  private static Bytes bytes(Tx.Output output) {
    return new ByteWriter().int64(output.value()).varBytes(output.script()).toBytes();
  }
}
