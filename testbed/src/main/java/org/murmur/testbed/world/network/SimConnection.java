package org.murmur.testbed.world.network;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.ServerFilter;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.NodeSession;

/** A connection between a process of the client and a node. */
public final class SimConnection {

  public final Link link;
  public final SimNode node;
  final NodeSession session;
  final SimNetwork.Caller caller;
  public final ConversationLog talk;
  private boolean open = true;
  // Messages keep their order: when the last message of each direction arrives.
  private long upFree;
  private long downFree;
  // When to ask the session again; requests for later times are void.
  private long askAt = Long.MAX_VALUE;
  private long filterVersion = -1;
  private FilterSnapshot filter = FilterSnapshot.NONE;

  // Once a byte was damaged: the bytes that have arrived since.
  private @Nullable DamagedLine stream;

  /** A message of a node, and its server-side filter at that time. */
  public record Parcel(Message message, FilterSnapshot filter) {}

  SimConnection(Link link, SimNode node, NodeSession session, SimNetwork.Caller caller) {
    this.link = link;
    this.node = node;
    this.session = session;
    this.caller = caller;
    this.talk = new ConversationLog(node.address);
  }

  /** A byte is damaged: from now on messages arrive as bytes, which may be out of step. */
  void damage() {
    stream = stream == null ? new DamagedLine() : stream;
  }

  /** The bytes of a damaged line, or null. */
  @Nullable DamagedLine stream() {
    return stream;
  }

  /** Whether the node's side still sends. */
  boolean isOpen() {
    return open;
  }

  /** The node's side stops sending for good. */
  void close() {
    open = false;
    node.remove(this);
  }

  /** When a message that alone would arrive at a time arrives at the node. */
  long up(long at) {
    upFree = Math.max(upFree, at);
    return upFree;
  }

  /** When a message that alone would arrive at a time arrives at the client. */
  long down(long at) {
    downFree = Math.max(downFree, at);
    return downFree;
  }

  /** Plans to ask the session at a time; false if an earlier or equal time is planned already. */
  boolean plans(long at) {
    if (!open || at >= askAt) {
      return false;
    }
    askAt = at;
    return true;
  }

  /** Whether to ask the session at a time, and no earlier. */
  boolean isDue(long at) {
    return open && askAt == at;
  }

  /** The session is asked now: the plan is void. */
  void asked() {
    askAt = Long.MAX_VALUE;
  }

  /** The server-side filter as it is now, with the outpoints that the node added. */
  FilterSnapshot filter() {
    if (session.filterVersion() != filterVersion) {
      filterVersion = session.filterVersion();
      ServerFilter live = session.filter();
      filter = live == null ? FilterSnapshot.NONE : filter.next(live.filter());
    }
    return filter;
  }
}
