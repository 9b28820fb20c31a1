package org.murmur.cli.words;

import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.Refusal;

/** Why not to pay the same twice, and what to do. */
public final class EarlierPaymentText {

  private EarlierPaymentText() {}

  public static Failure refusal(EarlierPayment earlier) {
    return Failure.failed(new Refusal.PaidAlready(earlier).kind(), text(earlier));
  }

  private static String text(EarlierPayment earlier) {
    return Text.of(
        "payment %s pays the same and %spay twice with --again", earlier.txid(), standing(earlier));
  }

  private static String standing(EarlierPayment earlier) {
    return switch (earlier.status()) {
      case PENDING -> waits(earlier.txid(), earlier.heard());
      case CONFIRMED -> "is in one of the last " + EarlierPayment.RECENT_BLOCKS + " blocks: ";
      default -> mayReturn(earlier);
    };
  }

  private static String waits(Hash256 txid, boolean heard) {
    return heard
        ? "waits for a block: raise its fee with `murmur bump " + txid + " --fee-rate RATE`, or "
        : Text.of(
            "no peer is known to have it: send it with `murmur broadcast %1$s`, free its coins with"
                + " `murmur abandon %1$s`, or ",
            txid);
  }

  private static String mayReturn(EarlierPayment earlier) {
    return fate(earlier)
        + (earlier.given()
            ? ". Somebody may send it, and then both would be paid. "
            : ". A peer may have it nevertheless, and then both would be paid. ")
        + (earlier.coins().isEmpty()
            ? "Wait for a block"
            : "Spend these coins, so that only one can be mined:"
                + earlier.coins().stream()
                    .map(coin -> " --coin " + coin)
                    .collect(Collectors.joining()))
        + "; or ";
  }

  private static String fate(EarlierPayment earlier) {
    if (earlier.given()) {
      return "was made or signed here as a PSBT, or given to peers";
    }
    return switch (earlier.status()) {
      case ABANDONED -> "was abandoned";
      case REPLACED ->
          "was replaced by "
              + earlier.replacedBy().map(Hash256::toString).orElse("another one")
              + ", which no block holds yet";
      default -> "peers dropped it, or what it spends";
    };
  }
}
