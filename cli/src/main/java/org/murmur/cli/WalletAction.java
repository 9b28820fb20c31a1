package org.murmur.cli;

import java.util.Map;
import org.murmur.p2p.chain.Network;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.keys.KeyNetwork;

/**
 * A command about a wallet: the one that {@code -w}, {@code --network} and {@code --datadir} name.
 */
abstract class WalletAction extends Action {

  final Network network() {
    return Network.ofName(networkName());
  }

  final KeyNetwork keyNetwork() {
    return WalletRecipe.keyNetwork(network());
  }

  final WalletFiles files() {
    Map<String, String> environment = surroundings().environment();
    return new WalletFiles(options().datadir(environment), networkName());
  }

  final String walletName() {
    return options().wallet();
  }

  /** Opens the wallet; the caller closes it. */
  final SpvWallet open() throws WalletException {
    return SpvWallet.open(files().existing(walletName()));
  }

  /** Begins an answer about the wallet. */
  final JsonObject about() {
    return new JsonObject().put("network", networkName()).put("wallet", walletName());
  }
}
