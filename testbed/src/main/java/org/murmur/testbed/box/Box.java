package org.murmur.testbed.box;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;

/**
 * A public network in a box, and one command inside. The box is a network and mount namespace of
 * Linux. Its loopback device has {@value #NODES} public IPv4 addresses of different network groups,
 * each with an embedded node on signet's port. As many others are dead: packets to them vanish. The
 * nodes announce some of both. A DNS server knows signet's seeds, if they are to be {@link Entry}.
 *
 * <p>The command is not changed, but its built-in data: the folder {@code data} goes first on its
 * class path, with no checkpoints of signet, and with built-in nodes of this network.
 */
public final class Box {

  /** How many nodes live. */
  public static final int NODES = 30;

  /** How the command gets its first address. */
  public enum Entry {
    /** DNS seeds answer their plain names. */
    PLAIN,
    /** DNS seeds also answer names with service bits. */
    BITS,
    /** There is no DNS; a fifth of the built-in nodes live. */
    BUILT_IN,
    /** There is no DNS, and no built-in node lives. */
    NONE;

    boolean hasDns() {
      return this == PLAIN || this == BITS;
    }
  }

  private static final int TOLD = 15;
  private static final int BUILT_IN = 20;
  private static final int BEHIND_SEED = 5;
  private static final int DNS_PORT = 53;
  private static final Duration ROUND_TRIP = Duration.ofMillis(60);
  private static final Duration SPREAD = Duration.ofSeconds(5);
  private static final long SERVICES = Services.NETWORK | Services.WITNESS;

  private final Chain chain;
  private final int bloom;
  private final int filters;

  private Box(Chain chain, int bloom, int filters) {
    this.chain = chain;
    this.bloom = bloom;
    this.filters = filters;
  }

  /**
   * Prepares a folder that has a chain.
   *
   * @param entry decides which nodes are built in
   * @return the command that runs another one in the namespace
   */
  public static List<String> around(Path folder, Entry entry) throws IOException {
    builtIn(folder, entry);
    Path data =
        Files.createDirectories(folder.resolve("data/org/murmur/p2p/chain"))
            .resolve(BoxChain.NETWORK.name() + ".checkpoints");
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(data))) {
      // Count; least work; number of bases.
      out.writeInt(0);
      out.write(new byte[32]);
      out.writeInt(0);
    }
    Path resolver = folder.resolve("resolv.conf");
    Files.writeString(resolver, "nameserver 127.0.0.1\n");
    List<String> script = new ArrayList<>(List.of("set -e", "ip link set lo up"));
    for (int i = 0; i < NODES; i++) {
      script.add("ip addr add " + address(i) + "/32 dev lo");
    }
    // Nobody is at the other end, and nobody says so.
    script.add("ip link add out type veth peer name nowhere");
    script.add("ip link set out arp off up");
    script.add("ip link set nowhere up");
    script.add("ip route add default dev out");
    script.add("mount --bind '" + resolver + "' /etc/resolv.conf");
    script.add("exec \"$@\"");
    return List.of("unshare", "-rnm", "sh", "-c", String.join("\n", script), "sh");
  }

  private static void builtIn(Path folder, Entry entry) throws IOException {
    List<String> nodes =
        IntStream.range(0, entry.hasDns() ? 0 : BUILT_IN)
            .mapToObj(i -> i % 5 == 0 && entry == Entry.BUILT_IN ? address(i) : deadAddress(i))
            .toList();
    Path data = Files.createDirectories(folder.resolve("data/org/murmur/p2p/sync"));
    Files.write(data.resolve(BoxChain.NETWORK.name() + ".nodes"), nodes);
  }

  private static String address(int node) {
    // No reserved range has such a first byte.
    return 20 + 6 * node + ".30.1.1";
  }

  private static String deadAddress(int node) {
    return 21 + 6 * node + ".30.1.1";
  }

  /**
   * Runs inside. The arguments are the chain's file, how many nodes serve Bloom filters, how many
   * filters of blocks, the {@link Entry}, and the command. Its lines are printed, each after the
   * seconds since its start.
   *
   * @return the command's exit code
   */
  public static int run(String[] arguments) throws IOException, InterruptedException {
    Box box =
        new Box(
            BoxChain.read(Path.of(arguments[0])),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]));
    box.open();
    Entry entry = Entry.valueOf(arguments[3]);
    List<String> command = Arrays.asList(arguments).subList(4, arguments.length);
    if (!entry.hasDns()) {
      return run(command);
    }
    try (DnsServer dns = new DnsServer(DNS_PORT)) {
      box.nameSeeds(dns, entry == Entry.BITS);
      return run(command);
    }
  }

  private void open() {
    Random random = new Random(31L * bloom + filters);
    List<NetworkAddress> all = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      all.add(told(address(i), services(i)));
      all.add(told(deadAddress(i), services(i)));
    }
    for (int i = 0; i < NODES; i++) {
      RegtestNode node =
          RegtestNode.start(chain.copy(), behaviour(i), address(i), BoxChain.NETWORK.defaultPort());
      Collections.shuffle(all, random);
      node.tellOf(all.subList(0, TOLD));
    }
  }

  private boolean servesBloom(int node) {
    return node >= NODES - bloom;
  }

  private boolean servesFilters(int node) {
    return !servesBloom(node) && node >= NODES - bloom - filters;
  }

  private long services(int node) {
    long bloomBit = servesBloom(node) ? Services.BLOOM : 0;
    return SERVICES | bloomBit | (servesFilters(node) ? Services.COMPACT_FILTERS : 0);
  }

  private Behaviour behaviour(int node) {
    Behaviour usual = Behaviour.honest().spreadingAnnouncements(SPREAD).withRoundTrip(ROUND_TRIP);
    Behaviour other = servesBloom(node) ? usual : usual.withoutBloom();
    return servesFilters(node) ? other.withCompactFilters() : other;
  }

  private static NetworkAddress told(String address, long services) {
    Endpoint at = Endpoint.parse(address, BoxChain.NETWORK.defaultPort()).orElseThrow();
    return new NetworkAddress(
        Instant.now().getEpochSecond(), services, at.network(), at.address(), at.port());
  }

  /** The first nodes are behind the seeds; names with bits have those that serve them. */
  private void nameSeeds(DnsServer dns, boolean withBits) {
    int first = 0;
    for (String seed : BoxChain.NETWORK.dnsSeeds()) {
      List<String> found = new ArrayList<>(List.of(deadAddress(first)));
      for (int i = first; i < first + BEHIND_SEED; i++) {
        found.add(address(i));
      }
      first += BEHIND_SEED;
      dns.names().put(seed, found);
      // Numbers that the usual seeder answers: github.com/sipa/bitcoin-seeder, main.cpp.
      for (long bits : withBits ? new long[] {0x5, 0xd, 0x49} : new long[0]) {
        dns.names().put("x" + Long.toHexString(bits) + "." + seed, with(bits));
      }
    }
  }

  private List<String> with(long bits) {
    return IntStream.range(0, NODES)
        .filter(i -> Services.has(services(i), bits))
        .mapToObj(Box::address)
        .toList();
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.println(String.format(Locale.ROOT, "%6.1f  %s", seconds, line));
      }
    }
    return process.waitFor();
  }
}
