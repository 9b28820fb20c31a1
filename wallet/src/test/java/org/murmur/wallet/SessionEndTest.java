package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.sync.SyncEvent.NoUsablePeer;
import org.murmur.wallet.SyncReport.Ending;

class SessionEndTest {

  private static final NoUsablePeer NOBODY =
      new NoUsablePeer(NoUsablePeer.Kind.UNREACHABLE, Map.of(), "no hello yet");

  /** A broadcast whose time is over, and nobody said hello: the machine says so as it stops. */
  @Test
  void anOrderDoesNotHideThatNobodyWasThere() {
    SessionEnd end = SessionEnd.DONE.after(NOBODY).ordered(Ending.TIMEOUT);
    assertThat(end.why()).isEqualTo(Ending.TIMEOUT);
    assertThat(end.none()).contains(NOBODY);
  }

  @Test
  void theFirstOrderHoldsWhateverIsSaidAfterIt() {
    SessionEnd end = SessionEnd.DONE.ordered(Ending.STOPPED);
    assertThat(end.ordered(Ending.TIMEOUT)).isEqualTo(end);
    assertThat(end.after(NOBODY)).isEqualTo(end);
  }
}
