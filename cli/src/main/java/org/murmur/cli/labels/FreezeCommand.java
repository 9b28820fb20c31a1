package org.murmur.cli.labels;

import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;

/** {@code murmur freeze}. */
@Command(
    name = "freeze",
    description = "Exclude a coin from payments.",
    footer = {
      "",
      "The coin still counts in the balance. It stays frozen through reorganisations and rescans,",
      "until `murmur unfreeze`.",
      "",
      "Examples:",
      "  murmur coins",
      "  murmur freeze TXID:VOUT"
    })
public final class FreezeCommand extends CoinAction {

  @Override
  boolean change(SpvWallet wallet, OutPoint wanted) {
    return wallet.coins().freeze(wanted);
  }

  @Override
  boolean frozen() {
    return true;
  }
}
