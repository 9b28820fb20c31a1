package org.murmur.cli.wallet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Text;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.sync.WalletWarning;

/** A command about the wallet that {@code -w}, {@code --network} and {@code --datadir} name. */
public abstract class WalletAction extends Action {

  private @Nullable SpvWallet opened;

  /** Reports damaged parts of the file that a sync can restore. */
  @Override
  protected void sayAtTheEnd() {
    if (opened != null) {
      for (Damage damage : opened.takeDamage()) {
        output().warning(NoticeText.of(new WalletWarning.FileDamaged(damage)));
      }
    }
    output().sayKnown();
  }

  protected final boolean hasWallet() {
    return Files.exists(files().file(walletName()));
  }

  final WalletFiles files() {
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
    try {
      output().known(wallet.chain());
      return wallet;
    } catch (RuntimeException e) {
      wallet.close();
      throw e;
    }
  }

  /** Reads something with how much of the chain the wallet knows at the same commit. */
  protected final <T> AsOf<T> read(SpvWallet wallet, Function<SpvWallet, T> reading) {
    AsOf<T> read = wallet.asOf(reading);
    output().known(read.chain());
    return read;
  }

  /** Opens the wallet for what no block can change: its keys, its labels, or a sync. */
  protected final SpvWallet openForItself() {
    ChainParams named = network();
    Path file = files().existing(walletName());
    SpvWallet wallet = SpvWallet.open(file);
    opened = wallet;
    try {
      requireNetwork(wallet.network(), named, file);
      return wallet;
    } catch (RuntimeException e) {
      wallet.close();
      throw e;
    }
  }

  /** Rejects a wallet of another network, whose file was moved here, or of another signet. */
  private void requireNetwork(ChainParams own, ChainParams named, Path file) {
    if (!own.name().equals(networkName())) {
      throw Failure.failed(
          "wrong_network",
          Text.of(
              "wallet '%1$s' in %2$s is a wallet of %3$s, not of %4$s: move it to %5$s and name it"
                  + " with --network %3$s",
              walletName(),
              file,
              own.name(),
              networkName(),
              new WalletFiles(files().datadir(), own.name()).folder()));
    }
    if (challenge().isPresent() && !own.equals(named)) {
      throw Failure.usage(
          Text.of(
              "wallet '%s' is of %s, --signet-challenge names %s; omit that option to use the"
                  + " wallet's own challenge",
              walletName(), challengeOf(own), challengeOf(named)));
    }
  }

  private static String challengeOf(ChainParams signet) {
    return signet
        .challenge()
        .map(script -> "the signet of the challenge " + script.toHex())
        .orElse("the default signet");
  }

  /** Starts an answer about the wallet with the network's and the wallet's name. */
  public final JsonObject about() {
    return new JsonObject().put("network", networkName()).put("wallet", walletName());
  }
}
