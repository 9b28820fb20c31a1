package org.murmur.regtest.node;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Dice;

/** The messages of one session's misdeeds, drawn from a seed. For one thread. */
final class Misdeeds {

  /** Nanoseconds between two messages of a flood: a thousand a second. */
  static final long FLOOD_INTERVAL = 1_000_000;

  /** Nanoseconds between two repetitions of one transaction. */
  static final long REPETITION = 1_000_000_000;

  private static final int ANNOUNCED_AT_ONCE = 1_000;
  private static final int ADDRESSES_AT_ONCE = 100;
  private static final int OVERSIZED = 1_000;
  private static final int NOISE = 100_000;
  private static final int PADDING = 3_900_000;

  private final Set<Misdeed> committed;
  private final double share;
  private final long seed;
  private final Dice dice;
  private final List<Message> late = new ArrayList<>();
  private final List<Message> behindPong = new ArrayList<>();
  private @Nullable Message repeated;
  private long nextFlood = Long.MIN_VALUE;

  /** Commits the misdeeds; those at filtered blocks at a share of the blocks. */
  Misdeeds(Set<Misdeed> committed, double share, long seed) {
    this.committed = committed;
    this.share = share;
    this.seed = seed;
    this.dice = new Dice(seed);
  }

  /** The messages right after the handshake. */
  List<Message> greetings() {
    return committed.contains(Misdeed.OVERSIZED_MESSAGE)
        ? List.of(new Message.Unknown("ping", dice.bytes(OVERSIZED)))
        : List.of();
  }

  /**
   * The messages after the proof of a filtered block.
   *
   * @param block the block's hash
   * @param owed the transactions that match
   */
  List<Message> delivered(Hash256 block, List<Message.TxMessage> owed) {
    List<Message> delivered = new ArrayList<>(late);
    late.clear();
    if (owed.isEmpty() || !touches(block)) {
      delivered.addAll(owed);
    } else if (committed.contains(Misdeed.LATE_TRANSACTIONS)) {
      late.addAll(owed);
    } else if (committed.contains(Misdeed.TRANSACTIONS_AFTER_PONG)) {
      behindPong.addAll(owed);
    } else if (committed.contains(Misdeed.REPLACED_TRANSACTIONS)) {
      owed.forEach(message -> delivered.add(new Message.TxMessage(other(message.tx()))));
    } else if (committed.contains(Misdeed.REPEATED_TRANSACTION)) {
      repeated = owed.get(0);
    } else if (!committed.contains(Misdeed.WITHHELD_TRANSACTIONS)) {
      delivered.addAll(owed);
    }
    return delivered;
  }

  /** The messages after a pong. */
  List<Message> behindPong() {
    List<Message> sent = List.copyOf(behindPong);
    behindPong.clear();
    return sent;
  }

  /** The one message that is repeated and replaces all others; null if there is none. */
  @Nullable Message repeated() {
    return repeated;
  }

  /** The same with another lock time, and so another txid. */
  private static Tx other(Tx tx) {
    byte[] raw = tx.raw().toArray();
    raw[raw.length - 1] ^= 1;
    return Tx.parse(Bytes.wrap(raw));
  }

  private boolean touches(Hash256 block) {
    return share >= 1 || Dice.share(seed, block) < share;
  }

  /** The transactions that are sent unsolicited after a filtered block. */
  BitSet unasked(Block block, BitSet matches) {
    BitSet unasked = new BitSet();
    if (!touches(block.hash())) {
      return unasked;
    }
    if (committed.contains(Misdeed.UNASKED_TRANSACTIONS)) {
      unasked.or(matches);
    }
    int foreign = matches.nextClearBit(0);
    if (committed.contains(Misdeed.FOREIGN_TRANSACTIONS) && foreign < block.size()) {
      unasked.set(foreign);
    }
    return unasked;
  }

  /** A transaction as this node sends it: its txid stays the same. */
  Tx padded(Tx tx) {
    if (!committed.contains(Misdeed.PADDED_WITNESS)) {
      return tx;
    }
    Bytes raw = tx.stripped();
    int end = raw.length() - 4;
    ByteWriter out = new ByteWriter(PADDING + raw.length() + 100);
    out.bytes(raw.slice(0, 4)).bytes(Bytes.of(new byte[] {0, 1})).bytes(raw.slice(4, end));
    out.compactSize(1).varBytes(Bytes.wrap(new byte[PADDING]));
    for (int i = 1; i < tx.inputs().size(); i++) {
      out.compactSize(0);
    }
    return Tx.parse(out.bytes(raw.slice(end, raw.length())).toBytes());
  }

  /** When the next message of the flood is due; {@link Long#MAX_VALUE} if there is none. */
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
