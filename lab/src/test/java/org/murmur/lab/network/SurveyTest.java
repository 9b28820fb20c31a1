package org.murmur.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.network.NodeRecord.Answer;
import org.murmur.lab.network.NodeRecord.KnownBlock;
import org.murmur.lab.network.NodeRecord.Outcome;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mask;

/** Real sockets, embedded nodes: the records equal the truth. */
@Timeout(60)
class SurveyTest {

  private static final int HEIGHT = 120;

  private static final Chain CHAIN = ChainBuilder.ofSeed(5).blocks(HEIGHT).build().chain();

  private static final Behaviour HONEST = Behaviour.honest();

  /** The system gives no test this port. */
  private static final NodeAddress NOBODY = new NodeAddress("127.0.0.1", 1);

  private final List<RegtestNode> nodes = new ArrayList<>();

  @AfterEach
  void closeAll() {
    nodes.forEach(RegtestNode::close);
  }

  private NodeAddress node(Behaviour behaviour) {
    RegtestNode node = RegtestNode.start(CHAIN.copy(), behaviour);
    nodes.add(node);
    return new NodeAddress(node.host(), node.port());
  }

  private static Survey.Result called(Survey.Entry entry, Survey.Limits limits)
      throws InterruptedException {
    return new Survey(ChainParams.REGTEST, entry, limits).run(record -> {});
  }

  private static NodeRecord only(NodeAddress address) throws InterruptedException {
    Survey.Limits limits = Survey.Limits.USUAL.withPerNode(Duration.ofSeconds(5));
    Survey.Result result = called(new Survey.Entry(List.of(address), List.of(), true), limits);
    assertThat(result.whole()).isTrue();
    assertThat(result.records()).hasSize(1);
    return result.records().get(0);
  }

  private static void answers(NodeRecord record, Answer bloom, Answer compactFilters) {
    assertThat(record.outcome()).isEqualTo(Outcome.REACHED);
    assertThat(record.bloom()).as("bloom").isEqualTo(bloom);
    assertThat(record.compactFilters()).as("filters").isEqualTo(compactFilters);
  }

  @Test
  void honestNodesServeWhatTheyClaim() throws InterruptedException {
    NodeRecord both = only(node(HONEST.withCompactFilters()));
    answers(both, Answer.SERVED, Answer.SERVED);
    assertThat(both.block()).isEqualTo(new KnownBlock(HEIGHT, CHAIN.tip().hash()));
    assertThat(both.pingMicros()).isPositive();
    assertThat(both.reachedGreeting().orElseThrow().userAgent()).isEqualTo(RegtestNode.USER_AGENT);
    assertThat(both.reachedGreeting().orElseThrow().startHeight()).isEqualTo(HEIGHT);
    answers(only(node(HONEST.withoutBloom())), Answer.NOT_CLAIMED, Answer.NOT_CLAIMED);
    answers(only(node(HONEST)), Answer.SERVED, Answer.NOT_CLAIMED);
  }

  /** Drops the requests for filters of blocks. */
  private record NoFilters() implements Mask.Same {
    @Override
    public @Nullable Message hears(Message message) {
      return message instanceof Message.GetCFilters ? null : message;
    }
  }

  /** Cuts the filters of blocks. */
  private record CutFilters() implements Mask.Same {
    @Override
    public List<Message> says(Message message) {
      return message instanceof Message.CFilter filter
          ? List.of(
              new Message.CFilter(
                  filter.filterType(),
                  filter.block(),
                  filter.filter().slice(0, filter.filter().length() - 1)))
          : List.of(message);
    }
  }

  @Test
  void liarsDoNotServeWhatTheyClaim() throws InterruptedException {
    Behaviour both = HONEST.withCompactFilters();
    answers(only(node(both.with(Ignores.BLOCKS))), Answer.NONE, Answer.SERVED);
    answers(only(node(both.with(new NoFilters()))), Answer.SERVED, Answer.NONE);
    answers(only(node(both.with(new WrongProofs()))), Answer.WRONG, Answer.SERVED);
    answers(only(node(both.with(new CutFilters()))), Answer.SERVED, Answer.WRONG);
    answers(only(node(both.with(Ignores.HEADERS))), Answer.NOT_TRIED, Answer.NOT_TRIED);
    answers(only(node(both.with(Ignores.PINGS))), Answer.SERVED, Answer.SERVED);
    // The connection ends with the request for the filtered block.
    answers(only(node(both.withUploadLimitReached())), Answer.NONE, Answer.NOT_TRIED);
  }

  @Test
  void saysWhyANodeWasNotReached() throws IOException, InterruptedException {
    assertThat(only(NOBODY).outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(only(new NodeAddress("nobody.invalid", 1)).outcome())
        .isEqualTo(Outcome.UNKNOWN_NAME);
    RegtestNode signet = RegtestNode.start(Chain.ofAnyTarget(ChainParams.SIGNET), HONEST);
    nodes.add(signet);
    // As Core, it closes without a word: the magic is not its own.
    assertThat(only(new NodeAddress(signet.host(), signet.port())).outcome())
        .isEqualTo(Outcome.CLOSED);
    byte[] foreign = FrameEncoder.encode(ChainParams.SIGNET.magic(), new Message.Verack());
    assertThat(says(foreign).outcome()).isEqualTo(Outcome.OTHER_NETWORK);
    assertThat(
            says("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).outcome())
        .isEqualTo(Outcome.NO_NODE);
  }

  /** Calls a server that says one thing and waits. */
  private static NodeRecord says(byte[] words) throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread thread =
          new Thread(
              () -> {
                try (Socket socket = server.accept()) {
                  socket.getOutputStream().write(words);
                  assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
                } catch (IOException e) {
                  // The survey has reset the connection.
                }
              });
      thread.start();
      NodeRecord record = only(new NodeAddress("127.0.0.1", server.getLocalPort()));
      thread.join();
      return record;
    }
  }

  @Test
  void aSilentServerTakesItsTimeOnly() throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      NodeAddress address = new NodeAddress("127.0.0.1", server.getLocalPort());
      Survey.Limits limits = Survey.Limits.USUAL.withPerNode(Duration.ofMillis(200));
      Survey.Result result = called(new Survey.Entry(List.of(address), List.of(), true), limits);
      assertThat(result.records().get(0).outcome()).isEqualTo(Outcome.TIMEOUT);
      result =
          called(
              new Survey.Entry(List.of(address), List.of(), true),
              Survey.Limits.USUAL.withWhole(Duration.ofMillis(200)));
      assertThat(result.records()).isEmpty();
      assertThat(result.whole()).isFalse();
    }
  }

  private static NetworkAddress told(NodeAddress address) {
    Endpoint at = address.endpoint().orElseThrow();
    return new NetworkAddress(1, 1, at.network(), at.address(), at.port());
  }

  /**
   * One node knows the next two, and so on; each is called once, and nobody outside of the scope.
   */
  @Test
  void findsNodesByTheAddressesOfOthers() throws InterruptedException {
    List<NodeAddress> addresses = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      addresses.add(node(i < 3 ? HONEST : HONEST.withoutBloom()));
    }
    NetworkAddress outside =
        new NetworkAddress(1, 1, NetworkAddress.IPV4, Bytes.ofHex("08080808"), 18444);
    for (int i = 0; i < 9; i++) {
      NetworkAddress[] next = {
        told(addresses.get(Math.min(8, 2 * i + 1))),
        told(addresses.get(Math.min(8, 2 * i + 2))),
        told(addresses.get(0)),
        told(NOBODY),
        outside
      };
      nodes.get(i).tellOf(Arrays.asList(next));
    }
    Survey.Entry first = new Survey.Entry(List.of(addresses.get(0)), List.of(), false);
    Survey.Result result = called(first, Survey.Limits.USUAL);
    assertThat(result.records().stream().map(NodeRecord::address))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(addresses.stream(), Stream.of(NOBODY)).toList());
    Census census = new Census(result.records());
    assertThat(census.called()).isEqualTo(10);
    assertThat(census.reached()).isEqualTo(9);
    assertThat(census.outcomes()).isEqualTo(Map.of(Outcome.REACHED, 9, Outcome.REFUSED, 1));
    assertThat(census.bloom()).containsEntry(Answer.SERVED, 3).containsEntry(Answer.NOT_CLAIMED, 6);
    assertThat(census.userAgents()).isEqualTo(Map.of(RegtestNode.USER_AGENT, 9));
    assertThat(census.medianHeight()).hasValue(HEIGHT);
    assertThat(called(first, Survey.Limits.USUAL.withNodes(4)).records()).hasSize(4);
  }
}
