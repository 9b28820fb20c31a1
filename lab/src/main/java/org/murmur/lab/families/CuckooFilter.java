package org.murmur.lab.families;

import java.util.Set;
import org.murmur.bip37.bytes.Bytes;

/**
 * The cuckoo filter (Fan, Andersen, Kaminsky and Mitzenmacher 2014): a fingerprint of each element
 * in one of two buckets of four. If both are full, a fingerprint in one of them moves to its other
 * bucket, which follows from the fingerprint alone.
 *
 * <p>The other bucket is H(fingerprint) minus this one, modulo the number of buckets, so any number
 * of buckets works. The paper's exclusive-or needs a power of two.
 */
final class CuckooFilter extends SetFilter {

  private static final int BUCKET = 4;

  /** Share of places that can be filled before moves take too long (paper, table 2). */
  private static final double LOAD = 0.955;

  private static final int MAX_MOVES = 500;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "cuckoo",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.DELETE),
          rate -> (Theory.bound(rate) + Theory.log2(2 * BUCKET)) / LOAD,
          plan -> width(plan.rate()) <= 48 ? null : "fingerprints of more than 48 bits",
          FilterFamily.filling(CuckooFilter::new));

  private final int buckets;
  private final int width;
  private final long fingerprints;
  private final PackedArray places;
  private int held;
  private long dice;

  private static int width(double rate) {
    int width = 2;
    while (rate(width, LOAD * BUCKET) > rate) {
      width++;
    }
    return width;
  }

  /** The chance that a fingerprint, one of 2^width - 1, is in one of two buckets. */
  private static double rate(int width, double heldByBucket) {
    double other = Math.log1p(-1 / (Math.scalb(1.0, width) - 1));
    return -Math.expm1(2 * heldByBucket * other);
  }

  private CuckooFilter(FilterFamily family, Plan plan, int more) {
    super(family, plan);
    this.buckets = (int) Math.ceil(plan.capacity() / LOAD / BUCKET) + more;
    this.width = width(plan.rate());
    this.fingerprints = (1L << width) - 1;
    this.places = new PackedArray(buckets * BUCKET, width);
    this.dice = plan.seed();
  }

  /** 1 to 2^width - 1; 0 is a free place. */
  private long fingerprint(long hashed) {
    return 1 + KeyedHash.reduce(KeyedHash.mix(hashed), fingerprints);
  }

  private int bucket(long hashed) {
    return KeyedHash.reduce(hashed, buckets);
  }

  /** The other bucket of a fingerprint; applied twice it returns the first. */
  private int other(int bucket, long fingerprint) {
    int sum = KeyedHash.reduce(KeyedHash.mix(fingerprint), buckets);
    return Math.floorMod(sum - bucket, buckets);
  }

  /** The place of a fingerprint in a bucket, or -1. */
  private int find(int bucket, long fingerprint) {
    for (int place = bucket * BUCKET; place < (bucket + 1) * BUCKET; place++) {
      if (places.get(place) == fingerprint) {
        return place;
      }
    }
    return -1;
  }

  @Override
  public boolean mayContain(Bytes element) {
    long hashed = hash.of(element);
    long fingerprint = fingerprint(hashed);
    int bucket = bucket(hashed);
    return find(bucket, fingerprint) >= 0 || find(other(bucket, fingerprint), fingerprint) >= 0;
  }

  @Override
  public long bits() {
    return places.bits();
  }

  /**
   * Counts each distinct fingerprint once in each of its two buckets. The rate is their share of
   * all pairs of bucket and fingerprint.
   */
  @Override
  public double expectedRate() {
    long answered = 0;
    for (int place = 0; place < places.length(); place++) {
      long fingerprint = places.get(place);
      int bucket = place / BUCKET;
      if (fingerprint == 0 || find(bucket, fingerprint) != place) {
        continue;
      }
      int other = other(bucket, fingerprint);
      if (other == bucket) {
        answered++;
      } else if (other > bucket || find(other, fingerprint) < 0) {
        answered += 2;
      }
    }
    return answered / ((double) buckets * fingerprints);
  }

  @Override
  public double textbookRate() {
    return rate(width, held / (double) buckets);
  }

  @Override
  public boolean add(Bytes element) {
    long hashed = hash.of(element);
    long fingerprint = fingerprint(hashed);
    int bucket = bucket(hashed);
    boolean put =
        put(bucket, fingerprint)
            || put(other(bucket, fingerprint), fingerprint)
            || makeRoom(bucket, fingerprint);
    held += put ? 1 : 0;
    return put;
  }

  private boolean put(int bucket, long fingerprint) {
    int free = find(bucket, 0);
    if (free >= 0) {
      places.set(free, fingerprint);
    }
    return free >= 0;
  }

  /** Moves fingerprints until one finds a free place; undoes all moves if none does. */
  private boolean makeRoom(int from, long fingerprint) {
    int[] path = new int[MAX_MOVES];
    int bucket = from;
    long homeless = fingerprint;
    for (int move = 0; move < MAX_MOVES; move++) {
      int place = bucket * BUCKET + toss();
      path[move] = place;
      homeless = swap(place, homeless);
      bucket = other(bucket, homeless);
      if (put(bucket, homeless)) {
        return true;
      }
    }
    for (int move = MAX_MOVES - 1; move >= 0; move--) {
      homeless = swap(path[move], homeless);
    }
    return false;
  }

  private long swap(int place, long fingerprint) {
    long before = places.get(place);
    places.set(place, fingerprint);
    return before;
  }

  private int toss() {
    dice += KeyedHash.GOLDEN;
    return KeyedHash.reduce(KeyedHash.mix(dice), BUCKET);
  }

  @Override
  public boolean delete(Bytes element) {
    long hashed = hash.of(element);
    long fingerprint = fingerprint(hashed);
    int place = find(bucket(hashed), fingerprint);
    if (place < 0) {
      place = find(other(bucket(hashed), fingerprint), fingerprint);
    }
    if (place >= 0) {
      places.set(place, 0);
      held--;
    }
    return place >= 0;
  }
}
