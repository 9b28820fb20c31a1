package org.murmur.p2p.net;

import java.util.Optional;

/**
 * How connections are made.
 *
 * @param names resolves host names; not used with a proxy
 * @param proxy that every connection goes through, Tor's for instance, and that resolves all names.
 *     Each connection uses its own login. There are no connections and no look-ups without it, not
 *     even for peers on this machine. Empty for direct connections
 */
public record Route(HostNames names, Optional<Proxy> proxy) {

  /** Direct connections, with the system's resolver. */
  public static final Route DIRECT = new Route(HostNames.SYSTEM, Optional.empty());

  /**
   * {@return a route with another resolver}
   *
   * @param others resolves host names
   */
  public Route names(HostNames others) {
    return new Route(others, proxy);
  }

  /**
   * {@return a route through a proxy}
   *
   * @param through where it listens
   */
  public Route proxy(Proxy through) {
    return new Route(names, Optional.of(through));
  }
}
