package org.murmur.fuzz;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.WireException;

/** The payload of any message: the first byte says which, all others are the payload. */
public final class Messages {

  static final List<String> COMMANDS =
      List.of(
          "version",
          "verack",
          "ping",
          "pong",
          "sendheaders",
          "wtxidrelay",
          "sendaddrv2",
          "sendcmpct",
          "feefilter",
          "getheaders",
          "getblocks",
          "headers",
          "inv",
          "getdata",
          "notfound",
          "tx",
          "block",
          "merkleblock",
          "filterload",
          "filteradd",
          "filterclear",
          "mempool",
          "getaddr",
          "addr",
          "addrv2",
          "reject",
          "unheardof",
          "getcfilters",
          "cfilter",
          "getcfheaders",
          "cfheaders",
          "getcfcheckpt",
          "cfcheckpt");

  private Messages() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    String command = COMMANDS.get((input[0] & 0xff) % COMMANDS.size());
    byte[] frame = Frames.frame(command, Arrays.copyOfRange(input, 1, input.length));
    Message[] heard = new Message[1];
    try {
      Check.frugally(input.length, () -> heard[0] = decoded(frame));
    } catch (WireException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
      return;
    }
    Message message = heard[0];
    Check.that(message != null, "a whole frame, and no message");
    Check.that(!message.toString().isEmpty(), "cannot be printed");
    // What was understood can be said, and is understood again.
    byte[] said = FrameEncoder.encode(Frames.MAGIC, message);
    Message again = decoded(said);
    Check.equal(again, message, "said and heard again");
    Check.equal(message.hashCode(), again == null ? 0 : again.hashCode(), "hash of equal messages");
    Check.that(
        Arrays.equals(FrameEncoder.encode(Frames.MAGIC, message), said), "said twice differently");
  }

  private static @Nullable Message decoded(byte[] frame) {
    FrameDecoder decoder = new FrameDecoder(Frames.MAGIC);
    decoder.feed(frame, 0, frame.length);
    Frame next = decoder.next();
    return next == null ? null : next.message();
  }
}
