package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.pay.ChangeHint;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.privacy.Cluster;
import org.murmur.wallet.privacy.GroupSight;

/**
 * Prints the links that a payment reveals, for people and programs.
 *
 * @param fee of the payment, in satoshi
 */
record TraceText(PaymentTrace trace, long fee) {

  private static final String INDENT = "              ";

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (!trace.newLinks().isEmpty()) {
      int joined = trace.newLinks().size();
      lines.add(
          "new           shows for the first time that these "
              + joined
              + " groups are one owner's,");
      lines.add(INDENT + trace.groupSize() + " addresses with those linked before:");
      trace.newLinks().forEach(group -> lines.add(INDENT + String.join(" ", group)));
      lines.add(INDENT + apart());
    }
    trace.sights().stream()
        .filter(GroupSight::isNoiseUndone)
        .forEach(
            sight ->
                lines.add(
                    "noise         "
                        + sight.peer()
                        + " has filters in which these addresses are hidden; as one group they"
                        + " stand out"));
    if (!trace.changeHints().isEmpty()) {
      lines.add(
          "change        stands out: "
              + trace.changeHints().stream()
                  .map(TraceText::words)
                  .collect(Collectors.joining("; ")));
    }
    return lines;
  }

  private String apart() {
    return trace
        .apart()
        .map(
            other ->
                "to link nothing new "
                    + price(other.fee() - fee)
                    + ", add"
                    + other.coins().stream()
                        .map(coin -> " --coin " + coin)
                        .collect(Collectors.joining()))
        .orElse("no other choice of coins was found that links nothing new");
  }

  private static String price(long more) {
    if (more == 0) {
      return "for the same fee";
    }
    return "for " + Math.abs(more) + " sat " + (more > 0 ? "more" : "less");
  }

  private static String words(ChangeHint hint) {
    return switch (hint) {
      case OTHER_TYPE -> "its address has another type than the recipients'";
      case ROUND_AMOUNT -> "a recipient gets a round amount";
      case MIXED_INPUTS -> "the coins have several address types";
      case SMALLER_THAN_INPUTS ->
          "it is smaller than each coin, so the other output is the payment";
    };
  }

  JsonObject json() {
    return new JsonObject()
        .put(
            "new_links",
            trace.newLinks().stream()
                .map(group -> new JsonObject().put("addresses", group))
                .toList())
        .put("group_size", trace.groupSize())
        .put("change_hints", trace.changeHints())
        .put(
            "links_nothing_new",
            trace
                .apart()
                .map(
                    other ->
                        new JsonObject()
                            .put("coins", other.coins())
                            .put("fee_sat", other.fee())
                            .put("more_sat", other.fee() - fee)))
        .put("seen_by", trace.sights().stream().map(TraceText::json).toList());
  }

  private static JsonObject json(GroupSight sight) {
    return new JsonObject()
        .put("peer", sight.peer())
        .put("noise_undone", sight.isNoiseUndone())
        .put("foreign_groups_before", sight.before().map(Cluster::strangers))
        .put("foreign_groups", sight.after().map(Cluster::strangers));
  }
}
