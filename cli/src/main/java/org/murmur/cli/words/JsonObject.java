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
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.label.Label;
import org.murmur.p2p.discovery.NodeAddress;

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
   * Adds a field. Numbers, texts, booleans, objects and lists are themselves, and what may be
   * absent is null. A constant is its name in lower case, an instant the second since 1970, a
   * duration its milliseconds. Infinity, which JSON does not have, is null.
   */
  public JsonObject put(String name, @Nullable Object value) {
    fields.put(name, plain(value));
    return this;
  }

  /** Adds a text, null if it is empty. */
  public JsonObject putText(String name, String text) {
    return put(name, text.isEmpty() ? null : text);
  }

  /** Returns a text field; empty if there is none. */
  public String text(String name) {
    return fields.get(name) instanceof String value ? value : "";
  }

  /** Adds all fields of another object. */
  public JsonObject putAll(JsonObject other) {
    fields.putAll(other.fields);
    return this;
  }

  /** The one place that says how a value is written. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Optional<?> some) {
      return plain(some.orElse(null));
    }
    if (value instanceof OptionalInt number) {
      return number.isPresent() ? number.getAsInt() : null;
    }
    if (value instanceof OptionalLong number) {
      return number.isPresent() ? number.getAsLong() : null;
    }
    if (value instanceof Enum<?> constant) {
      return Text.lower(constant);
    }
    if (value instanceof Instant time) {
      return time.getEpochSecond();
    }
    if (value instanceof Duration time) {
      return time.toMillis();
    }
    if (value instanceof Bytes bytes) {
      return bytes.toHex();
    }
    if (value instanceof Hash256
        || value instanceof OutPoint
        || value instanceof NodeAddress
        || value instanceof Path) {
      return value.toString();
    }
    if (value instanceof Collection<?> list) {
      return list.stream().map(JsonObject::plain).toList();
    }
    return value instanceof Double number && !Double.isFinite(number) ? null : value;
  }

  public String pretty() {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    return print(printer);
  }

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
        plain.append(Text.of("\\u%04x", (int) c));
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
      for (Object item : list) {
        write(out, item);
      }
      out.writeEndArray();
    } else {
      // Refuses what is no simple value.
      out.writeObject(value);
    }
  }
}
