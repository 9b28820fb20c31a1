package org.murmur.coins.psbt;

import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.Descriptor;

/** Says which scripts are the wallet's. The PSBT itself is never asked. */
@FunctionalInterface
public interface OwnKeys {

  /**
   * Finds the key of a script.
   *
   * @param scriptPubKey of an output
   * @return its key; empty if the script is not the wallet's, or has several keys or none
   */
  Optional<Descriptor.PublicKey> find(Bytes scriptPubKey);
}
