package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;

/** Where looking begins, also when a rescan names another beginning. */
class SessionTest {

  private static final Instant FAR = Instant.ofEpochSecond(4_000_000_000L);

  private final SimulatedNode node = new SimulatedNode();

  private Session session(Birthday birthday, OptionalInt height) {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    return new Session(
        new SyncStart(
            Network.REGTEST,
            node.chain,
            birthday,
            height,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1),
        SyncSettings.of(List.of(new PeerAddress("10.0.0.1", 1)), 1));
  }

  @Test
  void lowersTheBirthday() {
    Session session = session(new Birthday.AtHeight(10), OptionalInt.of(10));
    session.lowerBirthday(new Birthday.AtHeight(4));
    assertThat(session.birthdayHeight()).hasValue(4);
  }

  @Test
  void neverRaisesTheBirthday() {
    Session session = session(new Birthday.AtHeight(10), OptionalInt.of(10));
    session.lowerBirthday(new Birthday.AtHeight(15));
    assertThat(session.birthdayHeight()).hasValue(10);
  }

  @Test
  void neverRaisesTheBirthdayToADateThatNoHeaderReaches() {
    Session session = session(new Birthday.AtHeight(10), OptionalInt.of(10));
    session.lowerBirthday(new Birthday.AtTime(FAR));
    assertThat(session.birthdayHeight()).hasValue(10);
  }

  @Test
  void leavesADateAheadOpenWhileAHeightThatWasNamedLiesAheadToo() {
    Session session = session(new Birthday.AtTime(FAR), OptionalInt.empty());
    session.lowerBirthday(new Birthday.AtHeight(900_000));
    assertThat(session.birthdayHeight()).isEmpty();
  }

  @Test
  void takesAHeightBelowTheTipForADateAhead() {
    Session session = session(new Birthday.AtTime(FAR), OptionalInt.empty());
    session.lowerBirthday(new Birthday.AtHeight(7));
    assertThat(session.birthdayHeight()).hasValue(7);
  }

  @Test
  void aDateThatTheNewBranchDoesNotReachYetLiesBehindItsTip() {
    Session session = session(new Birthday.AtTime(FAR), OptionalInt.of(30));
    session.reorganised(15);
    assertThat(session.birthdayHeight()).hasValue(21);
  }

  @Test
  void aHeightThatWasNamedStaysInEveryReorganisation() {
    Session session = session(new Birthday.AtHeight(30), OptionalInt.of(30));
    session.reorganised(15);
    assertThat(session.birthdayHeight()).hasValue(30);
  }

  @Test
  void aReorganisationAboveTheBirthdayDoesNotMoveIt() {
    Session session = session(new Birthday.AtTime(Instant.EPOCH), OptionalInt.of(10));
    session.reorganised(10);
    assertThat(session.birthdayHeight()).hasValue(10);
  }
}
