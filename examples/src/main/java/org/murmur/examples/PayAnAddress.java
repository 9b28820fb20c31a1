package org.murmur.examples;

import java.nio.file.Path;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.Address;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletPayments;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** Pays an address from a wallet whose words have no password. */
public final class PayAnAddress {

  private PayAnAddress() {}

  /**
   * @param args the wallet's file, an address, an amount such as 1500sat, satoshi per virtual byte,
   *     and a peer
   */
  public static void main(String[] args) throws Exception {
    SyncOptions peer = SyncOptions.connect(args[4]);
    try (SpvWallet wallet = SpvWallet.open(Path.of(args[0]))) {
      WalletPayments payments = wallet.payments();
      var terms = payments.catchUp(peer, SyncListener.NONE); // a coin may be spent meanwhile
      Address payee = Address.parse(args[1], wallet.keyNetwork());
      Proposal proposal = payments.plan(payee, Amount.parse(args[2]), FeeRate.parse(args[3]));
      terms.ifPresent(peers -> peers.requireTaken(proposal));
      System.out.println("fee: " + proposal.plan().fee() + ", links " + proposal.linkedAddresses());
      proposal.warnings().forEach(warning -> System.out.println("warning: " + warning.text()));
      var report = payments.pay(proposal, peer); // in the file first
      System.out.println("accepted: " + report.isAccepted());
    } catch (PaymentRefusedException e) { // for instance: not enough, with the missing amount
      System.out.println("refused: " + e.reason().text());
    }
  }
}
