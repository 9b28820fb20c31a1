package org.murmur.coins.label;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A label file (BIP-0329): one JSON object a line, in UTF-8. */
public final class LabelFile {

  /** The beginning of a file of some editors. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private final List<Numbered> records = new ArrayList<>();
  private final List<LabelImport.Skipped> skipped = new ArrayList<>();

  private record Numbered(int number, LabelLine line) {}

  private LabelFile() {}

  /**
   * Reads lines. Empty ones do not count. A line that is no record is skipped.
   *
   * @param lines in order, without line ends
   * @return what is in them
   */
  public static LabelFile parse(Iterable<String> lines) {
    LabelFile file = new LabelFile();
    int number = 0;
    for (String line : lines) {
      number++;
      boolean marked = number == 1 && line.startsWith(BYTE_ORDER_MARK);
      String text = (marked ? line.substring(1) : line).trim();
      if (!text.isEmpty()) {
        file.add(number, text);
      }
    }
    return file;
  }

  private void add(int number, String line) {
    try {
      records.add(new Numbered(number, LabelLine.parse(line)));
    } catch (IllegalArgumentException e) {
      boolean unknownType = e instanceof LabelLine.UnknownTypeException;
      skipped.add(new LabelImport.Skipped(number, unknownType, String.valueOf(e.getMessage())));
    }
  }

  /** {@return the things that the file is about, each once or more} */
  public List<LabelRef> refs() {
    return records.stream().map(record -> record.line().ref()).collect(Collectors.toList());
  }

  /**
   * Merges the file into stored records. Members that a line does not have stay as they are.
   *
   * @param stored all records of {@link #refs}, of every origin
   * @return the records to be written, and what was skipped
   */
  public LabelImport mergedInto(Collection<Label> stored) {
    Map<Label, Label> merged = new TreeMap<>(Label.ORDER);
    stored.forEach(label -> merged.put(label, label));
    Map<Label, Label> changed = new TreeMap<>(Label.ORDER);
    for (Numbered record : records) {
      LabelLine line = record.line();
      Label key = Label.about(line.ref()).withOrigin(line.origin());
      Label old = merged.getOrDefault(key, key);
      Label now = line.appliedTo(old);
      merged.put(key, now);
      if (!now.equals(old)) {
        changed.put(key, now);
      }
    }
    return new LabelImport(records.size(), List.copyOf(changed.values()), skipped);
  }

  /**
   * Writes records.
   *
   * @param labels of every origin
   * @return a line for each, without line ends
   */
  public static List<String> lines(Collection<Label> labels) {
    return labels.stream().map(LabelLine::of).collect(Collectors.toList());
  }
}
