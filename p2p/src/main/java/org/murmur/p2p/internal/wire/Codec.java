package org.murmur.p2p.internal.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;

/**
 * The bodies of the messages: one codec for each command, its layout drawn above its reader.
 *
 * <p>Integers are little-endian unless noted, hashes are in internal order, {@code cs} is a
 * CompactSize in its shortest form. Limits are those of Bitcoin Core. A body must end after its
 * last field, except for {@code version}, which gets new fields over time.
 *
 * @param maxPayload the most bytes a peer may announce for it
 */
record Codec<M extends Message>(
    String command,
    Class<M> type,
    int maxPayload,
    Function<PayloadReader, M> reader,
    BiConsumer<M, ByteWriter> writer) {

  /** Our protocol version in {@code version}, {@code getheaders} and {@code getblocks}. */
  static final int PROTOCOL_VERSION = 70016;

  /** Core's MAX_SUBVERSION_LENGTH. */
  static final int MAX_USER_AGENT = 256;

  /** Core's MAX_LOCATOR_SZ. */
  static final int MAX_LOCATOR = 101;

  /** Core's MAX_INV_SZ. */
  static final int MAX_INVENTORY = 50_000;

  /** Core's MAX_SCRIPT_ELEMENT_SIZE, which bounds {@code filteradd}. */
  static final int MAX_FILTER_ELEMENT = 520;

  /** Core's MAX_GETCFHEADERS_SIZE. */
  static final int MAX_FILTER_HASHES = 2_000;

  /**
   * The most filter headers of {@code cfcheckpt}, one for 1,000 blocks. Core has no limit. The
   * longest chain, testnet3, has five million blocks.
   */
  static final int MAX_FILTER_CHECKPOINTS = 10_000;

  // A block has at most 1,000,000 bytes without witness data. An output with a script takes ten of
  // them, a spent script 41, so a filter has at most 100,000 elements. Each takes 20 bits, and the
  // unary parts have M / 2^19 = 1.5 more (BIP-0158): 268,720 bytes with the count.
  static final int MAX_COMPACT_FILTER = 270_000;

  private static final int INVENTORY_ITEM_LENGTH = 36;

  /** Core's MAX_REJECT_MESSAGE_LENGTH, while it had one. */
  private static final int MAX_REJECT_REASON = 111;

  // Larger than any version message today (344 bytes with a 256-byte user agent), with room for new
  // fields.
  private static final int MAX_VERSION = 2_000;

  // A block of 4,000,000 weight has at most 16,666 transactions: 84 bytes, as many hashes, two flag
  // bits for each and for every inner node. That is less than 542,000 bytes.
  private static final int MAX_MERKLE_BLOCK = 542_000;

  private static final Map<String, Codec<?>> BY_COMMAND = new HashMap<>();
  private static final Map<Class<?>, Codec<?>> BY_TYPE = new HashMap<>();

  static {
    add("version", Message.Version.class, MAX_VERSION, Codec::version, Codec::writeVersion);
    addEmpty("verack", Message.Verack.class, new Message.Verack());
    add("ping", Message.Ping.class, 8, Codec::ping, (m, out) -> out.int64(m.nonce()));
    add("pong", Message.Pong.class, 8, Codec::pong, (m, out) -> out.int64(m.nonce()));
    addEmpty("sendheaders", Message.SendHeaders.class, new Message.SendHeaders());
    addEmpty("wtxidrelay", Message.WtxidRelay.class, new Message.WtxidRelay());
    addEmpty("sendaddrv2", Message.SendAddrV2.class, new Message.SendAddrV2());
    add("sendcmpct", Message.SendCmpct.class, 9, Codec::sendCmpct, Codec::writeSendCmpct);
    add("feefilter", Message.FeeFilter.class, 8, Codec::feeFilter, Codec::writeFeeFilter);
    int maxLocator = 4 + 1 + (MAX_LOCATOR + 1) * Hash256.LENGTH;
    add("getheaders", Message.GetHeaders.class, maxLocator, Codec::getHeaders, Codec::writeLocator);
    add("getblocks", Message.GetBlocks.class, maxLocator, Codec::getBlocks, Codec::writeLocator);
    int maxHeaders = 3 + Headers.MAX_PER_MESSAGE * HeadersLayout.STRIDE;
    add("headers", Message.HeadersMessage.class, maxHeaders, Codec::headers, Codec::writeHeaders);
    int maxInventory = 3 + MAX_INVENTORY * INVENTORY_ITEM_LENGTH;
    add(
        "inv",
        Message.Inv.class,
        maxInventory,
        in -> new Message.Inv(inventory(in)),
        (m, out) -> writeInventory(m.items(), out));
    add(
        "getdata",
        Message.GetData.class,
        maxInventory,
        in -> new Message.GetData(inventory(in)),
        (m, out) -> writeInventory(m.items(), out));
    add(
        "notfound",
        Message.NotFound.class,
        maxInventory,
        in -> new Message.NotFound(inventory(in)),
        (m, out) -> writeInventory(m.items(), out));
    add(
        "tx",
        Message.TxMessage.class,
        Frame.MAX_PAYLOAD,
        Codec::tx,
        (m, out) -> out.bytes(m.tx().raw()));
    add(
        "block",
        Message.BlockMessage.class,
        Frame.MAX_PAYLOAD,
        Codec::block,
        (m, out) -> out.bytes(m.raw()));
    add(
        "merkleblock",
        Message.MerkleBlockMessage.class,
        MAX_MERKLE_BLOCK,
        Codec::merkleBlock,
        (m, out) -> out.bytes(m.merkleBlock().toPayload()));
    add(
        "filterload",
        Message.FilterLoad.class,
        Frame.MAX_PAYLOAD,
        Codec::filterLoad,
        (m, out) -> out.bytes(m.filter().toPayload()));
    add(
        "filteradd",
        Message.FilterAdd.class,
        Frame.MAX_PAYLOAD,
        Codec::filterAdd,
        Codec::writeFilterAdd);
    add(
        "filterclear",
        Message.FilterClear.class,
        Frame.MAX_PAYLOAD,
        in -> new Message.FilterClear(),
        (m, out) -> {});
    addEmpty("mempool", Message.Mempool.class, new Message.Mempool());
    addEmpty("getaddr", Message.GetAddr.class, new Message.GetAddr());
    add(
        "addr",
        Message.Addr.class,
        3 + AddressCodec.MAX_PER_MESSAGE * AddressCodec.V1_LENGTH,
        in -> new Message.Addr(AddressCodec.readV1(in)),
        (m, out) -> AddressCodec.writeV1(m.addresses(), out));
    add(
        "addrv2",
        Message.AddrV2.class,
        3 + AddressCodec.MAX_PER_MESSAGE * AddressCodec.V2_MAX_LENGTH,
        in -> new Message.AddrV2(AddressCodec.readV2(in)),
        (m, out) -> AddressCodec.writeV2(m.addresses(), out));
    int filterQuery = 1 + 4 + Hash256.LENGTH;
    add(
        "getcfilters",
        Message.GetCFilters.class,
        filterQuery,
        Codec::getCFilters,
        (m, out) -> writeFilterQuery(m.filterType(), m.start(), m.stop(), out));
    int maxFilter = 1 + Hash256.LENGTH + 5 + MAX_COMPACT_FILTER;
    add("cfilter", Message.CFilter.class, maxFilter, Codec::cfilter, Codec::writeCFilter);
    add(
        "getcfheaders",
        Message.GetCFHeaders.class,
        filterQuery,
        Codec::getCFHeaders,
        (m, out) -> writeFilterQuery(m.filterType(), m.start(), m.stop(), out));
    int maxHashes = 1 + 2 * Hash256.LENGTH + 3 + MAX_FILTER_HASHES * Hash256.LENGTH;
    add("cfheaders", Message.CFHeaders.class, maxHashes, Codec::cfheaders, Codec::writeCFHeaders);
    add(
        "getcfcheckpt",
        Message.GetCFCheckpt.class,
        1 + Hash256.LENGTH,
        Codec::getCFCheckpt,
        (m, out) -> out.uint8(m.filterType()).hash(m.stop()));
    int maxCheckpoints = 1 + Hash256.LENGTH + 3 + MAX_FILTER_CHECKPOINTS * Hash256.LENGTH;
    add(
        "cfcheckpt",
        Message.CFCheckpt.class,
        maxCheckpoints,
        Codec::cfcheckpt,
        Codec::writeCFCheckpt);
    add("reject", Message.Reject.class, 1_000, Codec::reject, Codec::writeReject);
  }

  private static <M extends Message> void add(
      String command,
      Class<M> type,
      int maxPayload,
      Function<PayloadReader, M> reader,
      BiConsumer<M, ByteWriter> writer) {
    Codec<M> codec = new Codec<>(command, type, maxPayload, reader, writer);
    BY_COMMAND.put(command, codec);
    BY_TYPE.put(type, codec);
  }

  private static <M extends Message> void addEmpty(String command, Class<M> type, M only) {
    add(command, type, 0, in -> only, (m, out) -> {});
  }

  /** Returns the interned string of a known command, else the argument. */
  static String intern(String command) {
    Codec<?> codec = BY_COMMAND.get(command);
    return codec == null ? command : codec.command;
  }

  /** Returns whether a command has a codec. */
  static boolean isKnown(String command) {
    return BY_COMMAND.containsKey(command);
  }

  /**
   * Returns whether nobody knows a command, and one byte makes it another than a known one. A new
   * number is a later version of a command, which is ignored as all unknown ones are ({@code
   * addrv2} came after {@code addr}).
   */
  static boolean isDamaged(String command) {
    return !isKnown(command)
        && BY_COMMAND.keySet().stream().noneMatch(known -> letters(known).equals(letters(command)))
        && BY_COMMAND.keySet().stream().anyMatch(known -> differsByOne(command, known));
  }

  private static String letters(String command) {
    return command.replaceAll("[0-9]", "");
  }

  /** Zeros follow a command, so one byte may also lengthen it by one. */
  private static boolean differsByOne(String command, String known) {
    int differing = Math.abs(command.length() - known.length());
    for (int i = 0; i < Math.min(command.length(), known.length()); i++) {
      differing += command.charAt(i) == known.charAt(i) ? 0 : 1;
    }
    return differing == 1;
  }

  /**
   * Later versions may have added fields to a version message. Filters are read by nodes only, and
   * Core ignores what follows them.
   */
  private static final Set<Class<? extends Message>> MAY_BE_LONGER =
      Set.of(
          Message.Version.class,
          Message.FilterLoad.class,
          Message.FilterAdd.class,
          Message.FilterClear.class);

  /** Returns the most bytes that a payload may have. */
  static int maxPayload(String command) {
    Codec<?> codec = BY_COMMAND.get(command);
    return codec == null ? Frame.MAX_PAYLOAD : codec.maxPayload;
  }

  /** Decodes a body. The message keeps the array. */
  static Message read(String command, byte[] payload) {
    Codec<?> codec = BY_COMMAND.get(command);
    if (codec == null) {
      return new Message.Unknown(command, Bytes.wrap(payload));
    }
    PayloadReader in = new PayloadReader(payload);
    try {
      Message message = codec.reader.apply(in);
      if (!MAY_BE_LONGER.contains(codec.type)) {
        in.expectEnd();
      }
      return message;
    } catch (MalformedException e) {
      throw new WireException(command, in.field(), e.offset(), e.reason(), e);
    }
  }

  static String command(Message message) {
    return message instanceof Message.Unknown unknown
        ? checkedCommand(unknown.command())
        : of(message).command;
  }

  /** Writes a body. */
  static void write(Message message, ByteWriter out) {
    if (message instanceof Message.Unknown unknown) {
      out.bytes(unknown.payload());
    } else {
      of(message).writeUnchecked(message, out);
    }
  }

  /** Estimates the size of the body, so that large bodies need one allocation. */
  static int lengthHint(Message message) {
    if (message instanceof Message.TxMessage tx) {
      return tx.tx().raw().length();
    }
    if (message instanceof Message.BlockMessage block) {
      return block.raw().length();
    }
    if (message instanceof Message.MerkleBlockMessage block) {
      return block.merkleBlock().toPayload().length();
    }
    if (message instanceof Message.HeadersMessage headers) {
      return 3 + headers.headers().count() * HeadersLayout.STRIDE;
    }
    if (message instanceof Message.GetData getData) {
      return 3 + getData.items().size() * INVENTORY_ITEM_LENGTH;
    }
    if (message instanceof Message.CFilter filter) {
      return 38 + filter.filter().length();
    }
    if (message instanceof Message.CFHeaders headers) {
      return 68 + headers.hashes().size() * Hash256.LENGTH;
    }
    if (message instanceof Message.Unknown unknown) {
      return unknown.payload().length();
    }
    return 128;
  }

  private static Codec<?> of(Message message) {
    Codec<?> codec = BY_TYPE.get(message.getClass());
    if (codec == null) {
      throw new AssertionError("no codec for " + message.getClass());
    }
    return codec;
  }

  private void writeUnchecked(Message message, ByteWriter out) {
    writer.accept(type.cast(message), out);
  }

  private static String checkedCommand(String command) {
    boolean good = !command.isEmpty() && command.length() <= Frame.COMMAND_LENGTH;
    for (int i = 0; i < command.length(); i++) {
      char c = command.charAt(i);
      good &= c >= 0x20 && c < 0x7f;
    }
    if (!good) {
      throw new IllegalArgumentException(
          "command \"" + command + "\", expected 1 to 12 printable ASCII characters");
    }
    return command;
  }

  private static void checkAtMost(String what, int count, int most) {
    if (count > most) {
      throw new IllegalArgumentException(what + " " + count + ", expected at most " + most);
    }
  }

  // version:
  //   protocol 4 | services 8 | time 8 | receiver 26 | sender 26 | nonce 8
  //   | user agent cs+n | start height 4 | relay 1
  // receiver, sender: services 8 | address 16 | port 2 big-endian
  //
  // Old nodes end after the receiver, the nonce, the user agent or the height; missing fields get
  // Core's defaults. We send zeros for both addresses.
  private static Message.Version version(PayloadReader in) {
    int protocol = in.at("protocol").int32();
    long services = in.at("services").int64();
    long time = in.at("time").int64();
    in.at("receiver").skip(26);
    long nonce = 0;
    if (in.hasMore()) {
      in.at("sender").skip(26);
      nonce = in.at("nonce").int64();
    }
    String userAgent = in.hasMore() ? in.text("user agent", MAX_USER_AGENT) : "";
    int startHeight = in.hasMore() ? in.at("start height").int32() : 0;
    boolean relay = !in.hasMore() || in.at("relay").uint8() != 0;
    return new Message.Version(protocol, services, time, nonce, userAgent, startHeight, relay);
  }

  private static void writeVersion(Message.Version m, ByteWriter out) {
    Bytes userAgent = ascii(m.userAgent());
    checkAtMost("user agent length", userAgent.length(), MAX_USER_AGENT);
    out.int32(m.protocol()).int64(m.services()).int64(m.time());
    out.bytes(new byte[52], 0, 52);
    out.int64(m.nonce()).varBytes(userAgent).int32(m.startHeight()).uint8(m.relay() ? 1 : 0);
  }

  // ping, pong:
  //   nonce 8
  private static Message.Ping ping(PayloadReader in) {
    return new Message.Ping(in.at("nonce").int64());
  }

  private static Message.Pong pong(PayloadReader in) {
    return new Message.Pong(in.at("nonce").int64());
  }

  // sendcmpct:
  //   announce 1 | version 8
  private static Message.SendCmpct sendCmpct(PayloadReader in) {
    boolean announce = in.at("announce").uint8() != 0;
    return new Message.SendCmpct(announce, in.at("version").int64());
  }

  private static void writeSendCmpct(Message.SendCmpct m, ByteWriter out) {
    out.uint8(m.announce() ? 1 : 0).int64(m.version());
  }

  // feefilter:
  //   satoshi per 1,000 vbytes 8
  private static Message.FeeFilter feeFilter(PayloadReader in) {
    return new Message.FeeFilter(in.at("fee rate").int64());
  }

  private static void writeFeeFilter(Message.FeeFilter m, ByteWriter out) {
    out.int64(m.feeRate());
  }

  // getheaders, getblocks:
  //   protocol 4 | count cs | block hash 32 each, the newest first | stop hash 32
  private static Message.GetHeaders getHeaders(PayloadReader in) {
    List<Hash256> locator = locator(in);
    return new Message.GetHeaders(locator, in.at("stop").hash());
  }

  private static Message.GetBlocks getBlocks(PayloadReader in) {
    List<Hash256> locator = locator(in);
    return new Message.GetBlocks(locator, in.at("stop").hash());
  }

  private static List<Hash256> locator(PayloadReader in) {
    in.at("protocol").skip(4);
    return hashes(in, "locator", MAX_LOCATOR);
  }

  private static List<Hash256> hashes(PayloadReader in, String name, int most) {
    int count = in.count(name, Hash256.LENGTH, most);
    List<Hash256> hashes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      hashes.add(in.at(name).hash());
    }
    return hashes;
  }

  private static void writeLocator(Message.GetHeaders m, ByteWriter out) {
    writeLocator(m.locator(), m.stop(), out);
  }

  private static void writeLocator(Message.GetBlocks m, ByteWriter out) {
    writeLocator(m.locator(), m.stop(), out);
  }

  private static void writeLocator(List<Hash256> locator, Hash256 stop, ByteWriter out) {
    out.int32(PROTOCOL_VERSION);
    writeHashes("locator size", locator, MAX_LOCATOR, out);
    out.hash(stop);
  }

  private static void writeHashes(String what, List<Hash256> hashes, int most, ByteWriter out) {
    checkAtMost(what, hashes.size(), most);
    out.compactSize(hashes.size());
    hashes.forEach(out::hash);
  }

  /** Layout of a header inside a {@code headers} message. */
  private static final class HeadersLayout {
    /** Eighty bytes and the transaction count, a CompactSize that is zero. */
    static final int STRIDE = Headers.HEADER_LENGTH + 1;

    private HeadersLayout() {}
  }

  // headers:
  //   count cs | (header 80 | transaction count cs, always 0) each
  //
  // The record views the payload, 81 bytes from one header to the next.
  private static Message.HeadersMessage headers(PayloadReader in) {
    int count = in.count("headers", HeadersLayout.STRIDE, Headers.MAX_PER_MESSAGE);
    ByteReader cursor = in.at("transaction count");
    int from = cursor.position();
    for (int i = 0; i < count; i++) {
      cursor.skip(Headers.HEADER_LENGTH);
      int transactions = cursor.uint8();
      if (transactions != 0) {
        throw new MalformedException(transactions + ", expected 0", cursor.position() - 1);
      }
    }
    return new Message.HeadersMessage(
        Headers.view(in.payload(), from, HeadersLayout.STRIDE, count));
  }

  private static void writeHeaders(Message.HeadersMessage m, ByteWriter out) {
    Headers headers = m.headers();
    checkAtMost("header count", headers.count(), Headers.MAX_PER_MESSAGE);
    out.compactSize(headers.count());
    byte[] entry = new byte[HeadersLayout.STRIDE];
    for (int i = 0; i < headers.count(); i++) {
      headers.copy(i, entry, 0);
      out.bytes(entry, 0, entry.length);
    }
  }

  // inv, getdata, notfound:
  //   count cs | (type 4 | hash 32) each
  private static List<InventoryItem> inventory(PayloadReader in) {
    int count = in.count("items", INVENTORY_ITEM_LENGTH, MAX_INVENTORY);
    ByteReader cursor = in.at("items");
    List<InventoryItem> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int type = cursor.int32();
      items.add(new InventoryItem(type, cursor.hash()));
    }
    return items;
  }

  private static void writeInventory(List<InventoryItem> items, ByteWriter out) {
    checkAtMost("item count", items.size(), MAX_INVENTORY);
    out.compactSize(items.size());
    for (InventoryItem item : items) {
      out.int32(item.type()).hash(item.hash());
    }
  }

  // tx:
  //   one transaction, with witness data (BIP-0144) or without
  private static Message.TxMessage tx(PayloadReader in) {
    return new Message.TxMessage(Tx.read(in.at("transaction")));
  }

  // block:
  //   header 80 | transaction count cs | transactions
  //
  // Not decoded. The record keeps the payload.
  private static Message.BlockMessage block(PayloadReader in) {
    in.at("header").skip(Headers.HEADER_LENGTH);
    in.at("transactions").compactSize();
    return new Message.BlockMessage(in.whole("transactions"));
  }

  // merkleblock (BIP-0037):
  //   header 80 | transactions 4 | count cs | hash 32 each, depth first | flags cs+n
  //
  // The record views the payload.
  private static Message.MerkleBlockMessage merkleBlock(PayloadReader in) {
    Bytes payload = in.whole("proof");
    return new Message.MerkleBlockMessage(MerkleBlock.parse(payload));
  }

  // filterload (BIP-0037):
  //   filter cs+n, at most 36,000 | hash functions 4, at most 50 | tweak 4 | flags 1
  private static Message.FilterLoad filterLoad(PayloadReader in) {
    return new Message.FilterLoad(BloomFilter.read(in.at("filter")));
  }

  // filteradd:
  //   element cs+n
  private static Message.FilterAdd filterAdd(PayloadReader in) {
    int length = in.length("element", MAX_FILTER_ELEMENT);
    return new Message.FilterAdd(in.at("element").bytes(length));
  }

  private static void writeFilterAdd(Message.FilterAdd m, ByteWriter out) {
    checkAtMost("element length", m.element().length(), MAX_FILTER_ELEMENT);
    out.varBytes(m.element());
  }

  // getcfilters, getcfheaders (BIP-0157):
  //   filter type 1 | start height 4 | stop hash 32
  private static Message.GetCFilters getCFilters(PayloadReader in) {
    int filterType = in.at("filter type").uint8();
    long start = in.at("start").uint32();
    return new Message.GetCFilters(filterType, start, in.at("stop").hash());
  }

  private static Message.GetCFHeaders getCFHeaders(PayloadReader in) {
    int filterType = in.at("filter type").uint8();
    long start = in.at("start").uint32();
    return new Message.GetCFHeaders(filterType, start, in.at("stop").hash());
  }

  private static void writeFilterQuery(int type, long start, Hash256 stop, ByteWriter out) {
    out.uint8(type).int32((int) start).hash(stop);
  }

  // cfilter (BIP-0157):
  //   filter type 1 | block hash 32 | filter cs+n
  private static Message.CFilter cfilter(PayloadReader in) {
    int filterType = in.at("filter type").uint8();
    Hash256 block = in.at("block").hash();
    int length = in.length("filter", MAX_COMPACT_FILTER);
    return new Message.CFilter(filterType, block, in.at("filter").bytes(length));
  }

  private static void writeCFilter(Message.CFilter m, ByteWriter out) {
    checkAtMost("filter length", m.filter().length(), MAX_COMPACT_FILTER);
    out.uint8(m.filterType()).hash(m.block()).varBytes(m.filter());
  }

  // cfheaders (BIP-0157):
  //   filter type 1 | stop hash 32 | previous filter header 32 | count cs | filter hash 32 each
  private static Message.CFHeaders cfheaders(PayloadReader in) {
    int filterType = in.at("filter type").uint8();
    Hash256 stop = in.at("stop").hash();
    Hash256 previous = in.at("previous filter header").hash();
    List<Hash256> hashes = hashes(in, "filter hashes", MAX_FILTER_HASHES);
    return new Message.CFHeaders(filterType, stop, previous, hashes);
  }

  private static void writeCFHeaders(Message.CFHeaders m, ByteWriter out) {
    out.uint8(m.filterType()).hash(m.stop()).hash(m.previousHeader());
    writeHashes("filter hash count", m.hashes(), MAX_FILTER_HASHES, out);
  }

  // getcfcheckpt (BIP-0157):
  //   filter type 1 | stop hash 32
  private static Message.GetCFCheckpt getCFCheckpt(PayloadReader in) {
    int filterType = in.at("filter type").uint8();
    return new Message.GetCFCheckpt(filterType, in.at("stop").hash());
  }

  // cfcheckpt (BIP-0157):
  //   filter type 1 | stop hash 32 | count cs | filter header 32 each
  private static Message.CFCheckpt cfcheckpt(PayloadReader in) {
    int filterType = in.at("filter type").uint8();
    Hash256 stop = in.at("stop").hash();
    List<Hash256> headers = hashes(in, "filter headers", MAX_FILTER_CHECKPOINTS);
    return new Message.CFCheckpt(filterType, stop, headers);
  }

  private static void writeCFCheckpt(Message.CFCheckpt m, ByteWriter out) {
    out.uint8(m.filterType()).hash(m.stop());
    writeHashes("filter header count", m.headers(), MAX_FILTER_CHECKPOINTS, out);
  }

  // reject:
  //   message cs+n | code 1 | reason cs+n | data, all that is left
  private static Message.Reject reject(PayloadReader in) {
    String message = in.text("message", Frame.COMMAND_LENGTH);
    int code = in.at("code").uint8();
    String reason = in.text("reason", MAX_REJECT_REASON);
    return new Message.Reject(message, code, reason, in.at("data").bytes(in.remaining()));
  }

  private static void writeReject(Message.Reject m, ByteWriter out) {
    Bytes message = ascii(m.message());
    Bytes reason = ascii(m.reason());
    checkAtMost("message length", message.length(), Frame.COMMAND_LENGTH);
    checkAtMost("reason length", reason.length(), MAX_REJECT_REASON);
    out.varBytes(message).uint8(m.code()).varBytes(reason).bytes(m.data());
  }

  /** Replaces non-ASCII characters by question marks. */
  private static Bytes ascii(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }
}
