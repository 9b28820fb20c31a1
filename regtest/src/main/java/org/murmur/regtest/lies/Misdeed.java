package org.murmur.regtest.lies;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.node.FilteredBlock;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Messages that no honest node sends, or does not send at that time. */
public enum Misdeed implements Lie {
  /** Announces transactions that do not exist, without end, once it has a filter. */
  ENDLESS_ANNOUNCEMENTS(
      flood(
          dice ->
              new Message.Inv(many(1_000, () -> new InventoryItem(InventoryItem.TX, hash(dice)))))),
  /** Sends addresses, without end, once it has a filter. */
  ENDLESS_ADDRESSES(
      flood(
          dice ->
              new Message.Addr(
                  many(
                      100,
                      () ->
                          new NetworkAddress(0, 1, NetworkAddress.IPV4, dice.bytes(4), 18_444))))),
  /** Sends pings, without end, once it has a filter. */
  ENDLESS_PINGS(flood(dice -> new Message.Ping(dice.number()))),
  /** Asks for headers, without end, once it has a filter. */
  ENDLESS_QUESTIONS(flood(dice -> new Message.GetHeaders(List.of(), hash(dice)))),
  /** Sends messages of an unknown command, without end, once it has a filter. */
  ENDLESS_NOISE(flood(dice -> new Message.Unknown("hum", dice.bytes(100_000)))),
  /** Sends a ping of a thousand bytes after the handshake. */
  OVERSIZED_MESSAGE(
      (chain, seed) ->
          new Mask() {
            @Override
            public List<Message> answers(Message message) {
              return message instanceof Message.Verack
                  ? List.of(new Message.Unknown("ping", new Dice(seed).bytes(1_000)))
                  : List.of();
            }
          }),
  /** Sends the transactions of each filtered block once more, unsolicited. */
  UNASKED_TRANSACTIONS(sending(block -> both(block.sent(), block.sent()))),
  /** Sends a transaction that does not match, unsolicited, after each filtered block. */
  FOREIGN_TRANSACTIONS(
      sending(
          block -> {
            int foreign = block.proven().nextClearBit(0);
            return foreign < block.block().size()
                ? both(block.sent(), List.of(block.message(foreign)))
                : block.sent();
          })),
  /** Proves the transactions that match and never sends them. */
  WITHHELD_TRANSACTIONS(sending(block -> List.of())),
  /** Sends the transactions that match after the next filtered block. */
  LATE_TRANSACTIONS((chain, seed) -> new Late(Message.MerkleBlockMessage.class)),
  /** Sends the transactions that match after the next pong. */
  TRANSACTIONS_AFTER_PONG((chain, seed) -> new Late(Message.Pong.class)),
  /** Sends made-up transactions that match as well instead of the proven ones. */
  REPLACED_TRANSACTIONS(sending(block -> changed(block.sent(), Misdeed::other))),
  /**
   * Sends the first transaction that matches once a second, for ever, and nothing else from then
   * on, not even the others of its block.
   */
  REPEATED_TRANSACTION((chain, seed) -> new Repeated()),
  /** Sends every transaction with 3.9 MB of made-up witness data, which its txid does not cover. */
  PADDED_WITNESS(
      (chain, seed) ->
          new Mask() {
            @Override
            public List<Message> says(Message message) {
              return changed(List.of(message), Misdeed::padded);
            }
          });

  private static final int PADDING = 3_900_000;

  @SuppressWarnings("ImmutableEnumChecker") // none has a state: its masks have
  private final Lie lie;

  Misdeed(Lie lie) {
    this.lie = lie;
  }

  @Override
  public Mask mask(Chain chain, long seed) {
    return lie.mask(chain, seed);
  }

  private static Lie flood(Function<Dice, Message> drawn) {
    return (chain, seed) -> new Flood(seed, drawn);
  }

  private static Lie sending(Function<FilteredBlock, List<Message>> sent) {
    return (chain, seed) ->
        new Mask() {
          @Override
          public FilteredBlock serves(FilteredBlock block) {
            return block.sending(sent.apply(block));
          }
        };
  }

  private static List<Message> both(List<Message> first, List<Message> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static List<Message> changed(List<Message> messages, Function<Tx, Tx> change) {
    return messages.stream()
        .map(
            message ->
                message instanceof Message.TxMessage tx
                    ? new Message.TxMessage(change.apply(tx.tx()))
                    : message)
        .toList();
  }

  /** The same with another lock time, and so another txid. */
  private static Tx other(Tx tx) {
    byte[] raw = tx.raw().toArray();
    raw[raw.length - 1] ^= 1;
    return Tx.parse(Bytes.wrap(raw));
  }

  /** The same with other witness data, and so with the same txid. */
  private static Tx padded(Tx tx) {
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

  private static Hash256 hash(Dice dice) {
    return Hash256.ofInternal(dice.bytes(Hash256.LENGTH).toArray());
  }

  private static <T> List<T> many(int count, Supplier<T> one) {
    return Stream.generate(one).limit(count).toList();
  }
}
