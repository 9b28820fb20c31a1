package org.murmur.lab.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.XYSeries;
import org.murmur.lab.Plot;

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

  /** Rates of different filters are often the same, to the last digit. */
  @Test
  void pointsThatCoverEachOtherStayInPlace() {
    Plot.Point same = new Plot.Point(1.0 / 128, 9.1, 8.9, 9.3);
    Plot.Point close = new Plot.Point(1.01 / 128, 9.1);
    List<Plot.Series> series = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      series.add(new Plot.Series("s" + i, Plot.Style.POINTS, List.of(i % 2 == 0 ? same : close)));
    }
    Plot.Xy plot = new Plot.Xy("p", "p", Plot.Axis.log("x"), Plot.Axis.linear("y"), series);

    Map<String, XYSeries> drawn = Drawing.xy(plot).getSeriesMap();

    for (Plot.Series one : series) {
      XYSeries shown = Objects.requireNonNull(drawn.get(one.name()));
      assertThat(shown.getXData()).containsExactly(one.points().get(0).x());
      assertThat(shown.getYData()).containsExactly(one.points().get(0).y());
    }
  }

  /** In the file too: the middles of the outlines are those of the points, on a linear scale. */
  @Test
  void outlinesAreAroundTheirPoints() throws Exception {
    List<Plot.Series> series = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      series.add(
          new Plot.Series(
              "s" + i,
              Plot.Style.POINTS,
              List.of(new Plot.Point(0, 0), new Plot.Point(30, 5), new Plot.Point(60, 10))));
    }
    String svg =
        Drawing.svg(new Plot.Xy("p", "p", Plot.Axis.linear("x"), Plot.Axis.linear("y"), series));

    double[] middles = middles(svg);
    // Each series has its points and, in the legend, one outline.
    assertThat(middles).hasSizeGreaterThanOrEqualTo(18 * 3);
    double left = Arrays.stream(middles).min().orElseThrow();
    double centre = middles[1];
    for (int i = 0; i < 18 * 3; i++) {
      assertThat(middles[i]).isCloseTo(left + i % 3 * (centre - left), within(1e-3));
    }
  }

  /** The horizontal middle of each outline, in the order of drawing. */
  private static double[] middles(String svg) {
    return Pattern.compile("<(?:ellipse cx=\"([^\"]*)\"|path d=\"([^\"]*)\")[^>]*stroke-width:1.5;")
        .matcher(svg)
        .results()
        .mapToDouble(
            found -> {
              if (found.group(1) != null) {
                return Double.parseDouble(found.group(1));
              }
              DoubleSummaryStatistics xs =
                  Pattern.compile("[ML]([^,]*),")
                      .matcher(found.group(2))
                      .results()
                      .mapToDouble(corner -> Double.parseDouble(corner.group(1)))
                      .summaryStatistics();
              return (xs.getMin() + xs.getMax()) / 2;
            })
        .toArray();
  }
}
