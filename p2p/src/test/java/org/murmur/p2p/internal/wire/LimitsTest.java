package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

/** The limits of Bitcoin Core, on both sides: at the limit a message passes, above it does not. */
final class LimitsTest {

  private static final Hash256 HASH =
      Hash256.ofDisplay("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
  private static final NetworkAddress ADDRESS =
      new NetworkAddress(1, 1, NetworkAddress.IPV4, Bytes.ofHex("01020304"), 8333);

  @Test
  void locatorsOf101() {
    assertPasses(new Message.GetHeaders(Collections.nCopies(101, HASH), HASH));
    assertNotSent(new Message.GetHeaders(Collections.nCopies(102, HASH), HASH));
    assertNotSent(new Message.GetBlocks(Collections.nCopies(102, HASH), HASH));
    ByteWriter body = new ByteWriter().int32(70016).compactSize(102);
    Collections.nCopies(103, HASH).forEach(body::hash);
    assertRefused("getheaders", body, "locator", 4);
  }

  @Test
  void inventoriesOf50000() {
    InventoryItem item = new InventoryItem(InventoryItem.FILTERED_BLOCK, HASH);
    assertPasses(new Message.GetData(Collections.nCopies(50_000, item)));
    assertNotSent(new Message.GetData(Collections.nCopies(50_001, item)));
    ByteWriter body = new ByteWriter().compactSize(50_001);
    Collections.nCopies(50_001, item).forEach(i -> body.int32(i.type()).hash(i.hash()));
    assertRefused("inv", body, "items", 0);
  }

  @Test
  void headersOf2000() {
    assertPasses(new Message.HeadersMessage(Headers.ofStored(Bytes.wrap(new byte[160_000]))));
    assertNotSent(new Message.HeadersMessage(Headers.ofStored(Bytes.wrap(new byte[160_080]))));
    ByteWriter body = new ByteWriter().compactSize(2001).bytes(new byte[2001 * 81], 0, 2001 * 81);
    assertRefused("headers", body, "headers", 0);
  }

  @Test
  void headersThatComeWithTransactions() {
    ByteWriter body = new ByteWriter().compactSize(2).bytes(new byte[161], 0, 161).uint8(1);
    assertRefused("headers", body, "transaction count", 162);
  }

  @Test
  void countsThatTheBytesCannotHold() {
    assertRefused("inv", new ByteWriter().compactSize(-1), "items", 0);
    assertRefused("addr", new ByteWriter().compactSize(1000), "addresses", 0);
    assertRefused("headers", new ByteWriter().compactSize(2000), "headers", 0);
    ByteWriter filter = new ByteWriter().uint8(0).hash(HASH);
    assertRefused("cfilter", filter.compactSize(1).uint8(7).uint8(0), "end", 35);
    ByteWriter checkpoints = new ByteWriter().uint8(0).hash(HASH);
    assertRefused("cfcheckpt", checkpoints.compactSize(2).hash(HASH), "filter headers", 33);
    assertRefused("merkleblock", new ByteWriter().bytes(new byte[84], 0, 84).uint8(9), "proof", 84);
    // A count in a longer form than it needs.
    assertRefused("inv", new ByteWriter().uint8(0xfd).uint16(1), "items", 0);
  }

  @Test
  void addressesOf1000() {
    assertPasses(new Message.Addr(Collections.nCopies(1_000, ADDRESS)));
    assertNotSent(new Message.Addr(Collections.nCopies(1_001, ADDRESS)));
    assertNotSent(new Message.AddrV2(Collections.nCopies(1_001, ADDRESS)));
    ByteWriter body = new ByteWriter().compactSize(1_001).bytes(new byte[30_030], 0, 30_030);
    assertRefused("addr", body, "addresses", 0);
  }

  @Test
  void elementsOf520() {
    assertPasses(new Message.FilterAdd(Bytes.wrap(new byte[520])));
    assertNotSent(new Message.FilterAdd(Bytes.wrap(new byte[521])));
    assertRefused("filteradd", new ByteWriter().varBytes(Bytes.wrap(new byte[521])), "element", 0);
  }

  @Test
  void filtersOf36000BytesAnd50Functions() {
    ByteWriter large = new ByteWriter().varBytes(Bytes.wrap(new byte[36_001]));
    assertRefused("filterload", large.int32(1).int32(0).uint8(0), "filter", 0);
    ByteWriter functions = new ByteWriter().varBytes(Bytes.wrap(new byte[10])).int32(51);
    assertRefused("filterload", functions.int32(0).uint8(0), "filter", 11);
  }

  @Test
  void filterHashesOf2000() {
    assertPasses(new Message.CFHeaders(0, HASH, HASH, Collections.nCopies(2_000, HASH)));
    assertNotSent(new Message.CFHeaders(0, HASH, HASH, Collections.nCopies(2_001, HASH)));
    ByteWriter body = new ByteWriter().uint8(0).hash(HASH).hash(HASH).compactSize(2_001);
    Collections.nCopies(2_001, HASH).forEach(body::hash);
    assertRefused("cfheaders", body, "filter hashes", 65);
  }

  @Test
  void filterCheckpointsOf10000() {
    assertPasses(new Message.CFCheckpt(0, HASH, Collections.nCopies(10_000, HASH)));
    assertNotSent(new Message.CFCheckpt(0, HASH, Collections.nCopies(10_001, HASH)));
    ByteWriter body = new ByteWriter().uint8(0).hash(HASH).compactSize(10_001);
    Collections.nCopies(10_001, HASH).forEach(body::hash);
    assertRefused("cfcheckpt", body, "filter headers", 33);
  }

  @Test
  void compactFiltersOf270000Bytes() {
    assertPasses(new Message.CFilter(0, HASH, Bytes.wrap(new byte[270_000])));
    assertNotSent(new Message.CFilter(0, HASH, Bytes.wrap(new byte[270_001])));
    ByteWriter body = new ByteWriter().uint8(0).hash(HASH);
    assertRefused("cfilter", body.varBytes(Bytes.wrap(new byte[270_001])), "filter", 33);
  }

  /**
   * The most elements that a block has room for: every output of its 1,000,000 bytes has a script
   * of one byte. The unary parts have one bit for each full 2^19 below N·M.
   */
  @Test
  void theLargestFilterOfABlockFits() {
    long elements = 1_000_000 / (8 + 1 + 1);
    long bits = elements * 20 + elements * 784_931 / (1 << 19);
    assertThat(5 + (bits + 7) / 8).isLessThan(Codec.MAX_COMPACT_FILTER);
  }

  @Test
  void userAgentsOf256() {
    assertPasses(version("x".repeat(256)));
    assertNotSent(version("x".repeat(257)));
    ByteWriter body = new ByteWriter().bytes(new byte[80], 0, 80);
    assertRefused("version", body.varBytes(Bytes.wrap(new byte[257])), "user agent", 80);
  }

  @Test
  void blocksShorterThanAHeader() {
    assertRefused("block", new ByteWriter().bytes(new byte[79], 0, 79), "header", 0);
    assertRefused("block", new ByteWriter().bytes(new byte[80], 0, 80), "transactions", 80);
  }

  @Test
  void commandsThatDoNotFit() {
    assertNotSent(new Message.Unknown("thirteenchars", Bytes.EMPTY));
    assertNotSent(new Message.Unknown("", Bytes.EMPTY));
    assertNotSent(new Message.Unknown("new\nline", Bytes.EMPTY));
    assertNotSent(new Message.Unknown("big", Bytes.wrap(new byte[4_000_001])));
  }

  @Test
  void bytesLeftOver() {
    assertRefused("ping", new ByteWriter().int64(1).uint8(0), "end", 8);
    assertRefused("verack", new ByteWriter().uint8(0), "end", 0);
  }

  private static Message.Version version(String userAgent) {
    return new Message.Version(70016, 0, 0, 0, userAgent, 0, true);
  }

  private static void assertPasses(Message message) {
    FrameDecoder decoder = new FrameDecoder(1);
    byte[] frame = FrameEncoder.encode(1, message);
    decoder.feed(frame, 0, frame.length);
    assertThat(decoder.next()).isEqualTo(new Frame(message, frame.length));
  }

  private static void assertNotSent(Message message) {
    assertThatThrownBy(() -> FrameEncoder.encode(1, message))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  private static void assertRefused(String command, ByteWriter body, String field, int offset) {
    byte[] payload = body.toArray();
    WireException e = catchThrowableOfType(WireException.class, () -> Codec.read(command, payload));
    assertThat(e).isNotNull();
    assertThat(e.command()).isEqualTo(command);
    assertThat(e.field()).isEqualTo(field);
    assertThat(e.offset()).isEqualTo(offset);
  }
}
