package org.murmur.coins.label;

import java.util.List;

/**
 * The result of an import of labels.
 *
 * @param read how many lines were records
 * @param changed the records that differ from what was stored before
 * @param skipped the lines that were no records
 */
public record LabelImport(int read, List<Label> changed, List<Skipped> skipped) {

  /** Copies the lists. */
  public LabelImport {
    changed = List.copyOf(changed);
    skipped = List.copyOf(skipped);
  }

  /**
   * A line that was not imported.
   *
   * @param line its number, from 1
   * @param unknownType whether it is a record of a type that BIP-0329 does not have; importers
   *     ignore such records
   * @param reason what is wrong with it, in words
   */
  public record Skipped(int line, boolean unknownType, String reason) {

    private static final int MAX_REASON = 200;

    /** Makes the reason one short line: it may repeat what the file has. */
    public Skipped {
      String plain = Label.oneLine(reason);
      reason = plain.length() <= MAX_REASON ? plain : plain.substring(0, MAX_REASON) + "…";
    }
  }

  /**
   * {@return whether each line was a record, or one of an unknown type; false if a line is
   * malformed}
   */
  public boolean isWhole() {
    return skipped.stream().allMatch(Skipped::unknownType);
  }
}
