package org.murmur.lab.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Services;

/**
 * The findings about one node.
 *
 * @param greeting its version message; null if none came
 * @param pingMicros the time of a ping and its pong in microseconds; null if no pong came
 * @param block the block that it was asked for; null if it gave no headers to choose one from
 */
public record NodeRecord(
    NodeAddress address,
    Outcome outcome,
    @Nullable Greeting greeting,
    @Nullable Long pingMicros,
    @Nullable KnownBlock block,
    Answer bloom,
    Answer compactFilters) {

  /** How a connection went. */
  public enum Outcome {
    /** The handshake was completed. */
    REACHED("reached"),
    REFUSED("refused the connection"),
    TIMEOUT("did not answer in time"),
    UNREACHABLE("no route, or another error of the line"),
    UNKNOWN_NAME("its name cannot be resolved"),
    /** Core closes a connection in silence if it is full, or if the magic is another one. */
    CLOSED("closed before the handshake (full, or of another network)"),
    OTHER_NETWORK("speaks for another network"),
    NO_NODE("does not speak the protocol");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    /** Returns it in words. */
    public String text() {
      return text;
    }
  }

  /** How a node answered a request for a service that its service bits claim. */
  public enum Answer {
    NOT_CLAIMED,
    /** Claimed, but there was no block to ask for, or no time. */
    NOT_TRIED,
    SERVED,
    /** An answer that proves nothing, is malformed or is for another block. */
    WRONG,
    /** No answer before that to a later ping, before the connection ended, or in time. */
    NONE;

    /** Returns whether the service bit was set. */
    public boolean isClaimed() {
      return this != NOT_CLAIMED;
    }
  }

  /** A block and its height. */
  public record KnownBlock(int height, Hash256 hash) {}

  /**
   * A node's version message.
   *
   * @param micros microseconds from the connection to the message
   */
  public record Greeting(
      int protocol, long services, String userAgent, int startHeight, long micros) {

    /** Returns the names of the service bits, in order; those without a name as hexadecimal. */
    public List<String> serviceNames() {
      List<String> names = new ArrayList<>();
      for (int bit = 0; bit < Long.SIZE; bit++) {
        long value = services & 1L << bit;
        if (value != 0) {
          names.add(nameOf(value));
        }
      }
      return names;
    }

    private static String nameOf(long bit) {
      if (bit == Services.NETWORK) {
        return "NETWORK";
      }
      if (bit == Services.BLOOM) {
        return "BLOOM";
      }
      if (bit == Services.WITNESS) {
        return "WITNESS";
      }
      if (bit == Services.COMPACT_FILTERS) {
        return "COMPACT_FILTERS";
      }
      if (bit == Services.NETWORK_LIMITED) {
        return "NETWORK_LIMITED";
      }
      return bit == Services.P2P_V2 ? "P2P_V2" : "0x" + Long.toHexString(bit);
    }
  }

  /** Makes the record of a node without a handshake. */
  static NodeRecord notReached(NodeAddress address, Outcome outcome) {
    return new NodeRecord(
        address, outcome, null, null, null, Answer.NOT_CLAIMED, Answer.NOT_CLAIMED);
  }

  public boolean isReached() {
    return outcome == Outcome.REACHED;
  }

  /** Returns the version message of a node that completed the handshake. */
  public Optional<Greeting> reachedGreeting() {
    return isReached() ? Optional.ofNullable(greeting) : Optional.empty();
  }

  /** Returns the network group of the address; a name has its own. */
  public NetGroup group() {
    return address.endpoint().map(NetGroup::of).orElse(NetGroup.ofName(address.host()));
  }
}
