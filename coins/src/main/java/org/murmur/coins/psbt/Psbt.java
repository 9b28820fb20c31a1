package org.murmur.coins.psbt;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

/**
 * A partially signed transaction of version 0 (BIP-0174) or 2 (BIP-0370), with taproot fields
 * (BIP-0371). Reading and writing gives the same bytes: fields keep their order, and unknown and
 * proprietary fields stay. Immutable.
 *
 * <p>A PSBT that was read is well-formed, no more. It may lie about what it spends; the roles check
 * it: {@link PsbtFacts}, {@link PsbtSigner}, {@link PsbtFinalizer}.
 */
public final class Psbt {

  /** The most bytes that are read. */
  public static final int MAX_BYTES = Shape.MAX_BYTES;

  private final PsbtMaps maps;

  Psbt(PsbtMaps maps) {
    this.maps = maps;
  }

  /**
   * Makes a PSBT of version 0 that holds a transaction and nothing else yet (BIP-0174, creator).
   *
   * @param unsigned with empty input scripts and without witness data
   * @return the PSBT, to be updated
   * @throws PsbtException if the transaction has signatures
   */
  public static Psbt create(Tx unsigned) {
    boolean signed =
        unsigned.hasWitness()
            || unsigned.inputs().stream().anyMatch(input -> !input.scriptSig().isEmpty());
    if (signed) {
      throw new PsbtException(PsbtException.Reason.ALREADY_SIGNED);
    }
    return new Psbt(
        new PsbtMaps(
            FieldMap.EMPTY.with(Field.UNSIGNED_TX, unsigned.raw()),
            Collections.nCopies(unsigned.inputs().size(), FieldMap.EMPTY),
            Collections.nCopies(unsigned.outputs().size(), FieldMap.EMPTY)));
  }

  /**
   * Reads the binary form.
   *
   * @param raw all bytes, from the magic ones on
   * @return the PSBT
   * @throws MalformedException if it is none, or longer than {@link #MAX_BYTES}
   */
  public static Psbt parse(Bytes raw) {
    return new Psbt(PsbtReader.read(raw));
  }

  /**
   * Reads the text form.
   *
   * @param base64 with padding; white space is ignored
   * @return the PSBT
   * @throws MalformedException if it is none
   */
  public static Psbt parseBase64(String base64) {
    String text = base64.replaceAll("\\s", "");
    if (text.length() > MAX_BYTES / 3 * 4) {
      throw new MalformedException("longer than " + MAX_BYTES + " bytes", 0);
    }
    byte[] raw;
    try {
      raw = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new MalformedException("neither the binary form of a PSBT nor base64", 0);
    }
    if (!text.equals(Base64.getEncoder().encodeToString(raw))) {
      throw new MalformedException("base64 with a wrong end", text.length());
    }
    return parse(Bytes.wrap(raw));
  }

  /**
   * Reads the contents of a file in either form.
   *
   * @param contents of the file
   * @return the PSBT
   * @throws MalformedException if it is none
   */
  public static Psbt parseFile(Bytes contents) {
    boolean binary =
        contents.length() >= PsbtMaps.MAGIC.length()
            && contents.slice(0, PsbtMaps.MAGIC.length()).equals(PsbtMaps.MAGIC);
    return binary
        ? parse(contents)
        : parseBase64(new String(contents.unsafeArray(), StandardCharsets.ISO_8859_1));
  }

  /**
   * Writes the binary form.
   *
   * @return all bytes
   */
  public Bytes toBytes() {
    ByteWriter out = new ByteWriter().bytes(PsbtMaps.MAGIC);
    maps.global().write(out);
    maps.inputs().forEach(map -> map.write(out));
    maps.outputs().forEach(map -> map.write(out));
    return out.toBytes();
  }

  /**
   * Writes the text form, as nodes and wallets exchange it.
   *
   * @return base64 on one line
   */
  public String toBase64() {
    return Base64.getEncoder().encodeToString(toBytes().unsafeArray());
  }

  /** {@return the version, 0 or 2} */
  public int version() {
    return maps.version();
  }

  /**
   * Returns the transaction to sign.
   *
   * @return without signatures
   * @throws PsbtException if the inputs of version 2 ask for contradicting lock times
   */
  public UnsignedTx unsignedTx() {
    return maps.global()
        .get(Field.UNSIGNED_TX)
        .map(UnsignedTx::parse)
        .orElseGet(() -> Version2.unsignedTx(maps));
  }

  PsbtMaps maps() {
    return maps;
  }

  /** Equal bytes, equal PSBT. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Psbt psbt && maps.equals(psbt.maps);
  }

  @Override
  public int hashCode() {
    return maps.hashCode();
  }

  /** For instance {@code PSBT version 0, inputs 1, outputs 2}. */
  @Override
  public String toString() {
    return String.format(
        "PSBT version %d, inputs %d, outputs %d",
        version(), maps.inputs().size(), maps.outputs().size());
  }
}
