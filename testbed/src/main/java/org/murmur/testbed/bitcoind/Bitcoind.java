package org.murmur.testbed.bitcoind;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.testbed.program.Program;

/**
 * A real {@code bitcoind}, in regtest mode unless set otherwise, that listens on 127.0.0.1 only.
 *
 * <p>The node stops on {@link #close()} and when the JVM ends, even if the JVM is killed. Methods
 * block until the node has finished the request. For one thread; {@link #rpc()} may be shared.
 *
 * <pre>{@code
 * try (Bitcoind node = Bitcoind.start()) {
 *   node.rpc().call("createwallet", "miner");
 *   node.mine(101);
 *   connectTo(node.p2pPort());
 * }
 * }</pre>
 */
public final class Bitcoind implements AutoCloseable {

  static final Program PROGRAM =
      new Program(
          "MURMUR_BITCOIND", "tools/bitcoind", "a real bitcoind that knows -peerbloomfilters");

  /** A start takes half a second; a long chain's index or a busy machine gets more. */
  private static final long START_SECONDS = 120;

  /** A stop writes the coins database. */
  private static final long STOP_SECONDS = 60;

  /** Pause between two attempts to reach the starting node; later attempts wait longer. */
  private static final long FIRST_POLL_MILLIS = 20;

  private static final long LAST_POLL_MILLIS = 250;

  /** Another program may take a port between its choice and its use. */
  private static final int PORT_ATTEMPTS = 3;

  private final Setup setup;
  private final Path program;
  private final Path dataDir;
  private final boolean temporary;
  private final Thread hook;
  private int p2pPort;
  private int rpcPort;
  private int onionPort;
  private JsonRpc rpc;
  private @Nullable Process process;

  /** The settings of a node. Each method changes them and returns this. */
  public static final class Setup {

    private @Nullable String permissions = "noban,mempool,download,bloomfilter";
    private boolean bloom = true;
    private String chain = "regtest";
    private boolean onionPort = true;
    private @Nullable Path dataDir;
    private @Nullable Path template;
    private final List<String> arguments = new ArrayList<>();

    private Setup() {}

    /**
     * Sets the permissions of {@code -whitebind}, separated by commas. The default is {@code
     * noban,mempool,download,bloomfilter}, with which announcements come at once.
     */
    public Setup permissions(String names) {
      permissions = names;
      return this;
    }

    /** Takes all permissions away: the node spreads its announcements over many seconds. */
    public Setup withoutPermissions() {
      permissions = null;
      return this;
    }

    /**
     * Makes a node that serves no Bloom filters: without NODE_BLOOM among its services, as a node
     * is by default.
     */
    public Setup withoutBloom() {
      bloom = false;
      return this;
    }

    /**
     * Gives the node one port and no Tor settings, as most people do. It then takes every
     * connection to that port from this machine for a visitor through Tor, to whom {@code
     * -whitelist} does not apply.
     */
    public Setup withOnePort() {
      onionPort = false;
      return this;
    }

    /**
     * Makes a node of {@code testnet4} or {@code signet} that knows the genesis block only. It
     * never looks for other nodes, so nothing leaves the machine.
     */
    public Setup network(String name) {
      chain = name;
      return this;
    }

    /**
     * Keeps the node's data in a folder that stays. The default is a temporary folder, deleted at
     * the end.
     */
    public Setup dataDir(Path directory) {
      dataDir = directory;
      return this;
    }

    /** Starts on a temporary copy of another node's data. That node must not run. */
    public Setup copyOf(Path directory) {
      template = directory;
      return this;
    }

    /** Adds command-line arguments, for instance {@code -txindex}. */
    public Setup arguments(String... more) {
      arguments.addAll(List.of(more));
      return this;
    }

    /**
     * Starts the node and waits until it answers. Throws {@link IllegalStateException} if this
     * machine has no bitcoind (the message says what to do) or it does not start (the message has
     * its last words).
     */
    public Bitcoind start() {
      Bitcoind node = new Bitcoind(this);
      try {
        node.launch();
      } catch (RuntimeException e) {
        node.close();
        throw e;
      }
      return node;
    }
  }

  private Bitcoind(Setup setup) {
    this.setup = setup;
    program = PROGRAM.find();
    Path kept = setup.dataDir;
    Path template = setup.template;
    if (kept != null && template != null) {
      throw new IllegalArgumentException("a copy is temporary: give no data folder for it");
    }
    temporary = kept == null;
    try {
      dataDir =
          kept == null
              ? Files.createTempDirectory("murmur-bitcoind")
              : Files.createDirectories(kept.toAbsolutePath());
      if (template != null) {
        Folders.copy(template, dataDir);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rpc = choosePorts();
    hook = new Thread(this::abandon, "stop bitcoind");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Returns the settings to change before a start: permissions for a quick test, BIP37 served, data
   * in a temporary folder.
   */
  public static Setup setup() {
    return new Setup();
  }

  /** Starts a node with all defaults, at the genesis block, as {@link Setup#start} does. */
  public static Bitcoind start() {
    return setup().start();
  }

  /** Returns where the node speaks Bitcoin's peer-to-peer protocol. A restart keeps it. */
  public int p2pPort() {
    return p2pPort;
  }

  /**
   * Returns the remote calls of the node itself; {@link JsonRpc#wallet} has those of its wallets. A
   * restart keeps it valid.
   */
  public JsonRpc rpc() {
    return rpc;
  }

  /** Returns where the node keeps its data. */
  public Path dataDir() {
    return dataDir;
  }

  /** Returns the node's process id. Throws {@link IllegalStateException} if it does not run. */
  public long pid() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("the node does not run");
    }
    return running.pid();
  }

  /**
   * Mines blocks with unspendable coinbases (an OP_RETURN) and the pool's transactions, and returns
   * their hashes in display order, the lowest first.
   */
  public List<String> mine(int blocks) {
    List<String> hashes = new ArrayList<>();
    for (JsonNode hash : rpc.call("generatetodescriptor", blocks, "raw(6a)")) {
      hashes.add(hash.asText());
    }
    return hashes;
  }

  /**
   * Stops the node in order and starts it again on the same data and ports. Throws {@link
   * IllegalStateException} if it does not start.
   */
  public void restart() {
    stop();
    launch();
  }

  /** Kills the node with no chance to write anything, as a power cut would. */
  public void kill() {
    Process running = process;
    if (running != null) {
      Program.kill(running);
    }
    process = null;
  }

  /**
   * Stops the node in order; its data stay for {@link #restart()}. Does nothing if it does not run.
   */
  public void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      rpc.call("stop");
    } catch (RpcException | UncheckedIOException e) {
      running.destroy(); // a signal asks for the same
    }
    if (!Program.awaitEnd(running, TimeUnit.SECONDS.toMillis(STOP_SECONDS))) {
      Program.kill(running);
    }
    Program.release(running);
    process = null;
  }

  /** Stops the node and deletes its data if they are temporary. */
  @Override
  public void close() {
    if (temporary) {
      kill(); // the data are deleted, so a clean stop is of no use
    } else {
      stop();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the virtual machine is ending and runs the hook itself
    }
    deleteTemporary();
  }

  private void launch() {
    for (int attempt = 1; ; attempt++) {
      try {
        awaitAnswer(spawn());
        return;
      } catch (IllegalStateException e) {
        if (attempt == PORT_ATTEMPTS || !log().contains("Unable to bind")) {
          throw e;
        }
        rpc = choosePorts();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Path cookie() {
    return dataDir.resolve(setup.chain).resolve(".cookie");
  }

  private JsonRpc choosePorts() {
    try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket third = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      p2pPort = first.getLocalPort();
      rpcPort = second.getLocalPort();
      onionPort = third.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new JsonRpc(rpcPort, cookie());
  }

  private Process spawn() throws IOException {
    Files.deleteIfExists(cookie()); // a killed node leaves its own
    Process started = Program.start(commandLine(), dataDir.resolve("console.log"));
    process = started;
    return started;
  }

  private List<String> commandLine() {
    String address = "127.0.0.1:" + p2pPort;
    List<String> line = new ArrayList<>();
    line.add(program.toString());
    line.add("-chain=" + setup.chain);
    line.add("-datadir=" + dataDir);
    line.add("-server=1");
    line.add("-listen=1");
    line.add(
        setup.permissions == null
            ? "-bind=" + address
            : "-whitebind=" + permitted(setup.permissions) + "@" + address);
    // The node listens for Tor as well, by default on a port that all nodes share.
    if (setup.onionPort) {
      line.add("-bind=127.0.0.1:" + onionPort + "=onion");
      line.add("-listenonion=0");
    }
    line.add("-peerbloomfilters=" + (setup.bloom ? 1 : 0));
    line.add("-rpcbind=127.0.0.1");
    line.add("-rpcallowip=127.0.0.1");
    line.add("-rpcport=" + rpcPort);
    // If the node closes a kept HTTP connection during a call, the call fails.
    line.add("-rpcservertimeout=86400");
    // Never look for other nodes.
    line.add("-connect=0");
    line.add("-discover=0");
    line.add("-dnsseed=0");
    line.add("-fixedseeds=0");
    line.add("-fallbackfee=0.0002");
    // Waiting for the disk at every new address is most of a test's time.
    line.add("-unsafesqlitesync=1");
    // A wallet derives this many keys a chain at its start; 1,000 would cost a second each time.
    line.add("-keypool=100");
    // Regtest checks its whole index at every block by default, which is quadratic.
    line.add("-checkblockindex=0");
    line.add("-checkmempool=0");
    line.add("-printtoconsole=1");
    line.add("-nodebuglogfile");
    line.addAll(setup.arguments);
    return line;
  }

  private String permitted(String names) {
    return setup.bloom
        ? names
        : Stream.of(names.split(","))
            .filter(name -> !name.equals("bloomfilter"))
            .reduce((a, b) -> a + "," + b)
            .orElse("relay");
  }

  private void awaitAnswer(Process started) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    long pause = FIRST_POLL_MILLIS;
    while (!Program.awaitEnd(started, pause)) {
      if (answers()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        Program.kill(started);
        throw failed("does not answer");
      }
      pause = Math.min(LAST_POLL_MILLIS, pause * 5 / 4);
    }
    throw failed("ended at once");
  }

  private boolean answers() {
    if (!Files.exists(cookie())) {
      return false;
    }
    try {
      rpc.call("getblockchaininfo");
      return true;
    } catch (RpcException | UncheckedIOException e) {
      return false; // it is warming up, or does not listen yet
    }
  }

  private IllegalStateException failed(String what) {
    String log = log();
    return new IllegalStateException(
        program + " " + what + ":\n" + log.substring(Math.max(0, log.length() - 2000)));
  }

  private String log() {
    try {
      return Files.readString(dataDir.resolve("console.log"));
    } catch (IOException e) {
      return "";
    }
  }

  private void abandon() {
    Process running = process;
    if (running != null) {
      Program.signal(running);
    }
    deleteTemporary();
  }

  private void deleteTemporary() {
    if (!temporary) {
      return;
    }
    try {
      Folders.delete(dataDir);
    } catch (IOException | UncheckedIOException e) {
      // A leftover in the temporary folder does no harm, and the node is stopped.
    }
  }
}
