package org.murmur.regtest;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;

/** The messages of one session's misdeeds, drawn from a seed. For one thread. */
final class Misdeeds {

  /** Nanoseconds between two messages of a flood: a thousand a second are more than enough. */
  static final long FLOOD_INTERVAL = 1_000_000;

  private static final int ANNOUNCED_AT_ONCE = 1_000;
  private static final int ADDRESSES_AT_ONCE = 100;
  private static final int OVERSIZED = 1_000;
  private static final int NOISE = 100_000;

  private final Set<Misdeed> committed;
  private final Dice dice;
  private long nextFlood = Long.MIN_VALUE;

  Misdeeds(Set<Misdeed> committed, long seed) {
    this.committed = committed;
    this.dice = new Dice(seed);
  }

  /** What is sent right after the handshake. */
  List<Message> greetings() {
    return committed.contains(Misdeed.OVERSIZED_MESSAGE)
        ? List.of(new Message.Unknown("ping", dice.bytes(OVERSIZED)))
        : List.of();
  }

  /** Which transactions of a filtered block are sent behind it, unasked. */
  BitSet unasked(Block block, BitSet matches) {
    BitSet unasked = new BitSet();
    if (committed.contains(Misdeed.UNASKED_TRANSACTIONS)) {
      unasked.or(matches);
    }
    int foreign = matches.nextClearBit(0);
    if (committed.contains(Misdeed.FOREIGN_TRANSACTIONS) && foreign < block.size()) {
      unasked.set(foreign);
    }
    return unasked;
  }

  /** When the flood goes on; the end of time if there is none. */
  long nextFlood() {
    return flood(false) == null ? Long.MAX_VALUE : nextFlood;
  }

  /** The next message of the flood. */
  Message flood(long now) {
    nextFlood = now + FLOOD_INTERVAL;
    Message message = flood(true);
    if (message == null) {
      throw new IllegalStateException("no flood was asked for");
    }
    return message;
  }

  private @Nullable Message flood(boolean draw) {
    for (Misdeed misdeed : committed) {
      switch (misdeed) {
        case ENDLESS_ANNOUNCEMENTS -> {
          return new Message.Inv(draw ? announcements() : List.of());
        }
        case ENDLESS_ADDRESSES -> {
          return new Message.Addr(draw ? addresses() : List.of());
        }
        case ENDLESS_PINGS -> {
          return new Message.Ping(draw ? dice.number() : 0);
        }
        case ENDLESS_QUESTIONS -> {
          return new Message.GetHeaders(List.of(), draw ? hash() : Hash256.ZERO);
        }
        case ENDLESS_NOISE -> {
          return new Message.Unknown("hum", draw ? dice.bytes(NOISE) : Bytes.EMPTY);
        }
        default -> {
          // No flood.
        }
      }
    }
    return null;
  }

  private Hash256 hash() {
    return Hash256.ofInternal(dice.bytes(Hash256.LENGTH).toArray());
  }

  private List<InventoryItem> announcements() {
    List<InventoryItem> items = new ArrayList<>();
    for (int i = 0; i < ANNOUNCED_AT_ONCE; i++) {
      items.add(new InventoryItem(InventoryItem.TX, hash()));
    }
    return items;
  }

  private List<NetworkAddress> addresses() {
    List<NetworkAddress> addresses = new ArrayList<>();
    for (int i = 0; i < ADDRESSES_AT_ONCE; i++) {
      addresses.add(new NetworkAddress(0, 1, NetworkAddress.IPV4, dice.bytes(4), 18_444));
    }
    return addresses;
  }
}
