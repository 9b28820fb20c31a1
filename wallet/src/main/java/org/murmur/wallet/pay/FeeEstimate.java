package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.coins.spend.fee.BlockFees;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * An estimate of the fee rate that gets a payment into one of the next blocks, and what it was made
 * of. The blocks are proven by their work; what peers say of themselves is not.
 *
 * @param rate the estimate: the median of what the blocks needed, rounded up to 0.1 sat/vB
 * @param low what the cheapest of the blocks needed
 * @param high the highest average of the blocks; at least the rate
 * @param floor the least rate of any payment: what peers relay, as far as it is believed
 * @param capped whether the blocks needed more than {@link #CEILING}
 * @param blocks the last ones, by height; at least one
 * @param peers the least rate that each peer said it relays (BIP-0133)
 */
public record FeeEstimate(
    FeeRate rate,
    FeeRate low,
    FeeRate high,
    FeeRate floor,
    boolean capped,
    List<BlockFees> blocks,
    Map<NodeAddress, FeeRate> peers) {

  /** No estimate is higher: 1,000 sat/vB. The main network was above it for hours in its life. */
  public static final FeeRate CEILING = FeeRate.satPerVb(1_000);

  /** No estimate is lower: what nodes relay unless they say more, before Core 29.1. */
  public static final FeeRate MIN_RELAY = FeeRate.satPerVb(1);

  /** The highest rate that a peer may ask for although no block shows that others pay it. */
  static final FeeRate BELIEVED = FeeRate.satPerVb(10);

  private static final long STEP = 100;

  /** Copies the lists. */
  public FeeEstimate {
    blocks = List.copyOf(blocks);
    peers = Collections.unmodifiableMap(new LinkedHashMap<>(peers));
  }

  /**
   * Estimates.
   *
   * @param blocks the last blocks
   * @param said the least rate that each peer relays, in satoshi per 1,000 virtual bytes, as sent
   * @return empty if there is no block
   */
  public static Optional<FeeEstimate> of(List<BlockFees> blocks, Map<NodeAddress, Long> said) {
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    Map<NodeAddress, FeeRate> peers = rates(said);
    List<BlockFees> ordered = new ArrayList<>(blocks);
    ordered.sort(Comparator.comparingInt(BlockFees::height));
    FeeRate floor = floor(ordered, peers);
    List<FeeRate> needed = needed(ordered, floor);
    FeeRate median = needed.get(needed.size() / 2);
    boolean capped = median.compareTo(CEILING) > 0;
    FeeRate rate = capped ? CEILING : roundedUp(median);
    FeeRate low = min(rate, needed.get(0));
    FeeRate high =
        max(rate, ordered.stream().map(BlockFees::rate).reduce(FeeRate.ZERO, FeeEstimate::max));
    return Optional.of(new FeeEstimate(rate, low, high, floor, capped, ordered, peers));
  }

  /** A node that is not synced wants no transaction, and says so with an impossible rate. */
  private static Map<NodeAddress, FeeRate> rates(Map<NodeAddress, Long> said) {
    Map<NodeAddress, FeeRate> rates = new LinkedHashMap<>();
    said.forEach(
        (peer, rate) -> {
          if (rate >= 0 && rate <= CEILING.satPerKvb()) {
            rates.put(peer, FeeRate.satPerKvb(rate));
          }
        });
    return rates;
  }

  private static FeeRate floor(List<BlockFees> blocks, Map<NodeAddress, FeeRate> peers) {
    FeeRate believed =
        blocks.stream()
            .filter(BlockFees::isFull)
            .map(BlockFees::rate)
            .reduce(BELIEVED, FeeEstimate::max);
    FeeRate wanted = peers.values().stream().reduce(MIN_RELAY, FeeEstimate::max);
    return min(wanted, believed);
  }

  /** The rates that a payment had to pay for each block, in ascending order. */
  private static List<FeeRate> needed(List<BlockFees> blocks, FeeRate floor) {
    boolean allEmpty = blocks.stream().allMatch(BlockFees::isEmpty);
    return blocks.stream()
        .filter(block -> allEmpty || !block.isEmpty())
        .map(block -> block.isFull() ? max(floor, block.rate()) : floor)
        .sorted()
        .collect(Collectors.toList());
  }

  /** An uncommon number of decimals would show which wallet paid. */
  private static FeeRate roundedUp(FeeRate rate) {
    return FeeRate.satPerKvb((rate.satPerKvb() + STEP - 1) / STEP * STEP);
  }

  private static FeeRate max(FeeRate a, FeeRate b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static FeeRate min(FeeRate a, FeeRate b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
