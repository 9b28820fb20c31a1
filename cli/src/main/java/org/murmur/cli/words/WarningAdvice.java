package org.murmur.cli.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.WalletWarning;
import org.murmur.wallet.sync.WarningText;

/** Sentences for the library's warnings, with the options of this program. */
public final class WarningAdvice {

  private WarningAdvice() {}

  /**
   * Makes the sentences for all warnings.
   *
   * @param warnings the warnings of a report or an estimate
   * @return a sentence for each, in the same order
   */
  public static List<String> of(List<WalletWarning> warnings) {
    List<String> sentences = new ArrayList<>();
    warnings.forEach(warning -> sentences.add(of(warning)));
    return sentences;
  }

  /**
   * Names the kind of a warning for programs.
   *
   * @param warning the warning
   * @return lower-case words with underscores, one name for each kind
   */
  public static String kind(WalletWarning warning) {
    return kindOf(warning instanceof WalletWarning.OfSession session ? session.what() : warning);
  }

  /**
   * Returns the name of a kind for programs.
   *
   * @param value of a type that stands for a kind
   * @return the type's name, as {@code fee_rate_low}
   */
  public static String kindOf(Object value) {
    return value
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Makes the sentence for a warning: the library's, with the options of this program.
   *
   * @param warning the warning
   * @return a sentence that begins in lower case
   */
  public static String of(WalletWarning warning) {
    if (warning instanceof WalletWarning.OfSession session
        && session.what() instanceof SyncWarning.MissingGuard w) {
      return missing(w);
    }
    if (warning instanceof WalletWarning.OfSession session
        && session.what() instanceof SyncWarning.SlowPeer slow) {
      return WarningText.of(warning)
          + (slow.guard()
              ? " (--replace-guard "
                  + slow.peer()
                  + " dismisses it: another peer learns its filter)"
              : " (another --connect shares the work; --timeout limits the wait)");
    }
    if (warning instanceof WalletWarning.TwoGuardsNeeded) {
      return WarningText.of(warning) + "; --one-peer needs one peer, which learns more";
    }
    if (warning instanceof WalletWarning.AllChainsShorter) {
      return WarningText.of(warning) + " (bitcoin-cli getblockchaininfo: blocks and headers)";
    }
    if (warning instanceof WalletWarning.FileDamaged) {
      return WarningText.of(warning) + " (`murmur export descriptor`)";
    }
    if (warning instanceof WalletWarning.FeeBelowFilter fee) {
      return WarningText.of(warning) + " (`murmur bump " + fee.txid() + "`)";
    }
    return WarningText.of(warning);
  }

  static String missing(SyncWarning.MissingGuard missing) {
    String text = WarningText.of(new WalletWarning.OfSession(missing));
    if (missing instanceof SyncWarning.GuardAbsent absent) {
      String name = absent.named() ? "" : "--connect names it, ";
      return text + " (" + name + "--replace-guard " + absent.guard() + " dismisses it)";
    }
    return text + " (--connect names one more, --one-peer lets one peer get both)";
  }
}
