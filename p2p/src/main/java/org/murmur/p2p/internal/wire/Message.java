package org.murmur.p2p.internal.wire;

import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;

/**
 * A message of the Bitcoin peer-to-peer protocol. Flat and sealed, so that a switch covers all of
 * them.
 *
 * <p>Records hold values, never sockets or peers. Lists are unmodifiable.
 */
public sealed interface Message {

  /** The filter type of BIP-0158's basic filter, the only one that nodes serve. */
  int BASIC_FILTER = 0;

  /**
   * The first message of both sides.
   *
   * @param protocol protocol version, 70016 today
   * @param services service bits, see {@link Services}
   * @param time seconds since 1970 by the sender's clock
   * @param nonce a random number by which a node recognises itself
   * @param userAgent BIP-0014 style
   * @param startHeight the sender's block height
   * @param relay whether transactions may be announced before a filter is loaded (BIP-0037)
   */
  record Version(
      int protocol,
      long services,
      long time,
      long nonce,
      String userAgent,
      int startHeight,
      boolean relay)
      implements Message {}

  /** The handshake's second half. */
  record Verack() implements Message {}

  /** Asks for a pong (BIP-0031). */
  record Ping(long nonce) implements Message {}

  /** Answers a ping. */
  record Pong(long nonce) implements Message {}

  /** Asks for new blocks to be announced by {@code headers} (BIP-0130). */
  record SendHeaders() implements Message {}

  /** Asks for transactions to be announced by wtxid (BIP-0339); before {@code verack} only. */
  record WtxidRelay() implements Message {}

  /** Asks for addresses in the form of BIP-0155; before {@code verack} only. */
  record SendAddrV2() implements Message {}

  /**
   * Asks for compact blocks (BIP-0152); read and ignored.
   *
   * @param version 1 or 2
   */
  record SendCmpct(boolean announce, long version) implements Message {}

  /**
   * Asks that transactions paying less are not announced (BIP-0133).
   *
   * @param feeRate satoshi per 1,000 vbytes
   */
  record FeeFilter(long feeRate) implements Message {

    /**
     * The largest value of Core is 9,170,997, and of this order for others. A node sends it while
     * it downloads blocks.
     */
    private static final long NOTHING = 9_000_000;

    /**
     * {@return whether the peer takes no transaction at all, so that this is no fee rate; true
     * while it downloads blocks}
     */
    public boolean wantsNothing() {
      return feeRate >= NOTHING;
    }
  }

  /**
   * Asks for headers behind the first locator hash the peer knows.
   *
   * @param locator block hashes, the newest first
   * @param stop the last one wanted, or zero for as many as fit
   */
  record GetHeaders(List<Hash256> locator, Hash256 stop) implements Message {
    /** Copies the list. */
    public GetHeaders {
      locator = List.copyOf(locator);
    }
  }

  /** Asks for block announcements behind a locator; only the embedded node answers it. */
  record GetBlocks(List<Hash256> locator, Hash256 stop) implements Message {
    /** Copies the list. */
    public GetBlocks {
      locator = List.copyOf(locator);
    }
  }

  /**
   * Headers, asked for or announced.
   *
   * @param headers at most 2,000
   */
  record HeadersMessage(Headers headers) implements Message {}

  /**
   * Announces blocks and transactions.
   *
   * @param items at most 50,000
   */
  record Inv(List<InventoryItem> items) implements Message {
    /** Copies the list. */
    public Inv {
      items = List.copyOf(items);
    }
  }

  /**
   * Asks for blocks and transactions.
   *
   * @param items at most 50,000
   */
  record GetData(List<InventoryItem> items) implements Message {
    /** Copies the list. */
    public GetData {
      items = List.copyOf(items);
    }
  }

  /**
   * Lists the items of a {@code getdata} that the sender does not have.
   *
   * @param items at most 50,000
   */
  record NotFound(List<InventoryItem> items) implements Message {
    /** Copies the list. */
    public NotFound {
      items = List.copyOf(items);
    }
  }

  /**
   * A transaction.
   *
   * @param tx with or without witness data
   */
  record TxMessage(Tx tx) implements Message {}

  /**
   * A whole block, undecoded.
   *
   * @param raw header, CompactSize count, transactions
   */
  record BlockMessage(Bytes raw) implements Message {}

  /**
   * A block's header and the proof of its matched transactions (BIP-0037).
   *
   * @param merkleBlock not yet verified
   */
  record MerkleBlockMessage(MerkleBlock merkleBlock) implements Message {}

  /**
   * Loads a filter, replacing the previous one (BIP-0037).
   *
   * @param filter within the protocol's limits
   */
  record FilterLoad(BloomFilter filter) implements Message {}

  /**
   * Adds one element to the loaded filter, in the clear (BIP-0037).
   *
   * @param element at most 520 bytes
   */
  record FilterAdd(Bytes element) implements Message {}

  /** Removes the loaded filter (BIP-0037). */
  record FilterClear() implements Message {}

  /** Asks for announcements of the unconfirmed transactions that match (BIP-0035). */
  record Mempool() implements Message {}

  /** Asks for addresses. */
  record GetAddr() implements Message {}

  /**
   * Addresses of nodes.
   *
   * @param addresses at most 1,000
   */
  record Addr(List<NetworkAddress> addresses) implements Message {
    /** Copies the list. */
    public Addr {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * Addresses of nodes in the form of BIP-0155.
   *
   * @param addresses at most 1,000, those of unknown networks already left out
   */
  record AddrV2(List<NetworkAddress> addresses) implements Message {
    /** Copies the list. */
    public AddrV2 {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * Asks for the filters of consecutive blocks (BIP-0157). Each comes as a {@link CFilter}, the
   * lowest block first. Core disconnects a peer that asks for more than 1,000, or for a block that
   * it does not know.
   *
   * @param filterType 0 to 255; see {@link #BASIC_FILTER}
   * @param start height of the first block, 0 to 2^32-1
   * @param stop hash of the last block; it also says which chain is meant
   */
  record GetCFilters(int filterType, long start, Hash256 stop) implements Message {}

  /**
   * The filter of one block (BIP-0157).
   *
   * @param filterType 0 to 255; see {@link #BASIC_FILTER}
   * @param block the block's hash
   * @param filter the coded set of BIP-0158, not yet decoded: CompactSize N, then bits; at most
   *     270,000 bytes
   */
  record CFilter(int filterType, Hash256 block, Bytes filter) implements Message {}

  /**
   * Asks for the hashes of the filters of consecutive blocks (BIP-0157). Core disconnects a peer
   * that asks for more than 2,000, or for a block that it does not know.
   *
   * @param filterType 0 to 255; see {@link #BASIC_FILTER}
   * @param start height of the first block, 0 to 2^32-1
   * @param stop hash of the last block; it also says which chain is meant
   */
  record GetCFHeaders(int filterType, long start, Hash256 stop) implements Message {}

  /**
   * The hashes of the filters of consecutive blocks (BIP-0157). The filter headers follow from
   * them: each is the double SHA-256 of 32 bytes of a filter's hash and the 32 bytes of the header
   * before.
   *
   * @param filterType 0 to 255; see {@link #BASIC_FILTER}
   * @param stop hash of the last block
   * @param previousHeader the filter header before the first hash; zero at the genesis block
   * @param hashes hashes of the filters, the lowest block first, at most 2,000
   */
  record CFHeaders(int filterType, Hash256 stop, Hash256 previousHeader, List<Hash256> hashes)
      implements Message {
    /** Copies the list. */
    public CFHeaders {
      hashes = List.copyOf(hashes);
    }
  }

  /**
   * Asks for the filter headers at every 1,000th height (BIP-0157).
   *
   * @param filterType 0 to 255; see {@link #BASIC_FILTER}
   * @param stop hash of the last block; it also says which chain is meant
   */
  record GetCFCheckpt(int filterType, Hash256 stop) implements Message {}

  /**
   * The filter headers at every 1,000th height (BIP-0157).
   *
   * @param filterType 0 to 255; see {@link #BASIC_FILTER}
   * @param stop hash of the last block
   * @param headers the filter headers of the heights 1,000, 2,000 and so on up to the last block,
   *     at most 10,000
   */
  record CFCheckpt(int filterType, Hash256 stop, List<Hash256> headers) implements Message {
    /** Copies the list. */
    public CFCheckpt {
      headers = List.copyOf(headers);
    }
  }

  /**
   * Reports why a message was rejected (BIP-0061); old nodes only.
   *
   * @param message the command refused
   * @param data 32 bytes of the hash concerned, or nothing
   */
  record Reject(String message, int code, String reason, Bytes data) implements Message {}

  /**
   * A message with an unknown command; ignored.
   *
   * @param command at most 12 ASCII characters
   */
  record Unknown(String command, Bytes payload) implements Message {}
}
