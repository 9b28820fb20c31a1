package org.murmur.wallet.sync;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.net.HostNames;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;

/**
 * Options of a sync. Begin with {@link #connect} or {@link #discover} and derive.
 *
 * @param peers which peers to connect to
 * @param limits how much a session may take: a sync, a rescan or a broadcast
 * @param preset the chosen preset; empty for the one that the wallet used last. In its first sync
 *     that is fast on test networks and for peers on this machine or in private networks, private
 *     otherwise
 * @param values the values of each preset, for the case that it is chosen
 * @param follow whether to follow the chain after the sync, until stopped
 * @param headersOnly whether to sync headers only; that never completes the wallet
 * @param genesis whether to fetch and check the headers from genesis on, even of a wallet whose
 *     headers begin later; scanned blocks are then scanned again
 * @param route how connections are made
 * @param checkpoints the known blocks of a custom chain; empty for the network's
 * @param stop a signal that ends the session in addition to {@code SpvWallet.stop}
 */
public record SyncOptions(
    Peers peers,
    Limits limits,
    Optional<Preset.Kind> preset,
    Values values,
    boolean follow,
    boolean headersOnly,
    boolean genesis,
    Route route,
    Optional<Checkpoints> checkpoints,
    Optional<StopSignal> stop) {

  /**
   * The values of each preset.
   *
   * @param fast of the fast one
   * @param guarded of the private one
   * @param pool which unconfirmed transactions the compact one sees; empty for the usual ones
   */
  public record Values(Preset.Fast fast, Preset.Private guarded, Optional<Preset.Pool> pool) {}

  /**
   * Checks the preset.
   *
   * @throws IllegalArgumentException if it is private, and blocks are to be verified or spot
   *     checked
   */
  public SyncOptions {
    if (preset.equals(Optional.of(Preset.Kind.PRIVATE))
        && values.fast().filterPeers(0).compares()) {
      throw new IllegalArgumentException(
          "the private preset compares no answers: no two peers get the same filter");
    }
  }

  private SyncOptions(Peers peers) {
    this(
        peers,
        Limits.USUAL,
        Optional.empty(),
        new Values(Preset.Fast.USUAL, Preset.Private.USUAL, Optional.empty()),
        false,
        false,
        false,
        Route.DIRECT,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Syncs with these peers until complete.
   *
   * @param peers {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}; without a port, the
   *     network's default port counts
   * @return options to derive others from
   * @throws IllegalArgumentException if one is none of these
   */
  public static SyncOptions connect(String... peers) {
    return new SyncOptions(Peers.of(peers));
  }

  /**
   * Syncs with found peers: those known from earlier sessions and, if these are not enough, those
   * that DNS seeds and other peers announce. Not for regtest, unless seed nodes are named.
   *
   * @return options to derive others from
   */
  public static SyncOptions discover() {
    return new SyncOptions(Peers.found(Discovery.USUAL));
  }

  /**
   * {@return options with other peers}
   *
   * @param change makes them of these
   */
  public SyncOptions peers(UnaryOperator<Peers> change) {
    Peers all = change.apply(peers);
    return new SyncOptions(
        all, limits, preset, values, follow, headersOnly, genesis, route, checkpoints, stop);
  }

  /**
   * {@return options with other limits}
   *
   * @param change makes them of these
   */
  public SyncOptions limits(UnaryOperator<Limits> change) {
    Limits next = change.apply(limits);
    return new SyncOptions(
        peers, next, preset, values, follow, headersOnly, genesis, route, checkpoints, stop);
  }

  /**
   * {@return options under a preset} No other option makes a private wallet fast; {@link
   * WalletWarning.WalletExposed} is reported first then.
   *
   * @param chosen the preset; {@link #ifFast} and {@link #ifPrivate} set its values. Under {@link
   *     Preset.Kind#COMPACT}, as many peers as fast ones verify agree on the filters, and two at
   *     least if they are found
   * @throws IllegalArgumentException if it is private, and blocks were to be verified or spot
   *     checked
   */
  public SyncOptions preset(Preset.Kind chosen) {
    Optional<Preset.Kind> kind = Optional.of(chosen);
    return new SyncOptions(
        peers, limits, kind, values, follow, headersOnly, genesis, route, checkpoints, stop);
  }

  /**
   * {@return options with other values for the case that the preset is fast} Chooses no preset.
   *
   * @param change makes them of these
   * @throws IllegalArgumentException if blocks are to be verified or spot checked, and the preset
   *     is private
   */
  public SyncOptions ifFast(UnaryOperator<Preset.Fast> change) {
    return values(new Values(change.apply(fast()), guarded(), pool()));
  }

  /**
   * {@return options with other values for the case that the preset is private} Chooses no preset.
   *
   * @param change makes them of these
   */
  public SyncOptions ifPrivate(UnaryOperator<Preset.Private> change) {
    return values(new Values(fast(), change.apply(guarded()), pool()));
  }

  /**
   * {@return options under which a compact sync sees these unconfirmed transactions} Chooses no
   * preset. A node whose memory pool is asked is called beside the peers, and takes no place of
   * one. Unless it is local, {@link WalletWarning.ShownToPoolNode} is reported first.
   *
   * @param seen which
   */
  public SyncOptions pool(Preset.Pool seen) {
    return values(new Values(fast(), guarded(), Optional.of(seen)));
  }

  private SyncOptions values(Values next) {
    return new SyncOptions(
        peers, limits, preset, next, follow, headersOnly, genesis, route, checkpoints, stop);
  }

  /** {@return the values of the fast preset, for the case that this sync is fast} */
  public Preset.Fast fast() {
    return values.fast();
  }

  /** {@return the values of the private preset, for the case that this sync is private} */
  public Preset.Private guarded() {
    return values.guarded();
  }

  /**
   * {@return the unconfirmed transactions that a compact sync sees; if empty, it is {@link
   * Preset.Pool#ALL} while it follows a test network, and {@link Preset.Pool#NONE} otherwise}
   */
  public Optional<Preset.Pool> pool() {
    return values.pool();
  }

  /**
   * {@return options that follow the chain after the sync, or end}
   *
   * @param stay whether to follow
   */
  public SyncOptions follow(boolean stay) {
    return new SyncOptions(
        peers, limits, preset, values, stay, headersOnly, genesis, route, checkpoints, stop);
  }

  /**
   * {@return options that sync headers only, or blocks too}
   *
   * @param only whether to sync headers only
   */
  public SyncOptions headersOnly(boolean only) {
    return new SyncOptions(
        peers, limits, preset, values, follow, only, genesis, route, checkpoints, stop);
  }

  /**
   * {@return options that fetch and check the headers from genesis on, or not}
   *
   * @param all whether to do so
   */
  public SyncOptions fromGenesis(boolean all) {
    return new SyncOptions(
        peers, limits, preset, values, follow, headersOnly, all, route, checkpoints, stop);
  }

  private SyncOptions route(Route by) {
    return new SyncOptions(
        peers, limits, preset, values, follow, headersOnly, genesis, by, checkpoints, stop);
  }

  /**
   * {@return options that connect through a SOCKS5 proxy, Tor's for instance}
   *
   * @param through where the proxy listens
   */
  public SyncOptions proxy(Proxy through) {
    return route(route.proxy(through));
  }

  /**
   * {@return options with another resolver of host names} With a proxy it is not used.
   *
   * @param names resolves names
   */
  public SyncOptions hostNames(HostNames names) {
    return route(route.names(names));
  }

  /**
   * {@return options with other checkpoints than the network's, for a custom chain}
   *
   * @param known blocks of that chain
   */
  public SyncOptions checkpoints(Checkpoints known) {
    Optional<Checkpoints> own = Optional.of(known);
    return new SyncOptions(
        peers, limits, preset, values, follow, headersOnly, genesis, route, own, stop);
  }

  /**
   * {@return options with a signal that ends the session, even if it is set before the session
   * begins} A payment over the connections of a running sync stops waiting then; that sync goes on.
   *
   * @param signal ends it
   */
  public SyncOptions stoppedBy(StopSignal signal) {
    Optional<StopSignal> by = Optional.of(signal);
    return new SyncOptions(
        peers, limits, preset, values, follow, headersOnly, genesis, route, checkpoints, by);
  }
}
