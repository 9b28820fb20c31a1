package org.murmur.wallet.session;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.wallet.sync.WalletWarning;

/** The warnings of a report: each once, and a limited number, since a session may last months. */
final class WarningList {

  private static final int MOST = 100;

  private final Set<WalletWarning> all = new LinkedHashSet<>();

  void add(WalletWarning what) {
    if (all.size() < MOST) {
      all.add(what);
    } else if (!all.contains(what)) {
      all.add(new WalletWarning.FurtherLeftOut());
    }
  }

  List<WalletWarning> all() {
    return List.copyOf(all);
  }
}
