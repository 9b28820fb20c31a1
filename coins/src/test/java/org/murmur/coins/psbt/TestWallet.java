package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.Signer;
import org.murmur.coins.internal.sign.SpentOutput;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.regtest.chain.TxBuilder;

/** A wallet of words with all four script types, and transactions that pay it. */
final class TestWallet {

  static final Mnemonic WORDS = Mnemonic.parse("abandon ".repeat(11) + "about");
  static final Mnemonic OTHER_WORDS = Mnemonic.parse("zoo ".repeat(11) + "wrong");
  static final TestWallet OURS = new TestWallet(WORDS);
  static final TestWallet THEIRS = new TestWallet(OTHER_WORDS);
  private static final int SCRIPTS = 5;

  private final Mnemonic words;
  private final Map<Bytes, Descriptor.PublicKey> keys = new HashMap<>();
  private final Map<KeyPath, Bytes> scripts = new HashMap<>();

  private TestWallet(Mnemonic words) {
    this.words = words;
    for (OutputType type : OutputType.values()) {
      List<Descriptor> chains =
          Accounts.descriptors(words, "", KeyNetwork.REGTEST, List.of(type), 0);
      for (int i = 0; i < 2 * SCRIPTS; i++) {
        Descriptor chain = chains.get(i % 2);
        Bytes script = chain.derive(i / 2).scriptPubKey();
        keys.put(script, chain.key(i / 2).orElseThrow());
        scripts.put(new KeyPath(type, 0, i % 2 == 1, i / 2), script);
      }
    }
  }

  OwnKeys own() {
    return script -> Optional.ofNullable(keys.get(script));
  }

  PrivateKeys privateKeys() {
    return WordKeys.of(words, "", KeyNetwork.REGTEST);
  }

  Bytes script(KeyPath path) {
    return Objects.requireNonNull(scripts.get(path));
  }

  KeyPath path(OutputType type, Random random) {
    return new KeyPath(type, 0, random.nextBoolean(), random.nextInt(SCRIPTS));
  }

  /** What a payment spends, and the transactions that paid it. */
  static final class Spend {

    private final Random random;
    private final List<SpentOutput> spent = new ArrayList<>();
    private final Map<Hash256, Tx> previous = new HashMap<>();
    private final TxBuilder tx = new TxBuilder();

    Spend(Random random) {
      this.random = random;
    }

    static Spend of(OutputType type, Random random) {
      return new Spend(random).coin(OURS, type);
    }

    Spend coin(TestWallet wallet, OutputType type) {
      KeyPath path = wallet.path(type, random);
      byte[] txid = new byte[Hash256.LENGTH];
      random.nextBytes(txid);
      long value = 10_000L + random.nextInt(1_000_000);
      Tx paying =
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofInternal(txid), 0))
              .pay(600, Bytes.ofHex("51"))
              .pay(value, wallet.script(path))
              .build();
      previous.put(paying.txid(), paying);
      tx.spend(paying.outPoint(1));
      spent.add(new SpentOutput(value, wallet.script(path), path));
      return this;
    }

    long value() {
      return spent.stream().mapToLong(SpentOutput::value).sum();
    }

    /** Pays somebody and a change address, with a fee of 5,000 satoshi. */
    Tx unsigned() {
      Bytes change = OURS.script(new KeyPath(OutputType.P2SH_P2WPKH, 0, true, 3));
      return unsigned(value() - 6_000, change);
    }

    Tx unsigned(long value, Bytes change) {
      return tx.pay(1_000, Bytes.ofHex("0014" + "11".repeat(20)))
          .pay(value, change)
          .lockTime(101)
          .build();
    }

    List<SpentOutput> spent() {
      return spent;
    }

    Optional<Tx> transaction(Hash256 txid) {
      return Optional.ofNullable(previous.get(txid));
    }

    Psbt updated(Tx unsigned) {
      return PsbtUpdater.update(Psbt.create(unsigned), OURS.own(), this::transaction);
    }

    /** As the signer for whole payments signs it. */
    Tx signed(Tx unsigned) {
      return Signer.sign(unsigned, spent, OURS.privateKeys(), Long.MAX_VALUE);
    }
  }
}
