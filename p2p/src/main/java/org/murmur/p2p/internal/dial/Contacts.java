package org.murmur.p2p.internal.dial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;

/**
 * The list of all peers that this session calls. Pinned ones are always in it, found ones while
 * they are connecting or connected.
 */
final class Contacts extends Part<Peer> {

  private final Function<NodeAddress, Link> links;
  private final List<Contact> pinned = new ArrayList<>();
  // Those with a connection, by link id, in the order of the calls.
  private final Map<Integer, Contact> linked = new LinkedHashMap<>();

  Contacts(Part<?> machine, Function<NodeAddress, Link> links) {
    super(machine);
    this.links = links;
  }

  Contact pin(NodeAddress address) {
    Contact contact = Contact.pinned(address);
    pinned.add(contact);
    return contact;
  }

  /** The pinned ones, connected or not. */
  List<Contact> pinned() {
    return Collections.unmodifiableList(pinned);
  }

  /** The found ones, in the order of the calls. */
  List<Contact> found() {
    List<Contact> found = new ArrayList<>(linked.values());
    found.removeIf(Contact::isPinned);
    return found;
  }

  /** The contact at a link, or null if it has none. */
  @Nullable Contact at(Link link) {
    return linked.get(link.id());
  }

  /** The contact of a peer, which must have one. */
  Contact of(Peer peer) {
    Contact contact = at(peer.link());
    if (contact == null) {
      throw new IllegalArgumentException("link " + peer.link() + " has no contact");
    }
    return contact;
  }

  /** The peer of a contact while it is on the roster, or null. */
  @Nullable Peer peer(Contact contact) {
    Link link = contact.link;
    return link == null ? null : roster.get(link.id());
  }

  /** Connects to a peer. */
  void call(Contact contact, boolean forHeaders) {
    Link link = links.apply(contact.address);
    contact.link = link;
    linked.put(link.id(), contact);
    Peer peer = roster.add(link, effects.dice().nextLong(), effects.now());
    peer.useForHeaders(forHeaders);
    peer.answersMempoolAtOnce(contact.mempoolAtOnce);
    effects.output(
        new Output.Connect(link, settings.peers().encryption().towards(contact.encrypts)));
  }

  /** Its connection ended, or is a feeler's from now on. */
  void disconnected(Contact contact) {
    Link link = contact.link;
    if (link != null) {
      linked.remove(link.id());
    }
    contact.link = null;
  }
}
