package org.murmur.p2p.internal.dial;

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
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Conduct;
import org.murmur.p2p.internal.peers.OurVersion;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * Short connections, which learn whether a node answers, what it serves, and which addresses it
 * knows. Feelers never get a filter. They are not peers of the session.
 */
final class Feelers extends Part<Peer> implements Alarm.Timed {

  /** How long the answer to {@code getaddr} may take; Core sends it at once. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** After a single address, which may be the node's own, a feeler waits this long for more. */
  private static final Duration AFTER_ITS_OWN = Duration.ofSeconds(2);

  /** A message with fewer addresses may be no answer: nodes announce their own address unasked. */
  private static final int MIN_ANSWER = 2;

  private final AddressTable table;
  private final Function<NodeAddress, Link> links;
  private final Map<Integer, Feeler> feelers = new LinkedHashMap<>();
  private final SearchRecord record;
  private int answered;

  private static final class Feeler {
    final Link link;
    final @Nullable Endpoint endpoint;
    final NetGroup group;
    final long nonce;
    final Conduct conduct;
    Instant until;
    boolean greeted;
    boolean announcedOne;

    Feeler(Link link, @Nullable Endpoint endpoint, long nonce, Instant now, Instant until) {
      this.link = link;
      this.conduct = new Conduct(now);
      this.endpoint = endpoint;
      this.nonce = nonce;
      this.until = until;
      this.group =
          endpoint == null ? NetGroup.ofName(link.address().host()) : NetGroup.of(endpoint);
    }
  }

  Feelers(
      Part<?> machine, AddressTable table, Function<NodeAddress, Link> links, SearchRecord record) {
    super(machine);
    this.table = table;
    this.links = links;
    this.record = record;
  }

  /** Connects to a node, which may be known only by its name. */
  void call(NodeAddress address) {
    Link link = links.apply(address);
    Endpoint endpoint = address.endpoint().orElse(null);
    record.called(address);
    Instant until = effects.now().plus(settings.connectTimeout());
    feelers.put(
        link.id(), new Feeler(link, endpoint, effects.dice().nextLong(), effects.now(), until));
    boolean encrypts = endpoint == null || table.encrypts(endpoint);
    effects.output(new Output.Connect(link, settings.peers().encryption().towards(encrypts)));
  }

  /** Keeps the connection of a peer that the session has no place for, to ask for addresses. */
  void adopt(Peer peer, Endpoint endpoint) {
    Instant now = effects.now();
    Feeler feeler = new Feeler(peer.link(), endpoint, peer.nonce(), now, now.plus(ANSWER));
    feeler.greeted = true;
    feelers.put(peer.link().id(), feeler);
    effects.output(new Output.Send(peer.link(), new Message.GetAddr()));
  }

  int count() {
    return feelers.size();
  }

  /** The number of nodes that sent addresses. */
  int answered() {
    return answered;
  }

  /** The addresses of the nodes being asked. */
  Set<Endpoint> endpoints() {
    Set<Endpoint> endpoints = new HashSet<>();
    for (Feeler feeler : feelers.values()) {
      if (feeler.endpoint != null) {
        endpoints.add(feeler.endpoint);
      }
    }
    return endpoints;
  }

  /** Whether a node sent its version message and is still connected. */
  boolean isAnybodyThere() {
    return feelers.values().stream().anyMatch(feeler -> feeler.greeted);
  }

  /** Processes an input of a feeler; returns whether it was one. */
  boolean take(Input input) {
    Feeler feeler = input instanceof Input.OfLink about ? feelers.get(about.link().id()) : null;
    if (feeler == null || input instanceof Input.Failed) {
      return false;
    }
    if (input instanceof Input.Connected) {
      send(feeler, OurVersion.of(effects, feeler.nonce, false));
    } else if (input instanceof Input.ConnectFailed failed) {
      end(feeler, DisconnectReason.CONNECT_TIMEOUT, failed.obstacle());
    } else if (input instanceof Input.ProxyFailed) {
      withoutProxy(feeler);
    } else if (input instanceof Input.Disconnected) {
      end(feeler, DisconnectReason.DONE, Obstacle.LOST);
    } else if (input instanceof Input.Garbled garbled) {
      garbled(feeler, DisconnectReason.DAMAGED, garbled.obstacle());
    } else if (input instanceof Input.Malformed) {
      garbled(feeler, DisconnectReason.PROTOCOL_ERROR, Obstacle.NO_NODE);
    } else if (input instanceof Input.Oversized) {
      drop(feeler, DisconnectReason.OVERSIZED, Obstacle.LOST);
    } else if (input instanceof Input.Received received) {
      effects.received(received.wireBytes());
      Refusal refusal =
          feeler.conduct.heardEarly(received.message(), received.wireBytes(), effects.now());
      if (refusal.isRefusal()) {
        drop(feeler, refusal.reason(), Obstacle.LOST);
      } else {
        received(feeler, received.message());
      }
    }
    return true;
  }

  /** Before its version message, what answers may be no node. */
  private void garbled(Feeler feeler, DisconnectReason reason, Obstacle obstacle) {
    if (feeler.greeted) {
      drop(feeler, reason, Obstacle.LOST);
    } else {
      drop(feeler, DisconnectReason.NO_NODE, obstacle);
    }
  }

  private void received(Feeler feeler, Message message) {
    if (message instanceof Message.Version version && !feeler.greeted) {
      greeted(feeler, version);
    } else if (message instanceof Message.Ping ping) {
      send(feeler, new Message.Pong(ping.nonce()));
    } else if (feeler.greeted && message instanceof Message.Addr addr) {
      announced(feeler, addr.addresses());
    } else if (feeler.greeted && message instanceof Message.AddrV2 addr) {
      announced(feeler, addr.addresses());
    }
  }

  private void greeted(Feeler feeler, Message.Version version) {
    feeler.greeted = true;
    feeler.until = effects.now().plus(ANSWER);
    if (version.nonce() == feeler.nonce) {
      drop(feeler, DisconnectReason.SELF, Obstacle.LOST);
      return;
    }
    record.reached(feeler.link.address(), version.services());
    send(feeler, new Message.SendAddrV2());
    send(feeler, new Message.Verack());
    send(feeler, new Message.GetAddr());
  }

  private void announced(Feeler feeler, List<NetworkAddress> addresses) {
    table.add(addresses, feeler.group, effects.clock());
    if (addresses.size() >= MIN_ANSWER || (addresses.isEmpty() && !feeler.announcedOne)) {
      answered += addresses.isEmpty() ? 0 : 1;
      drop(feeler, DisconnectReason.DONE, Obstacle.LOST);
    } else if (!feeler.announcedOne) {
      feeler.announcedOne = true;
      answered++;
      feeler.until = effects.now().plus(AFTER_ITS_OWN);
    }
  }

  private void send(Feeler feeler, Message message) {
    effects.output(new Output.Send(feeler.link, message));
  }

  private void drop(Feeler feeler, DisconnectReason reason, Obstacle obstacle) {
    effects.output(new Output.Disconnect(feeler.link, reason, ""));
    end(feeler, reason, obstacle);
  }

  private void end(Feeler feeler, DisconnectReason reason, Obstacle obstacle) {
    feelers.remove(feeler.link.id());
    if (feeler.endpoint != null && (!feeler.greeted || reason.isMisbehaviour())) {
      record.failed(feeler.endpoint, reason, obstacle);
    }
  }

  private void withoutProxy(Feeler feeler) {
    feelers.remove(feeler.link.id());
    if (feeler.endpoint != null) {
      record.notTried(feeler.endpoint);
    }
  }

  /** Disconnects feelers whose time is up. */
  void expire() {
    for (Feeler feeler : new ArrayList<>(feelers.values())) {
      if (!effects.now().isBefore(feeler.until)) {
        drop(
            feeler,
            feeler.greeted ? DisconnectReason.DONE : DisconnectReason.CONNECT_TIMEOUT,
            Obstacle.LOST);
      }
    }
  }

  @Override
  public void setAlarm(Alarm alarm) {
    feelers.values().forEach(feeler -> alarm.at(feeler.until));
  }

  /** The session ends. */
  void stop() {
    for (Feeler feeler : feelers.values()) {
      effects.output(new Output.Disconnect(feeler.link, DisconnectReason.DONE, ""));
    }
    feelers.clear();
  }
}
