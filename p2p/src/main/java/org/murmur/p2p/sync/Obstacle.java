package org.murmur.p2p.sync;

/**
 * Why a peer is of no use, where the user can do something about it. Code uses these values; the
 * words that come with them are for people only.
 */
public enum Obstacle {
  /** Its host name cannot be resolved. */
  UNKNOWN_NAME(Kind.UNREACHABLE),
  /** The connection is refused or times out. */
  NO_CONNECTION(Kind.UNREACHABLE),
  /** It accepts the connection but sends no version message in time. */
  NO_VERSION(Kind.UNREACHABLE),
  /**
   * It accepts the connection and answers our version message with bytes of no known network: it is
   * no node, or something intercepts, such as the login page of a public network.
   */
  NO_NODE(Kind.UNREACHABLE),
  /** It does not encrypt (BIP-0324), and only encrypted connections are allowed. */
  NOT_ENCRYPTED(Kind.UNREACHABLE),
  /** The proxy cannot reach it. */
  BEYOND_PROXY(Kind.UNREACHABLE),
  /**
   * Behind a proxy, it disconnects during the version handshake. Some proxies report a connection
   * before they try to open it.
   */
  HANGS_UP_BEHIND_PROXY(Kind.UNREACHABLE),
  /** It is another peer under a second name, or this program itself. */
  NO_OTHER(Kind.UNREACHABLE),
  /** The proxy cannot be reached. */
  PROXY_DOWN(Kind.PROXY),
  /** The service at the proxy's address cannot be used as a proxy. */
  PROXY_UNFIT(Kind.PROXY),
  /** It does not serve BIP-0037 (no NODE_BLOOM). */
  NO_BLOOM(Kind.NO_BLOOM),
  /** It does not serve BIP-0037, but BIP-0157: the compact preset could use it. */
  ONLY_FILTERS(Kind.NO_BLOOM),
  /** It does not serve BIP-0157 (no NODE_COMPACT_FILTERS). */
  NO_FILTERS(Kind.NO_FILTERS),
  /** It disconnects during the version handshake, as a node of another network does. */
  HANGS_UP(Kind.WRONG_NETWORK),
  /** It answers our version message with a message of another network. */
  OTHER_NETWORK(Kind.WRONG_NETWORK),
  /** It disconnected, went silent, or misbehaved. */
  LOST(Kind.LOST),
  /**
   * Its chain has less work than the network is known to have: it is still syncing, or was cut off.
   */
  NOT_SYNCED(Kind.LOST),
  /** Its chain ends below the height that others announced. */
  BEHIND(Kind.LOST),
  /** It is on another chain with less work. */
  OTHER_CHAIN(Kind.LOST),
  /** It does not serve some blocks, and gives no reason. */
  LACKS_BLOCKS(Kind.LOST),
  /** It does not serve some blocks, and announces that it keeps only the last ones (BIP-0159). */
  PRUNED(Kind.LOST),
  /**
   * It disconnects when asked for blocks, as a node does that reached its upload limit of the day.
   */
  UPLOAD_LIMIT(Kind.LOST);

  private final Kind kind;

  Obstacle(Kind kind) {
    this.kind = kind;
  }

  /** {@return the kind of obstacle, the result of a session in which all peers had no worse one} */
  public Kind kind() {
    return kind;
  }

  /** The kinds of obstacles. */
  public enum Kind {
    /** No peer could be reached. */
    UNREACHABLE,
    /** The proxy cannot be used, so no peer could be called. */
    PROXY,
    /** All reached peers lack NODE_BLOOM. */
    NO_BLOOM,
    /** All reached peers lack NODE_COMPACT_FILTERS (compact preset). */
    NO_FILTERS,
    /** The other side speaks another network's magic, or no Bitcoin at all. */
    WRONG_NETWORK,
    /** Peers were reached but misbehaved or went silent. */
    LOST,
    /** Peers are there, but none that may get the filter (private preset). */
    NO_GUARD
  }
}
