package org.murmur.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Unit;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.regtest.RegtestNode;
import org.murmur.testbed.browser.Browser;

/** The page as a real browser shows it. */
@Tag("browser")
class PageInBrowserTest extends RestoredWallet {

  private static final Pattern POLICY =
      Pattern.compile("<meta http-equiv=\"Content-Security-Policy\"[^>]*>");

  /** Asks the browser what it drew. */
  private static final String MEASURE =
      "<script>const say = (name, value) => document.body.setAttribute('data-' + name, value);"
          + "const box = one => one.getBoundingClientRect();"
          + "const all = kind => [...document.querySelectorAll(kind)];"
          + "say('window', innerWidth);"
          + "say('wide', document.documentElement.scrollWidth);"
          + "say('verdict', document.getElementById('verdict').textContent);"
          + "say('gaps', all('#coverage > rect.gap').map(one => Math.ceil(box(one).width)));"
          + "say('chart', Math.round(box(document.getElementById('coverage')).width));"
          + "say('colour', all('#coverage rect.whole').map(one => getComputedStyle(one).fill)[0]);"
          + "say('knowledge', all('#knowledge svg').filter(one => box(one).width > 100).length);"
          + "say('traffic', all('#traffic svg').filter(one => box(one).width > 100).length);"
          + "const marks = all('#coverage .mark text:first-of-type').map(box)"
          + ".filter(one => one.width > 0).sort((a, b) => a.left - b.left);"
          + "say('marks', marks.length);"
          + "say('apart', marks.every((one, i) => i == 0 || marks[i - 1].right < one.left));"
          + "say('scripts', all('script').length + all('img').length);</script></body>";

  private Path written(String html) throws IOException {
    Path page = datadir.resolve("page.html");
    Files.writeString(page, html);
    return page;
  }

  /** Opens a page whose policy would stop the measurement. */
  private Browser.Page measured(String html, String... options)
      throws IOException, InterruptedException {
    String open = POLICY.matcher(html).replaceFirst("").replace("</body>", MEASURE);
    assertThat(open).doesNotContain("Content-Security-Policy").contains(MEASURE);
    return Browser.open(written(open), datadir, List.of(options));
  }

  private static String said(Browser.Page seen, String name) {
    Matcher found = Pattern.compile("data-" + name + "=\"([^\"]*)\"").matcher(seen.document());
    assertThat(found.find()).as("data-" + name).isTrue();
    return found.group(1);
  }

  @Test
  void aSyncedWalletIsDrawnAndTheConsoleIsSilent() throws Exception {
    try (RegtestNode node = node()) {
      murmur("sync", "--mempool-wait", "0", "--connect", node.address()).exits(ExitCode.DONE);
    }
    Path page = datadir.resolve("wallet.html");
    murmur("status", "--html", page.toString()).exits(ExitCode.DONE);

    Browser.Page asItIs = Browser.open(page, datadir);
    assertThat(asItIs.console()).isEmpty();
    Browser.Page seen = measured(Files.readString(page));
    assertThat(seen.console()).isEmpty();
    assertThat(said(seen, "verdict")).startsWith("Complete to block 129 of ");
    assertThat(said(seen, "gaps")).isEmpty();
    assertThat(said(seen, "knowledge")).isEqualTo("1");
    assertThat(Integer.parseInt(said(seen, "traffic"))).isGreaterThan(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 400})
  void aDozenPeersAnd900000BlocksFitTheScreen(int width) throws Exception {
    String html = Pages.large(654_321, Unit.BTC).html();
    Browser.Page seen = measured(html, "--window-size=" + width + ",2000", "--hide-scrollbars");
    assertThat(said(seen, "window")).isEqualTo(String.valueOf(width));
    assertThat(Integer.parseInt(said(seen, "wide"))).isLessThanOrEqualTo(width);
    assertThat(Integer.parseInt(said(seen, "chart"))).isBetween(width * 3 / 4, width);
    assertThat(Integer.parseInt(said(seen, "gaps"))).isPositive();
    assertThat(said(seen, "knowledge")).isEqualTo("12");
    assertThat(said(seen, "traffic")).isEqualTo(String.valueOf(TrafficCause.values().length));
    assertThat(said(seen, "marks")).isEqualTo(width > 600 ? "5" : "3");
    assertThat(said(seen, "apart")).isEqualTo("true");
    assertThat(said(seen, "colour")).isEqualTo("rgb(0, 114, 178)");
    // Words of peers stay words: the measurement itself is the one script.
    assertThat(seen.console()).isEmpty();
    assertThat(said(seen, "scripts")).isEqualTo("1");
    assertThat(seen.document())
        .contains("<title>Murmur: wallet &lt;b&gt;mine&lt;/b&gt; on mainnet");
  }

  @Test
  void theDarkPageHasOtherColours() throws Exception {
    String html = Pages.large(654_321, Unit.BTC).html();
    String dark = said(measured(html, "--blink-settings=preferredColorScheme=0"), "colour");
    assertThat(dark).isEqualTo("rgb(86, 180, 233)");
  }

  @Test
  void evenAnInjectedScriptOrPictureWouldNotRun() throws Exception {
    String html = Pages.page(1, 100, List.of(), Unit.BTC).html();
    String injected =
        "<script>document.title='owned'</script><img src='http://192.0.2.1/x.png'></body>";
    Browser.Page seen =
        Browser.open(written(html.replace("</body>", injected)), datadir, List.of());
    assertThat(seen.document()).doesNotContain("<title>owned").contains("<title>Murmur");
    assertThat(seen.console()).anyMatch(line -> line.contains("script"));
    assertThat(seen.console()).anyMatch(line -> line.contains("http://192.0.2.1/x.png"));
  }
}
