package org.murmur.p2p.internal.v2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Contents;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Transport;
import org.murmur.p2p.internal.wire.WireException;

/** Two sides of an encrypted connection, without a socket. */
final class EncryptedTransportTest {

  private static final int MAGIC = ChainParams.REGTEST.magic();
  private static final byte[] NOTHING = new byte[0];

  private final Dice dice = new Random(324)::nextBytes;
  private final EncryptedTransport caller = new EncryptedTransport(MAGIC, true, dice);

  /** The other side, as a test plays it: it may break every rule. */
  private final Handshake callee = new Handshake(MAGIC, false, EphemeralKey.draw(dice), NOTHING);

  private static void carry(byte[] bytes, Transport to) {
    to.feed(ByteBuffer.wrap(bytes));
  }

  /** The callee's answer to the caller's key: key, terminator and version packet. */
  private byte[] answer() {
    callee.feed(ByteBuffer.wrap(caller.handshake()));
    return callee.outgoing();
  }

  private PacketWriter writer() {
    carry(answer(), caller);
    assertThat(caller.isReady()).isTrue();
    PacketWriter writer = callee.writer();
    if (writer == null) {
      throw new AssertionError("the callee has the caller's key");
    }
    return writer;
  }

  private static byte[] packet(PacketWriter writer, Message message) {
    return writer.packet(Contents.encode(message));
  }

  private WireException refusal() {
    WireException first = catchThrowableOfType(WireException.class, caller::next);
    assertThat(first).isNotNull();
    assertThat(catchThrowableOfType(WireException.class, caller::next)).isSameAs(first);
    return first;
  }

  private static List<Message> all(Transport from) {
    List<Message> messages = new ArrayList<>();
    for (Frame frame = from.next(); frame != null; frame = from.next()) {
      messages.add(frame.message());
    }
    return messages;
  }

  @Property(tries = 30)
  void messagesCrossInAnyPieces(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 700) int piece) {
    Random random = new Random(seed);
    EncryptedTransport one = new EncryptedTransport(MAGIC, true, random::nextBytes);
    EncryptedTransport other = new EncryptedTransport(MAGIC, false, random::nextBytes);
    while (!one.isReady() || !other.isReady()) {
      pieces(one.handshake(), piece, other);
      pieces(other.handshake(), piece, one);
    }
    // More than two keys of each direction.
    List<Message> sent = new ArrayList<>();
    List<Message> came = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Message message =
          i % 3 == 0 ? new Message.Unknown("news", randomBytes(random)) : new Message.Ping(i);
      sent.add(message);
      pieces(one.encode(message), piece, other);
      came.addAll(all(other));
      pieces(other.encode(message), piece, one);
    }
    assertThat(came).isEqualTo(sent);
    assertThat(all(one)).isEqualTo(sent);
    assertThat(one.isMidFrame()).isFalse();
    assertThat(one.isEncrypted()).isTrue();
    assertThat(one.isPlainPeer(true)).isFalse();
  }

  private static Bytes randomBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static void pieces(byte[] bytes, int piece, Transport to) {
    for (int at = 0; at < bytes.length; at += piece) {
      carry(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece)), to);
    }
  }

  @Test
  void theSizeOnTheWireIsCounted() {
    byte[] packet = packet(writer(), new Message.Ping(1));
    assertThat(packet).hasSize(3 + 1 + 1 + 8 + 16);
    carry(packet, caller);
    Frame frame = caller.next();
    assertThat(frame).isEqualTo(new Frame(new Message.Ping(1), packet.length));
  }

  @Test
  void nothingIsReadyBeforeTheVersionPacket() {
    byte[] answer = answer();
    carry(Arrays.copyOf(answer, answer.length - 1), caller);
    assertThat(caller.isReady()).isFalse();
    assertThat(caller.isMidFrame()).isTrue();
    assertThat(caller.next()).isNull();
    carry(Arrays.copyOfRange(answer, answer.length - 1, answer.length), caller);
    assertThat(caller.isReady()).isTrue();
    assertThat(caller.isMidFrame()).isFalse();
    assertThat(caller.next()).isNull();
  }

  @Test
  void decoysAreDropped() {
    PacketWriter writer = writer();
    for (int i = 0; i < 300; i++) {
      carry(writer.packet(new byte[i], NOTHING, true), caller);
    }
    carry(packet(writer, new Message.Pong(1)), caller);
    carry(writer.packet(new byte[] {1, 2, 3}, NOTHING, true), caller);
    assertThat(all(caller)).containsExactly(new Message.Pong(1));
  }

  @Test
  void aDecoyMayComeBeforeTheVersionPacket() {
    byte[] garbage = {1, 2, 3};
    Handshake chatty = new Handshake(MAGIC, false, EphemeralKey.draw(dice), garbage);
    chatty.feed(ByteBuffer.wrap(caller.handshake()));
    byte[] answer = chatty.outgoing();
    // Key, garbage and terminator; the packets are encrypted anew, with the same keys.
    SessionKeys keys = keysOf(chatty);
    int packets = ElligatorSwift.LENGTH + garbage.length + SessionKeys.TERMINATOR;
    carry(Arrays.copyOf(answer, packets), caller);
    PacketWriter writer = new PacketWriter(keys);
    carry(writer.packet(new byte[9], garbage, true), caller);
    assertThat(caller.isReady()).isFalse();
    carry(writer.packet(new byte[2], NOTHING, false), caller);
    assertThat(caller.isReady()).isTrue();
    carry(packet(writer, new Message.Pong(1)), caller);
    assertThat(all(caller)).containsExactly(new Message.Pong(1));
  }

  private static SessionKeys keysOf(Handshake handshake) {
    SessionKeys keys = handshake.keys();
    if (keys == null) {
      throw new AssertionError("the other side's key came");
    }
    return keys;
  }

  @Test
  void garbageBelongsToTheFirstTag() {
    byte[] garbage = {1, 2, 3};
    Handshake careless = new Handshake(MAGIC, false, EphemeralKey.draw(dice), garbage);
    careless.feed(ByteBuffer.wrap(caller.handshake()));
    byte[] answer = careless.outgoing();
    answer[ElligatorSwift.LENGTH]++;
    carry(answer, caller);
    assertThat(refusal()).hasMessageContaining("tag");
    assertThat(caller.isReady()).isFalse();
  }

  @Test
  void garbageOf4095BytesEnds() {
    for (int length : new int[] {0, 1, 15, 16, 17, 4094, 4095}) {
      EncryptedTransport one = new EncryptedTransport(MAGIC, true, dice);
      byte[] garbage = new byte[length];
      Handshake other = new Handshake(MAGIC, false, EphemeralKey.draw(dice), garbage);
      other.feed(ByteBuffer.wrap(one.handshake()));
      carry(other.outgoing(), one);
      assertThat(one.isReady()).as(length + " bytes of garbage").isTrue();
    }
  }

  @Test
  void garbageWithoutAnEnd() {
    byte[] key = Arrays.copyOf(answer(), ElligatorSwift.LENGTH);
    carry(key, caller);
    carry(new byte[4095 + 15], caller);
    assertThat(caller.next()).isNull();
    carry(new byte[1], caller);
    assertThat(refusal()).hasMessageContaining("garbage: has no end");
  }

  @Test
  void aWrongTag() {
    PacketWriter writer = writer();
    carry(packet(writer, new Message.Ping(1)), caller);
    byte[] damaged = packet(writer, new Message.Ping(2));
    damaged[damaged.length - 1] ^= 1;
    carry(damaged, caller);
    carry(packet(writer, new Message.Ping(3)), caller);
    assertThat(caller.next()).isNotNull();
    WireException refusal = refusal();
    assertThat(refusal.field()).isEqualTo("tag");
    assertThat(refusal.isMalformed()).as("damaged by whom?").isFalse();
  }

  @Test
  void aLengthAboveTheLimit() {
    PacketWriter writer = writer();
    byte[] huge = writer.packet(new byte[Contents.MAX_LENGTH + 1]);
    carry(Arrays.copyOf(huge, LengthCipher.LENGTH), caller);
    assertThat(refusal().isOversized()).isTrue();
    assertThat(caller.buffered()).isZero();
  }

  @Test
  void theLongestContents() {
    PacketWriter writer = writer();
    byte[] longest = writer.packet(new byte[Contents.MAX_LENGTH], NOTHING, true);
    carry(longest, caller);
    carry(packet(writer, new Message.Ping(3)), caller);
    assertThat(all(caller)).containsExactly(new Message.Ping(3));
  }

  @Test
  void aMessageAboveTheLimitOfItsCommand() {
    byte[] ping = new byte[1 + 9];
    ping[0] = 18;
    carry(writer().packet(ping), caller);
    WireException refusal = refusal();
    assertThat(refusal.isOversized()).isTrue();
    assertThat(refusal.command()).isEqualTo("ping");
  }

  @Test
  void aMalformedMessageIsItsSendersFault() {
    carry(writer().packet(new byte[] {18, 1, 2}), caller);
    assertThat(refusal().isMalformed()).isTrue();
  }

  @Test
  void contentsWithoutACommand() {
    carry(writer().packet(NOTHING), caller);
    assertThat(refusal().field()).isEqualTo("command");
    assertThat(
            catchThrowableOfType(
                WireException.class, () -> Contents.decode(new byte[] {0, 'a', 'b'}, 0)))
        .hasMessageContaining("command");
  }

  @Test
  void anIdThatIsNotDefinedYetIsAnUnknownMessage() {
    carry(writer().packet(new byte[] {77, 1}), caller);
    assertThat(all(caller))
        .containsExactly(new Message.Unknown("v2 id 77", Bytes.wrap(new byte[] {1})));
  }

  @Test
  void aCallerWithoutEncryptionIsUnderstood() {
    EncryptedTransport server = new EncryptedTransport(MAGIC, false, dice);
    byte[] version = version(MAGIC);
    for (byte b : version) {
      carry(new byte[] {b}, server);
      assertThat(server.handshake()).isEmpty();
    }
    assertThat(server.isReady()).isTrue();
    assertThat(server.isEncrypted()).isFalse();
    assertThat(all(server)).hasSize(1).first().isInstanceOf(Message.Version.class);
    assertThat(server.encode(new Message.Verack()))
        .isEqualTo(FrameEncoder.encode(MAGIC, new Message.Verack()));
  }

  private static byte[] version(int magic) {
    return FrameEncoder.encode(magic, new Message.Version(70016, 0, 0, 0, "/test/", 0, false));
  }

  @Test
  void anAnswerWithoutEncryption() {
    assertThat(caller.isPlainPeer(false)).as("sent nothing yet").isFalse();
    assertThat(caller.isPlainPeer(true)).as("sent nothing").isTrue();
    byte[] version = version(MAGIC);
    carry(Arrays.copyOf(version, 15), caller);
    assertThat(caller.isPlainPeer(true)).isFalse();
    carry(new byte[] {version[15]}, caller);
    assertThat(caller.isPlainPeer(false)).isTrue();
    assertThat(caller.isReady()).isFalse();
  }

  @Test
  void anAnswerOfAnotherNetworkAndAnAnswerInHttp() {
    carry(version(ChainParams.SIGNET.magic()), caller);
    assertThat(refusal().foreignMagic()).hasValue(ChainParams.SIGNET.magic());

    EncryptedTransport other = new EncryptedTransport(MAGIC, true, dice);
    carry("HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII), other);
    assertThat(catchThrowableOfType(WireException.class, other::next))
        .hasMessageContaining("answers in HTTP");
    assertThat(other.isPlainPeer(true)).isFalse();
  }

  @Test
  void theOtherSidesKeyIsForAnotherNetwork() {
    int magic = ChainParams.SIGNET.magic();
    Handshake other = new Handshake(magic, false, EphemeralKey.draw(dice), new byte[100]);
    other.feed(ByteBuffer.wrap(caller.handshake()));
    carry(other.outgoing(), caller);
    assertThat(refusal().foreignMagic()).hasValue(magic);
  }

  @Test
  void theOtherSidesKeyIsForAnUnknownNetwork() {
    Handshake other = new Handshake(1, false, EphemeralKey.draw(dice), new byte[4095]);
    other.feed(ByteBuffer.wrap(caller.handshake()));
    carry(other.outgoing(), caller);
    assertThat(refusal()).hasMessageContaining("garbage");
  }

  @Test
  void nothingOfAMessageIsOnTheLine() {
    Hash256 txid =
        Hash256.ofDisplay("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
    InventoryItem item = new InventoryItem(InventoryItem.TX, txid);
    writer();
    byte[] packet = caller.encode(new Message.GetData(Collections.nCopies(100, item)));
    String line = new String(packet, StandardCharsets.ISO_8859_1);
    assertThat(line)
        .doesNotContain("getdata")
        .doesNotContain(new String(txid.toInternal(), StandardCharsets.ISO_8859_1));
  }
}
