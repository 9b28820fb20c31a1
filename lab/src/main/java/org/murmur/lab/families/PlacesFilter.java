package org.murmur.lab.families;

import java.util.function.IntUnaryOperator;
import org.murmur.bip37.bytes.Bytes;

/** A filter in which an element has some places in an array, by its hash, and all are set. */
abstract class PlacesFilter extends SetFilter {

  final BloomShape shape;

  PlacesFilter(FilterFamily family, Plan plan, BloomShape shape) {
    super(family, plan);
    this.shape = shape;
  }

  int place(long hashed, int i) {
    return KeyedHash.position(hashed, i, shape.places());
  }

  abstract boolean isSet(int place);

  /** Counts an element at one of its places. */
  abstract void raise(int place);

  /** Takes an element off one of its places. */
  void lower(int place) {
    throw family.cannot(Feature.DELETE);
  }

  abstract long placesSet();

  @Override
  public final boolean mayContain(Bytes element) {
    long hashed = hash.of(element);
    for (int i = 0; i < shape.functions(); i++) {
      if (!isSet(place(hashed, i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public double expectedRate() {
    return Math.pow(placesSet() / (double) shape.places(), shape.functions());
  }

  @Override
  public final boolean add(Bytes element) {
    long hashed = hash.of(element);
    for (int i = 0; i < shape.functions(); i++) {
      raise(place(hashed, i));
    }
    return true;
  }

  @Override
  public final boolean delete(Bytes element) {
    if (family.can(Feature.DELETE) && !mayContain(element)) {
      return false;
    }
    long hashed = hash.of(element);
    for (int i = 0; i < shape.functions(); i++) {
      lower(place(hashed, i));
    }
    return true;
  }

  final int least(Bytes element, IntUnaryOperator counter) {
    long hashed = hash.of(element);
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < shape.functions() && least > 0; i++) {
      least = Math.min(least, counter.applyAsInt(place(hashed, i)));
    }
    return least;
  }
}
