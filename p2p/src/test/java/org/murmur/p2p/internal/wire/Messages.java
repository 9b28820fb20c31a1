package org.murmur.p2p.internal.wire;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;

/** Any message that can be sent. */
final class Messages {

  private Messages() {}

  static Arbitrary<Message> any() {
    return Arbitraries.oneOf(
        List.of(
            version(),
            fixed(),
            longs().map(Message.Ping::new),
            longs().map(Message.Pong::new),
            longs().map(Message.FeeFilter::new),
            Combinators.combine(Arbitraries.of(true, false), longs()).as(Message.SendCmpct::new),
            Combinators.combine(locator(), hash()).as(Message.GetHeaders::new),
            Combinators.combine(locator(), hash()).as(Message.GetBlocks::new),
            headers().map(Message.HeadersMessage::new),
            items().map(Message.Inv::new),
            items().map(Message.GetData::new),
            items().map(Message.NotFound::new),
            tx().map(Message.TxMessage::new),
            bytes(82, 3_000).map(Messages::block),
            merkleBlock(),
            filter().map(Message.FilterLoad::new),
            bytes(0, 520).map(Message.FilterAdd::new),
            address(1, 2).list().ofMaxSize(1_000).map(Message.Addr::new),
            address(1, 2, 4, 5, 6).list().ofMaxSize(1_000).map(Message.AddrV2::new),
            reject(),
            Combinators.combine(filterType(), height(), hash()).as(Message.GetCFilters::new),
            Combinators.combine(filterType(), hash(), bytes(0, 3_000)).as(Message.CFilter::new),
            Combinators.combine(filterType(), height(), hash()).as(Message.GetCFHeaders::new),
            Combinators.combine(filterType(), hash(), hash(), hash().list().ofMaxSize(300))
                .as(Message.CFHeaders::new),
            Combinators.combine(filterType(), hash()).as(Message.GetCFCheckpt::new),
            Combinators.combine(filterType(), hash(), hash().list().ofMaxSize(300))
                .as(Message.CFCheckpt::new),
            unknown()));
  }

  static Arbitrary<Message> fixed() {
    return Arbitraries.of(
        new Message.Verack(),
        new Message.SendHeaders(),
        new Message.WtxidRelay(),
        new Message.SendAddrV2(),
        new Message.FilterClear(),
        new Message.Mempool(),
        new Message.GetAddr());
  }

  static Arbitrary<Message> version() {
    Arbitrary<String> userAgent =
        Arbitraries.strings().withCharRange(' ', '~').ofMinLength(0).ofMaxLength(256);
    return Combinators.combine(
            ints(), longs(), longs(), longs(), userAgent, ints(), Arbitraries.of(true, false))
        .as(Message.Version::new);
  }

  static Arbitrary<Bytes> bytes(int least, int most) {
    return Arbitraries.bytes().array(byte[].class).ofMinSize(least).ofMaxSize(most).map(Bytes::of);
  }

  static Arbitrary<Hash256> hash() {
    return bytes(32, 32).map(b -> Hash256.read(b.toArray(), 0));
  }

  static Arbitrary<Headers> headers() {
    return Combinators.combine(
            bytes(80, 80), Arbitraries.integers().between(0, 2_000), Arbitraries.of(true, false))
        .as(Messages::headers);
  }

  static Arbitrary<List<InventoryItem>> items() {
    return Combinators.combine(ints(), hash()).as(InventoryItem::new).list().ofMaxSize(300);
  }

  static Arbitrary<Tx> tx() {
    Arbitrary<Bytes> script = bytes(0, 60);
    return Combinators.combine(
            ints(),
            bytes(36, 36).list().ofMinSize(1).ofMaxSize(4),
            script.list().ofSize(4),
            script.list().ofMaxSize(4),
            Arbitraries.of(true, false))
        .as(Messages::tx);
  }

  static Arbitrary<NetworkAddress> address(Integer... networks) {
    return Combinators.combine(
            Arbitraries.longs().between(0, 0xffffffffL),
            longs(),
            Arbitraries.of(networks),
            bytes(32, 32),
            Arbitraries.integers().between(0, 0xffff))
        .as(Messages::address);
  }

  private static Arbitrary<Message> reject() {
    Arbitrary<String> text = Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(111);
    return Combinators.combine(text, Arbitraries.integers().between(0, 255), text, bytes(0, 32))
        .as((m, code, reason, data) -> new Message.Reject(head(m, 12), code, reason, data));
  }

  private static Arbitrary<Message> unknown() {
    Arbitrary<String> command =
        Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(9);
    return Combinators.combine(command, bytes(0, 3_000))
        .as((name, payload) -> new Message.Unknown("no_" + name, payload));
  }

  private static Arbitrary<Message> merkleBlock() {
    return Combinators.combine(bytes(80, 80), ints(), hash().list().ofMaxSize(20), bytes(0, 10))
        .as(
            (header, total, hashes, flags) ->
                new Message.MerkleBlockMessage(
                    MerkleBlock.of(header, PartialMerkleTree.of(total, hashes, flags))));
  }

  static Arbitrary<BloomFilter> filter() {
    return Combinators.combine(
            Arbitraries.of(0, 1, 252, 253, 36_000),
            Arbitraries.integers().between(0, 50),
            ints(),
            Arbitraries.of(UpdateFlag.values()),
            bytes(1, 40))
        .as(
            (size, functions, tweak, flag, element) ->
                BloomFilter.builder(new FilterParameters(size, functions, tweak, flag))
                    .add(element)
                    .build());
  }

  private static Arbitrary<Integer> filterType() {
    return Arbitraries.integers().between(0, 255);
  }

  private static Arbitrary<Long> height() {
    return Arbitraries.longs().between(0, 0xffffffffL);
  }

  private static Arbitrary<Long> longs() {
    return Arbitraries.longs();
  }

  private static Arbitrary<Integer> ints() {
    return Arbitraries.integers();
  }

  private static Arbitrary<List<Hash256>> locator() {
    return hash().list().ofMaxSize(101);
  }

  private static String head(String text, int most) {
    return text.substring(0, Math.min(text.length(), most));
  }

  private static Message.BlockMessage block(Bytes random) {
    byte[] raw = random.toArray();
    raw[80] = 1;
    return new Message.BlockMessage(Bytes.wrap(raw));
  }

  private static Headers headers(Bytes seed, int count, boolean fromWire) {
    int stride = fromWire ? 81 : 80;
    byte[] buffer = new byte[1 + count * stride];
    for (int i = 0; i < count; i++) {
      seed.write(buffer, 1 + i * stride);
      buffer[1 + i * stride] = (byte) i;
    }
    return Headers.view(buffer, 1, stride, count);
  }

  private static Tx tx(
      int version, List<Bytes> spent, List<Bytes> scripts, List<Bytes> paid, boolean witness) {
    ByteWriter out = new ByteWriter().int32(version);
    if (witness) {
      out.uint8(0).uint8(1);
    }
    out.compactSize(spent.size());
    for (int i = 0; i < spent.size(); i++) {
      out.bytes(spent.get(i)).varBytes(scripts.get(i)).int32(version);
    }
    out.compactSize(paid.size());
    paid.forEach(script -> out.int64(script.length()).varBytes(script));
    if (witness) {
      spent.forEach(s -> out.compactSize(2).varBytes(s).varBytes(Bytes.EMPTY));
    }
    return Tx.parse(out.int32(0).toBytes());
  }

  private static NetworkAddress address(
      long time, long services, int network, Bytes random, int port) {
    byte[] bytes = random.slice(0, NetworkAddress.lengthOf(network)).toArray();
    // CJDNS asks for 0xfc; 0x20 keeps IPv6 clear of the ranges that hide other networks.
    bytes[0] = (byte) (network == NetworkAddress.CJDNS ? 0xfc : 0x20);
    return new NetworkAddress(time, services, network, Bytes.wrap(bytes), port);
  }
}
