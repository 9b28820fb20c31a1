package org.murmur.regtest.node;

import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Transport;

/** A way to misbehave below the messages, on encrypted connections. */
@FunctionalInterface
public interface LineLie {

  /** Makes a transport that misbehaves of the honest one of a new connection. */
  Transport over(EncryptedTransport honest);
}
