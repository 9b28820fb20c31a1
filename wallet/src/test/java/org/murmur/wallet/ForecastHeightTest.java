package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncOptions;

/** The estimated height of a chain before any peer was asked. */
final class ForecastHeightTest {

  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  @TempDir Path folder = Path.of("");

  private int forecast(ChainParams network, int birthday, Instant now) throws Exception {
    Path file = folder.resolve(network.name() + birthday);
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(network, Lives.WORDS, "", List.of(OutputType.P2WPKH), 0)
            .withBirthday(new Birthday.AtHeight(Math.max(1, birthday)));
    SpvWallet.create(file, recipe).close();
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);
    try (SpvWallet wallet = SpvWallet.open(file, new Environment(clock, new SecureRandom()))) {
      SyncOptions options = SyncOptions.connect("127.0.0.1");
      return wallet.privacy().forecast(options, Universe.chosen(1e9)).estimatedHeight();
    }
  }

  /** One begins with genesis, one with a base in the middle of the chain, one with the last. */
  @ParameterizedTest
  @ValueSource(strings = {"mainnet", "testnet3", "signet"})
  void isTheSameForEveryWalletOfANetwork(String name) throws Exception {
    ChainParams network = ChainParams.ofName(name);
    int last = Checkpoints.of(network).lastHeight();
    int fromGenesis = forecast(network, 0, NOW);
    assertThat(forecast(network, last / 2, NOW)).isEqualTo(fromGenesis);
    assertThat(forecast(network, last, NOW)).isEqualTo(fromGenesis);
    assertThat(fromGenesis).isGreaterThan(last);
  }

  /** A clock before the last listed block says nothing about known blocks. */
  @ParameterizedTest
  @ValueSource(strings = {"mainnet", "testnet3", "testnet4", "signet"})
  void isNeverBelowTheListedHeight(String name) throws Exception {
    ChainParams network = ChainParams.ofName(name);
    assertThat(forecast(network, 0, Instant.EPOCH)).isEqualTo(Checkpoints.of(network).lastHeight());
  }
}
