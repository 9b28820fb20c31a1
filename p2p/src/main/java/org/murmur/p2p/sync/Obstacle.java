package org.murmur.p2p.sync;

/**
 * Why a peer is of no use: what a user has to know to do something about it. Where the reason is
 * known it is written down as one of these; the words beside it are for people only.
 */
public enum Obstacle {
  /** Its host name cannot be resolved. */
  UNKNOWN_NAME(Kind.UNREACHABLE),
  /** No connection comes about: it is refused, or nobody answers. */
  NO_CONNECTION(Kind.UNREACHABLE),
  /** Something takes the connection and does not say hello in time. */
  NO_HELLO(Kind.UNREACHABLE),
  /**
   * Something takes the connection and answers our hello with what is no message of any network: it
   * is no node, or something stands between, such as the login page of a public network.
   */
  NO_NODE(Kind.UNREACHABLE),
  /** The proxy does not get through to it. */
  BEYOND_PROXY(Kind.UNREACHABLE),
  /**
   * Behind a proxy something hangs up on our hello; some proxies say that a connection stands
   * before they try.
   */
  HANGS_UP_BEHIND_PROXY(Kind.UNREACHABLE),
  /** It is another one of the peers under a second name, or this program itself. */
  NO_OTHER(Kind.UNREACHABLE),
  /** The proxy is not there. */
  PROXY_DOWN(Kind.PROXY),
  /** What listens where the proxy should is none that can be used. */
  PROXY_UNFIT(Kind.PROXY),
  /** It does not serve BIP-0037 (no NODE_BLOOM). */
  NO_BLOOM(Kind.NO_BLOOM),
  /** It hangs up on our hello, as a node of another network does. */
  HANGS_UP(Kind.WRONG_NETWORK),
  /** It answers our hello with a message of another network. */
  STRANGE(Kind.WRONG_NETWORK),
  /** It went, went silent, or misbehaved. */
  LOST(Kind.LOST),
  /** Its chain has less than the network is known to have: it is still syncing, or was cut off. */
  NOT_SYNCED(Kind.LOST),
  /** Its chain ends below what others have told. */
  BEHIND(Kind.LOST),
  /** It is on another branch, which has less work. */
  OTHER_CHAIN(Kind.LOST),
  /** It does not serve some blocks, and does not say why. */
  LACKS_BLOCKS(Kind.LOST),
  /** It does not serve some blocks, and says that it keeps the last ones only (BIP-0159). */
  PRUNED(Kind.LOST),
  /** It hangs up on questions for blocks, as a node does that has sent its day's share. */
  UPLOAD_LIMIT(Kind.LOST);

  private final Kind kind;

  Obstacle(Kind kind) {
    this.kind = kind;
  }

  /**
   * Returns what kind of obstacle it is.
   *
   * @return what a session ends with if all peers had no worse one
   */
  public Kind kind() {
    return kind;
  }

  /** What stands in the way. */
  public enum Kind {
    /** Nobody could be reached. */
    UNREACHABLE,
    /** The proxy cannot be used, so nobody could be called. */
    PROXY,
    /** All that were reached lack NODE_BLOOM. */
    NO_BLOOM,
    /** The other side speaks another network's magic, or no Bitcoin at all. */
    WRONG_NETWORK,
    /** They were reached but misbehaved or went silent. */
    LOST,
    /** Peers are there, but none that may be shown the filter (private preset). */
    NO_GUARD
  }
}
