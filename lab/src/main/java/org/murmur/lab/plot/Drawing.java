package org.murmur.lab.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.murmur.lab.Plot;

/**
 * Draws plots, each point at its place: points of several series may lie on each other. Needs no
 * screen; with {@code -Djava.awt.headless=true} it also requests none.
 */
public final class Drawing {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 480;
  private static final float STROKE = 2f;
  private static final float THIN = 1f;

  /** Colours for readers with any colour vision (Okabe and Ito 2008). */
  private static final Color[] COLOURS = {
    new Color(0x0072b2),
    new Color(0xd55e00),
    new Color(0x009e73),
    new Color(0xcc79a7),
    new Color(0xe69f00),
    new Color(0x56b4e9),
    new Color(0x555555),
    new Color(0xb8a800)
  };

  private Drawing() {}

  public static String svg(Plot plot) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart(plot), out, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new AssertionError("writing to memory cannot fail", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  public static byte[] png(Plot plot) {
    try {
      return BitmapEncoder.getBitmapBytes(chart(plot), BitmapEncoder.BitmapFormat.PNG);
    } catch (IOException e) {
      throw new AssertionError("writing to memory cannot fail", e);
    }
  }

  private static Chart<?, ?> chart(Plot plot) {
    if (plot instanceof Plot.Xy xy) {
      return xy(xy);
    }
    return bars((Plot.Bars) plot);
  }

  static XYChart xy(Plot.Xy plot) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(plot.title())
            .xAxisTitle(plot.x().label())
            .yAxisTitle(plot.y().label())
            .build();
    style(chart.getStyler(), plot.y());
    chart.getStyler().setXAxisLogarithmic(plot.x().logarithmic());
    int number = 0;
    for (Plot.Series series : plot.series()) {
      if (addSeries(chart, plot, series, number)) {
        number++;
      }
    }
    return chart;
  }

  private static void style(AxesChartStyler styler, Plot.Axis y) {
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    styler.setYAxisLogarithmic(y.logarithmic());
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTitleFont(plain);
    styler.setAxisTickLabelsFont(plain);
    styler.setLegendFont(plain);
    styler.setMarkerSize(7);
  }

  /** Adds a series; returns whether it has a point. XChart refuses an empty series. */
  private static boolean addSeries(XYChart chart, Plot.Xy plot, Plot.Series series, int number) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    List<Double> errorXs = new ArrayList<>();
    List<Double> errorYs = new ArrayList<>();
    for (Plot.Point point : series.points()) {
      if (shows(plot.x(), point.x()) && shows(plot.y(), point.y())) {
        xs.add(point.x());
        ys.add(point.y());
        addInterval(plot.y(), point, errorXs, errorYs);
      }
    }
    if (xs.isEmpty()) {
      return false;
    }
    Color colour = COLOURS[number % COLOURS.length];
    XYSeries drawn = chart.addSeries(series.name(), xs, ys);
    drawn.setMarkerColor(colour);
    drawn.setLineColor(colour);
    drawn.setLineStyle(new BasicStroke(STROKE));
    drawn.setMarker(
        series.style() == Plot.Style.LINE ? SeriesMarkers.NONE : new HollowMarker(number));
    if (series.style() == Plot.Style.POINTS) {
      drawn.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    }
    if (!errorXs.isEmpty()) {
      XYSeries errors = chart.addSeries(series.name() + " ", errorXs, errorYs);
      errors.setShowInLegend(false);
      errors.setMarker(SeriesMarkers.NONE);
      errors.setLineColor(colour);
      errors.setLineStyle(new BasicStroke(THIN));
    }
    return true;
  }

  private static boolean shows(Plot.Axis axis, double value) {
    return Double.isFinite(value) && (!axis.logarithmic() || value > 0);
  }

  /** Vertical lines in one series, separated by values that are not a number. */
  private static void addInterval(
      Plot.Axis axis, Plot.Point point, List<Double> xs, List<Double> ys) {
    @Nullable Double low = point.low();
    @Nullable Double high = point.high();
    if (low == null || high == null || !shows(axis, high)) {
      return;
    }
    // On a logarithmic axis zero is infinitely far below: the line then begins at the point.
    double from = shows(axis, low) ? low : point.y();
    for (double y : new double[] {from, high, Double.NaN}) {
      xs.add(point.x());
      ys.add(y);
    }
  }

  private static CategoryChart bars(Plot.Bars plot) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(plot.title())
            .yAxisTitle(plot.y().label())
            .build();
    style(chart.getStyler(), plot.y());
    chart.getStyler().setXAxisLabelRotation(30);
    chart.getStyler().setLegendVisible(plot.groups().size() > 1);
    int number = 0;
    for (Plot.Group group : plot.groups()) {
      chart
          .addSeries(group.name(), plot.categories(), group.values())
          .setFillColor(COLOURS[number % COLOURS.length]);
      number++;
    }
    return chart;
  }
}
