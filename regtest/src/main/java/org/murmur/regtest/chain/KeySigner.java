package org.murmur.regtest.chain;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.crypto.ECKey;
import org.bitcoinj.crypto.internal.CryptoUtils;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/**
 * Signs with keys: P2PKH, P2WPKH, P2SH-P2WPKH and taproot's key path without scripts (BIP-0086).
 * Every signature is deterministic. Thread-safe.
 */
public final class KeySigner implements Signer {

  private static final int SIGHASH_ALL = 1;

  private enum Kind {
    LEGACY,
    WITNESS,
    NESTED,
    TAPROOT
  }

  private record Owned(ECKey key, Kind kind) {}

  private final Map<Bytes, Owned> owned;
  private final List<ECKey> keys;
  // Taproot keys cost three point multiplications each, so they are made on demand.
  private @Nullable Map<Bytes, Owned> taproots;

  private KeySigner(Map<Bytes, Owned> owned, List<ECKey> keys) {
    this.owned = owned;
    this.keys = keys;
  }

  /**
   * Makes a signer for all four types of script of each key, which is compressed and has its
   * private part.
   */
  public static KeySigner of(Collection<? extends ECKey> keys) {
    Map<Bytes, Owned> owned = new HashMap<>();
    for (ECKey key : keys) {
      owned.put(payToPubKeyHash(key), new Owned(key, Kind.LEGACY));
      owned.put(payToWitnessPubKeyHash(key), new Owned(key, Kind.WITNESS));
      owned.put(payToNestedWitness(key), new Owned(key, Kind.NESTED));
    }
    return new KeySigner(owned, List.copyOf(keys));
  }

  /** Returns a key's P2PKH script. */
  public static Bytes payToPubKeyHash(ECKey key) {
    return OutputScripts.payToPubKeyHash(keyHash(key));
  }

  /** Returns a key's P2WPKH script. */
  public static Bytes payToWitnessPubKeyHash(ECKey key) {
    return OutputScripts.payToWitnessPubKeyHash(keyHash(key));
  }

  /** Returns a key's P2SH-P2WPKH script. */
  public static Bytes payToNestedWitness(ECKey key) {
    byte[] program = payToWitnessPubKeyHash(key).unsafeArray();
    return OutputScripts.payToScriptHash(Bytes.wrap(CryptoUtils.sha256hash160(program)));
  }

  /** Returns the P2TR script without a script path (BIP-0086) of a key with its private part. */
  public static Bytes payToTaproot(ECKey key) {
    return OutputScripts.payToTaproot(Schnorr.publicKey(Schnorr.tweaked(key.getPrivKey())));
  }

  @Override
  public Tx sign(Tx unsigned, List<Tx.Output> spent) {
    TxBuilder builder = TxBuilder.withoutInputs(unsigned);
    for (int i = 0; i < spent.size(); i++) {
      Owned own = owner(spent.get(i).script());
      Tx.Input input = unsigned.inputs().get(i);
      Bytes program = payToWitnessPubKeyHash(own.key());
      Bytes scriptSig =
          switch (own.kind()) {
            case LEGACY -> pushes(legacy(unsigned, i, spent.get(i), own.key()), key(own.key()));
            case NESTED -> pushes(program);
            case WITNESS, TAPROOT -> Bytes.EMPTY;
          };
      List<Bytes> witness =
          switch (own.kind()) {
            case LEGACY -> List.of();
            case NESTED, WITNESS ->
                List.of(witness(unsigned, i, spent.get(i), own.key()), key(own.key()));
            case TAPROOT -> List.of(taproot(unsigned, i, spent, own.key()));
          };
      builder.spend(input.outPoint(), scriptSig, input.sequence(), witness);
    }
    return builder.build();
  }

  private synchronized Owned owner(Bytes script) {
    Owned own = owned.get(script);
    if (own == null) {
      Map<Bytes, Owned> known = taproots;
      if (known == null) {
        known = new HashMap<>();
        for (ECKey key : keys) {
          known.put(payToTaproot(key), new Owned(key, Kind.TAPROOT));
        }
        taproots = known;
      }
      own = known.get(script);
    }
    if (own == null) {
      throw new IllegalArgumentException("no key for script " + script);
    }
    return own;
  }

  /** The signature of the original scheme: the spent script stands in the input that is signed. */
  private static Bytes legacy(Tx tx, int index, Tx.Output spent, ECKey key) {
    ByteWriter out = new ByteWriter(512).int32(tx.version()).compactSize(tx.inputs().size());
    for (int i = 0; i < tx.inputs().size(); i++) {
      Tx.Input input = tx.inputs().get(i);
      out.bytes(input.outPoint().toBytes())
          .varBytes(i == index ? spent.script() : Bytes.EMPTY)
          .int32(input.sequence());
    }
    out.compactSize(tx.outputs().size()).bytes(outputs(tx));
    return ecdsa(key, out.int32(tx.lockTime()).int32(SIGHASH_ALL).toBytes());
  }

  /** The signature of witness version 0 (BIP-0143). */
  private static Bytes witness(Tx tx, int index, Tx.Output spent, ECKey key) {
    Tx.Input input = tx.inputs().get(index);
    return ecdsa(
        key,
        new ByteWriter(256)
            .int32(tx.version())
            .hash(DoubleSha256.of(each(tx, in -> in.outPoint().toBytes())))
            .hash(DoubleSha256.of(each(tx, KeySigner::sequence)))
            .bytes(input.outPoint().toBytes())
            .varBytes(payToPubKeyHash(key))
            .int64(spent.value())
            .int32(input.sequence())
            .hash(DoubleSha256.of(outputs(tx)))
            .int32(tx.lockTime())
            .int32(SIGHASH_ALL)
            .toBytes());
  }

  /** The signature of taproot's key path, default type (BIP-0341). */
  private static Bytes taproot(Tx tx, int index, List<Tx.Output> spent, ECKey key) {
    return Schnorr.sign(Schnorr.tweaked(key.getPrivKey()), taprootHash(tx, index, spent));
  }

  /** The message of a signature by taproot's key path, default type (BIP-0341): 32 bytes. */
  static byte[] taprootHash(Tx tx, int index, List<Tx.Output> spent) {
    ByteWriter amounts = new ByteWriter();
    ByteWriter scripts = new ByteWriter();
    for (Tx.Output output : spent) {
      amounts.int64(output.value());
      scripts.varBytes(output.script());
    }
    byte[] message =
        new ByteWriter(256)
            .uint8(0) // epoch
            .uint8(0) // SIGHASH_DEFAULT
            .int32(tx.version())
            .int32(tx.lockTime())
            .bytes(OutputScripts.sha256(each(tx, in -> in.outPoint().toBytes())))
            .bytes(OutputScripts.sha256(amounts.toBytes()))
            .bytes(OutputScripts.sha256(scripts.toBytes()))
            .bytes(OutputScripts.sha256(each(tx, KeySigner::sequence)))
            .bytes(OutputScripts.sha256(outputs(tx)))
            .uint8(0) // key path, no annex
            .int32(index)
            .toArray();
    return Schnorr.taggedHash("TapSighash", message);
  }

  private static Bytes ecdsa(ECKey key, Bytes preimage) {
    Hash256 hash = DoubleSha256.of(preimage);
    ECKey.ECDSASignature signature = key.sign(Sha256Hash.wrap(hash.toInternal())).toCanonicalised();
    byte[] der = signature.encodeToDER();
    return new ByteWriter(der.length + 1).bytes(der, 0, der.length).uint8(SIGHASH_ALL).toBytes();
  }

  private static Bytes each(Tx tx, Function<Tx.Input, Bytes> part) {
    ByteWriter out = new ByteWriter();
    tx.inputs().forEach(input -> out.bytes(part.apply(input)));
    return out.toBytes();
  }

  private static Bytes sequence(Tx.Input input) {
    return new ByteWriter(4).int32(input.sequence()).toBytes();
  }

  private static Bytes outputs(Tx tx) {
    ByteWriter out = new ByteWriter();
    tx.outputs().forEach(output -> out.int64(output.value()).varBytes(output.script()));
    return out.toBytes();
  }

  private static Bytes pushes(Bytes... items) {
    ByteWriter out = new ByteWriter();
    for (Bytes item : items) {
      out.varBytes(item);
    }
    return out.toBytes();
  }

  private static Bytes key(ECKey key) {
    return Bytes.of(key.getPubKey());
  }

  private static Bytes keyHash(ECKey key) {
    return Bytes.of(key.getPubKeyHash());
  }
}
