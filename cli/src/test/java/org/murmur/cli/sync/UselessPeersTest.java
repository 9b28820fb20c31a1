package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.node.Behaviour;

/** Useless peers are named, with the reason, and the sync never waits for them. */
@Timeout(120)
class UselessPeersTest extends RestoredWallet {

  private static final Chain FOREIGN = ChainBuilder.ofSeed(99).blocks(60).build().chain();

  private Ran sync(List<String> options, String... addresses) {
    List<String> args = new ArrayList<>(List.of("sync", "--mempool-wait", "0"));
    for (String address : addresses) {
      args.add("--connect");
      args.add(address);
    }
    args.addAll(options);
    return murmur(args.toArray(String[]::new));
  }

  private static JsonNode peer(JsonNode sync, String address) {
    for (JsonNode peer : sync.get("peers")) {
      if (peer.get("address").asText().equals(address)) {
        return peer;
      }
    }
    throw new AssertionError(address + " is not in " + sync);
  }

  @Test
  void aPeerOnAnotherChainIsNoSecondPeerAndIsNamed() {
    try (RegtestNode good = node();
        RegtestNode foreign = RegtestNode.start(FOREIGN.copy())) {
      JsonNode sync =
          sync(List.of("--verify", "2", "--json"), good.address(), foreign.address())
              .exits(ExitCode.NOT_SYNCED)
              .json();
      assertThat(sync.get("complete").asBoolean()).isFalse();
      assertThat(sync.get("height").asInt()).isEqualTo(129);
      assertThat(sync.get("warnings"))
          .singleElement()
          .extracting(JsonNode::asText)
          .asString()
          .contains(
              "with 2 peers",
              "with 1 only",
              foreign.address() + ": on another chain: its tip is at height 60");
      assertThat(peer(sync, foreign.address()).get("misbehaviour").asText())
          .startsWith("OTHER_CHAIN: on another chain");
      assertThat(peer(sync, good.address()).get("problem").isNull()).isTrue();
      assertThat(murmur("balance").out()).contains("seen by 1 peer");
    }
  }

  @Test
  void aPeerOnAnotherChainIsNamedAmongTwoGoodOnes() {
    try (RegtestNode good = node();
        RegtestNode second = node();
        RegtestNode foreign = RegtestNode.start(FOREIGN.copy())) {
      JsonNode sync =
          sync(
                  List.of("--verify", "2", "--json"),
                  good.address(),
                  second.address(),
                  foreign.address())
              .exits(ExitCode.DONE)
              .json();
      // Two agree before it is sure that it will not follow them.
      assertThat(peer(sync, foreign.address()).get("misbehaviour").isNull()).isTrue();
      assertThat(peer(sync, foreign.address()).get("problem").asText())
          .startsWith("on another chain");
    }
  }

  @Test
  void aPeerOnAnotherChainAloneIsNoUsablePeer() {
    try (RegtestNode good = node();
        RegtestNode foreign = RegtestNode.start(FOREIGN.copy())) {
      sync(List.of(), good.address()).exits(ExitCode.DONE);
      Ran ran = sync(List.of(), foreign.address()).exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.err()).contains("on another chain");
      assertThat(ran.err().split(foreign.address(), -1)).as(ran.err()).hasSize(2);
    }
  }

  /** The time limit ends the sync, but the peer is at fault. */
  @Test
  void theTimeLimitDoesNotHideWhatWasWrongWithThePeers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        RegtestNode hangsUp =
            RegtestNode.start(lived().chain().copy(), Behaviour.honest().droppingAfter(20))) {
      String mute = "127.0.0.1:" + silent.getLocalPort();
      Ran ran = sync(List.of("--timeout", "1"), mute).exits(ExitCode.NOT_SYNCED);
      assertThat(ran.err())
          .contains("the time limit of 1 s", mute + " was not used: no answer before the end");
      JsonNode sync = sync(List.of("--timeout", "1", "--json"), mute).json();
      assertThat(peer(sync, mute).get("problem").asText()).isEqualTo("no answer before the end");
      Ran lost = sync(List.of("--timeout", "1"), hangsUp.address()).exits(ExitCode.NOT_SYNCED);
      assertThat(lost.err()).contains(hangsUp.address() + " was lost: ");
    }
  }

  /** It is called a few times, and every time it is behind: that is printed once, with advice. */
  @Test
  void aPeerThatIsFarBehindAloneIsNamedOnce() {
    Chain chain = ChainBuilder.ofSeed(5).blocks(200).build().chain();
    try (RegtestNode good = RegtestNode.start(chain.copy());
        RegtestNode behind = RegtestNode.start(chain, Behaviour.honest().with(new StaleTip(20)))) {
      sync(List.of("--headers-only"), good.address()).exits(ExitCode.DONE);
      Ran ran = sync(List.of(), behind.address()).exits(ExitCode.NO_USABLE_PEER);
      String named =
          behind.address() + ": its chain ends at about height 20, the longest known one at";
      assertThat(ran.err().split(behind.address(), -1)).as(ran.err()).hasSize(2);
      assertThat(ran.err()).contains(named + " 200. ", "still be syncing", "getblockchaininfo");
      assertThat(ran.out()).isEmpty();
      String everything = sync(List.of("-v"), behind.address()).err();
      assertThat(everything.split(behind.address(), -1)).as(everything).hasSizeGreaterThan(4);
    }
  }

  /** Each gets advice for its own problem. */
  @Test
  void onePeerIsBehindAndAnotherServesNothing() {
    Chain chain = ChainBuilder.ofSeed(5).blocks(200).build().chain();
    try (RegtestNode good = RegtestNode.start(chain.copy());
        RegtestNode behind = RegtestNode.start(chain, Behaviour.honest().with(new StaleTip(20)));
        RegtestNode bloomless = RegtestNode.start(chain, Behaviour.honest().withoutBloom())) {
      sync(List.of("--headers-only"), good.address()).exits(ExitCode.DONE);
      assertThat(
              sync(List.of(), behind.address(), bloomless.address())
                  .exits(ExitCode.NO_USABLE_PEER)
                  .err())
          .contains(
              "For " + behind.address() + ": Your own node may still be syncing",
              "For " + bloomless.address() + ": On your own node, set peerbloomfilters=1");
    }
  }

  @Test
  void aChainThatEndsBelowTheKnownHeightMakesAWarning() {
    try (RegtestNode good = node();
        RegtestNode stale =
            RegtestNode.start(lived().chain().copy(), Behaviour.honest().with(new StaleTip(100)))) {
      sync(List.of(), good.address()).exits(ExitCode.DONE);
      Ran ran = sync(List.of(), stale.address()).exits(ExitCode.DONE);
      assertThat(ran.err())
          .contains("Newer blocks may be missing", stale.address() + " ends at height 100");
    }
  }

  @Test
  void aNodeThatIsDownIsNamedThoughAnotherAnswers() throws IOException {
    String down = NOBODY;
    try (RegtestNode good = node();
        RegtestNode bloomless =
            RegtestNode.start(lived().chain().copy(), Behaviour.honest().withoutBloom())) {
      Ran ran =
          sync(List.of("--json"), good.address(), down, bloomless.address()).exits(ExitCode.DONE);
      JsonNode sync = ran.json();
      assertThat(peer(sync, down).get("problem").asText()).containsIgnoringCase("refused");
      assertThat(peer(sync, down).get("misbehaviour").isNull()).isTrue();
      assertThat(peer(sync, bloomless.address()).get("problem").asText()).contains("NODE_BLOOM");
      assertThat(sync.get("warnings").toString()).contains(down, bloomless.address());
      assertThat(sync(List.of(), good.address(), down).exits(ExitCode.DONE).out())
          .contains("peer          " + down + " served 0 blocks, was not used: ");
    }
  }

  @Test
  void tooFewWitnessesSayHowMany() {
    try (RegtestNode good = node();
        RegtestNode second = node()) {
      Ran ran =
          sync(List.of("--verify", "3"), good.address(), second.address())
              .exits(ExitCode.NOT_SYNCED);
      assertThat(ran.out())
          .startsWith("complete at height 129, but NOT seen by 3 peers: by 2\n")
          .contains("seen by       2 peers");
    }
  }

  @Test
  void aTimeOutSaysSo() {
    Behaviour silent = Behaviour.honest().with(new StallsAfter(20));
    try (RegtestNode mute = RegtestNode.start(lived().chain().copy(), silent)) {
      JsonNode sync =
          sync(List.of("--timeout", "2", "--json"), mute.address())
              .exits(ExitCode.NOT_SYNCED)
              .json();
      assertThat(sync.get("warnings").toString())
          .contains("the time limit of 2 s ended the sync before it was complete");
    }
  }

  @Test
  void spotChecksLeaveATrace() {
    try (RegtestNode good = node()) {
      JsonNode sync =
          sync(List.of("--spot-check", "7", "--json"), good.address()).exits(ExitCode.DONE).json();
      assertThat(sync.get("spot_checked").asInt()).isEqualTo(7);
      assertThat(sync(List.of("--spot-check", "5000"), good.address()).exits(ExitCode.DONE).out())
          .contains("spot checks   129 whole blocks compared");
    }
  }
}
