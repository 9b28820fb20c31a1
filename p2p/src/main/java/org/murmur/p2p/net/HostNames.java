package org.murmur.p2p.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Looks host names up. The system's way is the usual one; another is for whoever asks a name server
 * of their own choice. Never asked beside a proxy.
 */
@FunctionalInterface
public interface HostNames {

  /** As the system does it. */
  HostNames SYSTEM = InetAddress::getAllByName;

  /**
   * Looks a name up, on a thread that may wait.
   *
   * @param host a name, not an address
   * @return at least one address
   * @throws UnknownHostException if there is none, or nobody answers
   */
  InetAddress[] lookUp(String host) throws UnknownHostException;
}
