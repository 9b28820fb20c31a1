package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.sync.WalletEvent;

/** A session without threads and sockets; the simulated worlds of the lab have the rest. */
final class WalletSessionTest {

  private static final Mnemonic WORDS =
      Mnemonic.parse(
          "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
              + " about");
  private static final Descriptor RECEIVE =
      Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(OutputType.P2WPKH), 0).get(0);

  private Books books;

  @BeforeEach
  void openBooks() throws Exception {
    Derivation derivation = new Derivation(KeyNetwork.REGTEST);
    List<StoredWallet.Chain> chains =
        List.of(new StoredWallet.Chain(RECEIVE.canonical(), false, true, 0));
    StoredWallet wallet =
        new StoredWallet(
            ChainParams.REGTEST.name(),
            0,
            new Birthday.AtHeight(1),
            OptionalInt.of(1),
            5,
            5,
            chains,
            null);
    MemoryStore store = new MemoryStore(wallet, derivation.begin(chains, 5, 5));
    books = new Books(store, ChainParams.REGTEST, derivation);
    books.lock();
  }

  /** A copy updated by events would miss it: no batch of this session holds it. */
  @Test
  void reportsPaymentsToAddressesHandedOutSince() throws Exception {
    Tx payment =
        new TxBuilder()
            .spend(new OutPoint(Hash256.ofDisplay("11".repeat(32)), 0))
            .pay(1_000, RECEIVE.derive(0, 1).get(0).scriptPubKey())
            .pay(500, RECEIVE.derive(12, 1).get(0).scriptPubKey())
            .build();
    books.send(payment, true, 0);
    books.writeStore(store -> store.handOut(0, 10, OptionalInt.empty()));
    SyncSettings settings = SyncSettings.of(List.of(new NodeAddress("10.0.0.1", 18444)), 1);
    WalletSession session =
        new WalletSession(
            books, ChainParams.REGTEST, new SessionGoal.Sync(), settings, Instant.ofEpochSecond(1));
    assertThat(session.takeEvents())
        .singleElement()
        .isInstanceOfSatisfying(
            WalletEvent.Payment.class,
            seen -> {
              assertThat(seen.change()).isEqualTo(WalletEvent.Payment.Change.SEEN);
              assertThat(seen.entry().net()).isEqualTo(1_500);
            });
    assertThat(session.takeEvents()).isEmpty();
  }
}
