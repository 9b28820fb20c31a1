package org.murmur.p2p.internal.sync;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncFact;

/**
 * Settings of a session. Begin with {@link #of} and derive.
 *
 * @param peers which peers; a number of connections of 0 becomes the number of named peers
 * @param proxied whether the shell connects through a proxy. The proxy then resolves names, there
 *     are no lookups here, and only the IP addresses that the user named are known
 * @param preset which filters peers get
 * @param limits how much it may take. The machine estimates the size of answers and requests no
 *     more than the limit of bytes allows; the shell reads no more, and watches the time
 * @param headersOnly whether to sync headers only; {@link SyncFact.Complete} then refers to headers
 * @param recentBlocks how many of the last blocks are downloaded whole after the headers, with
 *     their witness data, up to 4 MB each; {@link SyncFact.RecentBlock} brings each, fewer if the
 *     peers or the byte limit allow no more
 * @param follow whether to follow the chain after the sync is complete
 * @param checkpoints known blocks; headers between them are requested in parallel
 * @param key a secret of the wallet: tweaks and dummies of filters follow from it. So a peer gets
 *     the same filter in each session, while that holds the same elements
 * @param seed of nonces; the machine has no other source of randomness
 */
public record SyncSettings(
    Peers peers,
    boolean proxied,
    Preset preset,
    Limits limits,
    boolean headersOnly,
    int recentBlocks,
    boolean follow,
    Checkpoints checkpoints,
    Bytes key,
    long seed) {

  /** Our user agent (BIP-0014): without a version, so that it does not distinguish wallets. */
  public static final String USER_AGENT = "/murmur/";

  /** How long a connection and its handshake may take. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** The same through a proxy: Tor takes up to about 20 seconds to reach an onion service. */
  private static final Duration PROXIED_CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** How long a peer may be silent before it answers a request. */
  private static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the number of recent blocks is negative, or more than
   *     headers are synced
   */
  public SyncSettings {
    if (peers.connections() == 0) {
      peers = peers.connections(Math.max(1, peers.named().size()));
    }
    if (recentBlocks < 0 || (recentBlocks > 0 && !headersOnly)) {
      throw new IllegalArgumentException(
          "recent blocks " + recentBlocks + ", expected 0 or more, in a session of headers only");
    }
  }

  /**
   * Returns the usual settings: connect to all these peers at once, sync under the fast preset,
   * end.
   *
   * @param seed of nonces, and of the key
   */
  public static SyncSettings of(List<NodeAddress> named, long seed) {
    return new SyncSettings(
        Peers.of().named(named),
        false,
        Preset.Fast.USUAL,
        Limits.USUAL,
        false,
        0,
        false,
        Checkpoints.NONE,
        new ByteWriter(Long.BYTES).int64(seed).toBytes(),
        seed);
  }

  /** Derives settings with other peers. */
  public SyncSettings peers(UnaryOperator<Peers> change) {
    Peers next = change.apply(peers);
    return new SyncSettings(
        next, proxied, preset, limits, headersOnly, recentBlocks, follow, checkpoints, key, seed);
  }

  /** Derives settings with or without a proxy; connecting through a proxy may take longer. */
  public SyncSettings proxied(boolean through) {
    return new SyncSettings(
        peers, through, preset, limits, headersOnly, recentBlocks, follow, checkpoints, key, seed);
  }

  /** Derives settings under another preset. */
  public SyncSettings preset(Preset chosen) {
    return new SyncSettings(
        peers, proxied, chosen, limits, headersOnly, recentBlocks, follow, checkpoints, key, seed);
  }

  /** Derives settings with other limits. */
  public SyncSettings limits(UnaryOperator<Limits> change) {
    Limits next = change.apply(limits);
    return new SyncSettings(
        peers, proxied, preset, next, headersOnly, recentBlocks, follow, checkpoints, key, seed);
  }

  /** Derives settings that sync headers only, or blocks too. */
  public SyncSettings headersOnly(boolean only) {
    return new SyncSettings(
        peers, proxied, preset, limits, only, recentBlocks, follow, checkpoints, key, seed);
  }

  /** Derives settings that download some of the last blocks after the headers. */
  public SyncSettings recentBlocks(int count) {
    return new SyncSettings(
        peers, proxied, preset, limits, headersOnly, count, follow, checkpoints, key, seed);
  }

  /** Derives settings that follow the chain after the sync, or end. */
  public SyncSettings follow(boolean stay) {
    return new SyncSettings(
        peers, proxied, preset, limits, headersOnly, recentBlocks, stay, checkpoints, key, seed);
  }

  /** Derives settings with other checkpoints. */
  public SyncSettings checkpoints(Checkpoints known) {
    return new SyncSettings(
        peers, proxied, preset, limits, headersOnly, recentBlocks, follow, known, key, seed);
  }

  /**
   * Derives settings with the secret of a wallet.
   *
   * @param secret the same in every session of a wallet, and unique to it; not empty
   */
  public SyncSettings keyedBy(Bytes secret) {
    return new SyncSettings(
        peers,
        proxied,
        preset,
        limits,
        headersOnly,
        recentBlocks,
        follow,
        checkpoints,
        secret,
        seed);
  }

  /** Returns how long a connection and its handshake may take. */
  public Duration connectTimeout() {
    return proxied ? PROXIED_CONNECT_TIMEOUT : CONNECT_TIMEOUT;
  }

  /** Returns how long a peer may be silent before it answers a request. */
  public Duration stallTimeout() {
    return STALL_TIMEOUT;
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "SyncSettings[" + peers + ", " + preset + ", " + limits + "]";
  }
}
