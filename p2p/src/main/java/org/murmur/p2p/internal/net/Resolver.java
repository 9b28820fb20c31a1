package org.murmur.p2p.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.net.HostNames;

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
      Optional<InetAddress> literal = HostNames.literal(host);
      if (literal.isPresent()) {
        found.accept(List.of(literal.get()));
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

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
