package org.murmur.regtest.world.network;

import org.murmur.bip37.ServerFilter;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.node.NodeSession;

/** A connection between a process of the client and a node. */
public final class SimConnection {

  public final Link link;
  public final SimNode node;
  final NodeSession session;
  final SimNetwork.Caller caller;
  public final ConversationLog talk;
  private boolean open = true;
  // Nothing overtakes anything: when the last message of each direction arrives.
  private long upFree;
  private long downFree;
  // When the session is to be asked again; later questions than this are void.
  private long askAt = Long.MAX_VALUE;
  private long filterVersion = -1;
  private FilterSnapshot filter = FilterSnapshot.NONE;

  /** What a node sends, and the filter it had when it did. */
  public record Parcel(Message message, FilterSnapshot filter) {}

  SimConnection(Link link, SimNode node, NodeSession session, SimNetwork.Caller caller) {
    this.link = link;
    this.node = node;
    this.session = session;
    this.caller = caller;
    this.talk = new ConversationLog(node.address);
  }

  /** Whether the node's side still talks. */
  boolean isOpen() {
    return open;
  }

  /** The node's side falls silent for good. */
  void close() {
    open = false;
    node.remove(this);
  }

  /** When a message arrives at the node that would be there at a time if it were alone. */
  long up(long at) {
    upFree = Math.max(upFree, at);
    return upFree;
  }

  /** When a message arrives at the client that would be there at a time if it were alone. */
  long down(long at) {
    downFree = Math.max(downFree, at);
    return downFree;
  }

  /** Plans to ask the session at a time; false if it is asked no later than that already. */
  boolean plans(long at) {
    if (!open || at >= askAt) {
      return false;
    }
    askAt = at;
    return true;
  }

  /** Whether the session is to be asked at a time, and no earlier. */
  boolean isDue(long at) {
    return open && askAt == at;
  }

  /** The session is asked now: what was planned is void. */
  void asked() {
    askAt = Long.MAX_VALUE;
  }

  /** The node's copy of the filter as it is now, with what it has added of its own accord. */
  FilterSnapshot filter() {
    if (session.filterVersion() != filterVersion) {
      filterVersion = session.filterVersion();
      ServerFilter live = session.filter();
      filter = live == null ? FilterSnapshot.NONE : filter.next(live.filter());
    }
    return filter;
  }
}
