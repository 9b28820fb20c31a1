package org.murmur.bench.micro;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.internal.wire.Transport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A message that crosses a connection, without a socket: written on one side, read on the other. An
 * encrypted one is ciphered twice, a plain one hashed twice.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncryptedPackets {

  private static final int MAGIC = 1;

  @Param({"100", "1000", "50000"})
  public int bytes;

  private Message message = new Message.Verack();
  private Transport plainSender = new PlainTransport(MAGIC);
  private Transport plainReceiver = new PlainTransport(MAGIC);
  private Transport sender = plainSender;
  private Transport receiver = plainReceiver;

  @Setup
  public void connect() {
    Random random = new Random(1);
    byte[] payload = new byte[bytes];
    random.nextBytes(payload);
    message = new Message.Unknown("hum", Bytes.wrap(payload));
    sender = new EncryptedTransport(MAGIC, true, random::nextBytes);
    receiver = new EncryptedTransport(MAGIC, false, random::nextBytes);
    while (!sender.isReady() || !receiver.isReady()) {
      receiver.feed(ByteBuffer.wrap(sender.handshake()));
      sender.feed(ByteBuffer.wrap(receiver.handshake()));
    }
  }

  @Benchmark
  public int encrypted() {
    return cross(sender, receiver);
  }

  @Benchmark
  public int plain() {
    return cross(plainSender, plainReceiver);
  }

  private int cross(Transport from, Transport to) {
    to.feed(ByteBuffer.wrap(from.encode(message)));
    Frame frame = to.next();
    if (frame == null) {
      throw new AssertionError("nothing came");
    }
    return frame.wireBytes();
  }
}
