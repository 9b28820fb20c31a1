package org.murmur.lab.plot;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import org.knowm.xchart.style.markers.Marker;

/**
 * An outline around a point. Points at the same place all stay visible: shapes differ, and a shape
 * that comes again is larger.
 */
final class HollowMarker extends Marker {

  private static final BasicStroke STROKE = new BasicStroke(1.5f);

  /** The growth of a shape that comes again, in pixels. */
  private static final int GROWTH = 4;

  /**
   * The shapes as points in a square from -1 to 1: two numbers each, one array for each line. The
   * first, without a line, is a circle.
   */
  private static final double[][][] SHAPES = {
    {},
    {{-1, -1, 1, -1, 1, 1, -1, 1, -1, -1}},
    {{0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0, 0, -1.3}},
    {{-1.1, 0.8, 0, -1.2, 1.1, 0.8, -1.1, 0.8}},
    {{-1, -1, 1, 1}, {-1, 1, 1, -1}},
    {{-1.1, -0.8, 0, 1.2, 1.1, -0.8, -1.1, -0.8}},
    {{-1.3, 0, 1.3, 0}, {0, -1.3, 0, 1.3}},
  };

  private final int shape;
  private final int growth;

  HollowMarker(int number) {
    this.shape = number % SHAPES.length;
    this.growth = number / SHAPES.length * GROWTH;
  }

  @Override
  public void paint(Graphics2D graphics, double x, double y, int size) {
    graphics.setStroke(STROKE);
    graphics.draw(outline(x, y, (size + growth) / 2.0));
  }

  private Shape outline(double x, double y, double radius) {
    if (SHAPES[shape].length == 0) {
      return new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius);
    }
    Path2D path = new Path2D.Double();
    for (double[] line : SHAPES[shape]) {
      path.moveTo(x + radius * line[0], y + radius * line[1]);
      for (int i = 2; i < line.length; i += 2) {
        path.lineTo(x + radius * line[i], y + radius * line[i + 1]);
      }
    }
    return path;
  }
}
