package org.murmur.cli.words;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.pay.Refusal;

/** How much of the chain a wallet knows: the same words and fields in every command. */
public final class ChainText {

  private ChainText() {}

  /** Writes it for people: what is known, and how to know more. */
  public static String of(ChainState chain) {
    String advice =
        chain.isNeverSynced() ? "; run `murmur sync`" : "; `murmur sync` scans what is missing";
    return chain.words() + (chain.complete() ? "" : advice);
  }

  public static JsonObject json(ChainState chain) {
    return new JsonObject()
        .put("height", chain.height())
        .put("headers_from", chain.base() + 1)
        .put("tip", chain.tip())
        .put("tip_time", chain.tipTime())
        .put("scanned_from", chain.from())
        .put("scanned_to", chain.scannedTo())
        .put("complete", chain.complete())
        .put("seen_by", chain.seenBy());
  }

  /** Lists by how many peers which heights were scanned, in ascending ranges. */
  public static List<JsonObject> seen(ChainState chain) {
    return chain.seen().stream()
        .map(
            seen ->
                new JsonObject()
                    .put("from", seen.range().from())
                    .put("to", seen.range().to())
                    .put("peers", seen.peers()))
        .toList();
  }

  /**
   * Refuses a payment: the coins of a wallet that is not complete are not known. The exception is
   * null if nothing was planned yet.
   */
  public static Failure refusal(ChainState chain, @Nullable Throwable refused) {
    String text =
        chain.isNeverSynced()
            ? "this wallet was never synced, so its coins are not known: run `murmur sync` first"
            : new Refusal.Incomplete(chain).text()
                + ". `murmur sync` scans the missing blocks; --even-if-incomplete pays anyway";
    String kind = chain.isNeverSynced() ? "not_synced" : "incomplete";
    return new Failure(ExitCode.NOT_SYNCED, kind, text, refused);
  }
}
