package org.murmur.testbed.proxy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A SOCKS5 proxy on loopback (RFC 1928, RFC 1929) for tests. It knows the given names, onion
 * addresses too, resolves no others, and records all requests.
 *
 * <pre>{@code
 * try (SocksProxy proxy = SocksProxy.start(Map.of("node.example", node.port()))) {
 *   sync("node.example:8333", proxy.address());
 * }
 * }</pre>
 *
 * <p>A client has to log in, by any user name and password, as with Tor. Addresses of 127.0.0.0/8
 * are connected to as they are; every other address is unreachable. Thread-safe.
 */
public final class SocksProxy implements AutoCloseable {

  private static final int BACKLOG = 64;
  private static final int VERSION = 5;
  private static final int USER_AND_PASSWORD = 2;
  private static final int NO_WAY = 0xff;
  private static final int CONNECT = 1;
  private static final int IPV4 = 1;
  private static final int NAME = 3;
  private static final int IPV6 = 4;

  private static final int HOST_UNREACHABLE = 4;
  private static final int REFUSED = 5;
  private static final int UNKNOWN_COMMAND = 7;

  private final Map<String, Integer> names;
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<Visit> visits = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** A request of a client. */
  public record Visit(String user, String password, String host, int port) {}

  private SocksProxy(Map<String, Integer> names) throws IOException {
    this.names = Map.copyOf(names);
    this.server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    TcpRelay.start(this::acceptAll, "socks-" + server.getLocalPort());
  }

  /**
   * Starts a proxy on a free port. Each name, in lower case, leads to a port of 127.0.0.1; the port
   * that a client requests is ignored. Throws {@link UncheckedIOException} if it cannot listen.
   */
  public static SocksProxy start(Map<String, Integer> names) {
    try {
      return new SocksProxy(names);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on 127.0.0.1", e);
    }
  }

  /** Returns the TCP port of 127.0.0.1 where it listens. */
  public int port() {
    return server.getLocalPort();
  }

  /** Returns where it listens. */
  public String address() {
    return "127.0.0.1:" + port();
  }

  /** Returns all requests in the order they came, refused ones included. */
  public List<Visit> visits() {
    return List.copyOf(visits);
  }

  /** Cuts every connection; goes on listening. */
  public void dropConnections() {
    sockets.forEach(TcpRelay::closeQuietly);
  }

  /** Stops listening and cuts every connection. */
  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      dropConnections();
    }
  }

  private void acceptAll() {
    while (!closed) {
      try {
        Socket client = server.accept();
        sockets.add(client);
        TcpRelay.start(() -> serve(client), "socks-client-" + client.getPort());
      } catch (IOException e) {
        // Closed, which ends the loop, or a client that left before it was served.
      }
    }
  }

  private void serve(Socket client) {
    Socket target = new Socket();
    sockets.add(target);
    try {
      client.setTcpNoDelay(true);
      target.setTcpNoDelay(true);
      if (!closed && negotiate(client, target)) {
        TcpRelay.start(() -> pump(target, client), "socks-back-" + client.getPort());
        pump(client, target);
      } else {
        leave(client, target);
      }
    } catch (IOException e) {
      // The client speaks another protocol or is gone.
      leave(client, target);
    }
  }

  private boolean negotiate(Socket client, Socket target) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    OutputStream out = client.getOutputStream();
    if (in.readUnsignedByte() != VERSION) {
      return false;
    }
    boolean offered = false;
    for (byte method : in.readNBytes(in.readUnsignedByte())) {
      offered |= method == USER_AND_PASSWORD;
    }
    out.write(new byte[] {VERSION, (byte) (offered ? USER_AND_PASSWORD : NO_WAY)});
    if (!offered) {
      return false;
    }
    in.readUnsignedByte();
    String user = text(in);
    String password = text(in);
    out.write(new byte[] {1, 0});
    in.readUnsignedByte();
    int command = in.readUnsignedByte();
    in.readUnsignedByte();
    String host = host(in, in.readUnsignedByte());
    int port = in.readUnsignedShort();
    visits.add(new Visit(user, password, host, port));
    int refusal = command == CONNECT ? connect(host, port, target) : UNKNOWN_COMMAND;
    out.write(new byte[] {VERSION, (byte) refusal, 0, IPV4, 0, 0, 0, 0, 0, 0});
    return refusal == 0;
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
  }

  private static String host(DataInputStream in, int kind) throws IOException {
    return switch (kind) {
      case IPV4 -> InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
      case IPV6 -> InetAddress.getByAddress(in.readNBytes(16)).getHostAddress();
      case NAME -> text(in);
      default -> throw new IOException("address of kind " + kind);
    };
  }

  private int connect(String host, int port, Socket target) {
    Integer named = names.get(host.toLowerCase(Locale.ROOT));
    if (named == null && !host.matches("127\\.\\d+\\.\\d+\\.\\d+")) {
      return HOST_UNREACHABLE;
    }
    try {
      target.connect(
          named == null
              ? new InetSocketAddress(InetAddress.getByName(host), port)
              : new InetSocketAddress(InetAddress.getLoopbackAddress(), named));
      return 0;
    } catch (IOException e) {
      return REFUSED;
    }
  }

  /** Copies bytes until one side ends, then closes both. */
  private void pump(Socket from, Socket to) {
    try (InputStream in = from.getInputStream()) {
      in.transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side is gone; closing tells the other.
    }
    leave(from, to);
  }

  private void leave(Socket one, Socket other) {
    TcpRelay.closeQuietly(one);
    TcpRelay.closeQuietly(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  /** Address and number of visits. */
  @Override
  public String toString() {
    List<String> hosts = new ArrayList<>();
    visits.forEach(visit -> hosts.add(visit.host()));
    return "SocksProxy[" + address() + ", visits to " + hosts + "]";
  }
}
