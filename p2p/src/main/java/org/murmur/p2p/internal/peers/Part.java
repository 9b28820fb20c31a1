package org.murmur.p2p.internal.peers;

import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.sync.SyncSettings;

/**
 * A part of the machine, with what all parts of one machine share: clock and outbox, settings, the
 * service that a peer needs, the chain, the peers, the next batch. Its constructor takes the other
 * parts that it uses.
 *
 * @param <P> what it knows of a peer
 */
public abstract class Part<P extends Peer> {

  public final Effects effects;
  public final SyncSettings settings;
  public final ViewService service;
  public final HeaderChain chain;
  public final Roster<? extends P> roster;
  public final Journal journal;

  /** Makes the first part of a machine. */
  protected Part(
      SyncSettings settings, ViewService service, HeaderChain chain, Roster<? extends P> roster) {
    this.effects = new Effects(settings.seed());
    this.settings = settings;
    this.service = service;
    this.chain = chain;
    this.roster = roster;
    this.journal = new Journal(chain);
  }

  /** Makes another part of the same machine. */
  protected Part(Part<? extends P> machine) {
    this.effects = machine.effects;
    this.settings = machine.settings;
    this.service = machine.service;
    this.chain = machine.chain;
    this.roster = machine.roster;
    this.journal = machine.journal;
  }
}
