package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.internal.sync.Noise;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;

/** When a filter is sent: while headers still come, if there are many blocks to scan. */
class EarlyFilterTest {

  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(10));

  private static boolean isNoise(Message message) {
    return message instanceof Message.FilterLoad load && Noise.isNoise(load.filter());
  }

  private List<String> sent(int blocks) {
    for (int i = 0; i < blocks; i++) {
      node.mine(List.of());
    }
    world.commitMillis = 0;
    world.run(SyncSettings.of(List.of(world.add(node)), 1));
    return world.sent.stream()
        .filter(message -> !(message instanceof Message.Mempool || isNoise(message)))
        .map(message -> message.getClass().getSimpleName())
        .toList();
  }

  @Test
  void goesOutBeforeTheSecondQuestionForHeadersWhenMuchIsToCome() {
    List<String> sent = sent(2_500);
    int filter = sent.indexOf("FilterLoad");
    assertThat(filter).isPositive();
    assertThat(sent.subList(0, filter)).containsOnlyOnce("GetHeaders");
    assertThat(sent).containsOnlyOnce("FilterLoad");
  }

  @Test
  void waitsForTheHeadersWhenLittleIsToCome() {
    List<String> sent = sent(20);
    int filter = sent.indexOf("FilterLoad");
    assertThat(sent.get(filter + 1)).isEqualTo("GetData");
  }
}
