package org.murmur.p2p.sync;

/**
 * Where a peer listens.
 *
 * @param host a name, an IPv4 address or an IPv6 address without brackets
 * @param port 1 to 65,535
 */
public record PeerAddress(String host, int port) {

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
    try {
      return new PeerAddress(host, port.isEmpty() ? defaultPort : Integer.parseInt(port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "': '" + port + "' is no port number", e);
    }
  }

  /** The form {@code host:port}, with brackets around IPv6. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
