package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.FilteredBlock;

/** {@link Misdeed#REPEATED_TRANSACTION}. */
final class Repeated extends Silence {

  private static final long INTERVAL = 1_000_000_000;

  private @Nullable Message repeated;
  private long due = Long.MAX_VALUE;

  @Override
  public FilteredBlock serves(FilteredBlock block) {
    if (block.sent().isEmpty() || repeated != null) {
      return block;
    }
    repeated = block.sent().get(0);
    return block.sending(List.of());
  }

  /** The proof is the last that is said. */
  @Override
  public List<Message> says(Message message) {
    List<Message> said = super.says(message);
    if (repeated != null && !isSilent()) {
      fallSilent();
      due = Long.MIN_VALUE;
    }
    return said;
  }

  @Override
  public long due() {
    return due;
  }

  @Override
  public List<Message> speaks(long now) {
    due = now + INTERVAL;
    return repeated == null ? List.of() : List.of(repeated);
  }
}
