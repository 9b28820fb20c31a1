package org.murmur.bip37.tx;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;

/**
 * A parsed transaction: inputs, outputs, txid. Only its serialisation is validated.
 *
 * <p>Parses both forms, with witness data (BIP-0144) and without. The txid is always the hash
 * without witness data, so it can be checked against a Merkle proof in either form. Immutable.
 */
public final class Tx {

  /** Maximum amount in satoshi: 21,000,000 BTC (Core's MAX_MONEY). */
  public static final long MAX_MONEY = 2_100_000_000_000_000L;

  /** A fourth of Core's MAX_BLOCK_WEIGHT: bytes without witness data. */
  private static final int MAX_STRIPPED_SIZE = 1_000_000;

  private final Bytes raw;
  private final List<Input> inputs;
  private final List<Output> outputs;
  private final boolean witness;
  // Range of the witness data in raw; empty if there is none.
  private final int witnessFrom;
  private final int witnessTo;
  private @Nullable Hash256 txid;

  /**
   * An input.
   *
   * @param outPoint the output it spends
   * @param scriptSig its script, empty for native segwit
   * @param sequence 32 bits; below 0xfffffffe it signals replaceability (BIP-0125)
   */
  public record Input(OutPoint outPoint, Bytes scriptSig, int sequence) {}

  /**
   * An output.
   *
   * @param value in satoshi
   * @param script the scriptPubKey
   */
  public record Output(long value, Bytes script) {}

  private Tx(
      Bytes raw,
      List<Input> inputs,
      List<Output> outputs,
      boolean witness,
      int witnessFrom,
      int witnessTo) {
    this.raw = raw;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.witness = witness;
    this.witnessFrom = witnessFrom;
    this.witnessTo = witnessTo;
  }

  /**
   * Parses a whole byte string.
   *
   * @param raw a serialised transaction without trailing bytes
   * @return the transaction
   * @throws MalformedException if it is not one
   */
  public static Tx parse(Bytes raw) {
    ByteReader reader = new ByteReader(raw.unsafeArray());
    Tx tx = read(reader);
    reader.expectEnd();
    return tx;
  }

  /**
   * Reads one transaction at the cursor, for instance in a block.
   *
   * @param in the cursor, which moves past the transaction
   * @return the transaction
   * @throws MalformedException if there is none
   */
  public static Tx read(ByteReader in) {
    int from = in.position();
    in.skip(4);
    int inputCount = in.count(1);
    boolean witness = false;
    if (inputCount == 0) {
      // BIP-0144: a zero marker, then flags. A transaction without inputs does not exist on the
      // wire.
      int flags = in.uint8();
      if (flags != 1) {
        throw new MalformedException(
            "transaction flags " + flags + ", expected 1", in.position() - 1);
      }
      witness = true;
      inputCount = in.count(41);
      if (inputCount == 0) {
        throw new MalformedException("transaction without inputs", in.position() - 1);
      }
    }
    List<Input> inputs = new ArrayList<>(Math.min(inputCount, 1024));
    for (int i = 0; i < inputCount; i++) {
      Hash256 txid = in.hash();
      int index = in.int32();
      Bytes script = in.varBytes();
      inputs.add(new Input(new OutPoint(txid, index), script, in.int32()));
    }
    int outputCount = in.count(9);
    List<Output> outputs = new ArrayList<>(Math.min(outputCount, 1024));
    for (int i = 0; i < outputCount; i++) {
      long value = in.int64();
      outputs.add(new Output(value, in.varBytes()));
    }
    int witnessFrom = in.position() - from;
    if (witness) {
      for (int i = 0; i < inputCount; i++) {
        int items = in.count(1);
        for (int j = 0; j < items; j++) {
          in.skip(in.count(1));
        }
      }
    }
    int witnessTo = in.position() - from;
    in.skip(4);
    Bytes raw = in.since(from);
    return new Tx(raw, inputs, outputs, witness, witnessFrom, witnessTo);
  }

  /**
   * Writes a transaction: in the form of BIP-0144 if an input has witness data.
   *
   * @param version 32 bits
   * @param inputs with their scripts; none in one that is not complete, which {@link #parse}
   *     refuses
   * @param witnesses the items of each input's witness stack; may be empty if no input has any
   * @param outputs in order
   * @param lockTime 32 bits
   * @return all bytes
   */
  public static Bytes serialise(
      int version,
      List<Input> inputs,
      List<List<Bytes>> witnesses,
      List<Output> outputs,
      int lockTime) {
    boolean witness = witnesses.stream().anyMatch(items -> !items.isEmpty());
    ByteWriter out = new ByteWriter(256).int32(version);
    if (witness) {
      out.uint8(0).uint8(1);
    }
    out.compactSize(inputs.size());
    for (Input input : inputs) {
      out.bytes(input.outPoint.toBytes()).varBytes(input.scriptSig).int32(input.sequence);
    }
    out.compactSize(outputs.size());
    outputs.forEach(output -> out.int64(output.value).varBytes(output.script));
    if (witness) {
      for (List<Bytes> items : witnesses) {
        out.compactSize(items.size());
        items.forEach(out::varBytes);
      }
    }
    return out.int32(lockTime).toBytes();
  }

  /**
   * {@return the transaction's id, the hash without witness data} Computed once, on first use; safe
   * to race.
   */
  public Hash256 txid() {
    Hash256 known = txid;
    if (known == null) {
      known = DoubleSha256.of(stripped());
      txid = known;
    }
    return known;
  }

  /**
   * Returns the id with witness data (BIP-0141), to which a block commits in its coinbase.
   *
   * @return the hash of all bytes; the txid if it came without witness data
   */
  public Hash256 wtxid() {
    return witness ? DoubleSha256.of(raw) : txid();
  }

  /**
   * {@return the witness data of all inputs, as serialised (BIP-0144), for each input the number of
   * items and the items; empty if it came without}
   */
  public Bytes witness() {
    return raw.slice(witnessFrom, witnessTo);
  }

  /** {@return the serialised form as received, with witness data if it was received with it} */
  public Bytes raw() {
    return raw;
  }

  /** {@return the serialised form without witness data} The txid is its hash. */
  public Bytes stripped() {
    if (!witness) {
      return raw;
    }
    byte[] bytes = raw.unsafeArray();
    return new ByteWriter(strippedSize())
        .bytes(bytes, 0, 4)
        .bytes(bytes, 6, witnessFrom - 6)
        .bytes(bytes, witnessTo, 4)
        .toBytes();
  }

  /**
   * {@return the transaction without witness data, this one if it has none} The txid does not cover
   * witness data, so any relaying node can change it.
   */
  public Tx withoutWitness() {
    return witness ? parse(stripped()) : this;
  }

  /**
   * {@return the size without witness data, bytes} A transaction of 64 bytes can pose as an inner
   * node of a Merkle tree (CVE-2017-12842) and counts as unproven.
   */
  public int strippedSize() {
    return witness ? raw.length() - 2 - (witnessTo - witnessFrom) : raw.length();
  }

  /**
   * {@return the weight (BIP-0141): a byte of witness data counts once, any other byte four times;
   * weight units}
   */
  public long weight() {
    return 3L * strippedSize() + raw.length();
  }

  /**
   * {@return the virtual size (BIP-0141), by which fee rates are counted; virtual bytes: a quarter
   * of the weight, rounded up}
   */
  public long virtualSize() {
    return (weight() + 3) / 4;
  }

  /** {@return the inputs, at least one} */
  public List<Input> inputs() {
    return inputs;
  }

  /** {@return the outputs, in order} */
  public List<Output> outputs() {
    return outputs;
  }

  /** {@return whether it came with witness data; true for the form of BIP-0144} */
  public boolean hasWitness() {
    return witness;
  }

  /** {@return the version, 32 bits} */
  public int version() {
    return LittleEndian.int32(raw.unsafeArray(), 0);
  }

  /** {@return the lock time, 32 bits: a height below 500,000,000, else seconds} */
  public int lockTime() {
    return LittleEndian.int32(raw.unsafeArray(), raw.length() - 4);
  }

  /** Why no valid block can hold a transaction, whatever is before it in the chain. */
  public enum Flaw {
    /** It has no outputs. */
    HAS_NO_OUTPUTS("has no outputs"),
    /** Without witness data it is larger than a block, 1,000,000 bytes. */
    IS_TOO_LARGE("is larger than a block"),
    /** An output is negative or above {@link Tx#MAX_MONEY}, or their sum is. */
    PAYS_IMPOSSIBLE_VALUES("pays less than nothing or more than 21,000,000 BTC"),
    /** Two inputs spend one outpoint (CVE-2018-17144). */
    SPENDS_TWICE("spends an output twice"),
    /** It is a coinbase, and the size of its script is not 2 to 100 bytes. */
    HAS_BAD_COINBASE_SCRIPT("is a coinbase with a script of another size than 2 to 100 bytes"),
    /** It spends the null outpoint with one of several inputs. */
    SPENDS_NOTHING("spends no output with one of its inputs");

    private final String words;

    Flaw(String words) {
      this.words = words;
    }

    /**
     * Says it in words.
     *
     * @return goes on after <em>the transaction</em>
     */
    public String words() {
      return words;
    }
  }

  /**
   * Checks all that Bitcoin Core's CheckTransaction does (consensus/tx_check.cpp). Parsing does not
   * check it; code that accepts a transaction from outside must.
   *
   * @return the first flaw, in Core's order; empty if a valid block can hold it
   */
  public Optional<Flaw> flaw() {
    if (outputs.isEmpty()) {
      return Optional.of(Flaw.HAS_NO_OUTPUTS);
    }
    if (strippedSize() > MAX_STRIPPED_SIZE) {
      return Optional.of(Flaw.IS_TOO_LARGE);
    }
    if (!hasValuesInRange()) {
      return Optional.of(Flaw.PAYS_IMPOSSIBLE_VALUES);
    }
    if (inputs.size() > 1 && spendsTwice()) {
      return Optional.of(Flaw.SPENDS_TWICE);
    }
    if (isCoinbase()) {
      int script = inputs.get(0).scriptSig().length();
      return script < 2 || script > 100
          ? Optional.of(Flaw.HAS_BAD_COINBASE_SCRIPT)
          : Optional.empty();
    }
    return inputs.stream().anyMatch(input -> input.outPoint().isNull())
        ? Optional.of(Flaw.SPENDS_NOTHING)
        : Optional.empty();
  }

  private boolean spendsTwice() {
    Set<OutPoint> spent = new HashSet<>();
    return !inputs.stream().allMatch(input -> spent.add(input.outPoint()));
  }

  /**
   * {@return whether a valid block can pay these values: each output is in the range 0 to {@link
   * #MAX_MONEY}, and so is their sum; false if no valid block can contain it} One of the checks of
   * {@link #flaw()}.
   */
  public boolean hasValuesInRange() {
    long sum = 0;
    for (Output output : outputs) {
      if (output.value() < 0 || output.value() > MAX_MONEY) {
        return false;
      }
      sum += output.value();
      if (sum > MAX_MONEY) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return whether this creates new coins, spendable after 100 confirmations; true if the only
   * input spends the null outpoint}
   */
  public boolean isCoinbase() {
    return inputs.size() == 1 && inputs.get(0).outPoint().isNull();
  }

  /**
   * Returns the outpoint of one of its outputs.
   *
   * @param index which output
   * @return the outpoint
   */
  public OutPoint outPoint(int index) {
    return new OutPoint(txid(), index);
  }

  /** Equal bytes, equal transaction. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Tx tx && raw.equals(tx.raw);
  }

  @Override
  public int hashCode() {
    return raw.hashCode();
  }

  /** The txid. */
  @Override
  public String toString() {
    return txid().toString();
  }
}
