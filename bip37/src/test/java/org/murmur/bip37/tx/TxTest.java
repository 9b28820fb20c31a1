package org.murmur.bip37.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bitcoinj.base.Coin;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.core.Transaction;
import org.bitcoinj.core.TransactionInput;
import org.bitcoinj.core.TransactionOutPoint;
import org.bitcoinj.core.TransactionOutput;
import org.bitcoinj.core.TransactionWitness;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;

class TxTest {

  private static byte[] bytes(SplittableRandom random, int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] hash(SplittableRandom random) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A transaction that bitcoinj made. */
  private static Transaction theirs(SplittableRandom random) {
    Transaction tx = new Transaction();
    tx.setVersion(random.nextInt(Integer.MAX_VALUE));
    tx.setLockTime(Integer.toUnsignedLong(random.nextInt()));
    boolean witness = random.nextBoolean();
    for (int i = random.nextInt(4); i >= 0; i--) {
      TransactionOutPoint spent =
          new TransactionOutPoint(random.nextInt(300), Sha256Hash.wrap(hash(random)));
      TransactionInput input = new TransactionInput(tx, bytes(random, 300), spent);
      input = input.withSequence(Integer.toUnsignedLong(random.nextInt()));
      if (witness) {
        input = input.withWitness(TransactionWitness.of(bytes(random, 300), bytes(random, 40)));
      }
      tx.addInput(input);
    }
    for (int i = random.nextInt(300) == 0 ? 260 : random.nextInt(5); i > 0; i--) {
      Coin value = Coin.valueOf(random.nextLong(21_000_000L * 100_000_000L));
      tx.addOutput(new TransactionOutput(tx, value, bytes(random, 80)));
    }
    return tx;
  }

  @Property(tries = 500)
  void readsTheOutputOfBitcoinj(@ForAll long seed) {
    Transaction theirs = theirs(new SplittableRandom(seed));
    Tx tx = Tx.parse(Bytes.of(theirs.serialize()));
    assertThat(tx.txid().toDisplay()).isEqualTo(theirs.getTxId().toString());
    assertThat(tx.version()).isEqualTo((int) theirs.getVersion());
    assertThat(Integer.toUnsignedLong(tx.lockTime())).isEqualTo(theirs.lockTime().rawValue());
    assertThat(tx.hasWitness()).isEqualTo(theirs.hasWitnesses());
    assertThat(tx.inputs()).hasSize(theirs.getInputs().size());
    for (int i = 0; i < tx.inputs().size(); i++) {
      Tx.Input input = tx.inputs().get(i);
      TransactionInput expected = theirs.getInput(i);
      assertThat(input.outPoint().txid().toDisplay())
          .isEqualTo(expected.getOutpoint().hash().toString());
      assertThat(Integer.toUnsignedLong(input.outPoint().index()))
          .isEqualTo(expected.getOutpoint().index());
      assertThat(input.outPoint().toBytes())
          .isEqualTo(Bytes.of(expected.getOutpoint().serialize()));
      assertThat(input.scriptSig()).isEqualTo(Bytes.of(expected.getScriptBytes()));
      assertThat(Integer.toUnsignedLong(input.sequence())).isEqualTo(expected.getSequenceNumber());
    }
    assertThat(tx.outputs()).hasSize(theirs.getOutputs().size());
    for (int i = 0; i < tx.outputs().size(); i++) {
      assertThat(tx.outputs().get(i).value()).isEqualTo(theirs.getOutput(i).getValue().value);
      assertThat(tx.outputs().get(i).script())
          .isEqualTo(Bytes.of(theirs.getOutput(i).getScriptBytes()));
    }
  }

  @Property(tries = 300)
  void hasTheWeightOfBitcoinj(@ForAll long seed) {
    Transaction theirs = theirs(new SplittableRandom(seed));
    Tx tx = Tx.parse(Bytes.of(theirs.serialize()));
    assertThat(tx.weight()).isEqualTo(theirs.getWeight());
    assertThat(tx.virtualSize()).isEqualTo(theirs.getVsize());
  }

  /** Without its witness data it has the same txid, and is what bitcoinj reads as the same. */
  @Property(tries = 500)
  void keepsItsTxidWhenStripped(@ForAll long seed) {
    Tx tx = Tx.parse(Bytes.of(theirs(new SplittableRandom(seed)).serialize()));
    Bytes stripped = tx.stripped();
    assertThat(stripped.length()).isEqualTo(tx.strippedSize());
    Tx again = Tx.parse(stripped);
    assertThat(again.txid()).isEqualTo(tx.txid());
    assertThat(again.hasWitness()).isFalse();
    assertThat(again.inputs()).isEqualTo(tx.inputs());
    assertThat(again.outputs()).isEqualTo(tx.outputs());
    Transaction theirs = Transaction.read(ByteBuffer.wrap(stripped.toArray()));
    assertThat(theirs.getTxId().toString()).isEqualTo(tx.txid().toDisplay());
  }

  @Property(tries = 300)
  void refusesToReadAnyTruncation(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Bytes whole = Bytes.of(theirs(random).serialize());
    Bytes cut = whole.slice(0, random.nextInt(whole.length()));
    assertThatThrownBy(() -> Tx.parse(cut)).isInstanceOf(MalformedException.class);
  }

  /** Whatever arrives: a value that reads itself again, or a MalformedException. */
  @Property(tries = 2000)
  void neverBreaksOnChangedBytes(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = theirs(random).serialize();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(Math.min(bytes.length, 120))] = (byte) random.nextInt();
    }
    Tx tx;
    try {
      tx = Tx.parse(Bytes.of(bytes));
    } catch (MalformedException e) {
      assertThat(e.offset()).isBetween(0, bytes.length);
      return;
    }
    assertThat(Tx.parse(tx.raw())).isEqualTo(tx).hasSameHashCodeAs(tx);
    assertThat(tx.strippedSize()).isEqualTo(tx.stripped().length());
  }

  @Test
  void readsOneTransactionAfterAnother() {
    SplittableRandom random = new SplittableRandom(4);
    byte[] first = theirs(random).serialize();
    byte[] second = theirs(random).serialize();
    byte[] both = new byte[3 + first.length + second.length];
    System.arraycopy(first, 0, both, 3, first.length);
    System.arraycopy(second, 0, both, 3 + first.length, second.length);
    ByteReader in = new ByteReader(both, 3, both.length);
    assertThat(Tx.read(in).raw()).isEqualTo(Bytes.of(first));
    assertThat(Tx.read(in).raw()).isEqualTo(Bytes.of(second));
    in.expectEnd();
  }

  @Test
  void knowsACoinbase() {
    String genesis =
        "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d"
            + "0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b"
            + "206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104"
            + "678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e5"
            + "1ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000";
    Tx tx = Tx.parse(Bytes.ofHex(genesis));
    assertThat(tx.isCoinbase()).isTrue();
    assertThat(tx.txid())
        .isEqualTo(
            Hash256.ofDisplay("4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b"));
    assertThat(tx.outputs().get(0).value()).isEqualTo(50 * 100_000_000L);
  }

  private static Tx spending(Bytes script, List<OutPoint> inputs, long... values) {
    ByteWriter out = new ByteWriter().int32(2).compactSize(inputs.size());
    inputs.forEach(input -> out.hash(input.txid()).int32(input.index()).varBytes(script).int32(-1));
    out.compactSize(values.length);
    for (long value : values) {
      out.int64(value).varBytes(Bytes.EMPTY);
    }
    return Tx.parse(out.int32(0).toBytes());
  }

  /** The cases of Core's CheckTransaction, in its order. */
  @Test
  void knowsWhatNoBlockCanHold() {
    OutPoint nothing = new OutPoint(Hash256.ZERO, -1);
    OutPoint first = new OutPoint(Hash256.ZERO, 0);
    OutPoint second = new OutPoint(Hash256.ZERO, 1);
    Bytes none = Bytes.EMPTY;
    assertThat(spending(none, List.of(first, second), 0, Tx.MAX_MONEY).flaw()).isEmpty();
    assertThat(spending(none, List.of(first)).flaw()).contains(Tx.Flaw.HAS_NO_OUTPUTS);
    assertThat(spending(Bytes.of(new byte[1_000_000]), List.of(first), 1).flaw())
        .contains(Tx.Flaw.IS_TOO_LARGE);
    assertThat(spending(none, List.of(first), Tx.MAX_MONEY, 1).flaw())
        .contains(Tx.Flaw.PAYS_IMPOSSIBLE_VALUES);
    assertThat(spending(none, List.of(first, second, first), 1).flaw())
        .contains(Tx.Flaw.SPENDS_TWICE);
    for (int length : new int[] {0, 1, 2, 100, 101}) {
      assertThat(spending(Bytes.of(new byte[length]), List.of(nothing), 1).flaw().isPresent())
          .as("coinbase script of %d bytes", length)
          .isEqualTo(length < 2 || length > 100);
    }
    assertThat(spending(none, List.of(first, nothing), 1).flaw()).contains(Tx.Flaw.SPENDS_NOTHING);
  }
}
