package org.murmur.testbed.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.murmur.testbed.program.Program;

/**
 * A real SOCKS5 server on 127.0.0.1: Debian's small program {@code microsocks}. It ends with {@link
 * #close()}, with the virtual machine, and even when that is killed.
 *
 * <p>It resolves names as this machine does, and connects wherever this machine can.
 */
public final class MicroSocks implements AutoCloseable {

  /** Names the program as system property or environment variable. */
  static final String SETTING = "MURMUR_MICROSOCKS";

  private static final Program PROGRAM =
      new Program(SETTING, "tools/microsocks", "a real SOCKS5 server (microsocks)");

  private static final long START_SECONDS = 30;
  private static final int POLL_MILLIS = 20;
  private static final int PORT_ATTEMPTS = 3;

  private final Process process;
  private final Path log;
  private final int port;

  private MicroSocks(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts one on a free port and waits until it answers. Options are for instance {@code -u} and
   * {@code -P}, to require a user name and password. Throws {@link IllegalStateException} if this
   * machine has no microsocks (the message says what to do) or it does not start (the message has
   * its last words).
   */
  public static MicroSocks start(String... options) {
    Path program = PROGRAM.search();
    for (int attempt = 1; ; attempt++) {
      MicroSocks server = null;
      try {
        server = spawn(program, List.of(options));
        server.awaitAnswer();
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (IllegalStateException e) {
        if (server != null) {
          server.close();
        }
        // Another program may take the port between its choice and its use.
        if (attempt == PORT_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static MicroSocks spawn(Path program, List<String> options) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path log = Files.createTempFile("murmur-microsocks", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(program.toString(), "-i", "127.0.0.1", "-p", Integer.toString(port)));
    command.addAll(options);
    return new MicroSocks(Program.start(command, log), log, port);
  }

  private void awaitAnswer() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (process.isAlive() && System.nanoTime() < deadline) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return;
      } catch (IOException e) {
        Program.awaitEnd(process, POLL_MILLIS);
      }
    }
    throw new IllegalStateException("microsocks does not answer: " + log());
  }

  /** Returns the TCP port of 127.0.0.1 where it listens. */
  public int port() {
    return port;
  }

  /** Returns where it listens. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** Returns its log: a line for each connection, naming its target. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it. */
  @Override
  public void close() {
    Program.kill(process);
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      // A leftover in the temporary folder does no harm, and the server is stopped.
    }
  }
}
