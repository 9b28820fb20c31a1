package org.murmur.lab.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.regtest.RegtestNode;

/**
 * A connection to one node that sends one request after another and waits for the answers. It
 * accepts only proven answers, but does not check the chain: query only trusted nodes. For one
 * thread.
 */
public final class Probe implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 60_000;

  /** For an answer to a version message of a network that is only guessed. */
  private static final int GUESS_MILLIS = 5_000;

  private static final int PROTOCOL = 70_016;

  /** Blocks per request: enough to keep the connection busy. */
  private static final int AT_ONCE = 50;

  private final ChainParams network;
  private final NodeAddress address;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final FrameDecoder decoder;
  private final byte[] buffer = new byte[1 << 16];
  private long received;
  private long sent;
  private long pings;
  private int height;

  /**
   * A node's answer for one filtered block: the hashes in the partial Merkle tree, and the sizes of
   * the {@code merkleblock} and {@code tx} messages on the wire, headers included.
   */
  public record Answer(
      Hash256 block,
      List<Hash256> matched,
      int transactions,
      int hashes,
      long merkleBytes,
      long txBytes) {

    private Answer with(long moreTxBytes) {
      return new Answer(block, matched, transactions, hashes, merkleBytes, txBytes + moreTxBytes);
    }
  }

  /** Thrown if a node cannot be reached. The message names it. */
  public static final class UnreachableException extends IOException {

    private static final long serialVersionUID = 1L;

    private final Obstacle obstacle;

    UnreachableException(NodeAddress address, Obstacle obstacle, String why, IOException cause) {
      super(address + ": " + why, cause);
      this.obstacle = obstacle;
    }

    /** Returns the reason: an unknown name, or no connection. */
    public Obstacle obstacle() {
      return obstacle;
    }
  }

  private Probe(ChainParams network, NodeAddress address, Socket socket) throws IOException {
    this.network = network;
    this.address = address;
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.decoder = new FrameDecoder(network.magic());
  }

  /**
   * Connects and completes the version handshake. Throws {@link UnreachableException} if no
   * connection is possible, and {@link IOException} if the node does not answer, is not on this
   * network, or does not serve BIP-0037; the message gives the reason.
   */
  public static Probe connect(ChainParams network, NodeAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      call(socket, address);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      Probe probe = new Probe(network, address, socket);
      probe.shakeHands();
      return probe;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  public static Probe connect(RegtestNode node) throws IOException {
    return connect(ChainParams.REGTEST, new NodeAddress(node.host(), node.port()));
  }

  /**
   * Finds out by a version message in the name of each network but one on which a node is; empty if
   * it answers for none, as on a custom signet.
   */
  public static Optional<ChainParams> networkOf(NodeAddress address, ChainParams not) {
    return ChainParams.all().stream()
        .filter(network -> !network.equals(not) && answersFor(network, address))
        .findFirst();
  }

  private static boolean answersFor(ChainParams network, NodeAddress address) {
    try (Socket socket = new Socket()) {
      call(socket, address);
      socket.setSoTimeout(GUESS_MILLIS);
      Probe probe = new Probe(network, address, socket);
      Frame ignored = probe.greet();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Connects the socket. The system's error messages do not name the address. */
  private static void call(Socket socket, NodeAddress address) throws IOException {
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MILLIS);
    } catch (UnknownHostException e) {
      throw new UnreachableException(address, Obstacle.UNKNOWN_NAME, "cannot be resolved", e);
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      throw new UnreachableException(address, Obstacle.NO_CONNECTION, why, e);
    }
  }

  /** Sends the version message and waits for the node's. */
  private Frame greet() throws IOException {
    // A node uses the nonce only to detect a connection to itself. The user agent is the wallet's,
    // so that the node cannot distinguish the two.
    send(new Message.Version(PROTOCOL, 0, 1_700_000_000L, 37, SyncSettings.USER_AGENT, 0, false));
    return await(m -> m instanceof Message.Version);
  }

  private void shakeHands() throws IOException {
    Message.Version theirs = (Message.Version) greet().message();
    if (!Services.has(theirs.services(), Services.BLOOM)) {
      throw new IOException(address + " does not serve BIP37 (peerbloomfilters=1)");
    }
    height = theirs.startHeight();
    send(new Message.Verack());
    Frame ignored = await(m -> m instanceof Message.Verack);
    // Lets the node's first messages arrive now: they are not answers to later requests.
    fence();
  }

  /** Returns the height of the node's last block, as reported at the time of the handshake. */
  public int height() {
    return height;
  }

  public long received() {
    return received;
  }

  public long sent() {
    return sent;
  }

  /**
   * Loads a filter, and waits until the node has processed it. Throws {@link IOException} if the
   * node disconnected, for instance because of the filter.
   */
  public void load(BloomFilter filter) throws IOException {
    send(new Message.FilterLoad(filter));
    // Without the wait the node may answer for a new block before it reads the filter.
    fence();
  }

  private void fence() throws IOException {
    ping();
    Frame ignored = await(this::isPong);
  }

  private void ping() throws IOException {
    pings++;
    send(new Message.Ping(pings));
  }

  private boolean isPong(Message message) {
    return message instanceof Message.Pong pong && pong.nonce() == pings;
  }

  /**
   * Finds the last blocks of the node's chain, ascending and without the genesis block; fewer if
   * the chain is shorter.
   */
  public List<Hash256> lastBlocks(int count) throws IOException {
    Deque<Hash256> last = new ArrayDeque<>();
    Hash256 from = start(count);
    while (true) {
      send(new Message.GetHeaders(List.of(from), Hash256.ZERO));
      Headers headers =
          ((Message.HeadersMessage) await(m -> m instanceof Message.HeadersMessage).message())
              .headers();
      for (int i = 0; i < headers.count(); i++) {
        last.add(headers.hash(i));
        if (last.size() > count) {
          last.remove();
        }
      }
      if (headers.count() < Headers.MAX_PER_MESSAGE) {
        return new ArrayList<>(last);
      }
      from = headers.hash(headers.count() - 1);
    }
  }

  /** The start of the search: the last checkpoint below the wanted blocks, or the genesis block. */
  private Hash256 start(int count) {
    Checkpoints known = Checkpoints.of(network);
    int index = known.countTo(Math.max(0, height - count)) - 1;
    return index < 0 ? network.genesisHash() : known.hash(index);
  }

  /**
   * Fetches whole blocks, without witness data, in the same order. Throws {@link IOException} if
   * the node disconnected, or sent other blocks.
   */
  public List<FullBlock> blocks(List<Hash256> hashes) throws IOException {
    List<FullBlock> blocks = new ArrayList<>();
    for (Hash256 hash : hashes) {
      send(new Message.GetData(List.of(new InventoryItem(InventoryItem.BLOCK, hash))));
      Bytes raw =
          ((Message.BlockMessage) await(m -> m instanceof Message.BlockMessage).message()).raw();
      FullBlock block = parsed(raw);
      if (!block.hash().equals(hash) || block.refusal() != null) {
        throw new IOException(address + " sent another block than " + hash);
      }
      blocks.add(block);
    }
    return blocks;
  }

  /**
   * Fetches whole blocks one after another, so that only one is in memory, and returns the bytes
   * received, without witness data, with the message headers. Throws {@link IOException} if the
   * node disconnected, or sent other blocks.
   */
  public long wholeBlockBytes(List<Hash256> hashes) throws IOException {
    long before = received;
    for (Hash256 hash : hashes) {
      blocks(List.of(hash));
    }
    return received - before;
  }

  private FullBlock parsed(Bytes raw) throws IOException {
    try {
      return FullBlock.parse(raw);
    } catch (MalformedException e) {
      throw new IOException(address + " sent a block that is none: " + e.getMessage(), e);
    }
  }

  /**
   * Requests filtered blocks, and returns the answers in the same order. Throws {@link IOException}
   * if the node disconnected, or an answer has no proof.
   */
  public List<Answer> filtered(List<Hash256> hashes) throws IOException {
    List<Answer> answers = new ArrayList<>();
    for (int from = 0; from < hashes.size(); from += AT_ONCE) {
      List<Hash256> part = hashes.subList(from, Math.min(hashes.size(), from + AT_ONCE));
      send(
          new Message.GetData(
              part.stream()
                  .map(hash -> new InventoryItem(InventoryItem.FILTERED_BLOCK, hash))
                  .toList()));
      answers.addAll(answers(part));
    }
    return answers;
  }

  /** Reads all answers until the pong: merkleblocks in order, each followed by its transactions. */
  private List<Answer> answers(List<Hash256> hashes) throws IOException {
    ping();
    List<Answer> answers = new ArrayList<>();
    while (true) {
      Frame frame =
          await(
              m ->
                  m instanceof Message.MerkleBlockMessage
                      || m instanceof Message.TxMessage
                      || isPong(m));
      if (frame.message() instanceof Message.MerkleBlockMessage merkle) {
        if (answers.size() == hashes.size()) {
          throw new IOException(address + " sent more blocks than it was asked for");
        }
        answers.add(answer(merkle.merkleBlock(), hashes.get(answers.size()), frame.wireBytes()));
      } else if (frame.message() instanceof Message.TxMessage && !answers.isEmpty()) {
        answers.add(answers.remove(answers.size() - 1).with(frame.wireBytes()));
      } else if (frame.message() instanceof Message.Pong) {
        if (answers.size() != hashes.size()) {
          throw new IOException(
              address + " answered for " + answers.size() + " of " + hashes.size() + " blocks");
        }
        return answers;
      }
    }
  }

  private Answer answer(MerkleBlock merkle, Hash256 expected, int bytes) throws IOException {
    if (!merkle.blockHash().equals(expected)) {
      throw new IOException(address + " sent " + merkle.blockHash() + ", not " + expected);
    }
    if (!(merkle.verify() instanceof Verdict.Proven proven)) {
      throw new IOException(address + " sent a merkleblock that proves nothing: " + expected);
    }
    return new Answer(
        expected,
        proven.matches().stream().map(Match::txid).toList(),
        merkle.tree().transactions(),
        merkle.tree().hashes().size(),
        bytes,
        0);
  }

  private Frame await(Predicate<Message> wanted) throws IOException {
    while (true) {
      Frame frame = next();
      received += frame.wireBytes();
      if (frame.message() instanceof Message.Ping ping) {
        send(new Message.Pong(ping.nonce()));
      } else if (wanted.test(frame.message())) {
        return frame;
      }
    }
  }

  private Frame next() throws IOException {
    try {
      @Nullable Frame frame = decoder.next();
      while (frame == null) {
        int read = in.read(buffer);
        if (read < 0) {
          throw new IOException(
              address + " closed the connection: is it a node of " + network + "?");
        }
        decoder.feed(buffer, 0, read);
        frame = decoder.next();
      }
      return frame;
    } catch (WireException e) {
      throw new IOException(
          address + " does not speak the protocol of " + network + ": " + e.getMessage(), e);
    }
  }

  private void send(Message message) throws IOException {
    byte[] bytes = FrameEncoder.encode(network.magic(), message);
    out.write(bytes);
    out.flush();
    sent += bytes.length;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
