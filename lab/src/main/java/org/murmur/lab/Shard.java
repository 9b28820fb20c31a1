package org.murmur.lab;

/** A part of the trials: every {@code count}th, starting at the {@code index}th. */
public record Shard(int index, int count) {

  public static final Shard WHOLE = new Shard(1, 1);

  public Shard {
    if (count < 1 || index < 1 || index > count) {
      throw new IllegalArgumentException("shard " + index + "/" + count + ", expected 1/N to N/N");
    }
  }

  /**
   * Reads {@code I/N}. Throws {@link IllegalArgumentException} if the text has another form, or
   * there is no such part.
   */
  public static Shard parse(String text) {
    if (!text.matches("[+-]?\\d{1,9}/[+-]?\\d{1,9}")) {
      throw new IllegalArgumentException("shard '" + text + "', expected I/N, for instance 1/2");
    }
    int slash = text.indexOf('/');
    return new Shard(
        Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
  }

  public boolean holds(int trial) {
    return (trial - 1) % count == index - 1;
  }

  /** The form {@code 1/2}. */
  @Override
  public String toString() {
    return index + "/" + count;
  }
}
