package org.murmur.p2p.internal.discovery;

import java.util.List;
import org.murmur.p2p.discovery.Endpoint;

/**
 * Changes of the address table since the last call.
 *
 * @param kept new or changed
 * @param gone not in the table any more
 */
public record AddressChanges(List<KnownAddress> kept, List<Endpoint> gone) {

  public static final AddressChanges NONE = new AddressChanges(List.of(), List.of());

  /** Copies the lists. */
  public AddressChanges {
    kept = List.copyOf(kept);
    gone = List.copyOf(gone);
  }

  /** {@return whether there is nothing to write; true if nothing has changed} */
  public boolean isEmpty() {
    return kept.isEmpty() && gone.isEmpty();
  }
}
