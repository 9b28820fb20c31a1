package org.murmur.cli.wallet;

import java.io.PrintStream;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletInfo;

/** Describes a newly created wallet. */
public final class NewWallet {

  private NewWallet() {}

  static JsonObject json(WalletAction action, SpvWallet wallet) {
    WalletInfo info = wallet.info();
    return action
        .about()
        .put("file", info.file())
        .put("birthday", Birthdays.show(info.birthday()))
        .put("gap", info.gap())
        .put("watch_only", !info.hasWords())
        .put("encrypted", info.encrypted())
        .put("passphrase_used", info.passphraseUsed())
        .put("restore", new Restoring(wallet).command())
        .put("address", wallet.receive().current().address())
        .putText("path", wallet.receive().current().path())
        .put("descriptors", info.descriptors());
  }

  static void print(WalletAction action, SpvWallet wallet, JsonObject json) {
    WalletInfo info = wallet.info();
    action.result(json, out -> show(action, json, info, out));
  }

  static void show(WalletAction action, JsonObject json, WalletInfo info, PrintStream out) {
    out.println("wallet         " + action.walletName() + " on " + action.networkName());
    out.println("file           " + info.file());
    out.println("birthday       " + Birthdays.show(info.birthday()));
    out.println("secret         " + secret(info));
    out.println("first address  " + json.text("address"));
  }

  /** Describes the secret that a wallet stores. */
  public static String secret(WalletInfo info) {
    if (!info.hasWords()) {
      return "none (watch-only)";
    }
    return "words"
        + (info.passphraseUsed() ? " and a passphrase, which is not stored" : "")
        + (info.encrypted() ? ", encrypted" : ", not encrypted");
  }
}
