package org.murmur.examples;

import java.nio.file.Path;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.Address;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.sync.SyncOptions;

/** Pays an address from a synced wallet whose words have no password. */
public final class PayAnAddress {

  private PayAnAddress() {}

  /**
   * @param args the wallet's file, an address, an amount such as 1500sat, satoshi per virtual byte,
   *     and a peer
   */
  public static void main(String[] args) throws Exception {
    FeeRate rate = FeeRate.parse(args[3]);
    try (SpvWallet wallet = SpvWallet.open(Path.of(args[0]))) {
      Address payee = Address.parse(args[1], wallet.keyNetwork());
      Proposal proposal =
          wallet.payments().plan(payee, Amount.parse(args[2]), rate); // writes nothing
      System.out.println("fee: " + proposal.plan().fee() + ", links " + proposal.linkedAddresses());
      proposal.warnings().forEach(warning -> System.out.println("warning: " + warning.text()));
      var report =
          wallet.payments().pay(proposal, SyncOptions.connect(args[4])); // in the file first
      System.out.println("accepted: " + report.isAccepted());
    } catch (PaymentRefusedException e) { // for instance: not enough, with the missing amount
      System.out.println("refused: " + e.reason().text());
    }
  }
}
