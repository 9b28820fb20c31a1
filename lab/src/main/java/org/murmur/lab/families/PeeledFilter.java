package org.murmur.lab.families;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/**
 * Filters that are solved instead of filled: an array of fingerprints. The exclusive-or of those at
 * an element's three or four places gives the element's own. To find such an array, an element that
 * is alone at some place is set aside. This may leave other elements alone, until none is left
 * ("peeling"). Then the places are written in reverse order. All elements are needed at once, and
 * none can be added later.
 *
 * <p>The kinds differ in the places of an element. Xor places are anywhere in three thirds (Graf
 * and Lemire 2019). Binary fuse places are close together in consecutive segments, which can be
 * packed tighter (Graf and Lemire 2022).
 */
final class PeeledFilter extends SetFilter {

  private static final int ATTEMPTS = 100;

  /** The possible places of an element. */
  private enum Kind {
    /** Three places, one in each third. */
    XOR("xor", 3, 1.23),
    /** Three places in consecutive segments. */
    FUSE3("fuse3", 3, 1.125),
    /** Four places in consecutive segments. */
    FUSE4("fuse4", 4, 1.075);

    private final String label;
    private final int arity;

    /** Places per element of a large set. */
    private final double factor;

    Kind(String label, int arity, double factor) {
      this.label = label;
      this.arity = arity;
      this.factor = factor;
    }
  }

  private final Places places;
  private final PackedArray fingerprints;
  private final int width;

  private PeeledFilter(
      FilterFamily family, Plan plan, Places places, PackedArray fingerprints, int width) {
    super(family, plan);
    this.places = places;
    this.fingerprints = fingerprints;
    this.width = width;
  }

  static List<FilterFamily> families() {
    return Arrays.stream(Kind.values()).map(PeeledFilter::family).toList();
  }

  private static FilterFamily family(Kind kind) {
    return new FilterFamily(
        kind.label,
        FilterFamily.OURS,
        Set.of(),
        rate -> kind.factor * Theory.bound(rate),
        plan -> Theory.widthFor(plan.rate()) <= 48 ? null : "fingerprints of more than 48 bits",
        (family, plan, elements) -> make(family, kind, plan, elements));
  }

  private static SetFilter make(
      FilterFamily family, Kind kind, Plan plan, Collection<Bytes> elements) {
    int width = Theory.widthFor(plan.rate());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Plan tried = plan.attempt(attempt);
      KeyedHash hash = new KeyedHash(tried.seed());
      long[] keys = elements.stream().mapToLong(hash::of).distinct().toArray();
      Places places = kind == Kind.XOR ? thirds(kind, keys.length) : segments(kind, keys.length);
      PackedArray fingerprints = solve(places, keys, width);
      if (fingerprints != null) {
        return new PeeledFilter(family, tried, places, fingerprints, width);
      }
    }
    throw new IllegalStateException("no seed of " + ATTEMPTS + " can be solved");
  }

  /**
   * The layout of the array: either so many possible first places and segments of a power of two,
   * or 0 and as many parts as there are places, of that length.
   */
  private record Places(int arity, int length, int starts, int segment) {

    int place(long key, int i) {
      if (starts == 0) {
        return i * segment + KeyedHash.position(key, i, segment);
      }
      int first = KeyedHash.reduce(key, starts);
      if (i == 0) {
        return first;
      }
      // The same offset, i segments further on, with its lower bits changed by bits of the key.
      int change = (int) (KeyedHash.mix(key) >>> (20 * (i - 1))) & (segment - 1);
      return (first + i * segment) ^ change;
    }
  }

  private static Places thirds(Kind kind, int keys) {
    int part = (int) (kind.factor * keys + 32) / kind.arity + 1;
    return new Places(kind.arity, kind.arity * part, 0, part);
  }

  /** The sizes that the paper found by experiment: the smallest that peel with few attempts. */
  private static Places segments(Kind kind, int keys) {
    double n = Math.max(2, keys);
    boolean three = kind == Kind.FUSE3;
    double power = three ? Math.log(n) / Math.log(3.33) + 2.25 : Math.log(n) / Math.log(2.91) - 0.5;
    int segment = 1 << Math.min(18, (int) Math.max(0, Math.floor(power)));
    double wanted =
        three
            ? Math.max(1.125, 0.875 + 0.25 * Math.log(1e6) / Math.log(n))
            : Math.max(1.075, 0.77 + 0.305 * Math.log(6e5) / Math.log(n));
    int segments = (int) Math.ceil(wanted * n / segment);
    int starts = Math.max(1, segments - (kind.arity - 1)) * segment;
    return new Places(kind.arity, starts + (kind.arity - 1) * segment, starts, segment);
  }

  /** An element's fingerprint, combined with those at its places: 0 for a match. */
  private static long rest(long key, Places places, PackedArray fingerprints, int width) {
    long rest = KeyedHash.mix(key ^ KeyedHash.GOLDEN) >>> (64 - width);
    for (int i = 0; i < places.arity; i++) {
      rest ^= fingerprints.get(places.place(key, i));
    }
    return rest;
  }

  /** The array, or null if peeling gets stuck. */
  private static @Nullable PackedArray solve(Places places, long[] keys, int width) {
    int[] visitors = new int[places.length];
    long[] combined = new long[places.length];
    for (long key : keys) {
      for (int i = 0; i < places.arity; i++) {
        visitors[places.place(key, i)]++;
        combined[places.place(key, i)] ^= key;
      }
    }
    int[] alone = new int[places.length];
    int waiting = 0;
    for (int place = 0; place < places.length; place++) {
      if (visitors[place] == 1) {
        alone[waiting++] = place;
      }
    }
    long[] peeled = new long[keys.length];
    int[] at = new int[keys.length];
    int done = 0;
    while (waiting > 0) {
      int place = alone[--waiting];
      if (visitors[place] != 1) {
        continue;
      }
      long key = combined[place];
      peeled[done] = key;
      at[done++] = place;
      for (int i = 0; i < places.arity; i++) {
        int other = places.place(key, i);
        combined[other] ^= key;
        if (--visitors[other] == 1) {
          alone[waiting++] = other;
        }
      }
    }
    return done == keys.length ? write(places, peeled, at, width) : null;
  }

  /**
   * Writes in reverse order of peeling: no element written before has the place that is written.
   */
  private static PackedArray write(Places places, long[] peeled, int[] at, int width) {
    PackedArray fingerprints = new PackedArray(places.length, width);
    for (int last = peeled.length - 1; last >= 0; last--) {
      long key = peeled[last];
      fingerprints.set(at[last], rest(key, places, fingerprints, width));
    }
    return fingerprints;
  }

  @Override
  public boolean mayContain(Bytes element) {
    return rest(hash.of(element), places, fingerprints, width) == 0;
  }

  @Override
  public long bits() {
    return fingerprints.bits();
  }

  @Override
  public double expectedRate() {
    return Math.scalb(1.0, -width);
  }
}
