package org.murmur.p2p.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.wire.NetworkAddress;

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
   * @param host a name, not an address
   * @return at least one address
   * @throws UnknownHostException if there is none, or no server answers
   */
  InetAddress[] lookUp(String host) throws UnknownHostException;

  /**
   * Parses an IP address without DNS. The JDK may treat text that looks like an address as a name
   * and query DNS.
   *
   * @param host an IPv4 address, or an IPv6 address without brackets, perhaps with a zone
   * @return the address, or empty for a name
   * @throws UnknownHostException if it has a colon, as no name has, and is no IPv6 address, or the
   *     zone is no interface of this machine
   */
  static Optional<InetAddress> literal(String host) throws UnknownHostException {
    int zone = host.indexOf('%');
    Endpoint number = Endpoint.parse(zone < 0 ? host : host.substring(0, zone), 1).orElse(null);
    if (number == null || number.network() == NetworkAddress.TORV3) {
      if (host.indexOf(':') >= 0) {
        throw new UnknownHostException(host);
      }
      return Optional.empty();
    }
    // A zone names a local interface; the part before it must be an IPv6 address.
    return Optional.of(
        zone < 0
            ? InetAddress.getByAddress(number.address().toArray())
            : InetAddress.getByName(host));
  }
}
