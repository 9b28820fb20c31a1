package org.murmur.cli.words;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.Notice;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.Reason;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.sync.WalletWarning;

/** Sentences of the library's warnings and refusals, with the options and commands that help. */
public final class NoticeText {

  private NoticeText() {}

  public static List<String> of(List<? extends Notice> warnings) {
    return warnings.stream().map(NoticeText::of).toList();
  }

  /** Makes the sentence of a warning: the library's, with the advice of this program. */
  public static String of(Notice warning) {
    return warning.text() + advice(warning);
  }

  /** Names the kinds of warnings for programs, in lower-case words with underscores. */
  public static List<String> kinds(List<? extends Notice> warnings) {
    return warnings.stream().map(Notice::kind).toList();
  }

  /** Makes the sentence of a refusal, with amounts in a unit. */
  static String of(Reason reason, Unit unit) {
    return reason.text(unit::named) + advice(reason);
  }

  static Failure failure(PaymentRefusedException refused, Unit unit) {
    Refusal reason = refused.reason();
    if (reason instanceof Refusal.PaidAlready already) {
      return EarlierPaymentText.refusal(already.earlier());
    }
    if (reason instanceof Refusal.Incomplete incomplete) {
      return ChainText.refusal(incomplete.chain(), refused);
    }
    ExitCode code =
        reason == Refusal.Plain.NOBODY_TAKES_PAYMENTS ? ExitCode.NO_USABLE_PEER : ExitCode.FAILED;
    return new Failure(code, reason.kind(), of(reason, unit), refused)
        .with("dependents", dependents(reason));
  }

  private static @Nullable JsonObject dependents(Refusal reason) {
    List<Hash256> dependents =
        reason instanceof Refusal.HasDependents has
            ? has.dependents()
            : reason instanceof Refusal.NothingToSpend nothing ? nothing.dependents() : List.of();
    return dependents.isEmpty()
        ? null
        : new JsonObject().put("txids", dependents.stream().map(Hash256::toDisplay).toList());
  }

  /** Follows the sentence; empty for most. */
  private static String advice(Notice what) {
    if (what instanceof SyncWarning.GuardAbsent absent) {
      String name = absent.named() ? "" : "--connect names it, ";
      return " (" + name + "--replace-guard " + absent.guard() + " dismisses it)";
    }
    if (what instanceof SyncWarning.NobodyToGuard) {
      return " (--connect names one more, --one-peer lets one peer get both)";
    }
    if (what instanceof SyncWarning.SlowPeer slow) {
      return slow.guard()
          ? " (--replace-guard " + slow.peer() + " dismisses it: another peer learns its filter)"
          : " (another --connect shares the work; --timeout limits the wait)";
    }
    if (what instanceof WalletWarning.BlockFiltersInstead instead) {
      return instead.begun() ? " (--privacy)" : " (--privacy compact)";
    }
    if (what instanceof WalletWarning.TwoGuardsNeeded) {
      return "; --one-peer needs one peer, which learns more";
    }
    if (what instanceof WalletWarning.AllChainsShorter) {
      return " (bitcoin-cli getblockchaininfo: blocks and headers)";
    }
    if (what instanceof WalletWarning.FileDamaged) {
      return " (`murmur export descriptor`)";
    }
    if (what instanceof WalletWarning.FeeBelowFilter fee) {
      return " (`murmur bump " + fee.txid() + "`)";
    }
    return what instanceof Refusal refusal ? advice(refusal) : "";
  }

  private static String advice(Refusal refusal) {
    if (refusal instanceof Refusal.NoPlan none) {
      return advice(none);
    }
    if (refusal instanceof Refusal.Replaced replaced) {
      return replaced.height().isPresent() ? " with `murmur send`" : ": name that one";
    }
    if (refusal instanceof Refusal.HasDependents has) {
      return " (`murmur bump " + has.dependents().get(0) + "` pays for all of them)";
    }
    if (refusal instanceof Refusal.NothingToSpend nothing && !nothing.dependents().isEmpty()) {
      return " (`murmur bump " + nothing.dependents().get(0) + "`)";
    }
    if (refusal instanceof Refusal.PayeeNotNamed) {
      return ". Without --yes, at a terminal, the payment is shown and you are asked. `murmur"
          + " cancel` returns its coins to this wallet";
    }
    if (refusal instanceof Refusal.FeeUnknown) {
      return ". Nothing was signed; `murmur sync` finds the amounts of this wallet's coins";
    }
    if (refusal instanceof Refusal.FeeRateBelowFilter) {
      return ". Nothing was signed. Raise --fee-rate, or name another peer";
    }
    if (refusal instanceof Refusal.CoinReserved) {
      return ". Nothing was signed; --yes signs it";
    }
    return refusal instanceof Refusal.Plain plain ? advice(plain) : "";
  }

  private static String advice(Refusal.Plain plain) {
    return switch (plain) {
      case UNKNOWN_COIN -> " (`murmur coins` lists them)";
      case NO_CHANGE_TYPE -> " (use another --change-type)";
      case NOT_PENDING -> " (`murmur history` lists them)";
      case NOBODY_TAKES_PAYMENTS ->
          ". Nothing was signed. Name another peer, or wait until it has all blocks";
      case OUTDATED, CONFIRMED, NOT_OURS, TOO_HEAVY -> "";
    };
  }

  private static String advice(Refusal.NoPlan none) {
    if (none.why() instanceof SpendOutcome.InsufficientFunds) {
      return none.frozen() > 0 ? " (`murmur unfreeze` lets frozen coins be spent)" : "";
    }
    if (none.why() instanceof SpendOutcome.FeeAboveCeiling) {
      return " (--max-fee)";
    }
    if (none.why() instanceof SpendOutcome.CoinNotSpendable not) {
      return not.obstacle()
          .map(
              obstacle ->
                  obstacle == InputCoin.Obstacle.FROZEN
                      ? " (`murmur unfreeze` allows it)"
                      : obstacle == InputCoin.Obstacle.FOREIGN_UNCONFIRMED
                          ? " (`murmur bump` can speed it up)"
                          : "")
          .orElse("");
    }
    return "";
  }
}
