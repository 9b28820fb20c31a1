package org.murmur.coins.spend.fee;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.chain.ChainParams;

final class BlockFeesTest {

  /** Block 1,263,442 of testnet3. */
  private static final String BLOCK =
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

  /**
   * By hand: the coinbase pays 78,127,940 sat, and six halvings leave 78,125,000 sat of new coins.
   * The payment has 94 bytes besides 104 of witness data: 4 * 94 + 104 = 480 weight units, 120 vB.
   */
  @Test
  void readsTheFeesOfARealBlock() {
    int height = 1_263_442;
    BlockFees fees =
        BlockFees.of(
            FullBlock.parse(Bytes.ofHex(BLOCK)), height, ChainParams.TESTNET3.subsidy(height));
    assertThat(fees).isEqualTo(new BlockFees(height, 2_940, 480, 1_508));
    assertThat(fees.rate()).isEqualTo(FeeRate.satPerKvb(24_500));
    assertThat(fees.isFull()).isFalse();
    assertThat(fees.isEmpty()).isFalse();
    assertThat(fees.percent()).isZero();
  }

  /** A miner may claim less than it could: that is no negative fee. */
  @Test
  void aModestMinerPaysNoNegativeFee() {
    FullBlock block = FullBlock.parse(Bytes.ofHex(BLOCK));
    assertThat(BlockFees.of(block, 1, 5_000_000_000L).fees()).isZero();
  }

  @Test
  void takesTheLargestFeesThatABlockCanPay() {
    BlockFees all = new BlockFees(1, 2_100_000_000_000_000L, 240, 4_000);
    assertThat(all.rate()).isEqualTo(FeeRate.satPerKvb(FeeRate.MAX_SAT_PER_KVB));
  }

  @Test
  void aBlockWithoutPaymentsHasNoRate() {
    BlockFees empty = new BlockFees(1, 0, 0, 1_000);
    assertThat(empty.rate()).isEqualTo(FeeRate.ZERO);
    assertThat(empty.isEmpty()).isTrue();
  }
}
