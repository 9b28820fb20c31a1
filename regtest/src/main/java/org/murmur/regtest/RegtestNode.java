package org.murmur.regtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.sync.Noise;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;
import org.murmur.regtest.node.NodeSession;

/**
 * A regtest node inside the process, for tests and demonstrations: it mines on command and serves
 * the peer-to-peer protocol with BIP-0037 on loopback, to any number of peers.
 *
 * <pre>{@code
 * try (RegtestNode node = RegtestNode.start()) {
 *   node.mine(101);
 *   connectMyWallet(node.host(), node.port());
 * }
 * }</pre>
 *
 * <p>It does not connect to others and does not take blocks from peers. Contract tests hold it and
 * a real node to the same behaviour towards peers. Blocks that it mines itself may hold
 * transactions that it would not relay. Thread-safe.
 */
public final class RegtestNode implements AutoCloseable {

  /** The node's user agent. */
  public static final String USER_AGENT = "/Murmur-regtest:0.1.0/";

  /** How long closing waits for the thread that accepts connections. */
  private static final long CLOSING_MILLIS = 1_000;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The system's backlog of pending connections; a burst of clients in a test is small. */
  private static final int BACKLOG = 64;

  /**
   * How many received filters and elements it keeps: a long-running node must not fill the memory.
   */
  private static final int MAX_SHOWN = 1_000;

  /** The fate of the transactions of blocks that a reorganisation disconnects. */
  public enum Orphaned {
    /** They are unconfirmed again. */
    TO_MEMPOOL,
    /** The new blocks confirm them again, as far as they are still valid. */
    MINED_AGAIN,
    /** They are dropped, as if the other branch had never seen them. */
    FORGOTTEN
  }

  /** Observes all that peers send. Called by the node's threads: be quick. */
  public interface Onlooker {

    /** A peer has sent a message, which is being answered. */
    void received(Message message);

    /** A peer has left. */
    void left();
  }

  /** For tests of other subjects: they need not wait for messages that never come. */
  private static final Behaviour QUICK = Behaviour.honest().with(new EndsMempool());

  private final Chain chain;
  private final Mempool mempool;
  private final Behaviour behaviour;
  private final Miner miner;
  private final ServerSocket server;
  private final Thread acceptor;
  private final Set<NodeConnection> connections = ConcurrentHashMap.newKeySet();
  private final List<Message> shown = new ArrayList<>();
  private final List<Onlooker> onlookers = new CopyOnWriteArrayList<>();
  private final Chain.Listener follower = this::chainChanged;
  private volatile boolean closed;
  private volatile List<NetworkAddress> told = List.of();

  private RegtestNode(Chain chain, Behaviour behaviour, InetSocketAddress where)
      throws IOException {
    this.chain = chain;
    this.behaviour = behaviour;
    this.mempool = new Mempool(chain, !behaviour.relaysAnything());
    this.miner = new Miner(chain, mempool);
    this.server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(where, BACKLOG);
    chain.listen(follower);
    mempool.listen(this::transactionAccepted);
    acceptor = new Thread(this::acceptAll, "regtest-node-" + server.getLocalPort());
    acceptor.setDaemon(true);
    acceptor.start();
  }

  /**
   * Starts an honest node with the genesis block, on a free port. It is quicker than a real one:
   * see {@link EndsMempool}. Its blocks are dated ten minutes apart from 2011 on, before the
   * birthday of a wallet that is born now: make wallets for it with {@code Birthday.AtHeight} or
   * {@code Birthday.ofNewWallet}.
   */
  public static RegtestNode start() {
    return start(Chain.ofGenesis(), QUICK, 0);
  }

  /**
   * Starts an honest node on a free port. It is quicker than a real one: see {@link EndsMempool}.
   * With {@link Behaviour#honest()} it is like one.
   */
  public static RegtestNode start(Chain chain) {
    return start(chain, QUICK, 0);
  }

  /** Starts a node on a free port. */
  public static RegtestNode start(Chain chain, Behaviour behaviour) {
    return start(chain, behaviour, 0);
  }

  /**
   * Starts a node on a port of 127.0.0.1; 0 is a free one. Throws {@link UncheckedIOException} if
   * the port is taken.
   */
  public static RegtestNode start(Chain chain, Behaviour behaviour, int port) {
    return start(chain, behaviour, "127.0.0.1", port);
  }

  /**
   * Starts a node on any address of the loopback device, for instance {@code 127.3.0.1}, so that
   * several of them can be of different network groups: Linux answers on all of 127.0.0.0/8. The
   * port 0 is a free one. In a network namespace the device may have other addresses, too. Throws
   * {@link IllegalArgumentException} if the address does not belong to this machine, and {@link
   * UncheckedIOException} if the port is taken or the system does not know the address.
   */
  public static RegtestNode start(Chain chain, Behaviour behaviour, String address, int port) {
    try {
      InetAddress host = InetAddress.getByName(address);
      if (!host.isLoopbackAddress() && !isOfLoopbackDevice(host)) {
        throw new IllegalArgumentException(address + ", expected a loopback address");
      }
      return new RegtestNode(chain, behaviour, new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on " + address + ":" + port, e);
    }
  }

  private static boolean isOfLoopbackDevice(InetAddress host) throws IOException {
    NetworkInterface device = NetworkInterface.getByInetAddress(host);
    return device != null && device.isLoopback();
  }

  /** Returns where it listens: 127.0.0.1, or the address it was started with. */
  public String host() {
    return server.getInetAddress().getHostAddress();
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Returns where it listens, as HOST:PORT. */
  public String address() {
    return host() + ":" + port();
  }

  public Chain chain() {
    return chain;
  }

  public Mempool mempool() {
    return mempool;
  }

  /** Returns the height of the tip, 0 for the genesis block alone. */
  public int height() {
    return chain.height();
  }

  public Hash256 tip() {
    return chain.tip().hash();
  }

  /**
   * Returns a block of the active chain. Throws {@link IndexOutOfBoundsException} if there is none.
   */
  public Block blockAt(int height) {
    return chain.blockAt(height);
  }

  /** Returns how many peers are connected. */
  public int connections() {
    return connections.size();
  }

  /** Mines blocks from the mempool; no wallet owns the coinbases. */
  public List<Block> mine(int count) {
    return mineTo(Miner.NOBODY, count);
  }

  /** Mines blocks from the mempool; their coinbases pay to the script. */
  public List<Block> mineTo(Bytes script, int count) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(miner.mine(script, null));
    }
    return blocks;
  }

  /**
   * Mines one block of exactly these transactions, parents before children. Throws {@link
   * IllegalArgumentException} if one of them is not valid here; the message says why.
   */
  public Block mine(List<Tx> transactions) {
    return miner.mine(Miner.NOBODY, transactions);
  }

  /**
   * Disconnects the {@code depth} highest blocks, as {@code invalidateblock} does, mines others in
   * their place, and returns the disconnected ones, the highest first.
   *
   * <p>Peers only follow a branch with more work, so {@code newBlocks} should exceed {@code depth}.
   */
  public List<Block> reorg(int depth, int newBlocks, Orphaned orphaned) {
    return miner.reorg(depth, newBlocks, orphaned);
  }

  /**
   * Hands the node a transaction without its relay policy: unsigned, for instance, so that a test
   * needs no keys. The node announces it. Transactions from peers must meet the policy.
   */
  public Mempool.Verdict broadcast(Tx tx) {
    return mempool.accept(tx);
  }

  /**
   * Returns the filters of all peers in the order they came, of the first {@value #MAX_SHOWN}
   * messages: what an honest but curious node would keep. {@linkplain Noise Noise} says nothing
   * about the client's wallet, and is not kept.
   */
  public List<BloomFilter> filtersShown() {
    synchronized (shown) {
      return shown.stream()
          .filter(Message.FilterLoad.class::isInstance)
          .map(message -> ((Message.FilterLoad) message).filter())
          .filter(filter -> !Noise.isNoise(filter))
          .toList();
    }
  }

  /**
   * Returns the elements received in the clear with {@code filteradd}, in the order they came, of
   * the first {@value #MAX_SHOWN} messages.
   */
  public List<Bytes> elementsShown() {
    synchronized (shown) {
      return shown.stream()
          .filter(Message.FilterAdd.class::isInstance)
          .map(message -> ((Message.FilterAdd) message).element())
          .toList();
    }
  }

  /** Adds an observer of all that peers send from now on. */
  public void watch(Onlooker onlooker) {
    onlookers.add(onlooker);
  }

  /**
   * Pings every peer once its open requests are served. When the pong is here, the peer has
   * processed all that was sent to it before.
   */
  public void ping(long nonce) {
    connections.forEach(connection -> connection.ping(nonce));
  }

  /**
   * Sets the addresses, at most 1,000, to send when a peer asks for addresses: in {@code addrv2} if
   * the peer wants that (BIP-0155), in {@code addr} otherwise.
   */
  public void tellOf(List<NetworkAddress> addresses) {
    told = List.copyOf(addresses);
  }

  /** Closes every connection; the node goes on listening. */
  public void dropConnections() {
    connections.forEach(NodeConnection::close);
  }

  /** Stops listening and closes every connection; then another node can use its port. */
  @Override
  public void close() {
    closed = true;
    chain.forget(follower);
    mempool.close();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      dropConnections();
      awaitAcceptor();
    }
  }

  /** A thread that still accepts would keep the port. */
  private void awaitAcceptor() {
    if (Thread.currentThread().equals(acceptor)) {
      return;
    }
    try {
      acceptor.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void acceptAll() {
    while (!closed) {
      try {
        serve(server.accept());
      } catch (IOException e) {
        // Closed, which ends the loop, or a client that left before it was served.
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    NodeSession session =
        new NodeSession(chain, mempool, behaviour, USER_AGENT, System.nanoTime(), () -> told);
    NodeConnection connection =
        new NodeConnection(
            socket,
            behaviour.transport(chain.network().magic(), RANDOM::nextBytes),
            session,
            behaviour.dripInterval(),
            this::witness,
            message -> onlookers.forEach(one -> one.received(message)),
            this::left);
    connections.add(connection);
    connection.start();
    if (closed) {
      connection.close();
    }
  }

  private void left(NodeConnection connection) {
    if (connections.remove(connection)) {
      onlookers.forEach(Onlooker::left);
    }
  }

  private void witness(Message message) {
    synchronized (shown) {
      if (shown.size() < MAX_SHOWN
          && (message instanceof Message.FilterLoad || message instanceof Message.FilterAdd)) {
        shown.add(message);
      }
    }
  }

  private void chainChanged(List<Block> disconnected, List<Block> connected) {
    connections.forEach(connection -> connection.chainChanged(connected));
  }

  private void transactionAccepted(Tx tx) {
    connections.forEach(connection -> connection.transactionAccepted(tx));
  }

  /** Address and height. */
  @Override
  public String toString() {
    return "RegtestNode[" + address() + ", height " + height() + "]";
  }
}
