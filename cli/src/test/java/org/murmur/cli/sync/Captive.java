package org.murmur.cli.sync;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.murmur.cli.Murmur;
import org.murmur.cli.Ran;
import org.murmur.cli.Spawned;

/**
 * {@code murmur} in a separate network (a Linux network namespace) in which one port of 127.0.0.1
 * is all there is: a proxy that really runs outside. No device but loopback, no route, no DNS.
 *
 * <p>A socket of the file system is visible from every network, so that is the one way out: inside,
 * a port is forwarded to it; outside, it is forwarded to the proxy. The kernel counts every attempt
 * inside, successful or not: that network's own counters show it.
 */
final class Captive implements AutoCloseable {

  /** The port inside, Tor's. */
  static final int PORT = 9050;

  private static final String COUNTERS = "counters";

  private final Path folder;
  private final Set<SocketChannel> channels = ConcurrentHashMap.newKeySet();
  private final ServerSocketChannel outside;

  /** The result of a command. */
  record Outcome(Ran ran, Map<String, Long> counters) {

    /** How many TCP connections it tried. */
    long calls() {
      return counter("Tcp.ActiveOpens");
    }

    /** All other attempts: packets of DNS, and calls without a route. */
    long strayed() {
      return counter("Udp.OutDatagrams")
          + counter("Udp6OutDatagrams")
          + counter("Ip.OutNoRoutes")
          + counter("Ip6OutNoRoutes");
    }

    private long counter(String name) {
      Long value = counters.get(name);
      if (value == null) {
        throw new AssertionError("the kernel counts no " + name + ": " + counters.keySet());
      }
      return value;
    }
  }

  /**
   * Opens the way out.
   *
   * @param folder an empty one, for the socket
   * @param proxy the port of 127.0.0.1 on which the proxy listens
   */
  Captive(Path folder, int proxy) throws IOException {
    this.folder = folder;
    outside = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    outside.bind(UnixDomainSocketAddress.of(socket(folder)));
    InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy);
    start(() -> handOn(outside, () -> SocketChannel.open(target), channels));
  }

  /**
   * Whether this machine lets its users make such a network; empty if so, or the system's message.
   */
  static String refusal() {
    try {
      Process process =
          new ProcessBuilder(around(List.of("true"))).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : "`unshare -rn` or `ip link set lo up`: " + said.strip();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> around(List<String> command) {
    List<String> line =
        new ArrayList<>(
            List.of("unshare", "-rn", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"));
    line.addAll(command);
    return line;
  }

  /** Runs {@code murmur} inside. */
  Outcome murmur(String... arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of(folder.toString()));
    line.addAll(List.of(arguments));
    Files.deleteIfExists(folder.resolve(COUNTERS));
    Ran ran =
        Spawned.on(folder)
            .around(around(List.of()))
            .main(Captive.class)
            .murmur(line.toArray(String[]::new));
    return new Outcome(ran, read(Files.readAllLines(folder.resolve(COUNTERS))));
  }

  // "Tcp: Name Name" above "Tcp: 1 2", or "Ip6Name 1".
  private static Map<String, Long> read(List<String> lines) {
    Map<String, Long> counters = new LinkedHashMap<>();
    String[] names = {};
    for (String line : lines) {
      String[] words = line.strip().split("\\s+");
      if (!words[0].endsWith(":")) {
        counters.put(words[0], Long.parseLong(words[1]));
      } else if (names.length == words.length && names[0].equals(words[0])) {
        for (int i = 1; i < words.length; i++) {
          counters.put(words[0].replace(':', '.') + names[i], Long.parseLong(words[i]));
        }
      } else {
        names = words;
      }
    }
    return counters;
  }

  /** Inside: opens the port, runs the command, writes the kernel's counters. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    ServerSocketChannel inside = ServerSocketChannel.open();
    inside.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT));
    UnixDomainSocketAddress out = UnixDomainSocketAddress.of(socket(folder));
    start(() -> handOn(inside, () -> SocketChannel.open(out), ConcurrentHashMap.newKeySet()));
    List<String> command = new ArrayList<>(command());
    command.addAll(Arrays.asList(arguments).subList(1, arguments.length));
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    List<String> counters = new ArrayList<>();
    for (String file : new String[] {"/proc/self/net/snmp", "/proc/self/net/snmp6"}) {
      // Read as a stream: such a file claims to be empty.
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        counters.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
    }
    Files.write(folder.resolve(COUNTERS), counters);
    System.exit(exit);
  }

  /** The command of this class path, or the launcher if {@code MURMUR_LAUNCHER} names it. */
  private static List<String> command() {
    String launcher = System.getenv("MURMUR_LAUNCHER");
    return launcher != null
        ? List.of(launcher)
        : List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Murmur.class.getName());
  }

  private static Path socket(Path folder) {
    return folder.resolve("proxy.sock");
  }

  private interface Way {
    SocketChannel open() throws IOException;
  }

  private static void handOn(ServerSocketChannel server, Way way, Set<SocketChannel> open) {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        SocketChannel target = way.open();
        open.add(client);
        open.add(target);
        start(() -> pump(client, target));
        start(() -> pump(target, client));
      } catch (IOException e) {
        // Closed, which ends the loop, or there is no listener behind it.
      }
    }
  }

  private static void pump(SocketChannel from, SocketChannel to) {
    ByteBuffer buffer = ByteBuffer.allocate(65_536);
    try (from;
        to) {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
    } catch (IOException e) {
      // One side is gone; closing both tells the other.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "captive");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    outside.close();
    for (SocketChannel channel : channels) {
      channel.close();
    }
  }
}
