package org.murmur.regtest.node;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.FilterIndex;

/** Answers requests for compact filters (BIP-0157), by the rules of Core's net_processing.cpp. */
final class FilterService {

  /** Core's MAX_GETCFILTERS_SIZE. */
  private static final int MAX_FILTERS = 1_000;

  /** Core's MAX_GETCFHEADERS_SIZE. */
  private static final int MAX_HASHES = 2_000;

  /** Blocks from one header of {@code cfcheckpt} to the next (Core's CFCHECKPT_INTERVAL). */
  private static final int CHECKPOINT_INTERVAL = 1_000;

  /** The blocks from a height up to a hash. A request may be about {@code most} of them. */
  record Request(Message message, int type, long start, Hash256 stop, long most) {}

  private final FilterIndex known;
  private final FilterIndex served;

  /** Decides by true blocks; the filters that it serves may be false, or fewer. */
  FilterService(FilterIndex known, FilterIndex served) {
    this.known = known;
    this.served = served;
  }

  /** Reads a message: null if it does not ask for filters, their hashes or their headers. */
  static @Nullable Request request(Message message) {
    if (message instanceof Message.GetCFilters ask) {
      return new Request(ask, ask.filterType(), ask.start(), ask.stop(), MAX_FILTERS);
    }
    if (message instanceof Message.GetCFHeaders ask) {
      return new Request(ask, ask.filterType(), ask.start(), ask.stop(), MAX_HASHES);
    }
    if (message instanceof Message.GetCFCheckpt ask) {
      return new Request(ask, ask.filterType(), 0, ask.stop(), Long.MAX_VALUE);
    }
    return null;
  }

  /** Returns why the node disconnects a peer that sends this request; null if it does not. */
  @Nullable String refusal(Request request) {
    FilterIndex.Entry stop = known.entry(request.stop());
    if (request.type() != Message.BASIC_FILTER) {
      return "filters of type " + request.type() + " asked for";
    }
    if (stop == null) {
      return "filters asked for up to the unknown block " + request.stop();
    }
    long count = stop.height() - request.start() + 1;
    return count < 1 || count > request.most()
        ? "filters asked for from height " + request.start() + " to " + stop.height()
        : null;
  }

  /** Returns the answer to a request that is not refused; nothing while the index lags. */
  List<Message> answer(Request request) {
    boolean checkpoints = request.message() instanceof Message.GetCFCheckpt;
    List<FilterIndex.Entry> found = new ArrayList<>();
    for (FilterIndex.Entry block : known.range((int) request.start(), request.stop())) {
      if (checkpoints && (block.height() == 0 || block.height() % CHECKPOINT_INTERVAL != 0)) {
        continue;
      }
      FilterIndex.Entry entry = served.entry(block.block());
      if (entry == null) {
        return List.of();
      }
      found.add(entry);
    }
    if (request.message() instanceof Message.GetCFilters) {
      return found.stream().<Message>map(FilterService::message).toList();
    }
    if (checkpoints) {
      List<Hash256> headers = found.stream().map(FilterIndex.Entry::header).toList();
      return List.of(new Message.CFCheckpt(request.type(), request.stop(), headers));
    }
    Hash256 previous = served.header(found.get(0).previous());
    List<Hash256> hashes = found.stream().map(FilterIndex.Entry::hash).toList();
    return List.of(new Message.CFHeaders(request.type(), request.stop(), previous, hashes));
  }

  private static Message.CFilter message(FilterIndex.Entry entry) {
    return new Message.CFilter(Message.BASIC_FILTER, entry.block(), entry.filter());
  }
}
