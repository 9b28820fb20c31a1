package org.murmur.wallet.internal.books;

import java.util.BitSet;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoredWallet;

/**
 * Keys ahead of the used ones: derives more when fewer than the gap limit are left. Under the
 * private preset they grow by whole epochs, of all chains together.
 */
final class LookAhead implements OwnScripts.Growth {

  private final StoredWallet wallet;
  private final Derivation derivation;
  private final ScriptBook book;
  private final ElementLog log;
  private final boolean wholeEpochs;

  LookAhead(Loaded now, boolean wholeEpochs) {
    this.wallet = now.wallet();
    this.derivation = now.derivation();
    this.book = now.scripts();
    this.log = now.log();
    this.wholeEpochs = wholeEpochs;
  }

  @Override
  public boolean grow(BitSet used, BitSet mined) {
    // The guard of the scripts sees a new epoch. So only payments in blocks open one: otherwise
    // anyone who knows an address could cause one by an unconfirmed payment, which costs nothing.
    int enough = wholeEpochs ? enough(mined) : 0;
    boolean grown = false;
    for (int i = 0; i < wallet.chains().size(); i++) {
      StoredWallet.Chain chain = wallet.chains().get(i);
      if (chain.ranged()) {
        int derived = book.derived(i);
        int missing =
            wholeEpochs
                ? enough - derived
                : Derivation.missing(wallet, derived, behindUsed(i, used) - 1);
        if (missing > 0) {
          ScriptRun run = derivation.run(log.size(), i, chain.descriptor(), derived, missing);
          log.add(run);
          book.add(run);
          grown = true;
        }
      }
    }
    return grown;
  }

  @Override
  public boolean isLookedFor(OutPoint outPoint) {
    return log.indexOf(outPoint) >= 0;
  }

  /** How many keys every chain must have so that all epochs are complete. */
  private int enough(BitSet mined) {
    int most = 0;
    for (int i = 0; i < wallet.chains().size(); i++) {
      if (wallet.chains().get(i).ranged()) {
        int needed = behindUsed(i, mined) + wallet.gap();
        most = Math.max(most, Math.max(needed, book.derived(i)));
      }
    }
    return ScriptEpochs.whole(most);
  }

  /** The first key of a chain after all keys that were used or handed out. */
  private int behindUsed(int chain, BitSet used) {
    return Math.max(wallet.chains().get(chain).handedOut(), book.used(chain, used).length());
  }
}
