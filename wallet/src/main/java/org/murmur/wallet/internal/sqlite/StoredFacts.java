package org.murmur.wallet.internal.sqlite;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.ledger.Confirmation;

/**
 * The stored facts of a transaction, and which of them can be true.
 *
 * <pre>
 *   CompactSize  seen
 *   int64        first seen
 *   CompactSize  pending since, plus 1
 *   uint8        repute and voucher
 *   varBytes     the transaction
 * </pre>
 */
final class StoredFacts {

  /** The stored number of a repute is its place here. */
  private static final List<Repute> REPUTES =
      List.of(
          Repute.HEARD,
          Repute.DENIED,
          Repute.SENT,
          Repute.ABANDONED,
          Repute.RELAYED,
          Repute.SIGNED);

  private static final List<Fact.Voucher> VOUCHERS =
      List.of(
          Fact.Voucher.NOBODY, Fact.Voucher.FORMER_BLOCK, Fact.Voucher.OWNER, Fact.Voucher.WALLET);

  /** More than there are reputes: the voucher stands above the repute. */
  private static final int UNIT = 8;

  private StoredFacts() {}

  /**
   * Reads what {@link #write} wrote, and where it is confirmed, if it is. Throws {@link
   * IllegalArgumentException} if there can be no such transaction.
   */
  static Fact read(ByteReader in, @Nullable Confirmation where) {
    long seen = in.compactSize();
    long firstSeen = in.int64();
    int since = Table.small(in) - 1;
    int code = in.uint8();
    Tx tx = Tx.parse(in.varBytes());
    Optional<Tx.Flaw> flaw = tx.flaw();
    if (flaw.isPresent()) {
      throw new IllegalArgumentException(
          "transaction " + tx.txid() + " " + flaw.get().words() + ": no valid block can hold it");
    }
    int repute = code % UNIT;
    int voucher = code / UNIT;
    if (repute >= REPUTES.size() || voucher >= VOUCHERS.size()) {
      throw new IllegalArgumentException("a transaction of unknown repute, " + code);
    }
    return new Fact(tx, seen, firstSeen, since, REPUTES.get(repute), where, VOUCHERS.get(voucher));
  }

  static ByteWriter write(Fact fact, ByteWriter out) {
    int code = REPUTES.indexOf(fact.repute()) + UNIT * VOUCHERS.indexOf(fact.voucher());
    out.compactSize(fact.seen()).int64(fact.firstSeen()).compactSize(fact.pendingSince() + 1);
    return out.uint8(code).varBytes(fact.tx().raw());
  }

  /** Where a transaction is in its block; -1 for none. */
  static int position(Fact fact) {
    Confirmation where = fact.confirmation();
    return where == null ? -1 : where.position();
  }
}
