package org.murmur.cli.words;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.coins.label.Label;

/**
 * A JSON object under construction. Fields keep the order in which they were added.
 *
 * <p>Uses Jackson's streaming generator: the start of its object mapper takes longer than most
 * commands run.
 */
public final class JsonObject {

  // The form "name": value, which people write and scripts grep for.
  private static final Separators SEPARATORS =
      Separators.createDefaultInstance()
          .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
          .withObjectEmptySeparator("")
          .withArrayEmptySeparator("");

  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  /**
   * Adds a text.
   *
   * @param value the text, or null for JSON's null
   */
  public JsonObject put(String name, @Nullable String value) {
    return set(name, value);
  }

  /** Adds a whole number. */
  public JsonObject put(String name, long value) {
    return set(name, value);
  }

  /** Adds a number. A value without a JSON form (infinity) becomes null. */
  public JsonObject put(String name, double value) {
    return set(name, Double.isFinite(value) ? value : null);
  }

  /** Adds true or false. */
  public JsonObject put(String name, boolean value) {
    return set(name, value);
  }

  /** Adds an object. */
  public JsonObject put(String name, JsonObject value) {
    return set(name, value);
  }

  /**
   * Adds an array of objects.
   *
   * @param values the objects, which are copied
   */
  public JsonObject put(String name, List<JsonObject> values) {
    return set(name, List.copyOf(values));
  }

  /**
   * Adds an array of texts.
   *
   * @param values the texts, which are copied
   */
  public JsonObject putStrings(String name, List<String> values) {
    return set(name, List.copyOf(values));
  }

  /**
   * Adds an array of numbers.
   *
   * @param values the numbers, which are copied
   */
  public JsonObject putNumbers(String name, List<Double> values) {
    return set(name, List.copyOf(values));
  }

  /** Adds null. */
  public JsonObject putNull(String name) {
    return set(name, null);
  }

  /**
   * Returns a text field.
   *
   * @return the text; empty if there is none
   */
  public String text(String name) {
    return fields.get(name) instanceof String value ? value : "";
  }

  /** Adds all fields of another object. */
  public JsonObject putAll(JsonObject other) {
    fields.putAll(other.fields);
    return this;
  }

  private JsonObject set(String name, @Nullable Object value) {
    fields.put(name, value);
    return this;
  }

  /** Writes the object for people. */
  public String pretty() {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    return print(printer);
  }

  /** Writes the object for a stream. */
  public String line() {
    return print(new MinimalPrettyPrinter());
  }

  private String print(PrettyPrinter printer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.setPrettyPrinter(printer);
      write(out, this);
    } catch (IOException e) {
      throw new AssertionError("writing to a string cannot fail", e);
    }
    return escaped(text.toString());
  }

  /** Escapes what could confuse a terminal; the generator does it below the space. */
  private static String escaped(String json) {
    StringBuilder plain = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c > ' ' && Label.confuses(c)) {
        plain.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static void write(JsonGenerator out, @Nullable Object value) throws IOException {
    if (value instanceof JsonObject object) {
      out.writeStartObject();
      for (Map.Entry<String, @Nullable Object> field : object.fields.entrySet()) {
        out.writeFieldName(field.getKey());
        write(out, field.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof List<?> list) {
      out.writeStartArray();
      for (Object item : new ArrayList<>(list)) {
        write(out, item);
      }
      out.writeEndArray();
    } else if (value instanceof String text) {
      out.writeString(text);
    } else if (value instanceof Long number) {
      out.writeNumber(number);
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else if (value instanceof Boolean bool) {
      out.writeBoolean(bool);
    } else {
      out.writeNull();
    }
  }
}
