package org.murmur.p2p.filters;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.machine.Payments;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.p2p.wire.Message;

/** What the record says of a server's copy is what the server's own rules make of it. */
final class ServerCopyTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final Bytes KEY = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");

  private static Tx payment(int salt) {
    OutPoint coin = new OutPoint(Hash256.ofDisplay(String.format("%064x", salt)), 0);
    Bytes script = Bytes.ofHex("0014" + KEY.toHex());
    return Payments.tx(List.of(coin), List.of(script));
  }

  private static BloomFilter filter(UpdateFlag flag) {
    return BloomFilter.builder(FilterParameters.of(100, 1e-6, 7, flag, Rounding.CORE))
        .add(KEY)
        .build();
  }

  @Test
  void countsWhatTheServerAdds() {
    BloomFilter sent = filter(UpdateFlag.ALL);
    ServerFilter server = new ServerFilter(sent);
    FilterCopy copy = new FilterCopy(sent, null, NOW);
    assertThat(copy.hasGrown()).isFalse();
    for (int i = 1; i <= 3; i++) {
      server.matchAndUpdate(payment(i));
      copy.match(payment(i), new WatchedLog(List.of(new Element.Script(KEY))), NOW);
    }
    Bytes added = Bytes.ofHex("cafe");
    server.add(added);
    FilterCopy.after(copy, new Message.FilterAdd(added), NOW);
    assertThat(copy.hasGrown()).isTrue();
    assertThat(copy.asOf(9)).isEqualTo(new ServerCopy(9, 3, server.filter().bitsSet()));
    assertThat(copy.hasGrown()).isFalse();
  }

  @Test
  void aFixedCopyNeverGrows() {
    FilterCopy copy = new FilterCopy(filter(UpdateFlag.NONE), null, NOW);
    copy.match(payment(1), new WatchedLog(List.of(new Element.Script(KEY))), NOW);
    assertThat(copy.hasGrown()).isFalse();
  }
}
