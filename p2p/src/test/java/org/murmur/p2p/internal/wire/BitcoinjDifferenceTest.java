package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bitcoinj.base.Coin;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.core.BitcoinSerializer;
import org.bitcoinj.core.BlockLocator;
import org.bitcoinj.core.BloomFilter;
import org.bitcoinj.core.FeeFilterMessage;
import org.bitcoinj.core.GetDataMessage;
import org.bitcoinj.core.GetHeadersMessage;
import org.bitcoinj.core.HeadersMessage;
import org.bitcoinj.core.InventoryMessage;
import org.bitcoinj.core.RejectMessage;
import org.bitcoinj.core.VersionMessage;
import org.bitcoinj.params.MainNetParams;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

/** The same bytes and the same meaning as another implementation, bitcoinj's serialiser. */
@SuppressWarnings("deprecation") // bitcoinj means to hide its wire messages one day
final class BitcoinjDifferenceTest {

  private static final int MAINNET = 0xd9b4bef9;
  private static final MainNetParams PARAMS = MainNetParams.get();
  private static final BitcoinSerializer BITCOINJ = new BitcoinSerializer(PARAMS);

  /** Messages that bitcoinj keeps whole when it reads them. */
  @Provide
  Arbitrary<Message> common() {
    Arbitrary<Message> fees =
        Arbitraries.longs().between(0, 2_100_000_000_000_000L).map(Message.FeeFilter::new);
    Arbitrary<Message> locators =
        Combinators.combine(Messages.hash().list().ofMaxSize(101), Messages.hash())
            .as(Message.GetHeaders::new);
    return Arbitraries.oneOf(
        List.of(
            Arbitraries.longs().map(Message.Ping::new),
            Arbitraries.longs().map(Message.Pong::new),
            fees,
            locators,
            Combinators.combine(Arbitraries.of(1, 2, 3, 0x40000001, 0x40000002), Messages.hash())
                .as(InventoryItem::new)
                .list()
                .ofMinSize(1)
                .map(Message.NotFound::new),
            Messages.tx().map(Message.TxMessage::new),
            Messages.filter().map(Message.FilterLoad::new),
            Arbitraries.of(
                new Message.Verack(), new Message.SendHeaders(), new Message.SendAddrV2())));
  }

  @Property(tries = 600)
  void bitcoinjReadsWhatWeWriteAndWritesItBack(@ForAll("common") Message message)
      throws IOException {
    byte[] ours = FrameEncoder.encode(MAINNET, message);
    org.bitcoinj.core.Message theirs = BITCOINJ.deserialize(ByteBuffer.wrap(ours));
    assertThat(theirs).isNotInstanceOf(org.bitcoinj.core.UnknownMessage.class);
    byte[] back = bytes(theirs);
    assertThat(back).isEqualTo(ours);
    assertThat(decode(back)).isEqualTo(message);
  }

  @Test
  void version() throws IOException {
    VersionMessage theirs = new VersionMessage(PARAMS, 840_000);
    theirs.appendToSubVer("Murmur", "0.1", null);
    theirs.relayTxesBeforeFilter = false;
    Message.Version ours = (Message.Version) decode(bytes(theirs));
    assertThat(ours.protocol()).isEqualTo(theirs.clientVersion());
    assertThat(ours.services()).isEqualTo(theirs.services().bits());
    assertThat(ours.time()).isEqualTo(theirs.time.getEpochSecond());
    assertThat(ours.userAgent()).isEqualTo(theirs.subVer).contains("Murmur:0.1");
    assertThat(ours.startHeight()).isEqualTo(840_000);
    assertThat(ours.relay()).isFalse();

    Message.Version sent =
        new Message.Version(70016, 1033, 1_700_000_000L, 77, "/Murmur:0.1/", 850_000, true);
    VersionMessage read =
        (VersionMessage) BITCOINJ.deserialize(ByteBuffer.wrap(FrameEncoder.encode(MAINNET, sent)));
    assertThat(read.clientVersion()).isEqualTo(70016);
    assertThat(read.services().bits()).isEqualTo(1033);
    assertThat(read.time.getEpochSecond()).isEqualTo(1_700_000_000L);
    assertThat(read.subVer).isEqualTo("/Murmur:0.1/");
    assertThat(read.bestHeight).isEqualTo(850_000);
    assertThat(read.relayTxesBeforeFilter).isTrue();
  }

  @Test
  void inventories() throws IOException {
    Sha256Hash hash = Sha256Hash.of(new byte[] {1, 2, 3});
    GetDataMessage theirs = new GetDataMessage();
    theirs.addFilteredBlock(hash);
    theirs.addTransaction(hash, false);
    theirs.addTransaction(hash, true);
    theirs.addBlock(hash, true);
    assertThat(decode(bytes(theirs)))
        .isEqualTo(
            new Message.GetData(
                List.of(
                    new InventoryItem(InventoryItem.FILTERED_BLOCK, ours(hash)),
                    new InventoryItem(InventoryItem.TX, ours(hash)),
                    new InventoryItem(InventoryItem.WITNESS_TX, ours(hash)),
                    new InventoryItem(InventoryItem.WITNESS_BLOCK, ours(hash)))));
    InventoryMessage read =
        (InventoryMessage)
            BITCOINJ.deserialize(
                ByteBuffer.wrap(
                    FrameEncoder.encode(
                        MAINNET,
                        new Message.Inv(
                            List.of(new InventoryItem(InventoryItem.TX, ours(hash)))))));
    assertThat(read.getItems()).hasSize(1);
    assertThat(read.getItems().get(0).hash).isEqualTo(hash);
  }

  @Test
  void locatorsAndRejects() throws IOException {
    Sha256Hash hash = Sha256Hash.of(new byte[] {4});
    BlockLocator locator = new BlockLocator().add(hash);
    assertThat(decode(bytes(new GetHeadersMessage(70013, locator, Sha256Hash.ZERO_HASH))))
        .isEqualTo(new Message.GetHeaders(List.of(ours(hash)), Hash256.ZERO));
    RejectMessage reject =
        new RejectMessage(RejectMessage.RejectCode.DUST, hash, "tx", "too little to keep");
    assertThat(decode(bytes(reject)))
        .isEqualTo(
            new Message.Reject(
                "tx", 0x41, "too little to keep", Bytes.wrap(ours(hash).toInternal())));
    assertThat(decode(bytes(FeeFilterMessage.of(Coin.valueOf(1234)))))
        .isEqualTo(new Message.FeeFilter(1234));
  }

  @Test
  void filters() throws IOException {
    BloomFilter theirs = new BloomFilter(10, 0.001, 99, BloomFilter.BloomUpdate.UPDATE_ALL);
    theirs.insert(new byte[] {1, 2, 3});
    Message.FilterLoad ours = (Message.FilterLoad) decode(bytes(theirs));
    assertThat(ours.filter().contains(Bytes.ofHex("010203"))).isTrue();
    assertThat(ours.filter().contains(Bytes.ofHex("010204"))).isFalse();
    assertThat(FrameEncoder.encode(MAINNET, ours)).isEqualTo(bytes(theirs));
  }

  @Test
  void twoThousandRealHeaders() throws IOException {
    byte[] stored;
    try (GZIPInputStream in =
        new GZIPInputStream(
            BitcoinjDifferenceTest.class.getResourceAsStream(
                "/vectors/headers/main_40000-49999.bin.gz"))) {
      stored = in.readNBytes(2_000 * 80);
    }
    Headers headers = Headers.ofStored(Bytes.wrap(stored));
    byte[] frame = FrameEncoder.encode(MAINNET, new Message.HeadersMessage(headers));
    HeadersMessage theirs = (HeadersMessage) BITCOINJ.deserialize(ByteBuffer.wrap(frame));
    Headers ours = ((Message.HeadersMessage) decode(frame)).headers();
    assertThat(theirs.getBlockHeaders()).hasSize(2_000);
    Set<Hash256> hashes = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      hashes.add(ours.hash(i));
      assertThat(ours.hash(i)).isEqualTo(ours(theirs.getBlockHeaders().get(i).getHash()));
    }
    assertThat(hashes).hasSize(2_000);
    assertThat(bytes(theirs)).isEqualTo(frame);
  }

  private static Hash256 ours(Sha256Hash hash) {
    return Hash256.ofDisplay(hash.toString());
  }

  private static byte[] bytes(org.bitcoinj.core.Message message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BITCOINJ.serialize(message, out);
    return out.toByteArray();
  }

  private static Message decode(byte[] frame) {
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(frame, 0, frame.length);
    Frame came = Objects.requireNonNull(decoder.next());
    assertThat(came.wireBytes()).isEqualTo(frame.length);
    return came.message();
  }
}
