package org.murmur.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;

/**
 * The client that no other can beat. It sends requests in a pipeline and ignores the answers,
 * except for the last hash of every batch of headers: the next request needs it. Its time is that
 * of the node and the wire.
 */
final class NullClient {

  private static final int MAGIC = ChainParams.REGTEST.magic();

  /** Maximum entries of one {@code getdata} (Core's MAX_INV_SZ). */
  private static final int MAX_INV = 50_000;

  /** Maximum filters of one request (Core's MAX_GETCFILTERS_SIZE). */
  private static final int MAX_FILTERS = 1_000;

  /**
   * The counts of one run.
   *
   * @param transactions the number of matched transactions received
   * @param bytes the number of bytes received
   */
  record Counted(int headers, int blocks, int transactions, long bytes) {}

  private final FrameDecoder decoder = new FrameDecoder(MAGIC);
  private final byte[] buffer = new byte[1 << 18];
  private InputStream in = InputStream.nullInputStream();
  private OutputStream out = OutputStream.nullOutputStream();
  private int headers;
  private int blocks;
  private int transactions;
  private long bytes;

  /**
   * Runs once, with a pass over all blocks for each filter.
   *
   * @param filters the filters to load in turn; none for headers alone
   */
  Counted run(String host, int port, List<BloomFilter> filters) throws IOException {
    try (Socket socket = new Socket(host, port)) {
      greet(socket);
      if (!filters.isEmpty()) {
        send(new Message.FilterLoad(filters.get(0)));
      }
      List<Headers> chain =
          headers(
              batch -> {
                if (!filters.isEmpty()) {
                  ask(batch);
                }
              });
      for (BloomFilter next : filters.subList(Math.min(1, filters.size()), filters.size())) {
        send(new Message.FilterLoad(next));
        for (Headers batch : chain) {
          ask(batch);
        }
      }
      if (!filters.isEmpty()) {
        send(new Message.Ping(7));
        while (await(Message.Pong.class).nonce() != 7) {
          // An older pong: the last request is still unanswered.
        }
      }
      return new Counted(headers, blocks, transactions, bytes);
    }
  }

  /** Downloads the block filters of all blocks (BIP-0157); returns how many came. */
  int filters(String host, int port) throws IOException {
    try (Socket socket = new Socket(host, port)) {
      greet(socket);
      int height = 0;
      for (Headers batch : headers(unused -> {})) {
        for (int from = 0; from < batch.count(); from += MAX_FILTERS) {
          int stop = Math.min(batch.count(), from + MAX_FILTERS) - 1;
          send(new Message.GetCFilters(Message.BASIC_FILTER, height + from + 1, batch.hash(stop)));
        }
        height += batch.count();
      }
      int filters = 0;
      while (filters < height) {
        await(Message.CFilter.class);
        filters++;
      }
      return filters;
    }
  }

  private void greet(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    send(new Message.Version(70016, 0, 1_700_000_000L, 42, "/null/", 0, false));
    await(Message.Version.class);
    send(new Message.Verack());
  }

  /** Handles a batch of headers while the next one is on its way. */
  private interface Batches {
    void take(Headers batch) throws IOException;
  }

  private List<Headers> headers(Batches batches) throws IOException {
    List<Headers> chain = new ArrayList<>();
    Hash256 last = ChainParams.REGTEST.genesisHash();
    send(new Message.GetHeaders(List.of(last), Hash256.ZERO));
    boolean more = true;
    while (more) {
      Headers batch = await(Message.HeadersMessage.class).headers();
      headers += batch.count();
      more = batch.count() == Headers.MAX_PER_MESSAGE;
      if (more) {
        last = batch.hash(batch.count() - 1);
        send(new Message.GetHeaders(List.of(last), Hash256.ZERO));
      }
      batches.take(batch);
      chain.add(batch);
    }
    return chain;
  }

  private void ask(Headers batch) throws IOException {
    List<InventoryItem> items = new ArrayList<>(Math.min(batch.count(), MAX_INV));
    for (int i = 0; i < batch.count(); i++) {
      items.add(new InventoryItem(InventoryItem.FILTERED_BLOCK, batch.hash(i)));
    }
    if (!items.isEmpty()) {
      send(new Message.GetData(items));
    }
  }

  private <M extends Message> M await(Class<M> wanted) throws IOException {
    while (true) {
      Frame frame = decoder.next();
      while (frame == null) {
        int read = in.read(buffer);
        if (read < 0) {
          throw new IOException("the node closed the connection, awaiting " + wanted);
        }
        decoder.feed(buffer, 0, read);
        frame = decoder.next();
      }
      bytes += frame.wireBytes();
      Message message = frame.message();
      if (message instanceof Message.MerkleBlockMessage) {
        blocks++;
      } else if (message instanceof Message.TxMessage) {
        transactions++;
      } else if (message instanceof Message.Ping ping) {
        send(new Message.Pong(ping.nonce()));
      }
      if (wanted.isInstance(message)) {
        return wanted.cast(message);
      }
    }
  }

  private void send(Message message) throws IOException {
    out.write(FrameEncoder.encode(MAGIC, message));
    out.flush();
  }
}
