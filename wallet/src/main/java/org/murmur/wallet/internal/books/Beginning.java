package org.murmur.wallet.internal.books;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerInput;
import org.murmur.wallet.internal.store.StoredWallet;

/** An earlier start of a wallet: of its headers, and perhaps of the blocks to be scanned. */
final class Beginning {

  private final ChainBase base;
  private final StoredWallet wallet;
  private final LedgerInput nothingInBlocks;

  /**
   * Computes it, within a snapshot of the store; {@code born} is the new birthday, if it is earlier
   * than before.
   */
  Beginning(Loaded now, ChainBase base, Optional<Birthday> born) {
    this.base = base;
    StoredWallet before = now.wallet();
    Optional<Birthday> earlier =
        born.isPresent() && isBefore(born.get(), now) ? born : Optional.empty();
    OptionalInt bornAt = earlier.isPresent() ? height(earlier.get()) : before.birthdayHeight();
    this.wallet =
        before.startingAt(
            base.isGenesis() ? null : base, earlier.orElse(before.birthday()), bornAt);
    this.nothingInBlocks = nothingInBlocks(now, bornAt.orElse(0));
  }

  /** The wallet with this start. */
  StoredWallet wallet() {
    return wallet;
  }

  /** The batch for the ledger: it voids every confirmation. */
  LedgerInput nothingInBlocks() {
    return nothingInBlocks;
  }

  /**
   * The formerly confirmed transactions are watched from the birthday on, or from the lowest block
   * that held one. A lower height would cost a scan of blocks that cannot concern the wallet.
   */
  private LedgerInput nothingInBlocks(Loaded now, int birthday) {
    int lowest = birthday;
    for (Fact fact : now.ledger().facts()) {
      if (fact.confirmation() != null) {
        lowest = Math.min(lowest, fact.height());
      }
    }
    int tip = base.height();
    return LedgerInput.ofPeers(Math.max(tip, lowest - 1), tip, List.of(), List.of(), List.of(), 0);
  }

  /** Whether a birthday is before the wallet's; true if that is not known. */
  private static boolean isBefore(Birthday born, Loaded now) {
    StoredWallet wallet = now.wallet();
    OptionalInt at = wallet.birthdayHeight();
    if (born instanceof Birthday.AtHeight height) {
      return !at.isPresent() || height.height() < at.getAsInt();
    }
    Instant time = ((Birthday.AtTime) born).time();
    if (at.isPresent() && at.getAsInt() > wallet.baseHeight() && at.getAsInt() <= now.height()) {
      return time.getEpochSecond() < now.headers().timeAt(at.getAsInt());
    }
    return !(wallet.birthday() instanceof Birthday.AtTime known) || time.isBefore(known.time());
  }

  private static OptionalInt height(Birthday born) {
    return born instanceof Birthday.AtHeight at
        ? OptionalInt.of(Math.max(1, at.height()))
        : OptionalInt.empty();
  }

  /** The wallet's birthday, or the height of an earlier block if a rescan has begun there. */
  static Birthday birthday(Loaded now) {
    StoredWallet wallet = now.wallet();
    if (!wallet.birthdayHeight().isPresent()) {
      return wallet.birthday();
    }
    int at = wallet.birthdayHeight().getAsInt();
    return isLowered(now, at) ? new Birthday.AtHeight(at) : wallet.birthday();
  }

  private static boolean isLowered(Loaded now, int at) {
    if (now.wallet().birthday() instanceof Birthday.AtHeight made) {
      return at < made.height();
    }
    long made = ((Birthday.AtTime) now.wallet().birthday()).time().getEpochSecond();
    // Blocks at the base and below cannot be scanned, whatever the birthday.
    return at > now.wallet().baseHeight() + 1
        && at <= now.height()
        && now.headers().timeAt(at) < made - Birthday.MARGIN_SECONDS;
  }
}
