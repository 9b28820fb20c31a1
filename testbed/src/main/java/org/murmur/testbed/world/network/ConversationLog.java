package org.murmur.testbed.world.network;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;

/** The messages of one line, as far as the judge needs them. Only the judge writes here. */
public final class ConversationLog {

  public final NodeAddress peer;

  /** The node's announcements. */
  public final Set<Hash256> announced = new HashSet<>();

  /** The user's transactions that were announced to the node. */
  public final Set<Hash256> offered = new HashSet<>();

  /** The load whose filter was sent last; -1 before the first. */
  public long sentLoad = -1;

  // Under the private preset only.

  /** The wallet's transactions that were announced to the node or sent to it. */
  public final Set<Hash256> told = new HashSet<>();

  /** The roles under whose filters a mempool was requested. */
  public final Set<FilterRole> mempools = EnumSet.noneOf(FilterRole.class);

  /** The payload of the filter that was sent last. */
  public @Nullable Bytes shown;

  /** The last block that was requested under each filter. */
  public final Map<Bytes, Hash256> asked = new HashMap<>();

  public ConversationLog(NodeAddress peer) {
    this.peer = peer;
  }

  @Override
  public String toString() {
    return peer.host();
  }
}
