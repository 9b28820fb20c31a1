package org.murmur.lab;

import org.jspecify.annotations.Nullable;

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
    String[] parts = text.split("/", -1);
    if (parts.length == 2) {
      int index;
      int count;
      try {
        index = Integer.parseInt(parts[0]);
        count = Integer.parseInt(parts[1]);
      } catch (NumberFormatException e) {
        throw wrong(text, e);
      }
      return new Shard(index, count);
    }
    throw wrong(text, null);
  }

  private static IllegalArgumentException wrong(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "shard '" + text + "', expected I/N, for instance 1/2", cause);
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
