package org.murmur.lab;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Results as text: JSON, which holds everything and can be read back, and CSV for other programs.
 *
 * <pre>
 * { "murmur_lab": 1, "study": "fp", "code_version": "...", "commit": "...",
 *   "parameters": { "seed": 1, "rates": [0.001, 0.05], "connect": "embedded", ... },
 *   "complete": true,
 *   "experiments": [ { "experiment": "...", "trials": 30, "constants": { ... },
 *                      "done": [1, 2, ...],
 *                      "columns": [ { "name", "unit", "kind" } ], "rows": [ [ ... ], ... ] } ],
 *   "summary": [ { "title", "tables": [ { "name", "title", "columns", "rows" } ],
 *                  "findings": [text],
 *                  "verdicts": [ { "claim", "holds", "outcome", "detail" } ] } ] }
 * </pre>
 *
 * <p>The commit is that of the program that wrote the file, null if its build did not know it. The
 * summary is for readers; a merge computes it again from the rows.
 */
public final class ResultFiles {

  private static final int FORMAT = 1;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private ResultFiles() {}

  /** Writes a result as one JSON object, one line per row. */
  public static String toJson(StudyResult result, List<Section> sections) {
    ObjectNode root = JSON.createObjectNode();
    root.put("murmur_lab", FORMAT);
    root.put("study", result.study());
    root.put("code_version", result.codeVersion());
    root.put("commit", CodeVersion.commit());
    result.parameters().toJson(root.putObject("parameters"));
    root.put("complete", result.complete());
    ArrayNode experiments = root.putArray("experiments");
    for (StudyResult.Observed observed : result.experiments()) {
      ObjectNode node = experiments.addObject();
      node.put("experiment", observed.experiment());
      node.put("trials", observed.trials());
      observed.constants().toJson(node.putObject("constants"));
      node.set("done", JSON.valueToTree(observed.done()));
      putTable(node, observed.rows());
    }
    ArrayNode summary = root.putArray("summary");
    for (Section section : sections) {
      putSection(summary.addObject(), section);
    }
    return JsonLines.write(root);
  }

  private static void putSection(ObjectNode node, Section section) {
    node.put("title", section.title());
    ArrayNode tables = node.putArray("tables");
    for (Table table : section.tables()) {
      ObjectNode one = tables.addObject();
      one.put("name", table.name());
      one.put("title", table.title());
      putTable(one, table);
    }
    node.set("findings", JSON.valueToTree(section.findings()));
    ArrayNode verdicts = node.putArray("verdicts");
    for (ClaimVerdict verdict : section.verdicts()) {
      ObjectNode one = verdicts.addObject();
      one.put("claim", verdict.claim());
      one.put("holds", verdict.outcome() == ClaimVerdict.Outcome.TOO_FEW ? null : verdict.holds());
      one.put("outcome", verdict.outcome().name().toLowerCase(Locale.ROOT));
      one.put("detail", verdict.detail());
    }
  }

  private static void putTable(ObjectNode node, Table table) {
    node.set("columns", JSON.valueToTree(table.columns()));
    putRows(node, table);
  }

  static void putRows(ObjectNode node, Table table) {
    ArrayNode rows = node.putArray("rows");
    table.rows().forEach(row -> rows.add(JSON.<JsonNode>valueToTree(row.values())));
  }

  static Table rows(String experiment, List<Column> columns, JsonNode rows) {
    Table.Builder table = Table.of(experiment, experiment, columns);
    for (JsonNode row : rows) {
      List<@Nullable Object> values = new ArrayList<>();
      row.forEach(value -> values.add(value(value)));
      table.row(values);
    }
    return table.build();
  }

  /**
   * Reads a result that {@link #toJson} wrote. Throws {@link IllegalArgumentException} if it is not
   * one.
   */
  public static StudyResult fromJson(String text) {
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (JsonParseException e) {
      // Jackson reports an end between two values by its message alone, and within a number as
      // another mistake.
      boolean cut =
          e instanceof JsonEOFException
              || e.getOriginalMessage().startsWith("Unexpected end-of-input")
              || !text.strip().endsWith("}");
      throw new IllegalArgumentException(
          cut && text.startsWith("{")
              ? "ends in the middle, at line %d: was it written whole?"
                  .formatted(e.getLocation().getLineNr())
              : "not JSON: " + e.getOriginalMessage(),
          e);
    } catch (IOException e) {
      throw new AssertionError("reading from a string cannot fail", e);
    }
    int format = root.path("murmur_lab").asInt();
    if (format < 1) {
      throw new IllegalArgumentException("not a result of murmur lab: \"murmur_lab\" is missing");
    }
    if (format > FORMAT) {
      throw new IllegalArgumentException(
          "written by a later version of murmur, in format %d; this one reads format %d"
              .formatted(format, FORMAT));
    }
    List<StudyResult.Observed> experiments = new ArrayList<>();
    for (JsonNode one : field(root, "experiments")) {
      experiments.add(observed(one));
    }
    return new StudyResult(
        field(root, "study").asText(),
        Parameters.fromJson(field(root, "parameters")),
        field(root, "code_version").asText(),
        experiments);
  }

  private static StudyResult.Observed observed(JsonNode node) {
    String name = field(node, "experiment").asText();
    List<Integer> done = new ArrayList<>();
    field(node, "done").forEach(number -> done.add(number.asInt()));
    List<Column> columns = new ArrayList<>();
    for (JsonNode one : field(node, "columns")) {
      columns.add(
          new Column(
              field(one, "name").asText(),
              field(one, "unit").asText(),
              Column.Kind.valueOf(field(one, "kind").asText())));
    }
    return new StudyResult.Observed(
        name,
        field(node, "trials").asInt(),
        done,
        Parameters.fromJson(field(node, "constants")),
        rows(name, columns, field(node, "rows")));
  }

  private static JsonNode field(JsonNode node, String name) {
    JsonNode field = node.get(name);
    if (field == null) {
      throw new IllegalArgumentException("\"" + name + "\" is missing");
    }
    return field;
  }

  private static @Nullable Object value(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isIntegralNumber()) {
      return node.longValue();
    }
    return node.isNumber() ? node.doubleValue() : null;
  }

  /** Writes a table as CSV (RFC 4180). Comment lines with {@code #} above it name its source. */
  public static String toCsv(StudyResult result, Table table) {
    StringBuilder out = new StringBuilder();
    out.append("# murmur lab ").append(result.study()).append(": ").append(table.title());
    out.append("\n# code_version=").append(result.codeVersion());
    out.append(" commit=").append(Objects.requireNonNullElse(CodeVersion.commit(), "unknown"));
    out.append(" complete=").append(result.complete());
    out.append("\n# ").append(result.parameters()).append('\n');
    for (StudyResult.Observed observed : result.experiments()) {
      if (!observed.constants().asMap().isEmpty()) {
        out.append("# constants of ").append(observed.experiment()).append(": ");
        out.append(observed.constants()).append('\n');
      }
    }
    line(out, table.columns().stream().map(column -> column.withUnit(column.name())).toList());
    for (Table.Row row : table.rows()) {
      line(out, row.values());
    }
    return out.toString();
  }

  private static void line(StringBuilder out, List<? extends @Nullable Object> values) {
    String separator = "";
    for (Object value : values) {
      out.append(separator).append(value == null ? "" : quoted(text(value)));
      separator = ",";
    }
    out.append('\n');
  }

  private static String text(Object value) {
    return value instanceof Double number ? Table.exact(number) : value.toString();
  }

  private static String quoted(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
