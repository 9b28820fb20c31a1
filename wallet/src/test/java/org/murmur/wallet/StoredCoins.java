package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.StoreChanges;

/** The coins read without transactions equal those that follow from the transactions. */
final class StoredCoins {

  private StoredCoins() {}

  static void assertFollow(Path file) {
    try (SqliteStore store = SqliteStore.open(file)) {
      MemoryStore memory = new MemoryStore(store.wallet(), List.of());
      memory.write(
          StoreChanges.above(store.wallet().baseHeight())
              .facts(store.facts())
              .outPoints(store.outPoints().logged())
              .build());
      assertThat(store.outPoints().coins()).isEqualTo(memory.outPoints().coins());
      assertThat(store.confirmedBefore(Integer.MAX_VALUE, 0, Integer.MAX_VALUE))
          .isEqualTo(memory.confirmedBefore(Integer.MAX_VALUE, 0, Integer.MAX_VALUE));
    }
  }
}
