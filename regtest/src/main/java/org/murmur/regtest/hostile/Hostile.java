package org.murmur.regtest.hostile;

import java.util.Set;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.Behaviour;

/** A peer that means no good. Beside honest peers enough every sync completes with the truth. */
public interface Hostile {

  /**
   * Returns its name.
   *
   * @return one word
   */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Says what it does.
   *
   * @return one sentence
   */
  String sentence();

  /**
   * Returns how it treats those who connect.
   *
   * @return the embedded node's behaviour
   */
  Behaviour behaviour();

  /**
   * Whether a client that has nobody else is told all in the end.
   *
   * @return false if such a sync must end incomplete
   */
  boolean completesAlone();

  /**
   * Returns what it may be let go for, beside others or alone.
   *
   * @return the reasons; {@link DisconnectReason#DONE} is the end of the session
   */
  Set<DisconnectReason> goesFor();
}
