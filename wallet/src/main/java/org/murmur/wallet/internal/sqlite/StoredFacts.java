package org.murmur.wallet.internal.sqlite;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.ledger.Confirmation;

/** The stored facts of a transaction, and which of them can be true. */
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
   * Makes a fact of what was stored of it: the {@link #code}, seconds since 1970, and where it is
   * confirmed, if it is. Throws {@link IllegalArgumentException} if there can be no such
   * transaction.
   */
  public static Fact fact(
      int code, long seen, long firstSeen, int since, @Nullable Confirmation where, Bytes raw) {
    Tx tx = Tx.parse(raw);
    Optional<Tx.Flaw> flaw = tx.flaw();
    if (flaw.isPresent()) {
      throw new IllegalArgumentException(
          "transaction " + tx.txid() + " " + flaw.get().words() + ": no valid block can hold it");
    }
    int repute = code % UNIT;
    int voucher = code / UNIT;
    if (code < 0 || repute >= REPUTES.size() || voucher >= VOUCHERS.size()) {
      throw new IllegalArgumentException("a transaction of unknown repute, " + code);
    }
    return new Fact(tx, seen, firstSeen, since, REPUTES.get(repute), where, VOUCHERS.get(voucher));
  }

  /** Returns what is stored of repute and {@link Fact#voucher}. */
  public static int code(Fact fact) {
    return REPUTES.indexOf(fact.repute()) + UNIT * VOUCHERS.indexOf(fact.voucher());
  }

  /** Where a transaction is in its block; -1 for none. */
  static int position(Fact fact) {
    Confirmation where = fact.confirmation();
    return where == null ? -1 : where.position();
  }
}
