package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;

/** A part with deadlines that the machine does not ask would sleep through them. */
class TimedPartsTest {

  static Stream<SyncSettings> sessions() {
    SyncSettings fast = TestParts.SETTINGS;
    return Stream.of(
        fast,
        fast.headersOnly(true),
        fast.keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL));
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void theMachineAsksEveryPartWithDeadlines(SyncSettings settings) throws IllegalAccessException {
    SyncMachine machine = new SyncMachine(new TestParts().start, settings);
    for (Object holder : List.of(machine, machine.parts, machine.preset)) {
      for (Field field : holder.getClass().getDeclaredFields()) {
        field.setAccessible(true);
        if (field.get(holder) instanceof Alarm.Timed part) {
          assertThat(machine.timed).as(field.getName()).contains(part);
        }
      }
    }
  }
}
