package org.murmur.lab.families;

import java.util.BitSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apache.commons.collections4.bloomfilter.BloomFilter;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.LayerManager;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.murmur.bip37.bytes.Bytes;

/**
 * The scalable Bloom filter (Almeida, Baquero, Preguiça and Hutchison 2007). When a Bloom filter is
 * full, a new layer of twice the capacity and half the rate is added. So the layers together never
 * exceed the planned rate. The layers and their bits are from commons-collections; this class
 * decides when a layer is full and sizes the next.
 */
final class ScalableBloom extends SetFilter {

  /** The growth of capacity from layer to layer (paper: 2 or 4). */
  private static final int GROWTH = 2;

  /** The rate of each layer as a fraction of the previous layer's rate (paper: 0.5 to 0.9). */
  private static final double TIGHTENING = 0.5;

  private static final int MAX_LAYERS = 12;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "scalable",
          "commons-collections 4.5.0",
          Set.of(Feature.ADD, Feature.GROW),
          Theory::bloomBits,
          BloomShape::refusal,
          FilterFamily.filling((family, plan, more) -> new ScalableBloom(family, plan)));

  private final LayerManager<SimpleBloomFilter> layers;
  private int layersMade;
  private long roomInLast;

  ScalableBloom(FilterFamily family, Plan plan) {
    super(family, plan);
    LayerManager.Builder<SimpleBloomFilter> builder = LayerManager.builder();
    this.layers = builder.setSupplier(this::layer).setExtendCheck(all -> roomInLast == 0).get();
  }

  private SimpleBloomFilter layer() {
    int capacity = Math.toIntExact(plan.capacity() * (long) Math.pow(GROWTH, layersMade));
    double rate = plan.rate() * (1 - TIGHTENING) * Math.pow(TIGHTENING, layersMade);
    layersMade++;
    roomInLast = capacity;
    return new SimpleBloomFilter(Shape.fromNP(capacity, rate));
  }

  private Hasher hasher(Bytes element) {
    long hashed = hash.of(element);
    return new EnhancedDoubleHasher(hashed, KeyedHash.mix(hashed));
  }

  @Override
  public boolean mayContain(Bytes element) {
    Hasher hasher = hasher(element);
    return !layers.processBloomFilters(layer -> !layer.contains(hasher));
  }

  @Override
  public long bits() {
    long[] bits = {0};
    layers.processBloomFilters(
        layer -> {
          bits[0] += layer.getShape().getNumberOfBits();
          return true;
        });
    return bits[0];
  }

  /** The chance that any layer matches, from the chance of each. */
  private double anyOf(ToDoubleFunction<BloomFilter<?>> rate) {
    double[] missed = {1};
    layers.processBloomFilters(
        layer -> {
          missed[0] *= 1 - rate.applyAsDouble(layer);
          return true;
        });
    return 1 - missed[0];
  }

  @Override
  public double expectedRate() {
    return anyOf(
        layer ->
            TwoHashes.COLLECTIONS.rate(
                BitSet.valueOf(layer.asBitMapArray()),
                layer.getShape().getNumberOfBits(),
                layer.getShape().getNumberOfHashFunctions(),
                plan.seed()));
  }

  @Override
  public double textbookRate() {
    return anyOf(
        layer -> {
          Shape shape = layer.getShape();
          double load = layer.cardinality() / (double) shape.getNumberOfBits();
          return Math.pow(load, shape.getNumberOfHashFunctions());
        });
  }

  @Override
  public boolean add(Bytes element) {
    if (roomInLast == 0 && layersMade == MAX_LAYERS) {
      return false;
    }
    layers.getTarget().merge(hasher(element));
    roomInLast--;
    return true;
  }
}
