package org.murmur.lab.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.lab.Plot;
import org.murmur.lab.Plot.Point;
import org.murmur.lab.Plot.Series;
import org.murmur.lab.Plot.Style;

class SideBySideTest {

  private static final List<Point> CORNERS = List.of(new Point(1e-4, 0), new Point(1, 100));

  private static List<Series> apart(Series... series) {
    List<Series> all = new ArrayList<>(List.of(series));
    all.add(0, new Series("frame", Style.LINE, CORNERS));
    return SideBySide.of(new Plot.Xy("p", "p", Plot.Axis.log("x"), Plot.Axis.linear("y"), all));
  }

  @Test
  void overlappingPointsAreSeparatedByAMarker() {
    Point same = new Point(1e-2, 50, 40.0, 60.0);
    List<Series> apart =
        apart(
            new Series("a", Style.POINTS, List.of(same)),
            new Series("b", Style.POINTS, List.of(same)),
            new Series("c", Style.POINTS, List.of(new Point(1.01e-2, 50.5))));

    assertThat(apart.get(0).points()).isEqualTo(CORNERS);
    assertThat(apart.get(1).points()).containsExactly(same);
    Point second = apart.get(2).points().get(0);
    Point third = apart.get(3).points().get(0);
    // Four powers of ten are the width; a marker is 0.016 of it.
    assertThat(Math.log10(second.x() / same.x()) / 4).isCloseTo(0.016, within(1e-9));
    assertThat(Math.log10(third.x() / second.x()) / 4).isGreaterThan(0.0158);
    assertThat(second.y()).isEqualTo(50);
    assertThat(second.low()).isEqualTo(40.0);
  }

  @Test
  void distinctPointsStayWhereTheyAre() {
    Point one = new Point(1e-2, 50);
    Point above = new Point(1e-2, 55);
    Point beside = new Point(1.3e-2, 50);
    assertThat(
            apart(
                new Series("a", Style.POINTS, List.of(one)),
                new Series("b", Style.POINTS, List.of(above)),
                new Series("c", Style.POINTS, List.of(beside))))
        .extracting(series -> series.points().get(0))
        .endsWith(one, above, beside);
  }
}
