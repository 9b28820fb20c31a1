package org.murmur.wallet;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.sync.HistoryEntry;

/**
 * All that a wallet knows of a transaction.
 *
 * @param entry the transaction as the history lists it
 * @param tx the transaction; without witness data, which no proof covers, unless this wallet
 *     broadcast it
 * @param firstSeen when the wallet first saw it
 * @param confirmation its place in the chain
 * @param proof the merkleblock that proves it and no other transaction, of a header in the chain
 * @param received its outputs that are the wallet's
 * @param spent its inputs that are the wallet's
 * @param paid whom the wallet pays with it: its outputs that are not the wallet's; none for a
 *     payment to the wallet
 * @param confirmations 0 while unconfirmed, 1 in the last block
 */
public record TransactionDetail(
    HistoryEntry entry,
    Tx tx,
    Instant firstSeen,
    Optional<Confirmation> confirmation,
    Optional<MerkleBlock> proof,
    List<Part> received,
    List<Part> spent,
    List<Paid> paid,
    int confirmations) {

  /** Copies the lists. */
  public TransactionDetail {
    received = List.copyOf(received);
    spent = List.copyOf(spent);
    paid = List.copyOf(paid);
  }

  /**
   * An output to somebody else.
   *
   * @param index its place in the transaction
   * @param value in satoshi
   * @param address whom it pays; empty for data, and scripts without an address
   */
  public record Paid(int index, long value, Optional<String> address) {}

  /**
   * A coin that the wallet gains or loses.
   *
   * @param index the output's or input's place in the transaction
   * @param coin where the coin is
   * @param value in satoshi
   * @param address own address
   * @param path the derivation path of that address's key; empty if there is none
   * @param change whether the address is one for change
   */
  public record Part(
      int index, OutPoint coin, long value, String address, String path, boolean change) {}
}
