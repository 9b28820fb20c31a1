package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;

/** A line without internet access: a login page answers every call, or the proxy is not there. */
@Timeout(120)
class CaptivePortalTest extends RestoredWallet {

  private static final String PAGE =
      "HTTP/1.1 302 Found\r\nLocation: http://login.example/\r\nContent-Length: 0\r\n\r\n";

  /** Answers the first bytes of every connection with a page, and closes it. */
  private static ServerSocket portal() throws IOException {
    ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket caller = server.accept()) {
                  caller.getInputStream().read();
                  caller.getOutputStream().write(PAGE.getBytes(StandardCharsets.US_ASCII));
                  caller.shutdownOutput();
                  // Unread bytes would cut the page off.
                  caller.getInputStream().readAllBytes();
                } catch (IOException e) {
                  // Closed by the test, or by the client.
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private static String address(ServerSocket server) {
    return "127.0.0.1:" + server.getLocalPort();
  }

  @Test
  void aSyncThatEndsReportsTheWrongAnswer() throws IOException {
    try (ServerSocket portal = portal()) {
      Ran ran = murmur("sync", "--connect", address(portal)).exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.err())
          .contains(address(portal) + ": answers in HTTP")
          .contains("a node of regtest", "login page");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-v ", "--jsonl "})
  void aFollowerIsNotifiedAndStays(String output) throws IOException {
    try (ServerSocket portal = portal()) {
      String line = output + "sync --follow --timeout 7 --connect " + address(portal);
      Ran ran = murmur(line.split(" ")).exits(ExitCode.NOT_SYNCED);
      assertThat(output.startsWith("--jsonl") ? ran.out() : ran.err())
          .contains("no peer can be reached (" + address(portal) + ": answers in HTTP")
          .contains("trying again at least once a minute");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-v ", "--jsonl "})
  void soIsAFollowerWithAnAbsentProxy(String output) throws IOException {
    String nobody = "127.0.0.1:1";
    String line = output + "sync --follow --timeout 7 --connect node.example --proxy " + nobody;
    Ran ran = murmur(line.split(" ")).exits(ExitCode.NOT_SYNCED);
    assertThat(output.startsWith("--jsonl") ? ran.out() : ran.err())
        .contains("no peer can be reached (node.example:18444: the proxy " + nobody)
        .contains("cannot be reached: connection refused", "Is the proxy running?");
  }
}
