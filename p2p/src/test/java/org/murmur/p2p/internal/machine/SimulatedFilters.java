package org.murmur.p2p.internal.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.internal.gcs.BasicFilter;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Message;

/** The block filters of a node, as Core serves them: it disconnects where this throws. */
final class SimulatedFilters {

  private final SimulatedNode node;
  private final Set<Hash256> seen = new HashSet<>();
  private final Map<OutPoint, Bytes> outputs = new HashMap<>();
  private final Map<Hash256, Bytes> filters = new HashMap<>();
  private final Map<Hash256, Hash256> headers = new HashMap<>();

  /** The scripts of coins that no block here made; those of all others are equal. */
  Map<OutPoint, Bytes> foreign = Map.of();

  /** The filter that it serves of a block, from the height and the true one. */
  BiFunction<Integer, Bytes, Bytes> serves = (height, filter) -> filter;

  /** The filter that its headers commit to. */
  BiFunction<Integer, Bytes, Bytes> claims = (height, filter) -> filter;

  /** It claims filters of these heights, and serves none. */
  final Set<Integer> withheld = new HashSet<>();

  /** Its index ends here. */
  int indexed = Integer.MAX_VALUE;

  SimulatedFilters(SimulatedNode node) {
    this.node = node;
  }

  private Bytes filter(int height) {
    return filters.computeIfAbsent(node.chain.hashAt(height), hash -> made(height));
  }

  private Bytes made(int height) {
    if (height == 0) {
      return Bytes.of(new byte[1]);
    }
    SimulatedNode.Block block = node.block(height);
    for (SimulatedNode.Block any : node.blocks.values()) {
      if (!seen.add(any.hash())) {
        continue;
      }
      for (Tx tx : any.transactions()) {
        for (int i = 0; i < tx.outputs().size(); i++) {
          outputs.put(tx.outPoint(i), tx.outputs().get(i).script());
        }
      }
    }
    List<Bytes> spent = new ArrayList<>();
    for (Tx tx : block.transactions().subList(1, block.transactions().size())) {
      for (Tx.Input in : tx.inputs()) {
        Bytes script = outputs.get(in.outPoint());
        spent.add(script == null ? foreign.getOrDefault(in.outPoint(), Payments.FOREIGN) : script);
      }
    }
    return BasicFilter.of(whole(block), spent).toPayload();
  }

  private static FullBlock whole(SimulatedNode.Block block) {
    ByteWriter out = new ByteWriter().bytes(block.header());
    out.compactSize(block.transactions().size());
    block.transactions().forEach(tx -> out.bytes(tx.raw()));
    return FullBlock.parse(out.toBytes());
  }

  /** A filter of a block that lacks the scripts of what it spends. */
  Bytes withoutSpends(SimulatedNode.Block block) {
    return BasicFilter.of(whole(block), List.of()).toPayload();
  }

  /** A filter of a block with scripts that are not in it, besides the right ones. */
  Bytes withJunk(int height, int scripts) {
    List<Bytes> junk = new ArrayList<>();
    for (int i = 0; i < scripts; i++) {
      junk.add(Bytes.of(new byte[] {0x51, (byte) i}));
    }
    junk.add(Payments.FOREIGN);
    return BasicFilter.of(whole(node.block(height)), junk).toPayload();
  }

  private Hash256 header(int height) {
    if (height < 0) {
      return Hash256.ZERO;
    }
    Hash256 known = headers.get(node.chain.hashAt(height));
    if (known == null) {
      known = FilterHeaders.header(hash(height), header(height - 1));
      headers.put(node.chain.hashAt(height), known);
    }
    return known;
  }

  private Hash256 hash(int height) {
    return FilterHeaders.hash(claims.apply(height, filter(height)));
  }

  private int heightOf(Hash256 stop) {
    int height = node.chain.heightOf(stop);
    if (height < 0) {
      throw new AssertionError("asked for a block that the node does not know");
    }
    return height;
  }

  /** Answers a message if it is about filters. */
  void serve(Message message, List<Message> answers) {
    if (message instanceof Message.GetCFCheckpt ask) {
      List<Hash256> some = new ArrayList<>();
      int stop = heightOf(ask.stop());
      for (int height = 1_000; height <= stop; height += 1_000) {
        some.add(header(height));
      }
      if (stop <= indexed) {
        answers.add(new Message.CFCheckpt(0, ask.stop(), some));
      }
    } else if (message instanceof Message.GetCFHeaders ask) {
      List<Hash256> hashes = new ArrayList<>();
      int stop = heightOf(ask.stop());
      for (int height = (int) ask.start(); height <= stop; height++) {
        hashes.add(hash(height));
      }
      require(ask.start() <= stop && hashes.size() <= 2_000);
      if (stop <= indexed) {
        answers.add(new Message.CFHeaders(0, ask.stop(), header((int) ask.start() - 1), hashes));
      }
    } else if (message instanceof Message.GetCFilters ask) {
      int stop = heightOf(ask.stop());
      require(ask.start() <= stop && stop - ask.start() < 1_000);
      for (int height = (int) ask.start(); height <= stop && stop <= indexed; height++) {
        if (withheld.contains(height)) {
          return;
        }
        answers.add(
            new Message.CFilter(
                0, node.chain.hashAt(height), serves.apply(height, filter(height))));
      }
    }
  }

  /** Its claims change: headers are made anew. */
  void forget() {
    headers.clear();
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError("asked for more filters than Core serves");
    }
  }
}
