package org.murmur.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.RegtestNode;

class NodeCommandTest {

  @Test
  void runsUntilInterruptedAndSaysWhere() {
    // The interrupt comes at once: what was printed before is the result.
    Ran ran =
        Ran.with()
            .interrupting()
            .murmur("node", "--port", "0", "--blocks", "120", "--txs", "3", "--json")
            .exits(ExitCode.INTERRUPTED);
    JsonNode node = ran.json();
    assertThat(node.get("network").asText()).isEqualTo("regtest");
    assertThat(node.get("address").asText()).startsWith("127.0.0.1:");
    assertThat(node.get("height").asInt()).isEqualTo(120);
    assertThat(node.get("tip").asText()).hasSize(64);
  }

  @Test
  void sameSeedSameChain() {
    String[] args = {"node", "--port", "0", "--blocks", "110", "--json", "--seed", "5"};
    String tip = Ran.with().interrupting().murmur(args).json().get("tip").asText();
    assertThat(Ran.with().interrupting().murmur(args).json().get("tip").asText()).isEqualTo(tip);
    args[args.length - 1] = "6";
    assertThat(Ran.with().interrupting().murmur(args).json().get("tip").asText()).isNotEqualTo(tip);
  }

  @Test
  void servesWhileItRuns() {
    Ran.with()
        .interruptingAfter(
            printed -> {
              try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(printed))) {
                assertThat(answersVersion(socket)).isTrue();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })
        .murmur("node", "--port", "0", "--blocks", "101")
        .exits(ExitCode.INTERRUPTED);
  }

  private static boolean answersVersion(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    Message.Version version = new Message.Version(70016, 0, 0, 1, "/test/", 0, true);
    socket.getOutputStream().write(FrameEncoder.encode(ChainParams.REGTEST.magic(), version));
    FrameDecoder decoder = new FrameDecoder(ChainParams.REGTEST.magic());
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[4096];
    for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
      decoder.feed(buffer, 0, length);
      Frame frame = decoder.next();
      if (frame != null) {
        return frame.message() instanceof Message.Version;
      }
    }
    return false;
  }

  /** From "listening on 127.0.0.1:PORT, height N". */
  private static int port(String printed) {
    return Integer.parseInt(printed.substring(printed.indexOf(':') + 1, printed.indexOf(',')));
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      Ran ran = Ran.murmur("node", "--port", port, "--blocks", "1").exits(ExitCode.FAILED);
      assertThat(ran.err()).contains("127.0.0.1:" + port).contains("--port 0");
    }
  }

  @Test
  void seesThatThePortIsTakenBeforeItBuilds() {
    try (RegtestNode other = RegtestNode.start()) {
      String port = other.address().substring(other.address().indexOf(':') + 1);
      Ran ran = Ran.murmur("node", "--port", port, "--blocks", "1000000").exits(ExitCode.FAILED);
      assertThat(ran.err()).contains("is the port in use?").doesNotContain("Building");
    }
  }
}
