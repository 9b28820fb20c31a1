package org.murmur.bip37.bytes;

import java.util.Arrays;

/** An immutable byte string with value equality: a script, a filter element, a raw transaction. */
public final class Bytes {

  /** The empty byte string. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /**
   * Copies an array.
   *
   * @param bytes what to copy
   * @return the byte string
   */
  public static Bytes of(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Bytes(bytes.clone());
  }

  /**
   * Copies part of an array.
   *
   * @param bytes where to copy from
   * @param from index of the first byte
   * @param to index behind the last byte
   * @return the byte string
   */
  public static Bytes of(byte[] bytes, int from, int to) {
    return from == to ? EMPTY : new Bytes(Arrays.copyOfRange(bytes, from, to));
  }

  /**
   * Wraps an array without a copy; the caller must not change it any more.
   *
   * @param bytes the array
   * @return the byte string
   */
  public static Bytes wrap(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Bytes(bytes);
  }

  /**
   * Parses hex digits.
   *
   * @param hex an even number of hex digits, either case
   * @return the byte string
   * @throws IllegalArgumentException if it is not hex
   */
  public static Bytes ofHex(String hex) {
    return wrap(Hex.parse(hex));
  }

  /** {@return the number of bytes} */
  public int length() {
    return array.length;
  }

  /** {@return whether there are no bytes; true if the length is 0} */
  public boolean isEmpty() {
    return array.length == 0;
  }

  /**
   * Returns one byte.
   *
   * @param index which, from 0
   * @return the byte
   */
  public byte at(int index) {
    return array[index];
  }

  /**
   * Returns part of it.
   *
   * @param from index of the first byte
   * @param to index behind the last byte
   * @return a new byte string
   */
  public Bytes slice(int from, int to) {
    return of(array, from, to);
  }

  /** {@return a copy of the bytes} */
  public byte[] toArray() {
    return array.clone();
  }

  /**
   * Copies all bytes into an array.
   *
   * @param target the array to write to
   * @param offset index of the first byte written
   */
  public void write(byte[] target, int offset) {
    System.arraycopy(array, 0, target, offset, array.length);
  }

  /**
   * {@return the array behind this value without a copy, for reading only} For codecs and hashing
   * in hot paths. Writing to it would change this immutable value.
   */
  public byte[] unsafeArray() {
    return array;
  }

  /** {@return the bytes as hex digits, lower case, two digits a byte} */
  public String toHex() {
    return Hex.format(array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes b && Arrays.equals(array, b.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  /** The hex form. */
  @Override
  public String toString() {
    return toHex();
  }
}
