package org.murmur.regtest.lies;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Serves one header with a broken Merkle root, so that the next one does not connect to it. */
public record WrongHeader(int height) implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public List<Message> says(Message message) {
        return message instanceof Message.HeadersMessage told && !told.headers().isEmpty()
            ? List.of(new Message.HeadersMessage(wrong(told.headers())))
            : List.of(message);
      }

      private Headers wrong(Headers honest) {
        int wrong = height - chain.heightOf(honest.hash(0));
        if (wrong < 0 || wrong >= honest.count()) {
          return honest;
        }
        byte[] bytes = honest.toStored().toArray();
        int at = wrong * Headers.HEADER_LENGTH;
        do {
          // The first byte of the Merkle root. Every other header has enough work for regtest.
          bytes[at + 36]++;
        } while (DoubleSha256.of(Bytes.of(bytes, at, at + Headers.HEADER_LENGTH)).toInternal()[31]
            >= 0);
        return Headers.ofStored(Bytes.wrap(bytes));
      }
    };
  }
}
