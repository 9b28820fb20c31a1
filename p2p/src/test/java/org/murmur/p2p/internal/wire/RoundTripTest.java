package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Every message comes back, however it is cut, and a tampered one does not. */
final class RoundTripTest {

  private static final int MAGIC = 0xdab5bffa;

  @Provide
  Arbitrary<Message> message() {
    return Messages.any();
  }

  @Provide
  Arbitrary<List<Message>> conversation() {
    return Messages.any().list().ofMinSize(1).ofMaxSize(8);
  }

  @Provide
  Arbitrary<Integer> largestPiece() {
    return Arbitraries.of(1, 2, 3, 23, 24, 25, 100, 4_096, 1_000_000);
  }

  @Property(tries = 400)
  void anyCuttingGivesTheSameMessages(
      @ForAll("conversation") List<Message> messages,
      @ForAll("largestPiece") int largestPiece,
      @ForAll long seed) {
    Random cuts = new Random(seed);
    byte[] stream = stream(messages);
    FrameDecoder decoder = new FrameDecoder(MAGIC);
    List<Message> came = new ArrayList<>();
    int bytes = 0;
    for (int at = 0; at < stream.length; ) {
      int piece = Math.min(stream.length - at, 1 + cuts.nextInt(largestPiece));
      byte[] shared = Arrays.copyOfRange(stream, at, at + piece);
      decoder.feed(shared, 0, piece);
      Arrays.fill(shared, (byte) 0xee);
      for (Frame f = decoder.next(); f != null; f = decoder.next()) {
        came.add(f.message());
        bytes += f.wireBytes();
      }
      at += piece;
    }
    assertThat(came).isEqualTo(messages);
    assertThat(bytes).isEqualTo(stream.length);
  }

  @Property(tries = 1_000)
  void oneFlippedBitIsNeverTakenForAMessage(@ForAll("message") Message message, @ForAll long seed) {
    byte[] frame = FrameEncoder.encode(MAGIC, message);
    Random random = new Random(seed);
    int at = random.nextInt(frame.length);
    frame[at] ^= (byte) (1 << random.nextInt(8));
    FrameDecoder decoder = new FrameDecoder(MAGIC);
    decoder.feed(frame, 0, frame.length);
    try {
      Frame came = decoder.next();
      // A longer length waits for bytes that never come; the checksum does not cover the command.
      if (came != null) {
        assertThat(at).isBetween(Frame.COMMAND_AT, Frame.LENGTH_AT - 1);
        assertThat(came.message()).isNotEqualTo(message);
      } else {
        assertThat(at).isBetween(Frame.LENGTH_AT, Frame.CHECKSUM_AT - 1);
      }
    } catch (WireException e) {
      assertThat(e.field()).isNotEmpty();
    }
  }

  /** Bodies that are too short, too long, or noise must be reported, never thrown otherwise. */
  @Property(tries = 1_000)
  void damagedBodiesCauseWireExceptionsOnly(@ForAll("message") Message message, @ForAll long seed) {
    byte[] frame = FrameEncoder.encode(MAGIC, message);
    byte[] body = Arrays.copyOfRange(frame, Frame.HEADER_LENGTH, frame.length);
    Random random = new Random(seed);
    byte[] damaged = Arrays.copyOf(body, Math.max(0, body.length + random.nextInt(9) - 4));
    for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(Math.min(damaged.length, 16))] = (byte) random.nextInt(256);
    }
    try {
      Message came = Codec.read(FrameEncoder.command(message), damaged);
      assertThat(came).isNotNull();
    } catch (WireException e) {
      assertThat(e.command()).isEqualTo(FrameEncoder.command(message));
      assertThat(e.offset()).isBetween(0, damaged.length);
    }
  }

  /** The generators above must not leave a message out. */
  @Test
  void everyKindOfMessageIsGenerated() {
    Set<Class<?>> kinds = new HashSet<>();
    Messages.any().sampleStream().limit(3_000).forEach(m -> kinds.add(m.getClass()));
    assertThat(kinds).containsExactlyInAnyOrder(Message.class.getPermittedSubclasses());
  }

  private static byte[] stream(List<Message> messages) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    messages.forEach(m -> stream.writeBytes(FrameEncoder.encode(MAGIC, m)));
    return stream.toByteArray();
  }
}
