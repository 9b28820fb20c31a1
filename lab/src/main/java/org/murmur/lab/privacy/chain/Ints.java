package org.murmur.lab.privacy.chain;

import java.util.Arrays;

/** A growing list of ints in one array: four bytes each, for millions of them. */
public final class Ints {

  private int[] values = new int[64];
  private int size;

  public void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  int get(int index) {
    return values[index];
  }

  void set(int index, int value) {
    values[index] = value;
  }

  int size() {
    return size;
  }

  public int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
