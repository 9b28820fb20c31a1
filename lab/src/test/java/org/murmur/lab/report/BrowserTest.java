package org.murmur.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.testbed.browser.Browser;

/** A page that fails is seen to fail: the report's test relies on this. */
@Tag("browser")
class BrowserTest {

  @TempDir Path folder = Path.of("");

  @Test
  void scriptsRunAndTheirErrorsAreReported() throws Exception {
    Path page = folder.resolve("page.html");
    Files.writeString(
        page,
        "<!doctype html><title>t</title><p id=p>before</p><script>"
            + "document.getElementById('p').textContent='after';"
            + "console.error('said');nothing.here();</script>"
            + "<img src=missing.png>");
    Browser.Page seen = Browser.open(page, folder);
    assertThat(seen.document()).contains("after").doesNotContain(">before<");
    assertThat(seen.console()).anyMatch(line -> line.contains("said"));
    assertThat(seen.console()).anyMatch(line -> line.contains("nothing is not defined"));
  }

  @Test
  void aGoodPageSaysNothing() throws Exception {
    Path page = folder.resolve("page.html");
    Files.writeString(page, "<!doctype html><title>t</title><svg><rect/></svg>");
    assertThat(Browser.open(page, folder).console()).isEmpty();
  }
}
