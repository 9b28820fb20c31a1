package org.murmur.coins.label;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads one JSON object. Values stay JSON, so that unknown ones are kept as they are. */
final class JsonMembers {

  private static final int MAX_DEPTH = 64;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private JsonMembers() {}

  /**
   * Reads the members of an object.
   *
   * @return their values as JSON, by name, in the order of the text
   * @throws IllegalArgumentException if it is no JSON object, or a name occurs twice
   */
  static Map<String, String> of(String text) {
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("not a JSON object");
      }
      Map<String, String> members = new LinkedHashMap<>();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        json.nextToken();
        if (members.put(name, value(json, text)) != null) {
          throw new IllegalArgumentException("member '" + name + "' occurs twice");
        }
      }
      if (json.nextToken() != null) {
        throw new IllegalArgumentException("there is more after the object");
      }
      return members;
    } catch (StreamConstraintsException e) {
      throw new IllegalArgumentException("too long, or nested too deeply", e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "not JSON at character " + e.getLocation().getColumnNr(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String value(JsonParser json, String text) throws IOException {
    int begin = (int) json.currentTokenLocation().getCharOffset();
    json.skipChildren();
    json.finishToken();
    return text.substring(begin, (int) json.currentLocation().getCharOffset());
  }

  /** Reads a JSON string. */
  static String decoded(String string) {
    try (JsonParser json = JSON.createParser(string)) {
      json.nextToken();
      return json.getText();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a JSON string. */
  static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
