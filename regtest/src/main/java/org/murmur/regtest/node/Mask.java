package org.murmur.regtest.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.FilterIndex;

/**
 * One lie of a node on one connection. It stands between an honest session and the peer. For one
 * thread; times are nanoseconds of the session's clock.
 */
public interface Mask {

  /** A lie that is the same on all connections, as it has no state. */
  interface Same extends Lie, Mask {

    @Override
    default Mask mask(Chain chain, long seed) {
      return this;
    }
  }

  /** Replaces a message from the peer on its way to the session, which hears nothing of null. */
  default @Nullable Message hears(Message message) {
    return message;
  }

  /** Adds messages after the session's answer. No mask sees them. */
  default List<Message> answers(Message message) {
    return List.of();
  }

  /**
   * Replaces a filtered block as the session or the mask before serves it, before {@link #says}
   * gets its messages.
   */
  default FilteredBlock serves(FilteredBlock block) {
    return block;
  }

  /** Replaces the compact filters that the session serves, before {@link #says} gets them. */
  default FilterIndex filters(FilterIndex index) {
    return index;
  }

  /** Decides whether the session shows the peer an unconfirmed transaction. */
  default boolean shows(Tx tx) {
    return true;
  }

  /** Replaces a message of the session. */
  default List<Message> says(Message message) {
    return List.of(message);
  }

  /**
   * Returns when it speaks unasked, as soon as the session has nothing else to do; {@link
   * Long#MAX_VALUE} for never.
   */
  default long due() {
    return Long.MAX_VALUE;
  }

  /** Speaks unasked, not before {@link #due}. No mask sees it. */
  default List<Message> speaks(long now) {
    return List.of();
  }
}
