package org.murmur.cli.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.murmur.bip37.FilterParameters;
import org.murmur.cli.words.JsonObject;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.Cluster;
import org.murmur.wallet.privacy.DisclosedPayment;
import org.murmur.wallet.privacy.Growth;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Link;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;

/** The knowledge of peers as JSON; every field is part of a contract. */
public final class PrivacyJson {

  private PrivacyJson() {}

  static JsonObject of(PrivacyReport report) {
    List<JsonObject> peers = new ArrayList<>();
    for (int i = 0; i < report.peers().size(); i++) {
      Knowledge knowledge = report.peers().get(i);
      NodeAddress peer = knowledge.peers().get(0);
      List<JsonObject> filters = new ArrayList<>();
      for (ShownFilter filter : report.filters()) {
        if (filter.peer().equals(peer)) {
          filters.add(filter(filter, report.universe()));
        }
      }
      peers.add(
          new JsonObject()
              .put("address", peer.toString())
              .put("local", peer.isLocal())
              .putAll(knowledge(knowledge))
              .put("unused_scripts", report.unusedScripts(knowledge))
              .putNumbers("strangers_after_each", report.courses().get(i).strangers())
              .put("shown", filters)
              .put("payments", payments(report, peer)));
    }
    List<JsonObject> coalitions = new ArrayList<>();
    for (Knowledge knowledge : report.coalitions()) {
      coalitions.add(
          new JsonObject()
              .putStrings("peers", knowledge.peers().stream().map(NodeAddress::toString).toList())
              .putAll(knowledge(knowledge)));
    }
    return new JsonObject()
        .put("universe", report.universe().scripts())
        .put("universe_source", report.universe().source())
        .put("scripts_watched", report.scripts())
        .put("scripts_used", report.usedScripts())
        .put("coins", report.coins())
        .putNumbers(
            "linked_groups", report.linkedGroups().stream().map(Integer::doubleValue).toList())
        .putStrings("conclusion", new PrivacyText(report).conclusion())
        .put("peers", peers)
        .put("coalitions", coalitions)
        .put("pairs_left_out", report.pairsLeftOut())
        .put("next", next(report.next()))
        .put("exposure", exposure(report.audience()));
  }

  private static List<JsonObject> payments(PrivacyReport report, NodeAddress peer) {
    List<JsonObject> payments = new ArrayList<>();
    for (DisclosedPayment told : report.payments()) {
      if (told.peer().equals(peer)) {
        payments.add(
            new JsonObject()
                .put("txid", told.txid().toDisplay())
                .put("time", told.time().getEpochSecond())
                .put("addresses", told.scripts()));
      }
    }
    return payments;
  }

  static JsonObject filter(ShownFilter filter, Universe universe) {
    FilterParameters p = filter.parameters();
    JsonObject json =
        new JsonObject()
            .put("id", filter.load())
            .put("time", filter.time().getEpochSecond())
            .put("first", filter.first().getEpochSecond())
            .put("times", filter.times())
            .put("role", filter.role() == null ? "everything" : filter.role().title());
    if (filter.epoch().isPresent()) {
      json.put("epoch", filter.epoch().getAsInt());
    } else {
      json.putNull("epoch");
    }
    json.put("bytes", p.bytes())
        .put("bits", p.bits())
        .put("hash_functions", p.hashFunctions())
        .put("tweak", Integer.toUnsignedLong(p.tweak()))
        .put("flags", p.flag().name().toLowerCase(Locale.ROOT))
        .put("elements", filter.scripts() + filter.outPoints())
        .put("scripts", filter.scripts())
        .put("scripts_used", filter.usedScripts())
        .put("outpoints", filter.outPoints())
        .put("filteradds", filter.inTheClear());
    return json.put("bits_set", filter.bitsSet())
        .put("load", filter.fill())
        .put("actual_fp", filter.rate())
        .put("strangers", filter.decoys(universe))
        .put("deniability", filter.deniability(universe))
        .put("estimated_elements", filter.estimatedElements())
        .put("estimated_elements_sd", filter.estimateDeviation())
        .put("server_added_at_most", filter.serverAdded())
        .put("server_fp_at_most", filter.serverRate());
  }

  /**
   * Writes the filters that the next sync would send, and the information their receivers would
   * gain.
   */
  public static JsonObject next(NextSync next) {
    List<JsonObject> filters = new ArrayList<>();
    for (NextFilter filter : next.filters()) {
      filters.add(filter(filter));
    }
    List<JsonObject> after = new ArrayList<>();
    for (Knowledge knowledge : next.after()) {
      after.add(
          new JsonObject()
              .putStrings("peers", knowledge.peers().stream().map(NextSync::name).toList())
              .putAll(knowledge(knowledge)));
    }
    return new JsonObject().put("filters", filters).put("after", after);
  }

  private static JsonObject filter(NextFilter filter) {
    FilterParameters p = filter.parameters();
    JsonObject json =
        new JsonObject()
            .putStrings("to", filter.to().stream().map(NextSync::name).toList())
            .put("role", filter.role() == null ? "everything" : filter.role().title());
    if (filter.epoch().isPresent()) {
      json.put("epoch", filter.epoch().getAsInt());
    } else {
      json.putNull("epoch");
    }
    return json.put("bytes", p.bytes())
        .put("bits", p.bits())
        .put("hash_functions", p.hashFunctions())
        .put("flags", p.flag().name().toLowerCase(Locale.ROOT))
        .put("new_tweak", filter.tweakDrawn())
        .put("shown_before", filter.shownBefore())
        .put("elements", filter.scripts() + filter.outPoints())
        .put("scripts", filter.scripts())
        .put("scripts_used", filter.usedScripts())
        .put("outpoints", filter.outPoints())
        .put("fp", filter.rate());
  }

  private static JsonObject knowledge(Knowledge knowledge) {
    JsonObject json =
        new JsonObject()
            .put("filters", knowledge.filters())
            .put("different", knowledge.different());
    json.put("known", knowledge.known().map(Matches::own).orElse(0));
    put(json, "best", knowledge.best().map(PrivacyJson::matches));
    put(json, "scripts", knowledge.scripts().map(PrivacyJson::matches));
    put(json, "coins", knowledge.coins().map(PrivacyJson::matches));
    put(json, "pairs", knowledge.pairs().map(PrivacyJson::matches));
    json.put("named_in_clear", knowledge.named());
    json.put("named_by_transactions", knowledge.byTransactions());
    put(json, "growth", knowledge.growth().map(PrivacyJson::growth));
    put(json, "link", knowledge.link().map(PrivacyJson::link));
    put(json, "cluster", knowledge.cluster().map(PrivacyJson::cluster));
    return json;
  }

  private static void put(JsonObject json, String name, Optional<JsonObject> value) {
    if (value.isPresent()) {
      json.put(name, value.get());
    } else {
      json.putNull(name);
    }
  }

  private static JsonObject matches(Matches matches) {
    JsonObject json =
        new JsonObject()
            .put("filters", matches.filters())
            .put("own", matches.own())
            .put("strangers", matches.strangers());
    if (matches.own() == 0) {
      return json.putNull("p_1").putNull("p_half").putNull("p_all");
    }
    return json.put("p_1", matches.allOwn(1))
        .put("p_half", matches.allOwn(matches.half()))
        .put("p_all", matches.allOwn(matches.own()));
  }

  private static JsonObject growth(Growth growth) {
    return new JsonObject()
        .put("scripts", growth.scripts())
        .put("scripts_used", growth.usedScripts())
        .put("outpoints", growth.outPoints())
        .put("strangers", growth.strangers());
  }

  private static JsonObject link(Link link) {
    return new JsonObject()
        .put("linked", link.linked())
        .put("same_tweak", link.sameTweak())
        .put("z", link.score());
  }

  private static JsonObject cluster(Cluster cluster) {
    return new JsonObject()
        .put("addresses", cluster.addresses())
        .put("groups_assumed", cluster.groups())
        .put("strangers", cluster.strangers())
        .put("fp_to_hide", cluster.rateToHide());
  }

  private static JsonObject exposure(Audience audience) {
    return new JsonObject()
        .put("peers", audience.peers())
        .put("collectors_assumed", audience.collectors())
        .put("chance", audience.chance());
  }
}
