package org.murmur.regtest.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.Lane;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.Wallets;

class ChainTest {

  private static final Bytes FOREIGN =
      OutputScripts.payToWitnessPubKeyHash(Bytes.wrap(new byte[20]));

  @Property(tries = 5)
  void theCoinsAreThoseANaiveScanFindsWhateverWasReorganised(@ForAll long seed) {
    Chain chain =
        ChainBuilder.ofSeed(seed)
            .blocks(130)
            .transactionsPerBlock(5)
            .wallet(Wallets.lively(3, KeySigner::payToWitnessPubKeyHash, 30))
            .build()
            .chain();
    Dice dice = new Dice(seed);
    for (int i = 0; i < 4; i++) {
      int fork = chain.height() - 1 - dice.below(25);
      List<Block> gone = chain.replace(fork, List.of());
      assertSameCoins(chain);
      for (int j = gone.size() - 1; j >= dice.below(gone.size()); j--) {
        chain.append(gone.get(j));
      }
      assertSameCoins(chain);
    }
  }

  private static void assertSameCoins(Chain chain) {
    Set<OutPoint> naive = new HashSet<>();
    for (int height = 1; height <= chain.height(); height++) {
      for (Tx tx : chain.blockAt(height).transactions()) {
        tx.inputs().forEach(input -> naive.remove(input.outPoint()));
        for (int i = 0; i < tx.outputs().size(); i++) {
          naive.add(tx.outPoint(i));
        }
      }
    }
    assertThat(chain.coins()).isEqualTo(naive.size());
    assertThat(naive).allMatch(outPoint -> chain.coin(outPoint) != null);
  }

  @Test
  void refusesBadBlocksAndStaysAsItWas() {
    try (RegtestNode node = RegtestNode.start()) {
      OutPoint funds = Lane.fund(node);
      Tx young = Lane.spend(node.blockAt(3).tx(0).outPoint(0)).pay(1, FOREIGN).build();
      Tx good = Lane.spend(funds).pay(1000, FOREIGN).build();
      Tx twice = Lane.spend(funds).pay(2000, FOREIGN).build();
      Tx rich = Lane.spend(funds).pay(51_0000_0000L, FOREIGN).build();
      int coins = node.chain().coins();
      // The second pays a lower fee, so it is refused as a replacement already.
      refuses(node, List.of(good, twice), "of those it replaces");
      refuses(node, List.of(rich), "outputs above inputs");
      refuses(node, List.of(young), "immature");
      refusesRaw(node, List.of(good, twice), 0, "missing or spent");
      refusesRaw(node, List.of(rich), 0, "outputs above inputs");
      refusesRaw(node, List.of(good), 50_0000_0000L, "pays too much");
      assertThat(node.height()).isEqualTo(101);
      assertThat(node.chain().coins()).isEqualTo(coins);
      assertThat(node.chain().coin(funds)).isNotNull();
      node.mine(List.of(good));
      assertThat(node.chain().coin(funds)).isNull();
    }
  }

  private static void refuses(RegtestNode node, List<Tx> transactions, String complaint) {
    assertThatThrownBy(() -> node.mine(transactions))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  /** Without the miner's own checks: straight to the chain. */
  private static void refusesRaw(
      RegtestNode node, List<Tx> transactions, long more, String complaint) {
    Chain chain = node.chain();
    Block block =
        BlockAssembly.next(chain, chain.medianTimePast() + 1, FOREIGN, more, 77, transactions);
    assertThatThrownBy(() -> chain.append(block))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void refusesABlockThatDoesNotFollow() {
    Chain chain = ChainBuilder.ofSeed(1).blocks(3).build().chain();
    Block tip = chain.tip();
    assertThatThrownBy(() -> chain.append(tip))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not follow");
    assertThatThrownBy(() -> chain.replace(1, List.of(tip)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(chain.tip()).isEqualTo(tip);
  }

  @Test
  void halvesTheSubsidyEvery150Blocks() {
    assertThat(Chain.subsidy(149)).isEqualTo(50_0000_0000L);
    assertThat(Chain.subsidy(150)).isEqualTo(25_0000_0000L);
    assertThat(Chain.subsidy(300)).isEqualTo(12_5000_0000L);
    assertThat(Chain.subsidy(150 * 64)).isZero();
  }

  @Test
  void pushesHeightsAsScriptsPushNumbers() {
    assertThat(BlockAssembly.heightPush(1).toHex()).isEqualTo("51");
    assertThat(BlockAssembly.heightPush(16).toHex()).isEqualTo("60");
    assertThat(BlockAssembly.heightPush(17).toHex()).isEqualTo("0111");
    assertThat(BlockAssembly.heightPush(127).toHex()).isEqualTo("017f");
    assertThat(BlockAssembly.heightPush(128).toHex()).isEqualTo("028000");
    assertThat(BlockAssembly.heightPush(256).toHex()).isEqualTo("020001");
    assertThat(BlockAssembly.heightPush(32768).toHex()).isEqualTo("03008000");
  }

  @Test
  void copiesAreIndependent() {
    Chain chain = ChainBuilder.ofSeed(1).blocks(120).build().chain();
    Chain copy = chain.copy();
    copy.replace(100, List.of());
    assertThat(chain.height()).isEqualTo(120);
    assertSameCoins(chain);
    assertSameCoins(copy);
  }

  @Test
  void blocksParseAsTheyWereWritten() {
    Chain chain = ChainBuilder.ofSeed(1).blocks(120).build().chain();
    Block block = chain.tip();
    assertThat(Block.parse(block.raw())).isEqualTo(block);
    assertThat(Block.parse(block.raw()).txids()).isEqualTo(block.txids());
  }
}
