package org.murmur.cli.pay;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.wallet.Txids;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletPayments;
import org.murmur.wallet.pay.Proposal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Commands that replace a pending transaction, or pay for it. */
public abstract class ReplaceCommands extends PayAction {

  @Mixin private Txids txid = new Txids();

  private ReplaceCommands() {}

  final Hash256 txid(SpvWallet wallet) {
    return txid.read(wallet);
  }

  /** {@code murmur bump}. */
  @Command(
      name = "bump",
      description = "Raise the fee of a pending transaction.",
      footer = {
        "A payment of the wallet is replaced (BIP-0125) by one that pays the same with a higher"
            + " fee.",
        "Of a payment to the wallet, an output is spent with a fee for both (CPFP); the rate is",
        "that of both together. A rate that is too low to replace the payment is refused, with the",
        "least.",
        "Examples:",
        "  murmur bump TXID --fee-rate 20 --connect 127.0.0.1"
      })
  public static final class Bump extends ReplaceCommands {

    @Override
    Proposal propose(SpvWallet wallet, WalletPayments planner, FeePolicy fees) {
      return planner.planBump(txid(wallet), fees);
    }

    /** The replacement is for the same thing. */
    @Override
    void label(SpvWallet wallet, Proposal proposal, Hash256 replacement) {
      if (proposal.replaces().isPresent()) {
        String old = wallet.labels().of(LabelRef.of(proposal.replaces().get())).text();
        if (!old.isEmpty()) {
          wallet.labels().set(LabelRef.of(replacement), old);
        }
      }
    }
  }

  /** {@code murmur cancel}. */
  @Command(
      name = "cancel",
      description = "Take a pending payment back, by a replacement that pays the wallet.",
      footer = {
        "The replacement (BIP-0125) spends the same coins and pays them to the wallet. If a block",
        "contains the payment after all, it stays paid.",
        "Examples:",
        "  murmur cancel TXID --fee-rate 20 --connect 127.0.0.1"
      })
  public static final class Cancel extends ReplaceCommands {

    @Override
    Proposal propose(SpvWallet wallet, WalletPayments planner, FeePolicy fees) {
      return planner.planCancel(txid(wallet), fees);
    }

    /** The label of the payment does not hold for its replacement. */
    @Override
    void label(SpvWallet wallet, Proposal proposal, Hash256 replacement) {}
  }
}
