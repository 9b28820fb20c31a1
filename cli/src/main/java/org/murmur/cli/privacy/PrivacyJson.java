package org.murmur.cli.privacy;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.FilterParameters;
import org.murmur.cli.words.JsonObject;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.BlocksServed;
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
      peers.add(
          new JsonObject()
              .put("address", peer)
              .put("local", peer.isLocal())
              .putAll(knowledge(knowledge))
              .put("unused_scripts", report.unusedScripts(knowledge))
              .put("strangers_after_each", report.courses().get(i).strangers())
              .put(
                  "shown",
                  report.filters().stream()
                      .filter(filter -> filter.peer().equals(peer))
                      .map(filter -> filter(filter, report.universe()))
                      .toList())
              .put(
                  "payments",
                  report.payments().stream()
                      .filter(told -> told.peer().equals(peer))
                      .map(PrivacyJson::payment)
                      .toList()));
    }
    return new JsonObject()
        .put("universe", report.universe().scripts())
        .put("universe_source", report.universe().source())
        .put("scripts_watched", report.scripts())
        .put("scripts_used", report.usedScripts())
        .put("coins", report.coins())
        .put("linked_groups", report.linkedGroups().stream().map(Integer::doubleValue).toList())
        .put("conclusion", new PrivacyText(report).conclusion())
        .put("peers", peers)
        .put("blocks_served", report.served().stream().map(PrivacyJson::served).toList())
        .put("coalitions", report.coalitions().stream().map(PrivacyJson::coalition).toList())
        .put("pairs_left_out", report.pairsLeftOut())
        .put("next", next(report.next()))
        .put("exposure", exposure(report.audience()));
  }

  private static JsonObject coalition(Knowledge knowledge) {
    return new JsonObject().put("peers", knowledge.peers()).putAll(knowledge(knowledge));
  }

  private static JsonObject payment(DisclosedPayment told) {
    return new JsonObject()
        .put("txid", told.txid())
        .put("time", told.time())
        .put("addresses", told.scripts());
  }

  private static JsonObject served(BlocksServed served) {
    return new JsonObject()
        .put("address", served.peer())
        .put("local", served.peer().isLocal())
        .put("blocks", served.blocks())
        .put("own", served.own())
        .put("time", served.time());
  }

  static JsonObject filter(ShownFilter filter, Universe universe) {
    FilterParameters p = filter.parameters();
    return new JsonObject()
        .put("id", filter.load())
        .put("time", filter.time())
        .put("first", filter.first())
        .put("times", filter.times())
        .put("role", filter.role() == null ? "everything" : filter.role().title())
        .put("epoch", filter.epoch())
        .put("bytes", p.bytes())
        .put("bits", p.bits())
        .put("hash_functions", p.hashFunctions())
        .put("tweak", Integer.toUnsignedLong(p.tweak()))
        .put("flags", p.flag())
        .put("elements", filter.scripts() + filter.outPoints())
        .put("scripts", filter.scripts())
        .put("scripts_used", filter.usedScripts())
        .put("outpoints", filter.outPoints())
        .put("filteradds", filter.inTheClear())
        .put("bits_set", filter.bitsSet())
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
    return new JsonObject()
        .put("filters", next.filters().stream().map(PrivacyJson::filter).toList())
        .put("after", next.after().stream().map(PrivacyJson::after).toList());
  }

  private static JsonObject after(Knowledge knowledge) {
    return new JsonObject()
        .put("peers", knowledge.peers().stream().map(NextSync::name).toList())
        .putAll(knowledge(knowledge));
  }

  private static JsonObject filter(NextFilter filter) {
    FilterParameters p = filter.parameters();
    return new JsonObject()
        .put("to", filter.to().stream().map(NextSync::name).toList())
        .put("role", filter.role() == null ? "everything" : filter.role().title())
        .put("epoch", filter.epoch())
        .put("bytes", p.bytes())
        .put("bits", p.bits())
        .put("hash_functions", p.hashFunctions())
        .put("flags", p.flag())
        .put("new_tweak", filter.tweakDrawn())
        .put("shown_before", filter.shownBefore())
        .put("elements", filter.scripts() + filter.outPoints())
        .put("scripts", filter.scripts())
        .put("scripts_used", filter.usedScripts())
        .put("outpoints", filter.outPoints())
        .put("fp", filter.rate());
  }

  private static JsonObject knowledge(Knowledge knowledge) {
    return new JsonObject()
        .put("filters", knowledge.filters())
        .put("different", knowledge.different())
        .put("known", knowledge.known().map(Matches::own).orElse(0))
        .put("best", knowledge.best().map(PrivacyJson::matches))
        .put("scripts", knowledge.scripts().map(PrivacyJson::matches))
        .put("coins", knowledge.coins().map(PrivacyJson::matches))
        .put("pairs", knowledge.pairs().map(PrivacyJson::matches))
        .put("named_in_clear", knowledge.named())
        .put("named_by_transactions", knowledge.byTransactions())
        .put("growth", knowledge.growth().map(PrivacyJson::growth))
        .put("link", knowledge.link().map(PrivacyJson::link))
        .put("cluster", knowledge.cluster().map(PrivacyJson::cluster));
  }

  private static JsonObject matches(Matches matches) {
    boolean some = matches.own() > 0;
    return new JsonObject()
        .put("filters", matches.filters())
        .put("own", matches.own())
        .put("strangers", matches.strangers())
        .put("p_1", some ? matches.allOwn(1) : null)
        .put("p_half", some ? matches.allOwn(matches.half()) : null)
        .put("p_all", some ? matches.allOwn(matches.own()) : null);
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
