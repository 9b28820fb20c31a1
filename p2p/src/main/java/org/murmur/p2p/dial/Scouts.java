package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Hello;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;
import org.murmur.p2p.wire.Services;

/**
 * Short connections: is somebody there, what does it serve, and whom does it know. Nothing else is
 * asked of these nodes, and no filter shown; they are no peers of the session.
 */
final class Scouts {

  /** What a scanner must serve. */
  static final long FILTERING = Services.NETWORK | Services.BLOOM;

  /** How long the answer to {@code getaddr} may take; Core sends it at once. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** A node may tell of itself before it answers: a single address is waited behind for so long. */
  private static final Duration BEHIND_ITS_OWN = Duration.ofSeconds(2);

  /** Answers that come with fewer addresses may be a node's own, told unasked. */
  private static final int AN_ANSWER = 2;

  private final Effects effects;
  private final SyncSettings settings;
  private final AddressTable table;
  private final Function<PeerAddress, Link> calls;
  private final Map<Integer, Scout> scouts = new LinkedHashMap<>();
  private final Notebook notebook;
  private int answered;

  /** Keeps the record of who was called and reached. */
  interface Notebook {
    void called(PeerAddress address);

    void reached(PeerAddress address, long services);

    void failed(Endpoint endpoint, DisconnectReason reason);

    /** It could not be tried: something else was in the way. */
    void notTried(Endpoint endpoint);
  }

  private static final class Scout {
    final Link link;
    final @Nullable Endpoint endpoint;
    final NetGroup group;
    final long nonce;
    Instant until;
    boolean greeted;
    boolean toldOne;

    Scout(Link link, @Nullable Endpoint endpoint, long nonce, Instant until) {
      this.link = link;
      this.endpoint = endpoint;
      this.nonce = nonce;
      this.until = until;
      this.group =
          endpoint == null ? NetGroup.ofName(link.address().host()) : NetGroup.of(endpoint);
    }
  }

  Scouts(
      Effects effects,
      SyncSettings settings,
      AddressTable table,
      Function<PeerAddress, Link> calls,
      Notebook notebook) {
    this.effects = effects;
    this.settings = settings;
    this.table = table;
    this.calls = calls;
    this.notebook = notebook;
  }

  /** Calls somebody who may be known by name only. */
  void call(PeerAddress address) {
    Link link = calls.apply(address);
    Endpoint endpoint = address.endpoint().orElse(null);
    notebook.called(address);
    Instant until = effects.now().plus(settings.connectTimeout());
    scouts.put(link.id(), new Scout(link, endpoint, effects.dice().nextLong(), until));
    effects.output(new Output.Connect(link));
  }

  /** A peer that the session has no place for tells of others before it goes. */
  void adopt(Peer peer, Endpoint endpoint) {
    Scout scout = new Scout(peer.link(), endpoint, peer.nonce(), effects.now().plus(ANSWER));
    scout.greeted = true;
    scouts.put(peer.link().id(), scout);
    effects.output(new Output.Send(peer.link(), new Message.GetAddr()));
  }

  int underWay() {
    return scouts.size();
  }

  /** How many sent addresses. */
  int answered() {
    return answered;
  }

  /** The addresses at which somebody is being asked. */
  Set<Endpoint> endpoints() {
    Set<Endpoint> endpoints = new HashSet<>();
    for (Scout scout : scouts.values()) {
      if (scout.endpoint != null) {
        endpoints.add(scout.endpoint);
      }
    }
    return endpoints;
  }

  /** Whether somebody said hello and is still there. */
  boolean isAnybodyThere() {
    for (Scout scout : scouts.values()) {
      if (scout.greeted) {
        return true;
      }
    }
    return false;
  }

  /** Takes what concerns a scout; returns whether it did. */
  boolean take(Input input) {
    if (input instanceof Input.Connected connected) {
      Scout scout = scouts.get(connected.link().id());
      if (scout != null) {
        send(scout, Hello.of(effects, scout.nonce, false));
      }
      return scout != null;
    }
    if (input instanceof Input.ConnectFailed failed) {
      return end(failed.link(), DisconnectReason.CONNECT_TIMEOUT);
    }
    if (input instanceof Input.ProxyFailed failed) {
      return withoutProxy(failed.link());
    }
    if (input instanceof Input.Disconnected gone) {
      return end(gone.link(), DisconnectReason.DONE);
    }
    if (input instanceof Input.Garbled garbled) {
      return garbled(garbled.link());
    }
    if (input instanceof Input.Oversized oversized) {
      return drop(oversized.link(), DisconnectReason.OVERSIZED);
    }
    if (input instanceof Input.HeadersComing coming) {
      return scouts.containsKey(coming.link().id());
    }
    if (input instanceof Input.Received received) {
      Scout scout = scouts.get(received.link().id());
      if (scout != null) {
        effects.received(received.wireBytes());
        received(scout, received.message());
      }
      return scout != null;
    }
    return false;
  }

  private boolean garbled(Link link) {
    Scout scout = scouts.get(link.id());
    boolean greeted = scout != null && scout.greeted;
    return drop(link, greeted ? DisconnectReason.PROTOCOL_ERROR : DisconnectReason.NO_NODE);
  }

  private void received(Scout scout, Message message) {
    if (message instanceof Message.Version version && !scout.greeted) {
      greeted(scout, version);
    } else if (message instanceof Message.Ping ping) {
      send(scout, new Message.Pong(ping.nonce()));
    } else if (scout.greeted && message instanceof Message.Addr told) {
      told(scout, told.addresses());
    } else if (scout.greeted && message instanceof Message.AddrV2 told) {
      told(scout, told.addresses());
    }
  }

  private void greeted(Scout scout, Message.Version version) {
    scout.greeted = true;
    scout.until = effects.now().plus(ANSWER);
    if (version.nonce() == scout.nonce) {
      drop(scout.link, DisconnectReason.SELF);
      return;
    }
    notebook.reached(scout.link.address(), version.services());
    send(scout, new Message.SendAddrV2());
    send(scout, new Message.Verack());
    send(scout, new Message.GetAddr());
  }

  private void told(Scout scout, List<NetworkAddress> addresses) {
    table.add(addresses, scout.group, effects.clock());
    if (addresses.size() >= AN_ANSWER || (addresses.isEmpty() && !scout.toldOne)) {
      answered += addresses.isEmpty() ? 0 : 1;
      drop(scout.link, DisconnectReason.DONE);
    } else if (!scout.toldOne) {
      scout.toldOne = true;
      answered++;
      scout.until = effects.now().plus(BEHIND_ITS_OWN);
    }
  }

  private void send(Scout scout, Message message) {
    effects.output(new Output.Send(scout.link, message));
  }

  private boolean drop(Link link, DisconnectReason reason) {
    boolean ours = scouts.containsKey(link.id());
    if (ours) {
      effects.output(new Output.Disconnect(link, reason, ""));
      end(link, reason);
    }
    return ours;
  }

  private boolean end(Link link, DisconnectReason reason) {
    Scout scout = scouts.remove(link.id());
    if (scout == null) {
      return false;
    }
    if (scout.endpoint != null && (!scout.greeted || reason.isMisbehaviour())) {
      notebook.failed(scout.endpoint, reason);
    }
    return true;
  }

  private boolean withoutProxy(Link link) {
    Scout scout = scouts.remove(link.id());
    if (scout != null && scout.endpoint != null) {
      notebook.notTried(scout.endpoint);
    }
    return scout != null;
  }

  /** Ends those whose time is up. */
  void expire() {
    for (Scout scout : new ArrayList<>(scouts.values())) {
      if (!effects.now().isBefore(scout.until)) {
        drop(scout.link, scout.greeted ? DisconnectReason.DONE : DisconnectReason.CONNECT_TIMEOUT);
      }
    }
  }

  /** When {@link #expire} has something to do, or null. */
  @Nullable Instant due() {
    Instant due = null;
    for (Scout scout : scouts.values()) {
      due = due == null || scout.until.isBefore(due) ? scout.until : due;
    }
    return due;
  }

  /** The session ends. */
  void stop() {
    for (Scout scout : scouts.values()) {
      effects.output(new Output.Disconnect(scout.link, DisconnectReason.DONE, ""));
    }
    scouts.clear();
  }
}
