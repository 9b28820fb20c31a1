package org.murmur.regtest.chain;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.bitcoinj.base.Coin;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.core.Transaction;
import org.bitcoinj.crypto.ECKey;
import org.bitcoinj.crypto.internal.CryptoUtils;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;

/**
 * Signs with keys: P2PKH, P2WPKH, P2SH-P2WPKH and taproot's key path without scripts (BIP-0086).
 * Every signature is deterministic. Thread-safe.
 */
public final class KeySigner implements Signer {

  private static final byte SIGHASH_ALL = 1;

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
    Transaction parsed = Transaction.read(ByteBuffer.wrap(unsigned.raw().toArray()));
    for (int i = 0; i < spent.size(); i++) {
      Owned own = owner(spent.get(i).script());
      Tx.Input input = unsigned.inputs().get(i);
      Bytes program = payToWitnessPubKeyHash(own.key());
      Bytes scriptSig =
          switch (own.kind()) {
            case LEGACY -> pushes(ecdsa(own.key(), legacy(parsed, i, spent)), key(own.key()));
            case NESTED -> pushes(program);
            case WITNESS, TAPROOT -> Bytes.EMPTY;
          };
      List<Bytes> witness =
          switch (own.kind()) {
            case LEGACY -> List.of();
            case NESTED, WITNESS ->
                List.of(ecdsa(own.key(), witness(parsed, i, spent, own.key())), key(own.key()));
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

  private static Sha256Hash legacy(Transaction tx, int index, List<Tx.Output> spent) {
    return tx.hashForSignature(index, spent.get(index).script().toArray(), SIGHASH_ALL);
  }

  /** The message of a signature of witness version 0 (BIP-0143). */
  private static Sha256Hash witness(Transaction tx, int index, List<Tx.Output> spent, ECKey key) {
    Coin value = Coin.valueOf(spent.get(index).value());
    return tx.hashForWitnessSignature(index, payToPubKeyHash(key).toArray(), value, SIGHASH_ALL);
  }

  private static Bytes ecdsa(ECKey key, Sha256Hash hash) {
    byte[] der = key.sign(hash).toCanonicalised().encodeToDER();
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
