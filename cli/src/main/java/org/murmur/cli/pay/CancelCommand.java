package org.murmur.cli.pay;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.wallet.Txids;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletPayments;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code murmur cancel}. */
@Command(
    name = "cancel",
    description = "Take a pending payment back, by a replacement that pays the wallet.",
    footer = {
      "",
      "The replacement (BIP-0125) spends the same coins and pays them to the wallet. If a block",
      "contains the payment after all, it stays paid.",
      "",
      "Examples:",
      "  murmur cancel TXID --fee-rate 20 --connect 127.0.0.1"
    })
public final class CancelCommand extends PayAction {

  @Mixin private Txids txid = new Txids();

  @Override
  Proposal propose(SpvWallet wallet, WalletPayments planner, FeePolicy fees)
      throws PaymentRefusedException {
    return planner.planCancel(txid.read(wallet), fees);
  }

  /** The label of the payment does not hold for its replacement. */
  @Override
  void label(SpvWallet wallet, Proposal proposal, Hash256 replacement) {}
}
