package org.murmur.p2p.internal.headers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.internal.machine.SimulatedNode;
import org.murmur.p2p.internal.machine.TestParts;

/** Where the scan begins, also when a rescan names another start. */
class BirthdaysTest {

  private static final Instant FAR = Instant.ofEpochSecond(4_000_000_000L);

  private final SimulatedNode node = new SimulatedNode();

  private Birthdays birthdays(Birthday birthday, OptionalInt height) {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    return new TestParts(node.chain, TestParts.SETTINGS, birthday, height).birthdays();
  }

  @Test
  void lowersTheBirthday() {
    Birthdays birthdays = birthdays(new Birthday.AtHeight(10), OptionalInt.of(10));
    birthdays.lower(new Birthday.AtHeight(4));
    assertThat(birthdays.height()).hasValue(4);
  }

  @Test
  void neverRaisesTheBirthday() {
    Birthdays birthdays = birthdays(new Birthday.AtHeight(10), OptionalInt.of(10));
    birthdays.lower(new Birthday.AtHeight(15));
    assertThat(birthdays.height()).hasValue(10);
  }

  @Test
  void neverRaisesTheBirthdayToADateThatNoHeaderReaches() {
    Birthdays birthdays = birthdays(new Birthday.AtHeight(10), OptionalInt.of(10));
    birthdays.lower(new Birthday.AtTime(FAR));
    assertThat(birthdays.height()).hasValue(10);
  }

  @Test
  void leavesADateAheadOpenWhileAHeightThatWasNamedLiesAheadToo() {
    Birthdays birthdays = birthdays(new Birthday.AtTime(FAR), OptionalInt.empty());
    birthdays.lower(new Birthday.AtHeight(900_000));
    assertThat(birthdays.height()).isEmpty();
  }

  @Test
  void takesAHeightBelowTheTipForADateAhead() {
    Birthdays birthdays = birthdays(new Birthday.AtTime(FAR), OptionalInt.empty());
    birthdays.lower(new Birthday.AtHeight(7));
    assertThat(birthdays.height()).hasValue(7);
  }

  @Test
  void aDateThatTheNewBranchDoesNotReachYetLiesBehindItsTip() {
    Birthdays birthdays = birthdays(new Birthday.AtTime(FAR), OptionalInt.of(30));
    birthdays.reorganised(15);
    assertThat(birthdays.height()).hasValue(21);
  }

  @Test
  void aHeightThatWasNamedStaysInEveryReorganisation() {
    Birthdays birthdays = birthdays(new Birthday.AtHeight(30), OptionalInt.of(30));
    birthdays.reorganised(15);
    assertThat(birthdays.height()).hasValue(30);
  }

  @Test
  void aReorganisationAboveTheBirthdayDoesNotMoveIt() {
    Birthdays birthdays = birthdays(new Birthday.AtTime(Instant.EPOCH), OptionalInt.of(10));
    birthdays.reorganised(10);
    assertThat(birthdays.height()).hasValue(10);
  }
}
