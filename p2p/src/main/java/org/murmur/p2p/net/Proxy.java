package org.murmur.p2p.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The address of a SOCKS5 proxy, for instance Tor's. A loop with a proxy sends every connection
 * through it, and it resolves every name.
 *
 * <p>The host is an IP address: resolving a name would bypass the proxy. {@code localhost} is this
 * machine and is not resolved either.
 *
 * @param host an IPv4 address, an IPv6 address without brackets, or {@code localhost}
 * @param port 1 to 65,535
 */
public record Proxy(String host, int port) {

  /** Default port of Tor's proxy. */
  public static final int DEFAULT_PORT = 9050;

  private static final String LOCALHOST = "localhost";

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the host is a name, or the port out of range; the message
   *     describes the expected form
   */
  public Proxy {
    if (new NodeAddress(host, port).port() == NodeAddress.USUAL_PORT) {
      throw NodeAddress.noPort(port);
    }
    numbers(host);
  }

  /**
   * Parses {@code HOST}, {@code HOST:PORT}, {@code [IPv6]} or {@code [IPv6]:PORT}, optionally after
   * {@code socks5://} or {@code socks5h://}.
   *
   * @param text what a user typed
   * @return the proxy
   * @throws IllegalArgumentException if it is none of these; the message describes the expected
   *     form
   */
  public static Proxy parse(String text) {
    String rest = text.trim();
    int scheme = rest.indexOf("://");
    if (scheme >= 0) {
      String name = rest.substring(0, scheme).toLowerCase(Locale.ROOT);
      if (!name.equals("socks5") && !name.equals("socks5h")) {
        throw new IllegalArgumentException("'" + text + "': expected a SOCKS5 proxy, HOST:PORT");
      }
      rest = rest.substring(scheme + 3);
    }
    if (rest.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "': a user name is not supported; every connection uses its own random login, "
              + "so that Tor separates them");
    }
    NodeAddress address = NodeAddress.parse(rest, DEFAULT_PORT);
    return new Proxy(address.host(), address.port());
  }

  /** {@return the addresses to try in turn, without DNS} */
  public List<InetAddress> addresses() {
    return numbers(host);
  }

  private static List<InetAddress> numbers(String host) {
    try {
      if (host.equalsIgnoreCase(LOCALHOST)) {
        byte[] ipv6 = new byte[16];
        ipv6[15] = 1;
        List<InetAddress> both = new ArrayList<>();
        both.add(InetAddress.getByAddress(LOCALHOST, new byte[] {127, 0, 0, 1}));
        both.add(InetAddress.getByAddress(LOCALHOST, ipv6));
        return both;
      }
      Optional<InetAddress> number = HostNames.literal(host);
      if (number.isPresent()) {
        return List.of(number.get());
      }
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("'" + host + "' is no IPv6 address", e);
    }
    throw new IllegalArgumentException(
        "'"
            + host
            + "' is a name; give the proxy as an IP address (127.0.0.1) or localhost, since a "
            + "name look-up would bypass it");
  }

  /** The form {@code host:port}, with brackets around IPv6. */
  @Override
  public String toString() {
    return new NodeAddress(host, port).toString();
  }
}
