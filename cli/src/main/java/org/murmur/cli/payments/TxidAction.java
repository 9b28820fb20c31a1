package org.murmur.cli.payments;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import picocli.CommandLine.Mixin;

/** A command about one transaction of a wallet. */
abstract class TxidAction extends WalletAction {

  @Mixin private Txids txid = new Txids();

  /** Runs the action on the open wallet, which is closed afterwards. */
  abstract void run(SpvWallet wallet, Hash256 wanted);

  @Override
  protected final ExitCode run() {
    try (SpvWallet wallet = open()) {
      run(wallet, txid.read(wallet));
    }
    return ExitCode.DONE;
  }

  static TransactionDetail find(SpvWallet wallet, Hash256 txid) {
    return wallet
        .history()
        .transaction(txid)
        .orElseThrow(
            () -> Failure.failed("no_such_transaction", "the wallet has no transaction " + txid));
  }
}
