package org.murmur.cli.labels;

import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;

/** {@code murmur unfreeze}. */
@Command(
    name = "unfreeze",
    description = "Let payments spend a frozen coin again.",
    footer = {"", "Examples:", "  murmur unfreeze TXID:VOUT"})
public final class UnfreezeCommand extends CoinAction {

  @Override
  boolean change(SpvWallet wallet, OutPoint wanted) {
    return wallet.coins().unfreeze(wanted);
  }

  @Override
  boolean frozen() {
    return false;
  }
}
