package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.overview.Recoverable;

/** The wallet's identity: facts by name, and its chains of keys. */
final class MetaRows {

  private static final String CREATED = Recoverable.CREATED.key();
  private static final String FILTER_KEY = "filter_key";
  private static final String PRESET = Recoverable.PRESET.key();
  private static final String BIRTHDAY = "birthday";

  /** With the number of a chain: the address that was shown and not given out. */
  private static final String KEPT = "kept_";

  private static final String BIRTHDAY_HEIGHT = Recoverable.BIRTHDAY_HEIGHT.key();

  private final Database db;
  private final RowChecksums sums;

  MetaRows(Database db, RowChecksums sums) {
    this.db = db;
    this.sums = sums;
  }

  StoredWallet wallet() throws SQLException {
    Facts facts = facts();
    return new StoredWallet(
        facts.text("network"),
        facts.has(CREATED) ? facts.number(CREATED) : StoredWallet.NOT_KNOWN,
        birthday(facts.text(BIRTHDAY)),
        facts.has(BIRTHDAY_HEIGHT)
            ? OptionalInt.of((int) facts.number(BIRTHDAY_HEIGHT))
            : OptionalInt.empty(),
        (int) facts.number("gap"),
        (int) facts.number("look_ahead"),
        chains(facts),
        secret(facts),
        base(facts));
  }

  /** The values of the table, by name. */
  private record Facts(Map<String, Object> values) {

    boolean has(String key) {
      return values.containsKey(key);
    }

    String text(String key) {
      if (values.get(key) instanceof String text) {
        return text;
      }
      throw new IllegalArgumentException("no " + key + " in it");
    }

    long number(String key) {
      if (values.get(key) instanceof Number number) {
        return number.longValue();
      }
      throw new IllegalArgumentException("no " + key + " in it");
    }
  }

  private Facts facts() throws SQLException {
    Map<String, Object> values = new HashMap<>();
    sums.rows("meta", row -> values.put(row.text(0), row.values()[1]));
    return new Facts(values);
  }

  private List<StoredWallet.Chain> chains(Facts facts) throws SQLException {
    return db.all(
        "SELECT descriptor, change, ranged, handed_out, id FROM chain ORDER BY id",
        r ->
            new StoredWallet.Chain(
                Database.text(r, 1),
                r.getBoolean(2),
                r.getBoolean(3),
                r.getInt(4),
                kept(facts, r.getInt(5))));
  }

  private static OptionalInt kept(Facts facts, int chain) {
    String key = KEPT + chain;
    return facts.has(key) ? OptionalInt.of((int) facts.number(key)) : OptionalInt.empty();
  }

  private static StoredWallet.@Nullable Secret secret(Facts facts) {
    return facts.values().get("words") instanceof byte[] words
        ? new StoredWallet.Secret(
            Bytes.of(words),
            facts.number("words_encrypted") != 0,
            facts.number("passphrase_used") != 0)
        : null;
  }

  private static @Nullable ChainBase base(Facts facts) {
    return facts.has(Schema.BASE_HEIGHT)
        ? new ChainBase(
            (int) facts.number(Schema.BASE_HEIGHT),
            Hash256.ofDisplay(facts.text(Schema.BASE_HASH)),
            Hash256.ofDisplay(facts.text(Schema.BASE_PREVIOUS)),
            facts.number(Schema.BASE_TIME),
            (int) facts.number(Schema.BASE_BITS),
            ChainWork.ofHex(facts.text(Schema.BASE_WORK)))
        : null;
  }

  private static String print(Birthday birthday) {
    return birthday instanceof Birthday.AtHeight at
        ? "height " + at.height()
        : "time " + ((Birthday.AtTime) birthday).time().getEpochSecond();
  }

  private static Birthday birthday(String text) {
    if (text.startsWith("height ")) {
      return new Birthday.AtHeight(Integer.parseInt(text.substring(7)));
    }
    if (text.startsWith("time ")) {
      return new Birthday.AtTime(Instant.ofEpochSecond(Long.parseLong(text.substring(5))));
    }
    throw new IllegalArgumentException("unknown birthday '" + text + "'");
  }

  void insert(StoredWallet wallet) throws SQLException {
    put("network", wallet.network());
    put(CREATED, wallet.created());
    putBeginning(wallet);
    put("gap", wallet.gap());
    put("look_ahead", wallet.lookAhead());
    StoredWallet.Secret secret = wallet.secret();
    if (secret != null) {
      putSecret(secret);
    }
    int id = 0;
    for (StoredWallet.Chain chain : wallet.chains()) {
      db.change(
          "INSERT INTO chain VALUES (?, ?, ?, ?, ?)",
          id,
          chain.descriptor(),
          chain.change(),
          chain.ranged(),
          chain.handedOut());
      id++;
    }
  }

  /** Where its headers and its payments begin: base and birthday. */
  void putBeginning(StoredWallet wallet) throws SQLException {
    put(BIRTHDAY, print(wallet.birthday()));
    remove(BIRTHDAY_HEIGHT);
    if (wallet.birthdayHeight().isPresent()) {
      putBirthdayHeight(wallet.birthdayHeight().getAsInt());
    }
    ChainBase base = wallet.base();
    if (base == null) {
      remove(Schema.BASE_HEIGHT);
      return;
    }
    put(Schema.BASE_HEIGHT, base.height());
    put(Schema.BASE_HASH, base.hash().toDisplay());
    put(Schema.BASE_PREVIOUS, base.previous().toDisplay());
    put(Schema.BASE_TIME, base.time());
    put(Schema.BASE_BITS, base.bits());
    put(Schema.BASE_WORK, base.work().toString());
  }

  void putBirthdayHeight(int height) throws SQLException {
    put(BIRTHDAY_HEIGHT, height);
  }

  void putSecret(StoredWallet.Secret secret) throws SQLException {
    put("words", secret.words().toArray());
    put("words_encrypted", secret.encrypted() ? 1 : 0);
    put("passphrase_used", secret.passphraseUsed() ? 1 : 0);
  }

  @Nullable Bytes filterKey() throws SQLException {
    return facts().values().get(FILTER_KEY) instanceof byte[] key ? Bytes.of(key) : null;
  }

  void putFilterKey(Bytes key) throws SQLException {
    put(FILTER_KEY, key.toArray());
  }

  /** The one that was kept; if that was damaged, the one that exposes less. */
  Optional<Preset.Kind> preset() throws SQLException {
    Facts facts = facts();
    if (sums.isLost(Recoverable.PRESET)) {
      return Optional.of(Preset.Kind.PRIVATE);
    }
    return facts.has(PRESET)
        ? Optional.of(Preset.Kind.valueOf(facts.text(PRESET).toUpperCase(Locale.ROOT)))
        : Optional.empty();
  }

  void putPreset(Preset.Kind preset) throws SQLException {
    put(PRESET, preset.name().toLowerCase(Locale.ROOT));
  }

  void putHandedOut(int chain, int count, OptionalInt kept) throws SQLException {
    db.change("UPDATE chain SET handed_out = ? WHERE id = ?", count, chain);
    if (kept.isPresent()) {
      put(KEPT + chain, kept.getAsInt());
    } else {
      remove(KEPT + chain);
    }
  }

  private void put(String key, Object value) throws SQLException {
    db.touch("meta", key);
    db.change("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value);
  }

  private void remove(String key) throws SQLException {
    db.touch("meta", key);
    db.change("DELETE FROM meta WHERE key = ?", key);
  }
}
