package org.murmur.cli.pay;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.coins.spend.fee.BlockFees;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.pay.FeeEstimate;

/** How a fee rate was estimated, for people and programs. */
final class FeeEstimateText {

  private FeeEstimateText() {}

  /** One line, for instance 2.1 sat/vB (1.0 to 6.3): ... */
  static String of(FeeEstimate estimate) {
    List<BlockFees> blocks = estimate.blocks();
    long full = blocks.stream().filter(BlockFees::isFull).count();
    String paid =
        blocks.stream().map(block -> number(block.rate())).collect(Collectors.joining(", "));
    return Text.of(
            "%s sat/vB (%s to %s): the last %s paid %s sat/vB on average, %s of %s full; the least"
                + " rate is %s sat/vB",
            number(estimate.rate()),
            number(estimate.low()),
            number(estimate.high()),
            blocks.size() == 1 ? "block" : blocks.size() + " blocks",
            paid,
            full,
            blocks.size(),
            number(estimate.floor()))
        + (estimate.peers().isEmpty() ? "; no peer said what it relays" : "")
        + (estimate.capped() ? "; they needed more, which may be a trick" : "");
  }

  private static String number(FeeRate rate) {
    return BigDecimal.valueOf(rate.satPerKvb(), 3).setScale(1, RoundingMode.HALF_UP).toString();
  }

  static JsonObject json(FeeEstimate estimate) {
    return new JsonObject()
        .put("fee_rate", satPerVb(estimate.rate()))
        .put("low", satPerVb(estimate.low()))
        .put("high", satPerVb(estimate.high()))
        .put("floor", satPerVb(estimate.floor()))
        .put("capped", estimate.capped())
        .put("blocks", estimate.blocks().stream().map(FeeEstimateText::json).toList())
        .put(
            "peers",
            estimate.peers().entrySet().stream()
                .map(
                    peer ->
                        new JsonObject()
                            .put("address", peer.getKey())
                            .put("fee_rate", satPerVb(peer.getValue())))
                .toList());
  }

  private static JsonObject json(BlockFees block) {
    return new JsonObject()
        .put("height", block.height())
        .put("fees_sat", block.fees())
        .put("fee_rate", satPerVb(block.rate()))
        .put("percent_full", block.percent());
  }

  static double satPerVb(FeeRate rate) {
    return BigDecimal.valueOf(rate.satPerKvb(), 3).doubleValue();
  }
}
