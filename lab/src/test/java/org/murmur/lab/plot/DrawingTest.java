package org.murmur.lab.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.murmur.lab.Plot;
import org.w3c.dom.Element;

class DrawingTest {

  private static final Plot XY =
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
              // Zeros cannot be shown on a logarithmic axis.
              new Plot.Series(
                  "measured",
                  Plot.Style.POINTS,
                  List.of(new Plot.Point(1, 0, 0.0, 1e-3), new Plot.Point(10, 1e-2, 0.0, 2e-2))),
              new Plot.Series("nothing", Plot.Style.LINE, List.of())));

  private static final Plot BARS =
      new Plot.Bars(
          "bits",
          "Bits",
          Plot.Axis.linear("bits per element"),
          List.of("Bloom", "cuckoo"),
          List.of(new Plot.Group("1 %", List.of(9.6, 8.1))));

  @Test
  void drawsPicturesThatOpen() throws Exception {
    for (Plot plot : List.of(XY, BARS)) {
      assertThat(ImageIO.read(new ByteArrayInputStream(Drawing.png(plot))).getWidth())
          .isGreaterThan(400);
      assertThat(Drawing.svg(plot)).contains("<svg").endsWith("</svg>\n");
    }
  }

  @Test
  void picturesOfOnePageDoNotShareNames() throws Exception {
    String one = EmbeddedSvg.of(Drawing.svg(XY), "a", XY.title());
    String two = EmbeddedSvg.of(Drawing.svg(XY), "b", XY.title());
    assertThat(one).contains("\"a-1\"").contains("url(#a-1)").doesNotContain("url(#clip");
    assertThat(two).contains("\"b-1\"").doesNotContain("a-1");
    assertThat(one).isEqualTo(EmbeddedSvg.of(Drawing.svg(XY), "a", XY.title()));
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
