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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object under construction, its fields in the order they were put.
 *
 * <p>Written with Jackson's streaming generator: its object mapper takes longer to start than most
 * commands take to run.
 */
public final class JsonObject {

  // "name": value, as people write it and as scripts grep for it.
  private static final Separators SEPARATORS =
      Separators.createDefaultInstance()
          .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
          .withObjectEmptySeparator("")
          .withArrayEmptySeparator("");

  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  /**
   * Puts text.
   *
   * @param name the field's
   * @param value the text, or null for JSON's null
   * @return this
   */
  public JsonObject put(String name, @Nullable String value) {
    return set(name, value);
  }

  /**
   * Puts a whole number.
   *
   * @param name the field's
   * @param value the number
   * @return this
   */
  public JsonObject put(String name, long value) {
    return set(name, value);
  }

  /**
   * Puts a number. One that JSON does not know (infinity) becomes null.
   *
   * @param name the field's
   * @param value the number
   * @return this
   */
  public JsonObject put(String name, double value) {
    return set(name, Double.isFinite(value) ? value : null);
  }

  /**
   * Puts true or false.
   *
   * @param name the field's
   * @param value which of them
   * @return this
   */
  public JsonObject put(String name, boolean value) {
    return set(name, value);
  }

  /**
   * Puts an object.
   *
   * @param name the field's
   * @param value the object
   * @return this
   */
  public JsonObject put(String name, JsonObject value) {
    return set(name, value);
  }

  /**
   * Puts an array of objects.
   *
   * @param name the field's
   * @param values the objects, which are copied
   * @return this
   */
  public JsonObject put(String name, List<JsonObject> values) {
    return set(name, List.copyOf(values));
  }

  /**
   * Puts an array of texts.
   *
   * @param name the field's
   * @param values the texts, which are copied
   * @return this
   */
  public JsonObject putStrings(String name, List<String> values) {
    return set(name, List.copyOf(values));
  }

  /**
   * Puts an array of numbers.
   *
   * @param name the field's
   * @param values the numbers, which are copied
   * @return this
   */
  public JsonObject putNumbers(String name, List<Double> values) {
    return set(name, List.copyOf(values));
  }

  /**
   * Puts null.
   *
   * @param name the field's
   * @return this
   */
  public JsonObject putNull(String name) {
    return set(name, null);
  }

  /**
   * Returns a field that was put as text.
   *
   * @param name the field's
   * @return the text; empty if there is none
   */
  public String text(String name) {
    return fields.get(name) instanceof String value ? value : "";
  }

  /**
   * Puts all fields of another object.
   *
   * @param other the other object
   * @return this
   */
  public JsonObject putAll(JsonObject other) {
    fields.putAll(other.fields);
    return this;
  }

  private JsonObject set(String name, @Nullable Object value) {
    fields.put(name, value);
    return this;
  }

  /**
   * Writes it for people.
   *
   * @return several lines, indented
   */
  public String pretty() {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    return print(printer);
  }

  /**
   * Writes it for a stream.
   *
   * @return one line
   */
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
    return text.toString();
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
