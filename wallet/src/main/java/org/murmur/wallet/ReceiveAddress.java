package org.murmur.wallet;

import java.util.Optional;
import org.murmur.wallet.sync.WalletWarning;

/**
 * An address to receive at.
 *
 * @param address the text to hand out
 * @param path the derivation path of its key; empty if there is none
 * @param index its place in the chain
 * @param used whether some transaction pays it
 * @param handedOut whether it was given out as a fresh one
 * @param label what the user noted about it; empty for nothing
 * @param warning a warning, for instance that a restore would not look this far
 */
public record ReceiveAddress(
    String address,
    String path,
    int index,
    boolean used,
    boolean handedOut,
    String label,
    Optional<WalletWarning> warning) {

  ReceiveAddress withLabel(String text) {
    return new ReceiveAddress(address, path, index, used, handedOut, text, warning);
  }

  ReceiveAddress withWarning(WalletWarning what) {
    return new ReceiveAddress(address, path, index, used, handedOut, label, Optional.of(what));
  }

  ReceiveAddress withoutWarning() {
    return new ReceiveAddress(address, path, index, used, handedOut, label, Optional.empty());
  }
}
