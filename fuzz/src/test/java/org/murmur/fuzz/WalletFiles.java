package org.murmur.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.Credentials;
import org.murmur.wallet.ReceiveAddress;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncOptions;

/**
 * A {@linkplain DamagedWallet damaged wallet file}, opened and read through the library's door: it
 * is read, or refused with a {@link WalletException}, and nothing else. Of a file with checksums
 * the truth is read.
 */
public final class WalletFiles {

  private static final Map<String, String> TRUTH = truth();

  /** Something that is read. */
  private interface Reading {
    @Nullable Object read(SpvWallet wallet);
  }

  private WalletFiles() {}

  private static Map<String, Reading> readings() {
    Map<String, Reading> readings = new LinkedHashMap<>();
    readings.put("info", SpvWallet::info);
    readings.put("balance", SpvWallet::balance);
    readings.put("chain", SpvWallet::chain);
    readings.put("coins", open -> open.coins().list());
    readings.put("peers", open -> open.privacy().peerBook().met());
    readings.put("history", open -> open.history().full().list());
    readings.put("addresses", open -> open.receive().list());
    readings.put("privacy", wallet -> wallet.privacy().report(Universe.of(ChainParams.REGTEST)));
    readings.put("descriptors", open -> open.keys().origin().descriptors());
    readings.put("xpubs", open -> open.keys().xpubs());
    readings.put("words", wallet -> wallet.keys().mnemonic(Credentials.NONE));
    readings.put("details", WalletFiles::details);
    readings.put("address", WalletFiles::address);
    return readings;
  }

  private static Map<String, String> truth() {
    Map<String, String> truth = new LinkedHashMap<>();
    try (DamagedWallet whole = new DamagedWallet(new byte[] {0});
        SpvWallet wallet = SpvWallet.open(whole.file())) {
      for (Map.Entry<String, Reading> reading : readings().entrySet()) {
        truth.put(reading.getKey(), String.valueOf(reading.getValue().read(wallet)));
      }
    } catch (IOException | WalletException e) {
      throw new IllegalStateException(e);
    }
    return truth;
  }

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    try (DamagedWallet damaged = new DamagedWallet(input, TRUTH)) {
      damaged.tryRead(
          "opening",
          () -> {
            try (SpvWallet wallet = SpvWallet.open(damaged.file())) {
              readAll(damaged, wallet);
            }
            return null;
          });
    }
  }

  /** What is damaged in one place can still be read in another: so each on its own. */
  private static void readAll(DamagedWallet damaged, SpvWallet wallet) {
    readings().forEach((what, reading) -> damaged.tryRead(what, () -> reading.read(wallet)));
    // These depend on the time.
    damaged.tryRead("peer book", wallet.privacy()::peerBook);
    damaged.tryRead(
        "forecast",
        () ->
            wallet
                .privacy()
                .forecast(SyncOptions.connect("127.0.0.1:1"), Universe.of(ChainParams.REGTEST)));
  }

  private static Object details(SpvWallet wallet) {
    List<Object> details = new ArrayList<>();
    for (HistoryEntry entry : wallet.history().list()) {
      TransactionDetail detail = wallet.history().transaction(entry.txid()).orElse(null);
      Check.that(detail != null, "in the history, and no transaction");
      details.add(String.valueOf(detail));
      details.add(wallet.privacy().why(entry.txid().toDisplay()));
    }
    return details;
  }

  private static Object address(SpvWallet wallet) {
    for (ReceiveAddress address : wallet.receive().list()) {
      return List.of(wallet.privacy().why(address.address()), wallet.receive().current());
    }
    return wallet.receive().current();
  }
}
