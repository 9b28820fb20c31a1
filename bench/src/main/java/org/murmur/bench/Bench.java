package org.murmur.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares Murmur with other clients and prints a table of ratios: our result, our target, and the
 * others' best today.
 *
 * <pre>
 * bench/run all [--quick] [--rounds N] [--json FILE]
 * bench/run ROW... [--quick] [--rounds N] [--json FILE]
 * </pre>
 *
 * <p>Every contender runs in a separate process. Murmur runs as its users run it ({@code ./murmur}
 * with its default flags). Contenders take turns, so that drift of the machine affects all. Ratios
 * are taken pair by pair, and the table shows their median.
 */
final class Bench {

  static final ObjectMapper JSON = new ObjectMapper();

  /** Rounds of a row that compares pairs. */
  private static final int ROUNDS = 7;

  private static final int QUICK_ROUNDS = 3;

  private final boolean quick;
  private final int rounds;
  private final List<TableFigure> figures = new ArrayList<>();

  private Bench(boolean quick, int rounds) {
    this.quick = quick;
    this.rounds = rounds;
  }

  boolean quick() {
    return quick;
  }

  /** The number of runs of each contender. */
  int rounds() {
    return rounds;
  }

  void say(String format, Object... arguments) {
    System.err.println(text(format, arguments));
  }

  /** Puts values into a format, the same in every locale. */
  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Returns a row of the table, for figures that come from some data. */
  Row row(String name, ObjectNode raw) {
    return new Row(this, name, raw);
  }

  /** A row of the table, and the data of its figures. */
  record Row(Bench bench, String name, ObjectNode raw) {

    void atMost(String what, double reached, String unit, double target, String others) {
      add(what, reached, unit, target, true, others);
    }

    void atLeast(String what, double reached, String unit, double target, String others) {
      add(what, reached, unit, target, false, others);
    }

    /** Adds a number without a target. */
    void noted(String what, double reached, String unit, String others) {
      add(what, reached, unit, Double.NaN, true, others);
    }

    private void add(
        String what, double reached, String unit, double target, boolean atMost, String others) {
      TableFigure figure = new TableFigure(name, what, reached, unit, target, atMost, others, raw);
      bench.figures.add(figure);
      bench.say("= %s", line(figure));
    }
  }

  /**
   * Runs the measurements.
   *
   * @throws IOException if the JSON cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    Set<Measurement> rows = new LinkedHashSet<>();
    boolean quick = false;
    int rounds = 0;
    Path json = null;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> quick = true;
        case "--rounds" -> rounds = Integer.parseInt(value(arguments, ++i));
        case "--json" -> json = Path.of(value(arguments, ++i));
        case "all" -> rows.addAll(Measurement.ALL);
        default -> rows.add(Measurement.named(arguments[i]));
      }
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("what to run? all, or of " + Measurement.names());
    }
    Bench bench = new Bench(quick, rounds > 0 ? rounds : quick ? QUICK_ROUNDS : ROUNDS);
    ObjectNode result = JSON.createObjectNode().put("started", Instant.now().toString());
    result.set("machine", MachineFacts.json());
    result.put("rounds", bench.rounds).put("quick", quick);
    List<String> failed = new ArrayList<>();
    for (Measurement row : rows) {
      bench.say("%n%s: %s (load %s)", row.name(), row.about(), MachineFacts.load());
      try {
        row.work().run(bench);
      } catch (IOException | RuntimeException e) {
        // The other measurements are still useful.
        failed.add(row.name());
        bench.say("! %s failed: %s", row.name(), String.valueOf(e.getMessage()));
      }
      if (json != null) {
        bench.write(result, json);
      }
    }
    System.out.print(bench.table());
    if (!failed.isEmpty()) {
      System.out.println("FAILED: " + String.join(", ", failed));
    }
    // Other contenders leave threads running.
    System.exit(failed.isEmpty() ? 0 : 1);
  }

  private static String value(String[] arguments, int index) {
    if (index >= arguments.length) {
      throw new IllegalArgumentException(arguments[index - 1] + " wants a value");
    }
    return arguments[index];
  }

  private String table() {
    String heading = "%n%-10s %-58s %9s %11s  %s%n";
    return text(heading, "row", "what", "reached", "target", "today's best of others")
        + figures.stream()
            .map(figure -> line(figure) + "%n".formatted())
            .collect(Collectors.joining());
  }

  private static String line(TableFigure figure) {
    return text(
        "%-10s %-58s %9s %11s %s%s",
        figure.row(),
        figure.what(),
        number(figure.reached(), figure.unit()),
        figure.hasTarget()
            ? (figure.atMost() ? "≤ " : "≥ ") + number(figure.target(), figure.unit())
            : "–",
        figure.isMet() ? " " : "!",
        figure.others());
  }

  private static String number(double value, String unit) {
    return text(value < 20 ? "%.2f %s" : "%.0f %s", value, unit);
  }

  private void write(ObjectNode result, Path file) throws IOException {
    ArrayNode array = result.putArray("figures");
    for (TableFigure figure : figures) {
      ObjectNode json =
          array
              .addObject()
              .put("row", figure.row())
              .put("what", figure.what())
              .put("reached", figure.reached())
              .put("unit", figure.unit())
              .put("others", figure.others());
      if (figure.hasTarget()) {
        json.put(figure.atMost() ? "at_most" : "at_least", figure.target());
        json.put("met", figure.isMet());
      }
      json.set("raw", figure.raw());
    }
    result.put("ended", Instant.now().toString());
    Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(result));
  }
}
