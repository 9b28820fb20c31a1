package org.murmur.p2p.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.wire.NetworkAddress;

/**
 * Turns host names into addresses on threads of its own, because a look-up may block for many
 * seconds.
 */
final class Resolver implements AutoCloseable {

  /**
   * Look-ups at the same time. One that hangs, and was given up, should not hold up the others: the
   * machine asks half as many at a time. A thread is made when it is first needed.
   */
  static final int THREADS = 16;

  /** Looks nothing up: beside a proxy there is no DNS. */
  static final Names REFUSING =
      host -> {
        throw new UnknownHostException(host);
      };

  /** A way to look names up, exchanged in tests. */
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
   * Resolves a host. An address is found at once, on the calling thread; for a name exactly one of
   * the two is called on another thread.
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
    if (new PeerAddress(host, 1).isHidden()) {
      // RFC 7686: asking the DNS for it would tell the world whom we mean to talk to.
      failed.accept("'" + host + "' can only be reached through a proxy");
      return;
    }
    threads.execute(() -> lookUp(host, found, failed));
  }

  private void lookUp(String host, Consumer<List<InetAddress>> found, Consumer<String> failed) {
    List<InetAddress> addresses;
    try {
      addresses = List.of(names.lookUp(host));
    } catch (UnknownHostException e) {
      failed.accept("the host name '" + host + "' cannot be resolved");
      return;
    }
    found.accept(addresses);
  }

  /**
   * Reads an address without asking anybody; null for a name. Text that looks like an address to us
   * may be a name to the JDK, which would ask the DNS for it: so we read it ourselves.
   *
   * @throws UnknownHostException if it has a colon, as no name has, and is no IPv6 address
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
    // A zone is one of this machine's interfaces; what stands before it is a number for sure.
    return zone < 0
        ? InetAddress.getByAddress(number.address().toArray())
        : InetAddress.getByName(host);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
