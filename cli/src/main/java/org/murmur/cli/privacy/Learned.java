package org.murmur.cli.privacy;

import java.io.PrintStream;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;

/**
 * The information that the demo's peer gains from the filters that it received: the numbers of
 * {@code murmur privacy}.
 */
public record Learned(PrivacyReport report) {

  public JsonObject json() {
    return new JsonObject()
        .put("conclusion", new PrivacyText(report).conclusion())
        .put("filters", report.filters().stream().map(this::filter).toList())
        .put(
            "elements_in_clear", report.filters().stream().mapToInt(ShownFilter::inTheClear).sum());
  }

  private JsonObject filter(ShownFilter filter) {
    return PrivacyJson.filter(filter, report.universe())
        .put("expected_false_scripts", filter.decoys(report.universe()));
  }

  public String verdict() {
    return new PrivacyText(report).summary().get(0);
  }

  public void show(PrintStream out) {
    PrivacyText text = new PrivacyText(report);
    text.conclusion().forEach(line -> out.println("  " + line));
    text.filters(out);
  }
}
