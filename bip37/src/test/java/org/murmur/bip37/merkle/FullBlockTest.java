package org.murmur.bip37.merkle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.TxBytes;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** A whole block is believed only if it is the one that its header names. */
class FullBlockTest {

  /** The first block with a payment from one person to another, 170, as any node hands it out. */
  private static final String BLOCK_170 =
      "0100000055bd840a78798ad0da853f68974f3d183e2bd1db6a842c1feecf222a00000000ff104ccb05421ab93e63"
          + "f8c3ce5c2c2e9dbb37de2764b3a3175c8166562cac7d51b96a49ffff001d283e9e7002"
          + "0100000001000000000000000000000000000000000000000000000000000000000000000"
          + "0ffffffff0704ffff001d0102ffffffff0100f2052a01000000434104d46c4968bde02899d2aa0963367c7a6ce"
          + "34eec332b32e42e5f3407e052d64ac625da6f0718e7b302140434bd725706957c092db53805b821a85b23a7ac"
          + "61725bac00000000"
          + "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304"
          + "402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de"
          + "4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe"
          + "09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b"
          + "8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a"
          + "382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b41"
          + "2a3ac00000000";

  /** Block 1,263,442 of testnet3, with a payment that has witness data. */
  private static final String WITH_WITNESS =
      "000000201c8d1a529c39a396db2db234d5ec152fa651a2872966daccbde028b400000000083f14492679151d"
          + "bfaa1a825ef4c18518e780c1f91044180280a7d33f4a98ff5f45765aaddc001d38333b9a0201000000000101"
          + "0000000000000000000000000000000000000000000000000000000000000000ffffffff230352471300fe5f"
          + "45765afe94690a000963676d696e6572343208000000000000000000ffffffff024423a804000000001976a9"
          + "14f2c25ac3d59f3d674b1d1d0a25c27339aaac0ba688ac0000000000000000266a24aa21a9edcb26cb305242"
          + "6b9ebb4d19c819ef87c19677bbf3a7c46ef0855bd1b2abe83491012000000000000000000000000000000000"
          + "000000000000000000000000000000000000000002000000000101d20978463906ba4ff5e7192494b88dd5eb"
          + "0de85d900ab253af909106faa22cc5010000000004000000014777ff000000000016001446c29eabe8208a33"
          + "aa1023c741fa79aa92e881ff0347304402207d7ca96134f2bcfdd6b536536fdd39ad17793632016936f777eb"
          + "b32c22943fda02206014d2fb8a6aa58279797f861042ba604ebd2f8f61e5bddbd9d3be5a245047b201004b63"
          + "2103eeaeba7ce5dc2470221e9517fb498e8d6bd4e73b85b8be655196972eb9ccd5566754b2752103a40b74d4"
          + "3df244799d041f32ce1ad515a6cd99501701540e38750d883ae21d3a68ac00000000";

  private static Tx coinbase(SplittableRandom random) {
    return new TxBytes()
        .spends(new OutPoint(Hash256.ZERO, -1), TxBytes.hex(random, 8))
        .pays(TxBytes.hex(random, 22))
        .tx();
  }

  private static Tx payment(SplittableRandom random) {
    byte[] txid = new byte[32];
    random.nextBytes(txid);
    TxBytes tx = new TxBytes();
    OutPoint spent = new OutPoint(Hash256.ofInternal(txid), random.nextInt(4));
    if (random.nextBoolean()) {
      tx.spends(spent, "", Bytes.ofHex(TxBytes.hex(random, 70)));
    } else {
      tx.spends(spent, TxBytes.hex(random, 30));
    }
    return tx.pays(TxBytes.hex(random, 22)).tx();
  }

  private static List<Tx> transactions(SplittableRandom random, int count) {
    List<Tx> transactions = new ArrayList<>();
    transactions.add(coinbase(random));
    while (transactions.size() < count) {
      transactions.add(payment(random));
    }
    return transactions;
  }

  private static Hash256 root(List<Tx> transactions) {
    return MerkleTree.root(transactions.stream().map(Tx::txid).toList());
  }

  private static Bytes raw(Hash256 root, List<Tx> transactions) {
    ByteWriter out = new ByteWriter().bytes(new byte[36], 0, 36).hash(root);
    out.bytes(new byte[12], 0, 12).compactSize(transactions.size());
    transactions.forEach(tx -> out.bytes(tx.raw()));
    return out.toBytes();
  }

  private static FullBlock block(Hash256 root, List<Tx> transactions) {
    return FullBlock.parse(raw(root, transactions));
  }

  @Test
  void readsARealBlock() {
    FullBlock block = FullBlock.parse(Bytes.ofHex(BLOCK_170));
    assertThat(block.hash().toDisplay())
        .isEqualTo("00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee");
    assertThat(block.transactions().stream().map(tx -> tx.txid().toDisplay()))
        .containsExactly(
            "b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082",
            "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16");
    assertThat(block.refusal()).isNull();
  }

  @Test
  void theCommitmentCoversTheWitnessDataOfARealBlock() {
    FullBlock block = FullBlock.parse(Bytes.ofHex(WITH_WITNESS));
    assertThat(block.hash().toDisplay())
        .isEqualTo("000000006f27ddfe1dd680044a34548f41bed47eba9e6f0b310da21423bc5f33");
    assertThat(block.refusal()).isNull();
    assertThat(block.hasSoundWitness()).isTrue();
    // By hand: 4 * (80 + 1) for header and count, 704 for the coinbase, 480 for the payment.
    assertThat(block.weight()).isEqualTo(1_508);
    assertThat(block.transactions().get(1).weight()).isEqualTo(480);
    assertThat(FullBlock.parse(Bytes.ofHex(BLOCK_170)).hasSoundWitness()).isTrue();
  }

  /** The Merkle root does not see any of it. */
  @Test
  void noByteOfTheWitnessDataCanBeChangedAndNoneLeftOut() {
    FullBlock block = FullBlock.parse(Bytes.ofHex(WITH_WITNESS));
    Bytes witness = block.transactions().get(1).witness();
    int at = WITH_WITNESS.indexOf(witness.toHex()) / 2;
    // Behind the number of items and the length of the first.
    for (int i = 2; i < 73; i++) {
      byte[] raw = Bytes.ofHex(WITH_WITNESS).toArray();
      raw[at + i] ^= 1;
      FullBlock changed = FullBlock.parse(Bytes.wrap(raw));
      assertThat(changed.refusal()).isNull();
      assertThat(changed.hasSoundWitness()).isFalse();
    }
    List<Tx> stripped = block.transactions().stream().map(Tx::withoutWitness).toList();
    FullBlock without = block(root(stripped), stripped);
    assertThat(without.refusal()).isNull();
    assertThat(without.hasSoundWitness()).isFalse();
  }

  /** Without a commitment nothing proves witness data. */
  @Test
  void witnessDataNeedsACommitment() {
    SplittableRandom random = new SplittableRandom(9);
    Tx payment = payment(random);
    while (!payment.hasWitness()) {
      payment = payment(random);
    }
    List<Tx> transactions = List.of(coinbase(random), payment);
    assertThat(block(root(transactions), transactions).refusal()).isNull();
    assertThat(block(root(transactions), transactions).hasSoundWitness()).isFalse();
  }

  @Property(tries = 200)
  void provesTheSameAsAPeer(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Tx> transactions = transactions(random, count);
    FullBlock block = block(root(transactions), transactions);
    assertThat(block.refusal()).isNull();
    BitSet chosen = new BitSet();
    for (int i = 0; i < count; i++) {
      chosen.set(i, random.nextInt(4) == 0);
    }
    MerkleBlock proof = block.prove(chosen);
    assertThat(proof.blockHash()).isEqualTo(block.hash());
    List<Match> expected = new ArrayList<>();
    chosen.stream().forEach(i -> expected.add(new Match(transactions.get(i).txid(), i)));
    assertThat(proof.verify()).isEqualTo(new Verdict.Proven(expected, false));
  }

  @Property(tries = 200)
  void oneTransactionLessIsAnotherBlock(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 40) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Tx> transactions = transactions(random, count);
    Hash256 root = root(transactions);
    transactions.remove(1 + random.nextInt(count - 1));
    assertThat(block(root, transactions).refusal()).isEqualTo(Reason.WRONG_ROOT);
  }

  @Test
  void refusesTheDoubledFormOfABlock() {
    SplittableRandom random = new SplittableRandom(7);
    List<Tx> transactions = transactions(random, 3);
    Hash256 root = root(transactions);
    transactions.add(transactions.get(2));
    assertThat(root(transactions)).isEqualTo(root);
    assertThat(block(root, transactions).refusal()).isEqualTo(Reason.EQUAL_CHILDREN);
  }

  @Test
  void refusesABlockWithoutCoinbase() {
    SplittableRandom random = new SplittableRandom(8);
    List<Tx> transactions = List.of(payment(random), payment(random));
    assertThat(block(root(transactions), transactions).refusal()).isEqualTo(Reason.NO_COINBASE);
  }

  @Test
  void refusesABlockThatPaysMoreThanThereIs() {
    SplittableRandom random = new SplittableRandom(9);
    Tx honest = coinbase(random);
    byte[] raw = honest.raw().toArray();
    // The value stands before the script of 22 bytes, its length and the lock time: set its sign.
    raw[raw.length - 4 - 22 - 1 - 1] = (byte) 0x80;
    List<Tx> transactions = List.of(Tx.parse(Bytes.of(raw)), payment(random));
    assertThat(transactions.get(0).outputs().get(0).value()).isNegative();
    assertThat(block(root(transactions), transactions).refusal())
        .isEqualTo(Reason.INVALID_TRANSACTION);
  }

  @Test
  void refusesBytesThatAreNoBlock() {
    Bytes raw = Bytes.ofHex(BLOCK_170);
    assertThat(block(Hash256.ZERO, List.of()).refusal()).isEqualTo(Reason.NO_TRANSACTIONS);
    assertThatThrownBy(() -> FullBlock.parse(raw.slice(0, raw.length() - 1)))
        .isInstanceOf(MalformedException.class);
    Bytes longer = new ByteWriter().bytes(raw).uint8(0).toBytes();
    assertThatThrownBy(() -> FullBlock.parse(longer)).isInstanceOf(MalformedException.class);
    byte[] many = new byte[80 + 3 + 17_000 * 60];
    many[80] = (byte) 0xfd;
    many[81] = (byte) (17_000 & 0xff);
    many[82] = (byte) (17_000 >> 8);
    assertThatThrownBy(() -> FullBlock.parse(Bytes.of(many)))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("16666");
  }
}
