package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.SyncEvent;

/** Which calls are encrypted: it depends on the choice, and on what is said of an address. */
final class EncryptionChoiceTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final long SERVES = Services.NETWORK | Services.WITNESS | Services.BLOOM;
  private static final NodeAddress NAMED = new NodeAddress("10.0.0.1", 1);
  private static final NodeAddress ABLE = new NodeAddress("20.1.0.1", 1);
  private static final NodeAddress UNABLE = new NodeAddress("20.2.0.1", 1);

  private static KnownAddress known(NodeAddress address, long services) {
    var endpoint = address.endpoint().orElseThrow();
    NetGroup source = NetGroup.of(endpoint);
    long seen = NOW.getEpochSecond();
    return new KnownAddress(endpoint, services, false, seen, source, false, 0, 0, 0, -1, 0, "");
  }

  private static SyncMachine machine(Encryption encryption, Discovery... found) {
    SyncStart start =
        new SyncStart(
            ChainParams.REGTEST,
            HeaderChain.ofGenesis(ChainParams.REGTEST),
            new Birthday.AtHeight(0),
            OptionalInt.empty(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1,
            List.of(),
            List.of(known(ABLE, SERVES | Services.P2P_V2), known(UNABLE, SERVES)),
            HeaderSource.NONE);
    SyncSettings settings =
        SyncSettings.of(List.of(NAMED), 1)
            .peers(peers -> peers.connections(3).encryption(encryption));
    for (Discovery how : found) {
      settings = settings.peers(peers -> peers.discovering(how));
    }
    return new SyncMachine(start, settings);
  }

  @ParameterizedTest
  @CsvSource({"OFF, OFF, OFF, OFF", "PREFER, PREFER, PREFER, OFF", "ONLY, ONLY, ONLY, ONLY"})
  void everyCall(Encryption chosen, Encryption named, Encryption able, Encryption unable) {
    Discovery how =
        new Discovery(
            Optional.of(List.of()),
            List.of(),
            Optional.of(Scope.INTERNET),
            1,
            Optional.of(List.of()));
    SyncMachine machine = machine(chosen, how);
    Map<String, Encryption> called = new TreeMap<>();
    for (Output output : machine.step(new Input.Tick(), NOW)) {
      if (output instanceof Output.Connect connect) {
        called.put(connect.link().address().host(), connect.encryption());
      }
    }
    assertThat(called)
        .isEqualTo(Map.of(NAMED.host(), named, ABLE.host(), able, UNABLE.host(), unable));
  }

  @Test
  void theEventSaysWhetherAPeerEncrypts() {
    for (boolean encrypted : new boolean[] {true, false}) {
      SyncMachine machine = machine(Encryption.PREFER);
      machine.step(new Input.Tick(), NOW);
      Link link = new Link(1, NAMED);
      machine.step(new Input.Accepted(link), NOW);
      machine.step(new Input.Connected(link, NAMED, encrypted), NOW);
      Message version = new Message.Version(70016, SERVES, 0, 9, "/x/", 0, true);
      assertThat(machine.step(new Input.Received(link, version, 100), NOW))
          .contains(new Output.Emit(new SyncEvent.PeerReady(NAMED, "/x/", SERVES, 0, encrypted)));
    }
  }

  /** It is there and does not answer, which is not the same as a port that nobody listens on. */
  @Test
  void aPeerThatAcceptsAndStaysSilentOwesItsVersion() {
    SyncMachine machine = machine(Encryption.PREFER);
    machine.step(new Input.Tick(), NOW);
    machine.step(new Input.Accepted(new Link(1, NAMED)), NOW);
    List<Output> outputs = new ArrayList<>();
    for (int second = 1; second < 60; second++) {
      outputs.addAll(machine.step(new Input.Tick(), NOW.plus(Duration.ofSeconds(second))));
    }
    assertThat(outputs)
        .filteredOn(Output.Disconnect.class::isInstance)
        .first()
        .isInstanceOfSatisfying(
            Output.Disconnect.class,
            end -> {
              assertThat(end.reason()).isEqualTo(DisconnectReason.CONNECT_TIMEOUT);
              assertThat(end.detail()).startsWith("no version message in ");
            });
  }
}
