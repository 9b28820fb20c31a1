package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.SyncMachine;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.StoredWallet;

/**
 * A million headers after the birthday block, under all consensus rules: a retarget every 2,016
 * headers, a tenth of them exceptions after twenty minutes, BIP-0094. They go over a socket into a
 * wallet file, with little memory. The server does nothing else.
 */
final class RulesRate implements Measurement.Work {

  private static final int HEADERS = 1_000_000;
  private static final int QUICK_HEADERS = 200_000;
  private static final int BASE = 10 * ConsensusRules.PERIOD - 1;
  private static final int TARGET = 300_000;

  private static final int WARM_UP = 1;

  /** Testnet4's rules, with regtest's limit: about ten hashes a header. */
  private static final ConsensusRules RULES =
      new ConsensusRules(ChainParams.REGTEST.rules().proofOfWorkLimit(), true, true, true);

  private static final ChainParams NETWORK = ChainParams.REGTEST.under("testnet4-like", RULES);

  /** A chain of headers, and the base before its first million. */
  private static final class Mined {
    private final byte[] headers;
    private final int height;
    private final int[] bits;
    private final long[] times;
    private final byte[] hash = NETWORK.genesisHash().toInternal();
    private int retargets;
    private int exceptions;
    private BigInteger work = BigInteger.ZERO;
    private ChainBase base = ChainBase.ofGenesis(NETWORK);

    Mined(int height) {
      this.height = height;
      this.headers = new byte[(height + 1) * BlockHeader.LENGTH];
      this.bits = new int[height + 1];
      this.times = new long[height + 1];
      NETWORK.genesisHeader().write(headers, 0);
      bits[0] = base.bits();
      times[0] = base.time();
      work = base.work().hashes();
      DoubleSha256 sha = new DoubleSha256();
      for (int at = 1; at <= height; at++) {
        mine(at, sha);
      }
    }

    /** Fast and slow periods in turn. The first is so fast that the rest is four times as hard. */
    private int spacing(int at) {
      int period = at / ConsensusRules.PERIOD;
      if (period == 0) {
        return 140;
      }
      return at % 10 == 7 ? 1_300 : period % 2 == 0 ? 300 : 900;
    }

    private void mine(int at, DoubleSha256 sha) {
      times[at] = times[at - 1] + spacing(at);
      bits[at] = bits(at);
      Target target = Target.ofBits(bits[at]);
      int offset = at * BlockHeader.LENGTH;
      Hash256 previous = Hash256.read(hash, 0);
      BlockHeader.of(1, previous, Hash256.ZERO, times[at], bits[at], 0)
          .bytes()
          .write(headers, offset);
      for (int nonce = 0; ; nonce++) {
        LittleEndian.putInt32(headers, offset + BlockHeader.LENGTH - 4, nonce);
        sha.hash(headers, offset, BlockHeader.LENGTH, hash, 0);
        if (target.isReachedBy(Hash256.read(hash, 0))) {
          break;
        }
      }
      if (at == BASE + 1) {
        base = new ChainBase(BASE, previous, times[at], bits[at], ChainWork.of(work));
      }
      work = work.add(target.work().hashes());
    }

    private int bits(int at) {
      if (at % ConsensusRules.PERIOD == 0) {
        retargets++;
        int first = at - ConsensusRules.PERIOD;
        long taken = times[at - 1] - times[first];
        taken = Math.max(taken, ConsensusRules.PERIOD_SECONDS / 4);
        taken = Math.min(taken, ConsensusRules.PERIOD_SECONDS * 4L);
        BigInteger next =
            Target.ofBits(bits[first])
                .value()
                .multiply(BigInteger.valueOf(taken))
                .divide(BigInteger.valueOf(ConsensusRules.PERIOD_SECONDS));
        return Target.of(next.min(RULES.proofOfWorkLimit())).bits();
      }
      if (times[at] > times[at - 1] + 2 * ConsensusRules.BLOCK_SECONDS) {
        exceptions++;
        return RULES.limitBits();
      }
      return bits[at - at % ConsensusRules.PERIOD];
    }

    Headers run(int from, int to) {
      return Headers.view(
          headers, from * BlockHeader.LENGTH, BlockHeader.LENGTH, Math.max(0, to - from));
    }
  }

  /** Answers {@code getheaders} as fast as possible. */
  private static final class Server implements AutoCloseable {
    private final Mined mined;
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    // The locators a client may send: the base, every 2,000th header after it, and the tip.
    private final Map<Hash256, Integer> heights = new HashMap<>();

    Server(Mined mined) throws IOException {
      this.mined = mined;
      for (int at = BASE; at < mined.height; at += Headers.MAX_PER_MESSAGE) {
        heights.put(mined.run(at + 1, at + 2).previous(0), at);
      }
      heights.put(Hash256.read(mined.hash, 0), mined.height);
      Thread thread = new Thread(this::accept, "header-server");
      thread.setDaemon(true);
      thread.start();
    }

    int port() {
      return socket.getLocalPort();
    }

    private void accept() {
      while (!socket.isClosed()) {
        try (Socket client = socket.accept()) {
          client.setTcpNoDelay(true);
          serve(client);
        } catch (IOException e) {
          // The client has finished, or the server was closed: either ends this connection.
        }
      }
    }

    private void serve(Socket client) throws IOException {
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      FrameDecoder decoder = new FrameDecoder(NETWORK.magic());
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        decoder.feed(buffer, 0, read);
        for (Frame frame = decoder.next(); frame != null; frame = decoder.next()) {
          for (Message answer : answers(frame.message())) {
            out.write(FrameEncoder.encode(NETWORK.magic(), answer));
          }
        }
        out.flush();
      }
    }

    private List<Message> answers(Message message) {
      if (message instanceof Message.Version version) {
        return List.of(
            new Message.Version(
                version.protocol(),
                Services.NETWORK | Services.BLOOM,
                version.time(),
                4711,
                "/headers/",
                mined.height,
                true),
            new Message.Verack());
      }
      if (message instanceof Message.Ping ping) {
        return List.of(new Message.Pong(ping.nonce()));
      }
      if (message instanceof Message.GetHeaders ask) {
        for (Hash256 hash : ask.locator()) {
          Integer height = heights.get(hash);
          if (height != null) {
            int to = Math.min(height + 1 + Headers.MAX_PER_MESSAGE, mined.height + 1);
            return List.of(new Message.HeadersMessage(mined.run(height + 1, to)));
          }
        }
        return List.of(new Message.HeadersMessage(Headers.NONE));
      }
      return List.of();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Override
  public void run(Bench bench) throws IOException {
    int count = bench.quick() ? QUICK_HEADERS : HEADERS;
    bench.say("  mining %,d headers", BASE + count);
    Mined mined = new Mined(BASE + count);
    try (Server server = new Server(mined)) {
      ChainBase base = mined.base;
      List<String> arguments =
          List.of(
              "" + server.port(),
              "" + mined.height,
              "" + bench.rounds(),
              "" + mined.times[mined.height],
              base.hash().toDisplay(),
              "" + base.time(),
              "" + base.bits(),
              base.work().toString());
      Launch.Ran ran = Launch.java(List.of("-Xmx48m"), RulesRate.class, arguments);
      ObjectNode raw = (ObjectNode) Bench.JSON.readTree(ran.output());
      raw.put("headers", count)
          .put("retargets", mined.retargets)
          .put("exceptions", mined.exceptions)
          .put("peak_kib", ran.peakKib());
      List<ObjectNode> runs = new ArrayList<>();
      raw.path("murmur").forEach(run -> runs.add((ObjectNode) run));
      bench
          .row("rules", raw)
          .atLeast(
              Bench.text("%,d headers, all rules, -Xmx48m: a second", count),
              count / (Median.of(runs, "elapsed_ms") / 1e3),
              "headers/s",
              TARGET,
              "–");
    }
  }

  /**
   * Syncs headers into fresh wallets, one after the other, and prints the time of each.
   *
   * @param arguments port, height, rounds, the last block's time, and the base
   */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    int height = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    long last = Long.parseLong(arguments[3]);
    ChainBase base =
        new ChainBase(
            BASE,
            Hash256.ofDisplay(arguments[4]),
            Long.parseLong(arguments[5]),
            Integer.parseInt(arguments[6]),
            ChainWork.ofHex(arguments[7]));
    ObjectNode json = Bench.JSON.createObjectNode();
    ArrayNode cold = json.putArray("warm_up");
    ArrayNode murmur = json.putArray("murmur");
    for (int round = -WARM_UP; round < rounds; round++) {
      long millis = sync(port, height, last, base);
      (round < 0 ? cold : murmur).addObject().put("elapsed_ms", millis);
    }
    System.out.println(json);
  }

  private static long sync(int port, int height, long last, ChainBase base) throws IOException {
    try (Folder folder = Folder.made();
        SqliteStore store = store(folder, base)) {
      Books books = new Books(store, NETWORK, KeyNetwork.REGTEST);
      books.lock();
      SyncSettings settings =
          SyncSettings.of(List.of(new NodeAddress("127.0.0.1", port)), 1)
              .headersOnly(true)
              .limits(limits -> limits.mempoolWait(Duration.ZERO));
      Clock clock =
          Clock.offset(
              Clock.systemUTC(), Duration.between(Instant.now(), Instant.ofEpochSecond(last + 60)));
      long start = System.nanoTime();
      new PeerLoop(
              new SyncMachine(books.start(Preset.Fast.USUAL), settings),
              batch -> books.commit(batch, 0).inputs(),
              event -> {},
              clock,
              NETWORK.magic())
          .run();
      final long millis = (System.nanoTime() - start) / 1_000_000;
      if (store.height() != height) {
        throw new IllegalStateException("ended at height " + store.height());
      }
      return millis;
    }
  }

  private static SqliteStore store(Folder folder, ChainBase base) throws IOException {
    List<StoredWallet.Chain> chains = new ArrayList<>();
    Accounts.descriptors(
            Mnemonic.parse(Contender.WORDS), "", KeyNetwork.REGTEST, List.of(OutputType.P2WPKH), 0)
        .forEach(d -> chains.add(new StoredWallet.Chain(d.canonical(), d.change(), true, 0)));
    StoredWallet wallet =
        new StoredWallet(
            NETWORK.text(),
            base.time(),
            new Birthday.AtHeight(base.height() + 1),
            OptionalInt.empty(),
            20,
            20,
            chains,
            null,
            base);
    Derivation derivation = new Derivation(KeyNetwork.REGTEST);
    return SqliteStore.create(
        folder.file("wallet.sqlite"), wallet, derivation.begin(chains, 20, 20));
  }
}
