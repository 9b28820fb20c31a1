package org.murmur.p2p.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.murmur.p2p.internal.wire.OnionAddress;

/**
 * The host name or IP address of a peer, and its port. It identifies a peer in the whole program.
 * {@link Endpoint} is its numeric form.
 *
 * @param host a name, an IPv4 address or an IPv6 address without brackets
 * @param port 1 to 65,535; {@link #USUAL_PORT} only where the network is not known yet
 */
public record NodeAddress(String host, int port) {

  /** Stands for the default port of a network until {@link #at} fills it in. */
  public static final int USUAL_PORT = 0;

  /** Separators of lists, paths and users. */
  private static final Pattern NO_HOST = Pattern.compile("[\\s,;/@]");

  private static final Pattern HEXADECIMAL = Pattern.compile("0[xX][0-9a-fA-F]*");

  /** Every address of it is this machine (RFC 1122). */
  private static final Pattern LOOPBACK_IPV4 = Pattern.compile("127\\.\\d+\\.\\d+\\.\\d+");

  /**
   * Checks the parts. Refuses numbers that resolvers read as an IPv4 address although they are none
   * of the usual form: {@code 127.1}, {@code 2130706433}, {@code 0x7f.1}, {@code 0177.0.0.1}. They
   * would be another peer here than there.
   *
   * @throws IllegalArgumentException if the host is empty, such a number, or has a colon and is no
   *     IPv6 address, or the port out of range; the message says what was expected
   */
  public NodeAddress {
    if (host.isEmpty()) {
      throw new IllegalArgumentException(
          "empty host name, expected HOST, HOST:PORT or [IPv6]:PORT");
    }
    if (port < USUAL_PORT || port > 65_535) {
      throw noPort(port);
    }
    boolean number = Endpoint.parse(withoutZone(host), 1).isPresent();
    if (host.indexOf(':') >= 0 && !number) {
      throw new IllegalArgumentException(
          "'" + host + "' is no IPv6 address; expected HOST, HOST:PORT or [IPv6]:PORT");
    }
    if (endsInANumber(host) && !number) {
      throw new IllegalArgumentException(
          "'"
              + host
              + "' is no IPv4 address of four decimal numbers without leading zeros, as 192.0.2.7");
    }
  }

  /**
   * Parses {@code HOST}, {@code HOST:PORT}, {@code [IPv6]} or {@code [IPv6]:PORT}.
   *
   * @param text what a user typed
   * @param defaultPort the port if none is given
   * @return the address
   * @throws IllegalArgumentException if it is none of these, a number in another form than these,
   *     or the address of no machine; the message says what was expected
   */
  public static NodeAddress parse(String text, int defaultPort) {
    String host = text;
    String port = "";
    int scheme = text.indexOf("://");
    if (scheme > 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no host: leave out " + text.substring(0, scheme + 3));
    }
    if (text.startsWith("[")) {
      int close = text.indexOf(']');
      if (close < 0) {
        throw new IllegalArgumentException("'" + text + "': missing ']', expected [IPv6]:PORT");
      }
      host = text.substring(1, close);
      String rest = text.substring(close + 1);
      if (!rest.isEmpty() && !rest.startsWith(":")) {
        throw new IllegalArgumentException("'" + text + "': expected [IPv6]:PORT");
      }
      port = rest.isEmpty() ? "" : rest.substring(1);
    } else if (text.indexOf(':') == text.lastIndexOf(':') && text.indexOf(':') >= 0) {
      host = text.substring(0, text.indexOf(':'));
      port = text.substring(text.indexOf(':') + 1);
    }
    if (text.endsWith(":") && !host.equals(text)) {
      throw new IllegalArgumentException("'" + text + "': no port after ':'");
    }
    requireMachine(text, host);
    if (NO_HOST.matcher(host).find()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no single host; expected HOST, HOST:PORT or [IPv6]:PORT");
    }
    int number = defaultPort;
    if (!port.isEmpty()) {
      try {
        number = Integer.parseInt(port);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("'" + text + "': '" + port + "' is no port number", e);
      }
      if (number == USUAL_PORT) {
        throw noPort(number);
      }
    }
    try {
      return new NodeAddress(host, number);
    } catch (IllegalArgumentException e) {
      throw text.equals(host)
          ? e
          : new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
    }
  }

  /** The refusal of a port out of range. */
  public static IllegalArgumentException noPort(int number) {
    return new IllegalArgumentException("port " + number + ", expected 1 to 65535");
  }

  /**
   * Parses the addresses of peers of a network that is not known yet.
   *
   * @param texts each as for {@link #parse}
   * @return the addresses, with {@link #USUAL_PORT} where no port is given
   * @throws IllegalArgumentException if a text is malformed
   */
  public static List<NodeAddress> parseAll(Iterable<String> texts) {
    List<NodeAddress> addresses = new ArrayList<>();
    texts.forEach(text -> addresses.add(parse(text, USUAL_PORT)));
    return addresses;
  }

  /**
   * Fills in the port of a network.
   *
   * @param defaultPort of the network
   * @return this address, with that port if it had {@link #USUAL_PORT}
   */
  public NodeAddress at(int defaultPort) {
    return port == USUAL_PORT ? new NodeAddress(host, defaultPort) : this;
  }

  /** Refuses the address of no machine, which leads to this one. */
  private static void requireMachine(String text, String host) {
    if (Endpoint.parse(withoutZone(host), 1).filter(Endpoint::isUnspecified).isPresent()) {
      throw new IllegalArgumentException(
          "'" + text + "' is the address of no machine; for this one write 127.0.0.1 or [::1]");
    }
  }

  /** Whether the last part is a number: no host name ends so (RFC 3696, 2), but addresses do. */
  private static boolean endsInANumber(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    String last = name.substring(name.lastIndexOf('.') + 1);
    // Resolvers also take the digits of other scripts.
    boolean digits = !last.isEmpty() && last.codePoints().allMatch(Character::isDigit);
    return digits || HEXADECIMAL.matcher(last).matches();
  }

  /**
   * Returns the peer address of an endpoint.
   *
   * @param endpoint any
   * @return the address as text
   */
  public static NodeAddress of(Endpoint endpoint) {
    return new NodeAddress(endpoint.host(), endpoint.port());
  }

  /** {@return the endpoint; empty if the host is a name} */
  public Optional<Endpoint> endpoint() {
    return Endpoint.parse(host, port);
  }

  /**
   * {@return whether it is on this machine or in a private network; true for loopback and private
   * addresses and {@code localhost}; false for other names} Only the text is checked; no name is
   * resolved.
   */
  public boolean isLocal() {
    String one = withoutZone(canonical().host());
    return Endpoint.parse(one, port).filter(Scope.LOCAL::accepts).isPresent();
  }

  /** The zone of a link-local IPv6 address is an interface of this machine (RFC 4007). */
  private static String withoutZone(String host) {
    int zone = host.indexOf('%');
    return zone < 0 ? host : host.substring(0, zone);
  }

  /**
   * {@return the canonical form: IPv6 as in RFC 5952, IPv4 inside IPv6 as IPv4, {@code 127.0.0.1}
   * for this machine, names in lower case; the same peer in canonical form} Two ports of a machine
   * are two peers. No name is resolved.
   */
  public NodeAddress canonical() {
    String lower = host.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    String one = Endpoint.parse(name, port).map(Endpoint::host).orElse(name);
    boolean self =
        one.equals("localhost") || one.equals("::1") || LOOPBACK_IPV4.matcher(one).matches();
    String found = self ? "127.0.0.1" : one;
    return found.isEmpty() || found.equals(host) ? this : new NodeAddress(found, port);
  }

  /**
   * {@return whether it needs a proxy: a Tor or I2P service; true for names in {@code .onion} and
   * {@code .i2p}, well-formed or not} Such a name is never resolved (RFC 7686).
   */
  public boolean isHidden() {
    return OnionAddress.isOnion(host) || host.toLowerCase(Locale.ROOT).endsWith(".i2p");
  }

  // Written by hand: a record's own methods are generated at first use, which takes some percent of
  // a sync without new blocks.

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeAddress a && port == a.port && host.equals(a.host);
  }

  @Override
  public int hashCode() {
    return 31 * host.hashCode() + port;
  }

  /** The form {@code host:port}, with brackets around IPv6. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
