package org.murmur.p2p.discovery;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.murmur.p2p.wire.OnionAddress;

/**
 * Where a peer listens.
 *
 * @param host a name, an IPv4 address or an IPv6 address without brackets
 * @param port 1 to 65,535
 */
public record PeerAddress(String host, int port) {

  /**
   * The IPv4 ranges that are nobody's on the internet (RFC 1918, 1122, 3927), loopback included.
   */
  private static final Pattern PRIVATE_IPV4 =
      Pattern.compile(
          "(127|10)\\.\\d+\\.\\d+\\.\\d+|192\\.168\\.\\d+\\.\\d+|169\\.254\\.\\d+\\.\\d+"
              + "|172\\.(1[6-9]|2\\d|3[01])\\.\\d+\\.\\d+");

  /** Every address of it is this machine (RFC 1122). */
  private static final Pattern LOOPBACK_IPV4 = Pattern.compile("127\\.\\d+\\.\\d+\\.\\d+");

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the host is empty or the port out of range
   */
  public PeerAddress {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("empty host name");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + ", expected 1 to 65535");
    }
  }

  /**
   * Parses {@code HOST}, {@code HOST:PORT}, {@code [IPv6]} or {@code [IPv6]:PORT}.
   *
   * @param text what a user typed
   * @param defaultPort the port if none is given
   * @return the address
   * @throws IllegalArgumentException if it is none of these; the message says what was expected
   */
  public static PeerAddress parse(String text, int defaultPort) {
    String host = text;
    String port = "";
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
    int zone = host.indexOf('%');
    String number = zone < 0 ? host : host.substring(0, zone);
    if (host.indexOf(':') >= 0 && !Endpoint.parse(number, defaultPort).isPresent()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "': '"
              + host
              + "' is no IPv6 address; expected HOST, HOST:PORT or [IPv6]:PORT");
    }
    try {
      return new PeerAddress(host, port.isEmpty() ? defaultPort : Integer.parseInt(port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "': '" + port + "' is no port number", e);
    }
  }

  /**
   * Names an address that was found.
   *
   * @param endpoint in numbers
   * @return the address as text
   */
  public static PeerAddress of(Endpoint endpoint) {
    return new PeerAddress(endpoint.host(), endpoint.port());
  }

  /**
   * Returns the address in numbers.
   *
   * @return nothing if the host is a name
   */
  public Optional<Endpoint> endpoint() {
    return Endpoint.parse(host, port);
  }

  /**
   * Returns whether it is on this machine or in a private network, told from its text alone: no
   * name is looked up for it.
   *
   * @return true for loopback and private addresses; false for names but {@code localhost}
   */
  public boolean isLocal() {
    String one = canonical().host();
    return PRIVATE_IPV4.matcher(one).matches()
        || (one.indexOf(':') >= 0 && one.matches("f[cd].*|fe[89ab].*"));
  }

  /**
   * Returns the one form for all spellings of an address: IPv6 as RFC 5952 has it, IPv4 inside IPv6
   * as IPv4, {@code 127.0.0.1} for this machine, names in lower case. Two ports of a machine are
   * two peers. No name is looked up.
   *
   * @return the same peer, spelled like all others that are the same
   */
  public PeerAddress canonical() {
    String lower = host.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    String one = Endpoint.parse(name, port).map(Endpoint::host).orElse(name);
    boolean self =
        one.equals("localhost") || one.equals("::1") || LOOPBACK_IPV4.matcher(one).matches();
    String found = self ? "127.0.0.1" : one;
    return found.isEmpty() || found.equals(host) ? this : new PeerAddress(found, port);
  }

  /**
   * Returns whether only a proxy leads to it: a Tor or I2P service. Such a name is never looked up
   * (RFC 7686).
   *
   * @return true for names in {@code .onion} and {@code .i2p}, well-formed or not
   */
  public boolean isHidden() {
    return OnionAddress.isOnion(host) || host.toLowerCase(Locale.ROOT).endsWith(".i2p");
  }

  // Written out: the compiler's own are put together at their first use, by generated code that
  // takes
  // a sync with nothing new some percent of its time.

  @Override
  public boolean equals(Object other) {
    return other instanceof PeerAddress a && port == a.port && host.equals(a.host);
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
