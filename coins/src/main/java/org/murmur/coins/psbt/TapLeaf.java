package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.internal.sign.ControlBlock;

/**
 * A script of a taproot output that signatures alone satisfy (BIP-0342).
 *
 * @param controlBlock proves that the output commits to it
 * @param script the leaf
 * @param threshold how many signatures it needs
 * @param keys 32 bytes each, in the order of the script
 */
record TapLeaf(Bytes controlBlock, Bytes script, int threshold, List<Bytes> keys) {

  /** The leaf version of BIP-0342. */
  private static final int TAPSCRIPT = 0xc0;

  /** The leaves of an input that belong to the output it spends; not those with other scripts. */
  static List<TapLeaf> of(FieldMap input, Bytes scriptPubKey) {
    Bytes outputKey = scriptPubKey.slice(2, scriptPubKey.length());
    List<TapLeaf> leaves = new ArrayList<>();
    for (Map.Entry<Bytes, Bytes> entry : input.all(Field.TAP_LEAF_SCRIPT).entrySet()) {
      Bytes script = entry.getValue().slice(0, entry.getValue().length() - 1);
      int version = entry.getValue().at(script.length()) & 0xff;
      Optional<Scripts.Multisig> keys = Scripts.tapscript(script);
      if (version == TAPSCRIPT
          && (entry.getKey().at(0) & 0xfe) == TAPSCRIPT
          && keys.isPresent()
          && ControlBlock.proves(entry.getKey(), script, outputKey)) {
        leaves.add(new TapLeaf(entry.getKey(), script, keys.get().threshold(), keys.get().keys()));
      }
    }
    return leaves;
  }

  Bytes hash() {
    return ControlBlock.leafHash(TAPSCRIPT, script);
  }

  /** Where the signature of a key stands: the data of the key of its field. */
  Bytes signatureOf(Bytes key) {
    return new ByteWriter().bytes(key).bytes(hash()).toBytes();
  }
}
