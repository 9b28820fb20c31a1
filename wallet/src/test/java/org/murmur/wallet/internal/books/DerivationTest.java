package org.murmur.wallet.internal.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.p2p.chain.Birthday;
import org.murmur.wallet.internal.store.StoredWallet;

/** How many scripts are derived ahead of the used ones. */
class DerivationTest {

  private static StoredWallet wallet(int gap, int lookAhead) {
    return new StoredWallet(
        "regtest",
        0,
        new Birthday.AtHeight(1),
        OptionalInt.empty(),
        gap,
        lookAhead,
        List.of(),
        null,
        null);
  }

  /** Each growth may cost a pass over all blocks, so a wallet of many addresses grows rarely. */
  @ParameterizedTest
  @CsvSource({"2000, 2", "20000, 3", "100000, 8"})
  void growsRarelyAsAddressesAreUsedInOrder(int addresses, int most) {
    StoredWallet wallet = wallet(20, 1_000);
    int derived = Derivation.missing(wallet, 0, -1);
    assertThat(derived).isEqualTo(1_000);
    int grown = 0;
    for (int last = 0; last < addresses; last++) {
      int missing = Derivation.missing(wallet, derived, last);
      derived += missing;
      grown += missing > 0 ? 1 : 0;
      assertThat(derived - (last + 1)).isGreaterThanOrEqualTo(500);
      assertThat(derived - (last + 1)).isLessThanOrEqualTo(20_000);
    }
    assertThat(grown).isEqualTo(most);
  }

  @Test
  void aSmallLookAheadKeepsTheGap() {
    StoredWallet wallet = wallet(20, 20);
    assertThat(Derivation.missing(wallet, 20, -1)).isZero();
    assertThat(20 + Derivation.missing(wallet, 20, 0)).isEqualTo(1 + 40);
    assertThat(200 + Derivation.missing(wallet, 200, 199)).isEqualTo(200 + 600);
  }
}
