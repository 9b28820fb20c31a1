package org.murmur.regtest.lies;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Transport;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.regtest.node.LineLie;

/** Bytes that no honest node sends on an encrypted connection (BIP-0324). */
public enum LineMisdeed implements LineLie {
  /** Disconnects a caller that encrypts, so that it calls again in the clear. */
  HANGS_UP_AT_THE_KEY {
    @Override
    void feed(EncryptedTransport honest, ByteBuffer data) {
      honest.feed(data);
      if (honest.handshake().length > 0) {
        throw new WireException("handshake", "key", 0, "not wanted", null);
      }
    }
  },
  /** Sends garbage without its end. */
  ENDLESS_GARBAGE {
    @Override
    byte[] handshake(byte[] honest) {
      return honest.length > 0 ? Arrays.copyOf(honest, KEY) : new byte[ENDLESS];
    }
  },
  /** Sends its filtered blocks with wrong tags. */
  WRONG_TAG {
    @Override
    byte[] encode(EncryptedTransport honest, Message message) {
      byte[] packet = honest.encode(message);
      packet[packet.length - 1] ^= (byte) (message instanceof Message.MerkleBlockMessage ? 1 : 0);
      return packet;
    }
  },
  /** Sends filtered blocks with lengths above every limit. */
  OVERLONG_LENGTH {
    @Override
    byte[] encode(EncryptedTransport honest, Message message) {
      byte[] packet = honest.encode(message);
      // The highest bit of a length that a stream cipher hides.
      packet[2] ^= (byte) (message instanceof Message.MerkleBlockMessage ? 0x80 : 0);
      return packet;
    }
  },
  /** Sends much that is to be ignored, and no message. */
  ONLY_DECOYS {
    @Override
    byte[] encode(EncryptedTransport honest, Message message) {
      return honest.decoy(new byte[DECOY]);
    }
  };

  private static final int KEY = 64;
  private static final int ENDLESS = 10_000;
  private static final int DECOY = 3_000_000;

  void feed(EncryptedTransport honest, ByteBuffer data) {
    honest.feed(data);
  }

  byte[] handshake(byte[] honest) {
    return honest;
  }

  byte[] encode(EncryptedTransport honest, Message message) {
    return honest.encode(message);
  }

  /** Callers in the clear see an honest node. */
  @Override
  public Transport over(EncryptedTransport honest) {
    return new Transport() {
      @Override
      public void feed(ByteBuffer data) {
        LineMisdeed.this.feed(honest, data);
      }

      @Override
      public @Nullable Frame next() {
        return honest.next();
      }

      @Override
      public byte[] handshake() {
        byte[] next = honest.handshake();
        return isEncrypted() ? LineMisdeed.this.handshake(next) : next;
      }

      @Override
      public boolean isReady() {
        return honest.isReady();
      }

      @Override
      public boolean isEncrypted() {
        return honest.isEncrypted();
      }

      @Override
      public byte[] encode(Message message) {
        return isEncrypted() ? LineMisdeed.this.encode(honest, message) : honest.encode(message);
      }

      @Override
      public boolean isMidFrame() {
        return honest.isMidFrame();
      }

      @Override
      public int buffered() {
        return honest.buffered();
      }
    };
  }
}
