package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.overview.Recoverable;

/**
 * The wallet's identity: a row that nobody can bring back, its chains of keys, and single facts
 * that have a table each, because some of them can be learned again.
 */
final class MetaRows {

  /** The only row of a table that has no more. */
  private static final long ONLY = 0;

  private final Tables tables;
  private final Table meta;
  private final Table created;
  private final Table birthdayHeight;
  private final Table preset;
  private final Table filterKey;
  private final Table chains;

  MetaRows(Tables tables) {
    this.tables = tables;
    meta = tables.of("meta");
    created = tables.of(Recoverable.CREATED.table());
    birthdayHeight = tables.of(Recoverable.BIRTHDAY_HEIGHT.table());
    preset = tables.of(Recoverable.PRESET.table());
    filterKey = tables.of("filter_key");
    chains = tables.of("chain");
  }

  StoredWallet wallet() throws SQLException {
    Long made = created.only((id, in) -> in.compactSize());
    Integer born = birthdayHeight.only((id, in) -> Table.small(in));
    List<StoredWallet.Chain> all = chains.all((id, in) -> chain(in));
    StoredWallet wallet =
        meta.only(
            (id, in) ->
                new StoredWallet(
                    in.varText(),
                    made == null ? StoredWallet.NOT_KNOWN : made,
                    birthday(in),
                    born == null ? OptionalInt.empty() : OptionalInt.of(born),
                    Table.small(in),
                    Table.small(in),
                    all,
                    secret(in),
                    base(in)));
    if (wallet == null) {
      throw new IllegalArgumentException("no wallet in it");
    }
    return wallet;
  }

  private void put(StoredWallet wallet) throws SQLException {
    ByteWriter out = new ByteWriter().varText(wallet.network());
    write(out, wallet.birthday());
    out.compactSize(wallet.gap()).compactSize(wallet.lookAhead());
    write(out, wallet.secret());
    write(out, wallet.base());
    meta.put(ONLY, out.toArray());
  }

  private static Birthday birthday(ByteReader in) {
    boolean height = in.uint8() != 0;
    return height
        ? new Birthday.AtHeight(Table.small(in))
        : new Birthday.AtTime(Instant.ofEpochSecond(in.compactSize()));
  }

  private static void write(ByteWriter out, Birthday birthday) {
    if (birthday instanceof Birthday.AtHeight at) {
      out.uint8(1).compactSize(at.height());
    } else {
      out.uint8(0).compactSize(((Birthday.AtTime) birthday).time().getEpochSecond());
    }
  }

  private static StoredWallet.@Nullable Secret secret(ByteReader in) {
    boolean some = in.uint8() != 0;
    return some ? new StoredWallet.Secret(in.varBytes(), in.uint8() != 0, in.uint8() != 0) : null;
  }

  private static void write(ByteWriter out, StoredWallet.@Nullable Secret secret) {
    out.uint8(secret == null ? 0 : 1);
    if (secret != null) {
      out.varBytes(secret.words());
      out.uint8(secret.encrypted() ? 1 : 0).uint8(secret.passphraseUsed() ? 1 : 0);
    }
  }

  private static @Nullable ChainBase base(ByteReader in) {
    boolean some = in.uint8() != 0;
    return some
        ? new ChainBase(
            Table.small(in), in.hash(), in.compactSize(), in.int32(), ChainWork.ofHex(in.varText()))
        : null;
  }

  private static void write(ByteWriter out, @Nullable ChainBase base) {
    out.uint8(base == null ? 0 : 1);
    if (base != null) {
      out.compactSize(base.height()).hash(base.hash());
      out.compactSize(base.time()).int32(base.bits()).varText(base.work().toString());
    }
  }

  private static StoredWallet.Chain chain(ByteReader in) {
    return new StoredWallet.Chain(
        in.varText(),
        in.uint8() != 0,
        in.uint8() != 0,
        Table.small(in),
        in.remaining() == 0 ? OptionalInt.empty() : OptionalInt.of(Table.small(in)));
  }

  private void putChain(long id, StoredWallet.Chain chain) throws SQLException {
    ByteWriter out = new ByteWriter().varText(chain.descriptor());
    out.uint8(chain.change() ? 1 : 0).uint8(chain.ranged() ? 1 : 0);
    out.compactSize(chain.handedOut());
    chain.kept().ifPresent(out::compactSize);
    chains.put(id, out.toArray());
  }

  void insert(StoredWallet wallet) throws SQLException {
    put(wallet);
    created.put(ONLY, new ByteWriter().compactSize(wallet.created()).toArray());
    putBirthdayHeight(wallet.birthdayHeight());
    long id = 0;
    for (StoredWallet.Chain chain : wallet.chains()) {
      putChain(id, chain);
      id++;
    }
  }

  /** Where its headers and its payments begin: base and birthday. */
  void putBeginning(StoredWallet as) throws SQLException {
    put(wallet().startingAt(as.base(), as.birthday(), as.birthdayHeight()));
    putBirthdayHeight(as.birthdayHeight());
  }

  void putBirthdayHeight(OptionalInt height) throws SQLException {
    birthdayHeight.deleteAll();
    if (height.isPresent()) {
      byte[] row = new ByteWriter().compactSize(height.getAsInt()).toArray();
      birthdayHeight.put(ONLY, row);
    }
  }

  void putSecret(StoredWallet.Secret secret) throws SQLException {
    StoredWallet now = wallet();
    put(now.with(now.chains(), secret));
  }

  void putHandedOut(int chain, int count, OptionalInt kept) throws SQLException {
    StoredWallet.Chain known = chains.row(chain, (id, in) -> chain(in));
    if (known != null) {
      putChain(chain, known.handingOut(count, kept));
    }
  }

  @Nullable Bytes filterKey() throws SQLException {
    return filterKey.only((id, in) -> in.varBytes());
  }

  void putFilterKey(Bytes key) throws SQLException {
    filterKey.put(ONLY, new ByteWriter().varBytes(key).toArray());
  }

  /** The one that was kept; if that was damaged, the one that exposes less. */
  Optional<Preset.Kind> preset() throws SQLException {
    String kept = preset.only((id, in) -> in.varText());
    if (tables.isLost(Recoverable.PRESET)) {
      return Optional.of(Preset.Kind.PRIVATE);
    }
    return Optional.ofNullable(kept).map(Preset.Kind::valueOf);
  }

  void putPreset(Preset.Kind kind) throws SQLException {
    preset.put(ONLY, new ByteWriter().varText(kind.name()).toArray());
  }
}
