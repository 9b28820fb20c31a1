package org.murmur.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Map;

/** JSON with line breaks between the rows of a table and between fields, but not inside rows. */
final class JsonLines {

  private JsonLines() {}

  static String write(JsonNode root) {
    StringBuilder out = new StringBuilder();
    write(out, root, "\n");
    return out.append('\n').toString();
  }

  private static void write(StringBuilder out, JsonNode node, String indent) {
    if (node.isObject() && !flat(node)) {
      String separator = "{";
      for (Iterator<Map.Entry<String, JsonNode>> f = node.fields(); f.hasNext(); ) {
        Map.Entry<String, JsonNode> field = f.next();
        out.append(separator).append(indent).append("  \"").append(field.getKey()).append("\": ");
        write(out, field.getValue(), indent + "  ");
        separator = ",";
      }
      out.append(indent).append('}');
    } else if (node.isArray() && !flat(node)) {
      String separator = "[";
      for (JsonNode item : node) {
        out.append(separator).append(indent).append("  ");
        write(out, item, indent + "  ");
        separator = ",";
      }
      out.append(indent).append(']');
    } else {
      out.append(node);
    }
  }

  /** Whether none of its children has children. */
  private static boolean flat(JsonNode node) {
    for (JsonNode item : node) {
      if (item.isContainerNode()) {
        return false;
      }
    }
    return true;
  }
}
