package org.murmur.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.murmur.lab.Plot;
import org.murmur.lab.plot.Drawing;
import org.w3c.dom.Element;

class EmbeddedSvgTest {

  @Test
  void picturesOfOnePageDoNotShareNames() throws Exception {
    Plot plot =
        new Plot.Xy(
            "rates",
            "Rates & <more>",
            Plot.Axis.log("elements"),
            Plot.Axis.log("rate"),
            List.of(
                new Plot.Series(
                    "theory",
                    Plot.Style.LINE,
                    List.of(new Plot.Point(1, 1e-3), new Plot.Point(100, 1e-1))),
                new Plot.Series(
                    "measured",
                    Plot.Style.POINTS,
                    List.of(
                        new Plot.Point(1, 0, 0.0, 1e-3), new Plot.Point(10, 1e-2, 0.0, 2e-2)))));
    String svg = Drawing.svg(plot);

    String one = EmbeddedSvg.of(svg, "a", plot.title());
    String two = EmbeddedSvg.of(svg, "b", plot.title());
    assertThat(one).contains("\"a-1\"").contains("url(#a-1)").doesNotContain("url(#clip");
    assertThat(two).contains("\"b-1\"").doesNotContain("a-1");
    assertThat(one).isEqualTo(EmbeddedSvg.of(svg, "a", plot.title()));
    Element parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(one.getBytes(StandardCharsets.UTF_8)))
            .getDocumentElement();
    assertThat(parsed.getAttribute("aria-label")).isEqualTo("Rates & <more>");
    assertThat(parsed.getAttribute("viewBox")).isNotEmpty();
    assertThat(parsed.hasAttribute("width")).isFalse();
  }
}
