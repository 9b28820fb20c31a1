package org.murmur.regtest.lies;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.FilteredBlock;
import org.murmur.regtest.node.Mask;

/** Sends the transactions that match after another message than the proof. */
final class Late implements Mask {

  private final Class<? extends Message> after;
  private final List<Message> held = new ArrayList<>();
  private final List<Message> next = new ArrayList<>();

  Late(Class<? extends Message> after) {
    this.after = after;
  }

  @Override
  public FilteredBlock serves(FilteredBlock block) {
    next.addAll(block.sent());
    return block.sending(List.of());
  }

  @Override
  public List<Message> says(Message message) {
    List<Message> said = new ArrayList<>(List.of(message));
    if (after.isInstance(message)) {
      said.addAll(held);
      held.clear();
    }
    held.addAll(next);
    next.clear();
    return said;
  }
}
