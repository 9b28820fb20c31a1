package org.murmur.p2p.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.NetworkAddress;

/** Resolves host names on its own threads, because a look-up may block for many seconds. */
final class Resolver implements AutoCloseable {

  /**
   * Maximum parallel look-ups. The machine uses half of them, so that look-ups that hang do not
   * block others. Threads are created on demand.
   */
  static final int THREADS = 16;

  /** Refuses every look-up: with a proxy there is no DNS. */
  static final Names REFUSING =
      host -> {
        throw new UnknownHostException(host);
      };

  /** The resolver to use; tests replace it. */
  interface Names extends HostNames {}

  private final HostNames names;
  private final ExecutorService threads;

  Resolver(HostNames names) {
    this.names = names;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "murmur-resolve");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Resolves a host. An address is parsed at once, on the calling thread. For a name, one of the
   * two callbacks runs on another thread.
   */
  void resolve(String host, Consumer<List<InetAddress>> found, Consumer<String> failed) {
    try {
      InetAddress literal = literal(host);
      if (literal != null) {
        found.accept(List.of(literal));
        return;
      }
    } catch (UnknownHostException e) {
      failed.accept("'" + host + "' is no IPv6 address");
      return;
    }
    if (new NodeAddress(host, 1).isHidden()) {
      // RFC 7686: a DNS query would reveal the service to resolvers.
      failed.accept("'" + host + "' can only be reached through a proxy");
      return;
    }
    threads.execute(() -> lookUp(host, found, failed));
  }

  private void lookUp(String host, Consumer<List<InetAddress>> found, Consumer<String> failed) {
    List<InetAddress> addresses;
    try {
      addresses = List.of(names.lookUp(host));
    } catch (UnknownHostException | RuntimeException e) {
      // Android throws a SecurityException in an app that may not use the network.
      failed.accept("the host name '" + host + "' cannot be resolved");
      return;
    }
    found.accept(addresses);
  }

  /**
   * Parses an address without DNS; null for a name. The JDK may treat text that looks like an
   * address as a name and query DNS, so we parse it ourselves. Throws {@link UnknownHostException}
   * if it has a colon, as no name has, and is no IPv6 address.
   */
  static @Nullable InetAddress literal(String host) throws UnknownHostException {
    int zone = host.indexOf('%');
    Endpoint number = Endpoint.parse(zone < 0 ? host : host.substring(0, zone), 1).orElse(null);
    if (number == null || number.network() == NetworkAddress.TORV3) {
      if (host.indexOf(':') >= 0) {
        throw new UnknownHostException(host);
      }
      return null;
    }
    // A zone names a local interface; the part before it must be an IPv6 address.
    return zone < 0
        ? InetAddress.getByAddress(number.address().toArray())
        : InetAddress.getByName(host);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
