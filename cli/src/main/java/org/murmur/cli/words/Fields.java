package org.murmur.cli.words;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a thing, for programs. Each is described once, by its name and its value, and is
 * printed as JSON and as CSV from that.
 */
public final class Fields<T> {

  /** Beginnings of formulas in spreadsheets, also in full width. */
  private static final String FORMULA = "=+-@|%\t\r\n＝＋－＠";

  private final Map<String, Function<? super T, ? extends @Nullable Object>> json =
      new LinkedHashMap<>();
  private final Map<String, Function<? super T, String>> cells = new LinkedHashMap<>();

  /**
   * Adds a field whose value is not a text of others; {@link JsonObject#put} says of which kind.
   */
  public Fields<T> add(String name, Function<? super T, ? extends @Nullable Object> value) {
    json.put(name, value);
    cells.put(name, thing -> cell(value.apply(thing)));
    return this;
  }

  /** Adds the fields of a part. */
  public <P> Fields<T> addAll(Function<? super T, ? extends P> part, Fields<P> fields) {
    fields.json.forEach((name, value) -> add(name, thing -> value.apply(part.apply(thing))));
    return this;
  }

  /** Adds an amount in satoshi, which CSV has also in BTC. */
  public Fields<T> amount(String name, ToLongFunction<? super T> satoshi) {
    cells.put(name + "_btc", thing -> Unit.BTC.text(satoshi.applyAsLong(thing)));
    return add(name + "_sat", satoshi::applyAsLong);
  }

  /** Adds a text that others may have chosen; null in JSON if it is empty. */
  public Fields<T> text(String name, Function<? super T, String> value) {
    json.put(name, thing -> value.apply(thing).isEmpty() ? null : value.apply(thing));
    cells.put(name, thing -> quoted(value.apply(thing)));
    return this;
  }

  /** Writes a thing as JSON, with the fields in the order in which they were added. */
  public JsonObject json(T thing) {
    JsonObject object = new JsonObject();
    json.forEach((name, value) -> object.put(name, value.apply(thing)));
    return object;
  }

  /** Writes things as CSV under a header line, which chooses the fields and their order. */
  public String csv(String header, List<T> things) {
    StringBuilder lines = new StringBuilder(header).append('\n');
    for (T thing : things) {
      lines.append(
          List.of(header.split(",")).stream()
              .map(name -> Objects.requireNonNull(cells.get(name), name).apply(thing))
              .collect(Collectors.joining(",", "", "\n")));
    }
    return lines.toString();
  }

  private static String cell(@Nullable Object value) {
    @Nullable Object plain = value instanceof Instant ? value.toString() : JsonObject.plain(value);
    return plain instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(" "))
        : Objects.toString(plain, "");
  }

  /**
   * A cell of text that others may have chosen (RFC 4180). Spreadsheets take some beginnings for a
   * formula, which an apostrophe makes text.
   */
  private static String quoted(String text) {
    String plain = text.isEmpty() || FORMULA.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
    return plain.isEmpty() ? "" : "\"" + plain.replace("\"", "\"\"") + "\"";
  }
}
