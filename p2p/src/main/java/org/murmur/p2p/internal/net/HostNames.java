package org.murmur.p2p.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Resolves host names. The default is the system's resolver; an application may use its own name
 * server. Not used with a proxy.
 */
@FunctionalInterface
public interface HostNames {

  /** The system's resolver. */
  HostNames SYSTEM = InetAddress::getAllByName;

  /**
   * Resolves a name, on a thread that may block.
   *
   * @return at least one address
   * @throws UnknownHostException if there is none, or no server answers
   */
  InetAddress[] lookUp(String host) throws UnknownHostException;
}
