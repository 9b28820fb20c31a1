package org.murmur.p2p.dial;

import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.SyncEvent;

/** Calls only the named peers and searches for no others. */
final class NamedOnly implements Finder {

  private final Roster roster;

  NamedOnly(Roster roster) {
    this.roster = roster;
  }

  @Override
  public boolean isHopeless(boolean everReady) {
    return roster.isEmpty();
  }

  @Override
  public SyncEvent.NoUsablePeer inTheWay(SyncEvent.NoUsablePeer ofNamed) {
    return ofNamed;
  }

  @Override
  public String outage() {
    return "nobody is named";
  }
}
