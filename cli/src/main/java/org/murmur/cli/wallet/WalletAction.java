package org.murmur.cli.wallet;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.store.Loss;
import org.murmur.wallet.sync.WalletWarning;

/** A command about the wallet that {@code -w}, {@code --network} and {@code --datadir} name. */
public abstract class WalletAction extends Action {

  private @Nullable SpvWallet opened;

  /** Reports damaged parts of the file that a sync can restore. */
  @Override
  protected void sayAtTheEnd() {
    if (opened != null) {
      for (Loss loss : opened.takeLosses()) {
        output().warning(NoticeText.of(new WalletWarning.FileDamaged(loss)));
      }
    }
    output().sayKnown();
  }

  /** Returns the selected network, with its signet challenge. */
  public final ChainParams network() {
    return challenge().map(ChainParams::signet).orElseGet(() -> ChainParams.ofName(networkName()));
  }

  private Optional<Bytes> challenge() {
    return options().signetChallenge(surroundings().environment());
  }

  protected final KeyNetwork keyNetwork() {
    return WalletRecipe.keyNetwork(network());
  }

  protected final WalletFiles files() {
    Map<String, String> environment = surroundings().environment();
    return new WalletFiles(options().datadir(environment), networkName());
  }

  protected final String walletName() {
    return options().wallet();
  }

  /**
   * Opens the wallet to tell what it knows; the caller closes it. The result says how much of the
   * chain that is.
   */
  protected final SpvWallet open() {
    SpvWallet wallet = openForItself();
    boolean done = false;
    try {
      output().known(wallet.chain());
      done = true;
      return wallet;
    } finally {
      if (!done) {
        wallet.close();
      }
    }
  }

  /** Reads something with how much of the chain the wallet knows at the same commit. */
  protected final <T> AsOf<T> read(SpvWallet wallet, SpvWallet.Reading<T> reading) {
    AsOf<T> read = wallet.asOf(reading);
    output().known(read.chain());
    return read;
  }

  /** Opens the wallet for what no block can change: its keys, its labels, or a sync. */
  protected final SpvWallet openForItself() {
    Optional<Bytes> challenge = challenge();
    Path file = files().existing(walletName());
    SpvWallet wallet = SpvWallet.open(file);
    opened = wallet;
    requireOwnFolder(wallet, file);
    if (challenge.isPresent()) {
      ChainParams own = wallet.info().network();
      ChainParams named = ChainParams.signet(challenge.get());
      if (!own.equals(named)) {
        wallet.close();
        throw Failure.usage(
            "wallet '"
                + walletName()
                + "' is of "
                + challengeOf(own)
                + ", --signet-challenge names "
                + challengeOf(named)
                + "; omit that option to use the wallet's own challenge");
      }
    }
    return wallet;
  }

  /** Rejects a file that was moved here from the folder of another network. */
  private void requireOwnFolder(SpvWallet wallet, Path file) {
    boolean done = false;
    try {
      String own = wallet.info().network().name();
      if (!own.equals(networkName())) {
        throw Failure.failed(
            "wrong_network",
            "wallet '"
                + walletName()
                + "' in "
                + file
                + " is a wallet of "
                + own
                + ", not of "
                + networkName()
                + ": move it to "
                + new WalletFiles(files().datadir(), own).folder()
                + " and name it with --network "
                + own);
      }
      done = true;
    } finally {
      if (!done) {
        wallet.close();
      }
    }
  }

  private static String challengeOf(ChainParams signet) {
    return signet
        .challenge()
        .map(script -> "the signet of the challenge " + script.toHex())
        .orElse("the default signet");
  }

  /**
   * Starts an answer about the wallet.
   *
   * @return an object with the network's and the wallet's name
   */
  public final JsonObject about() {
    return new JsonObject().put("network", networkName()).put("wallet", walletName());
  }
}
